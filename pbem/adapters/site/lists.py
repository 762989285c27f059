"""What tells of several games: lists by fifty, and what happened lately.

A turn touches two or three of these files, however many games there are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from pbem.adapters.site.files import Folder
from pbem.adapters.site.find import Index, Vocabulary, keep, kept, widened
from pbem.adapters.site.pages import SitePages
from pbem.adapters.site.people import People
from pbem.adapters.site.rating_pages import PlayersTold
from pbem.adapters.site.records import Card, Headline, flat, nested_cards, newest_first

BY = 50  # games in a list
RECENT = 30  # turns in the feed of all games
LATEST = 8  # games whose newest turn is on the first page
_NUMBER = re.compile(r"(.+)-(\d+)")

News = Sequence[tuple[Card, Sequence[Headline]]]  # of games that were just kept, with their newest turns


class Lists:
    """Brings up what tells of several games."""

    def __init__(self, folder: Folder, pages: SitePages) -> None:
        self._folder = folder
        self._pages = pages
        self._people = People(folder, pages)
        self._known: dict[str, Mapping[str, Card]] = {}  # lists that were read or written here

    def bring_up(self, news: News, told: PlayersTold) -> None:
        """The lists come last: whoever is not in them yet has not been counted, or will be counted again."""
        anew = self._folder.load("data/made.json", str) != self._pages.made
        before = {card.game: card for name in _lists(news) for card in self._list(name).values()}
        changed = [(before.get(card.game), card) for card, _ in news]
        self._people.bring_up(changed, told, self._cards, anew=anew)
        for name in _lists(news):
            games = {card.game: card for card, _ in news if list_of(card.game) == name}
            self._renew(name, games)
            self._renew_words(name, games)
        keep(self._folder, "search/lists.js", "lists", self._names())
        self._write_pages([*dict.fromkeys([*_lists(news), *(self._names() if anew else ())])])
        self._write_home(self._renew_latest(news))
        self._folder.store("data/made.json", self._pages.made)

    def _cards(self) -> Iterable[Card]:
        return (card for name in self._names() for card in self._list(name).values())

    def _list(self, name: str) -> Mapping[str, Card]:
        if name not in self._known:
            self._known[name] = self._folder.load(f"data/games/{name}.json", dict[str, Card], nested_cards) or {}
        return self._known[name]

    def _renew(self, name: str, cards: Mapping[str, Card]) -> None:
        games = dict(sorted({**self._list(name), **cards}.items(), key=lambda each: _order(each[0])))
        self._known[name] = games
        self._folder.store(f"data/games/{name}.json", flat(games))
        names = sorted({*self._names(), name}, key=_order, reverse=True)
        self._folder.store("data/lists.json", names)

    def _renew_words(self, name: str, games: Iterable[str]) -> None:
        path = f"search/{name}.js"
        vocabulary = kept(self._folder, path, Vocabulary)
        for game in games:
            vocabulary = widened(vocabulary, game, kept(self._folder, f"{game}/search.js", Index).words)
        keep(self._folder, path, f"words of {name}", vocabulary)

    def _names(self) -> list[str]:
        """Of all lists, the newest first."""
        return self._folder.load("data/lists.json", list[str]) or []

    def _older(self, name: str) -> str | None:
        """The list that follows this one."""
        names = self._names()
        return next(iter(names[names.index(name) + 1 :]), None)

    # -- pages ---

    def _write_pages(self, names: Iterable[str]) -> None:
        for name, content in self._pages.assets():
            self._folder.write(f"assets/{name}", content)
        for path, page in self._pages.order_pages():
            self._folder.write(f"{path}index.html", page)
        put, say = partial(self._pages.put, self._folder), self._pages.say
        put("search/", "search", say("site.search"), here="search", description=say("site.search_says"))
        for name in names:
            place = f"games/{name}/"
            known = _last_begun_first(self._list(name))
            title = say("site.list", first=known[-1].game, last=known[0].game)
            cards, older = self._pages.cards(known, place), self._older(name)
            put(place, "list", title, here="games", description=f"{title}.", cards=cards, older=older)

    def _write_home(self, latest: Sequence[Headline]) -> None:
        """The two newest lists stand there, so that there is always something to see."""
        names = self._names()[:2]
        lists = [_last_begun_first(self._list(name)) for name in names]
        older = self._older(names[-1]) if names else None
        self._folder.write("index.html", self._pages.home(lists, _one_each(latest)[:LATEST], older))

    def _renew_latest(self, news: News) -> list[Headline]:
        """What is told of a game stands in the place of all that was told of it before."""
        known = self._folder.load("data/latest.json", list[Headline]) or []
        told = {card.game for card, _ in news}
        kept = [one for one in known if one.game not in told]
        new = [one for _, headlines in news for one in headlines]
        latest = newest_first([*kept, *new])[:RECENT]
        self._folder.store("data/latest.json", latest)
        self._folder.write("feed.xml", self._pages.feed(self._pages.say("site.feed_all"), "", latest))
        return latest


def list_of(game: str) -> str:
    """Games that were begun one after another stand in one list."""
    numbered = _NUMBER.fullmatch(game)
    return f"{numbered[1]}-{(int(numbered[2]) - 1) // BY + 1}" if numbered else game


def _last_begun_first(cards: Mapping[str, Card]) -> list[Card]:
    return sorted(cards.values(), key=lambda card: _order(card.game), reverse=True)


def _one_each(latest: Iterable[Headline]) -> list[Headline]:
    """The newest turn of each game."""
    newest: dict[str, Headline] = {}
    for one in latest:
        newest.setdefault(one.game, one)
    return [*newest.values()]


def _lists(news: News) -> list[str]:
    return [*dict.fromkeys(list_of(card.game) for card, _ in news)]


def _order(name: str) -> tuple[str, int]:
    numbered = _NUMBER.fullmatch(name)
    return (numbered[1], int(numbered[2])) if numbered else (name, 0)
