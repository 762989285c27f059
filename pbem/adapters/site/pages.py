"""The archive's pages, worded in one language."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cached_property
from hashlib import blake2b, sha256
from importlib.resources.abc import Traversable
from typing import Any

import msgspec
from markupsafe import Markup
from msgspec import Struct

from pbem.adapters.mail_renderer import MailRenderer
from pbem.adapters.mail_renderer.renderer import letter_filters
from pbem.adapters.mail_renderer.teller import Teller
from pbem.adapters.site.course import paces, rounds
from pbem.adapters.site.files import Folder
from pbem.adapters.site.ledger import frequencies, lots_of
from pbem.adapters.site.noted import Losses
from pbem.adapters.site.records import Card, GameFile, Headline, newest_first
from pbem.core.game import Registry
from pbem.core.presenter import Chart, Facts, Presenter, Tables, View
from pbem.files import resource
from pbem.host.archive.notes import Note
from pbem.host.archive.published import ArchivedTurn, GameArchive
from pbem.host.commands.table import COMMANDS
from pbem.host.session.acts import Done, Petitioned
from pbem.render.order_page import order_page, order_path
from pbem.render.wording import wording

PETITIONS = ("petitioned", "voted", "deemed", "withdrawn", "rejected", "validated", "decided")
YEAR = 2025  # in which the first archive was made
STYLE = "site.css"
OWN = ("sentences", "templates")  # folders of a game that its pages are made of
CARDS = 20_000  # in memory, each of some 800 bytes
DESCRIBED = 160  # characters of a page's description: search engines show no more
EDITION = 1  # rises when the pages change without a template's change


class FeedEntry(Struct, frozen=True, kw_only=True):
    """Something that a feed tells."""

    id: str
    title: str
    at: int
    link: str  # from the archive's root
    told: tuple[str, ...] = ()  # sentences


class SitePages:
    """Makes pages out of what the archive knows.

    For the feeds, `url` is where it can be read, and `domain` that of the server, which nobody else has.
    """

    def __init__(
        self,
        presenter: Presenter,
        language: str,
        url: str,
        domain: str,
        *,
        game: str,
        kind: str,
        siblings: Mapping[str, SitePages],
    ) -> None:
        self.presenter = presenter
        self.id = game  # of what is played
        self.kind = kind  # the same; "" for the first
        self.siblings = siblings  # the pages of all games, by their kinds
        self.language = language
        self.url = url
        self._domain = domain
        self.letters = MailRenderer(presenter, language)
        self._html = wording(
            presenter.voice,
            language,
            html=True,
            page="templates/site",
            more=letter_filters(presenter),
            commands=COMMANDS.sentences,
        )
        self._text = wording(presenter.voice, language, html=False, page="templates/site", commands=COMMANDS.sentences)
        self._teller = Teller(presenter, self._text)
        self._cards: OrderedDict[tuple[str, str], tuple[bytes, Markup]] = OrderedDict()

    @cached_property
    def made(self) -> str:
        """Names the words and templates the pages are made of."""
        known = sha256(f"{EDITION} {self.language} {self.url} {self._domain}".encode())
        voices = [f"{each.presenter.voice.folder}/{part}" for each in self.siblings.values() for part in OWN]
        for folder in ("templates/site", *voices, "templates/mail"):
            for name, content in _contents(resource(folder)):
                known.update(f"{name} {len(content)} ".encode() + content)
        return known.hexdigest()[:12]

    def of(self, game: str) -> SitePages:
        """The pages for games of that id."""
        return self.siblings.get(game, self.siblings[""])

    def say(self, key: str, **facts: Any) -> str:
        """A sentence as plain text."""
        return self._text.say(key, **facts)

    # -- one game ---

    def title(self, turn: ArchivedTurn) -> str:
        if not turn.number and self.presenter.headline(turn.events) is None:
            return self.say("subjects.opening")
        return self._teller.headline(turn.events, turn.round)

    def told(self, turn: ArchivedTurn) -> tuple[str, ...]:
        """What happened, sentence by sentence, as plain text."""
        return tuple(sentence for event in turn.events if (sentence := self._text.event(event)))

    def words(self, turn: ArchivedTurn) -> str:
        """All that a search may find the turn by."""
        return "\n".join(
            [
                self.title(turn),
                *self.told(turn),
                *(self._text.order(one.text) for one in turn.sent),
                *(one.text for one in turn.press),
            ]
        )

    def turn(self, game: str, turn: ArchivedTurn, commitment: str, *, follows: bool, notes: Sequence[Note] = ()) -> str:
        place = f"{game}/turn-{turn.number}/"
        return self._page(
            place,
            "turn",
            f"{game}: {self.title(turn)}",
            game=game,
            turn=turn,
            lots=lots_of(turn, self.presenter.pages),
            headline=self.title(turn),
            description=" ".join([f"{game}: {self.title(turn)}.", *self.told(turn)]),
            **self._board(turn, place),
            follows=follows,
            **self._tables(turn.after, turn.before),
            earned=self.presenter.earned(turn.after, turn.before),
            **self._beside(turn.done),
            places=self.presenter.standings(turn.after) if turn.after["winners"] else [],
            commitment=commitment,
            notes=notes,
        )

    def game(
        self,
        file: GameFile,
        card: Card,
        volume: GameArchive,
        charts: Sequence[Chart],
        lost: Sequence[Losses] = (),
    ) -> str:
        newest = volume.turns[-1]
        shown = self.presenter.pages
        columns = shown.columns(newest.after)
        place = f"{file.game}/"
        about = self.say("site.edition", edition=file.setup.edition, players=file.setup.seats)
        return self._page(
            place,
            "game",
            file.game,
            file=file,
            card=card,
            of_season=volume.of_season,
            description=f"{file.game}: {about}",
            **self._board(newest, place),
            **self._tables(newest.after, None),
            columns=columns,
            places=self.presenter.standings(newest.after) if newest.after["winners"] else [],
            rounds=[*rounds(file.turns, columns, shown)],
            others=[line for line in file.turns if shown.column(line.own) is None],
            control=shown.control([line.own for line in file.turns], newest.after),
            charts=charts,
            lost=lost,
            ends=[*{line.round: line.number for line in file.turns}.values()],
            paces=[*paces(file.turns, file.setup.seats)],
            press=volume.press,
            **self._beside(volume.done),
            options=self._teller.options(file.rules),
        )

    def _tables(self, view: View, before: View | None) -> dict[str, Tables]:
        """What a letter would tell of the position, and all of it."""
        tables = self.presenter.tables(view, before)
        return {"tables": tables, "everything": self.presenter.pages.position(view, tables)}

    def lots(self, file: GameFile, titles: Mapping[str, str]) -> str:
        """The ledger of all lots; with what each turn is called, by its number."""
        title = f"{file.game}: {self.say('site.ledger')}"
        lots = [lot for line in file.turns for lot in line.draws]
        facts = {"file": file, "titles": titles, "lots": lots, "faces": [*frequencies(lots)]}
        return self._page(f"{file.game}/lots/", "lots", title, description=title, **facts)

    # -- boards ---

    def layers(self, view: View) -> Iterable[tuple[str, str]]:
        """Path and content of the files that boards lie upon: what is the same on many pages stands there once.

        The script has the same pictures once more: a page that was opened as a file may read no other file, but run it.
        """
        layers = self.presenter.pages.layers(view, self.language)
        yield from ((f"boards/{name}.svg", svg) for name, svg in layers.items())
        yield _script(layers), f"boardLayers = {msgspec.json.encode([*layers.values()]).decode()};\n"

    def _board(self, turn: ArchivedTurn, place: str) -> dict[str, str]:
        """The board as an element of a page, and the script that makes it a picture which is complete in itself."""
        layers = self.presenter.pages.layers(turn.after, self.language)
        board = self.presenter.pages.board(
            turn.after,
            turn.before if turn.number else None,
            turn.events,
            language=self.language,
            alt=self.say("site.board_alt", headline=self.title(turn)),
            layers=[f"{_root(place)}boards/{name}.svg?{self.made}" for name in layers],
        )
        return {"board": Markup(board), "layers": _script(layers)}  # noqa: S704 - all text in a picture is outlines

    # -- what was done beside the orders ---

    def _beside(self, done: Iterable[Done]) -> dict[str, list[Facts]]:
        """What was done beside the orders: petitions, and everything else."""
        asked: list[Facts] = []
        acts: list[Facts] = []
        for each in done:
            kind = str(each.act.__struct_config__.tag)
            told = self._html.say(f"site.acts.{kind}", **msgspec.structs.asdict(each.act))
            text = each.act.text if isinstance(each.act, Petitioned) else ""
            (asked if kind in PETITIONS else acts).append({"at": each.at, "told": told, "text": text})
        return {"petitions": asked, "acts": acts}

    # -- all games ---

    def home(self, lists: Sequence[Sequence[Card]], latest: Sequence[Headline], older: str | None) -> str:
        shown = [self.cards(cards, "") for cards in lists]
        editions = [one for each in self.siblings.values() for one in each.editions()]
        facts = {"lists": shown, "latest": latest, "older": older, "editions": editions}
        return self._page("", "home", self.say("site.name"), here="games", **facts)

    def editions(self) -> Sequence[tuple[str, str]]:
        """The rule books of the game: ids, and what they are called."""
        called = self._html.word_of("editions")
        return [(id_, called(id_)) for id_ in self.presenter.pages.editions]

    def cards(self, cards: Iterable[Card], place: str) -> Sequence[Markup]:
        """Games in a list."""
        return [self.of(card.kind).card(card, _root(place)) for card in cards]

    def card(self, card: Card, root: str) -> Markup:
        """Of all that stand in a list few have changed since it was last written."""
        place, is_now = (root, card.game), blake2b(msgspec.json.encode(card), digest_size=16).digest()
        was, html = self._cards.pop(place, (b"", Markup()))
        if was != is_now:
            html = Markup(self._html.letter("site/card.html.j2", {"card": card, "root": root}))  # noqa: S704
        self._cards[place] = (is_now, html)
        if len(self._cards) > CARDS:
            self._cards.popitem(last=False)
        return html

    def feed(self, title: str, place: str, recent: Iterable[Headline]) -> str:
        """Turns as an Atom feed, the newest first."""
        return self.feed_of(title, place, [_turn_told(one) for one in newest_first(recent)])

    def feed_of(self, title: str, place: str, entries: Sequence[FeedEntry]) -> str:
        """An Atom feed. The ids are tags for ever (RFC 4151), wherever the archive lies."""
        facts = {
            "title": title,
            "id": f"tag:{self._domain},{YEAR}:{place}",
            "base": self.url and f"{self.url}{place}",
            "root": self.url or _root(place),
            "entries": entries,
        }
        return self._html.letter("site/feed.xml.j2", facts) + "\n"

    def entry_id(self, created: int, what: str) -> str:
        """Of something in the feeds: another server's game of that name began on another day, or elsewhere."""
        return f"tag:{self._domain},{datetime.fromtimestamp(created, UTC):%Y-%m-%d}:{what}"

    def put(self, folder: Folder, place: str, template: str, title: str, **facts: Any) -> None:
        """Write a page that needs nothing but these facts; `place` is "" or ends with a slash."""
        folder.write(f"{place}index.html", self._page(place, template, title, **facts))

    def _page(self, place: str, template: str, title: str, **facts: Any) -> str:
        shared = {"title": title, "root": _root(place), "made": self.made, "here": "", "menu": self._menu()}
        shared["description"] = _cut(facts.pop("description", self.say("site.about")))
        path = template if "/" in template else f"site/{template}"
        return self._html.letter(f"{path}.html.j2", {**shared, **facts}) + "\n"

    def _menu(self) -> Mapping[str, str]:
        """What all pages lead to, and what it is called."""
        tallies = {each.presenter.pages.tally_page: each for each in self.siblings.values()}
        places = {"games": self, "leagues": self, "players": self, **tallies, "search": self}
        return {place: each.say(f"site.{place}") for place, each in places.items()}

    def assets(self) -> Iterable[tuple[str, bytes]]:
        """The files that all pages share: name and content. The styles of the games stand below ours."""
        styles = (f"{each.presenter.voice.folder}/templates/{STYLE}" for each in self.siblings.values())
        own = b"".join(resource(style).read_bytes() for style in styles)
        for name, content in _contents(resource("templates/site/assets")):
            yield name, content + own if name == STYLE else content

    def order_pages(self) -> Iterable[tuple[str, str]]:
        """The pages to order from, one for each game that has something to point at: path and content."""
        for each in self.siblings.values():
            if each.presenter.pages.pointing is not None:
                yield order_path(each.presenter), order_page(each.presenter, COMMANDS.sentences)


def site_pages(games: Registry, language: str = "en", url: str = "", domain: str = "pbem.invalid") -> SitePages:
    """The pages of the first game, which know those of the others and what tells of all."""
    found: dict[str, SitePages] = {}
    for game in games.values():
        kind = game.id if found else ""
        found[kind] = SitePages(game.presenter, language, url, domain, game=game.id, kind=kind, siblings=found)
    return found[""]


def _turn_told(one: Headline) -> FeedEntry:
    link = f"{one.game}/turn-{one.number}/"
    id_ = one.id or f"tag:pbem.invalid,{YEAR}:{one.game}/turn-{one.number}"
    return FeedEntry(id=id_, title=f"{one.game}: {one.title}", at=one.at, link=link, told=one.told)


def _root(place: str) -> str:
    return "../" * place.count("/")


def _cut(text: str) -> str:
    """As much of it as search engines show, in whole words."""
    return text if len(text) <= DESCRIBED else f"{text[:DESCRIBED].rpartition(' ')[0]} …"


def _script(layers: Mapping[str, str]) -> str:
    lowest, *_ = layers
    return f"boards/{lowest}.js"


def _contents(folder: Traversable) -> Iterable[tuple[str, bytes]]:
    for file in sorted(folder.iterdir(), key=lambda each: each.name):
        if file.is_file():
            yield file.name, file.read_bytes()
        else:
            yield from _contents(file)
