"""The pages of players, and the tables over all finished games: they change when a game begins or ends."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from typing import NamedTuple

from pbem.adapters.site.files import Folder
from pbem.adapters.site.pages import SitePages
from pbem.adapters.site.rating_pages import Names, PlayersTold, RatingPages, curve, kinds_of
from pbem.adapters.site.records import Card, Part, PlayerFile, Tallies, flat, nested_tallies
from pbem.adapters.site.tables import counted, counts, key, part, ranked
from pbem.core.presenter import PagePresenter

ROWS = 100  # players on a page

Tabled = Callable[[], Tallies]  # read when they are needed
Changed = Sequence[tuple[Card | None, Card]]  # games as they were in the lists, and as they are


class _Tallied(NamedTuple):
    """The tables, and whether they have changed."""

    whole: Tallies
    moved: bool


class People:
    """Brings up what is told of players and of all finished games."""

    def __init__(self, folder: Folder, pages: SitePages) -> None:
        self._folder = folder
        self._pages = pages
        self._ratings = RatingPages(folder, pages)

    def bring_up(self, changed: Changed, told: PlayersTold, cards: Callable[[], Iterable[Card]], *, anew: bool) -> None:
        """`cards` are all games that were in the lists before.

        The tables tell of every player there is: unless somebody's pages change or a game is over they are not read.
        """
        tallies = cache(partial(self._tallies, [new for _, new in changed if counts(new)], cards))
        people = {*self._renew_parts(changed), *self._renew_files(told)}
        names = self._renew_names(told, lambda: tallies().whole)
        if anew or (any(counts(new) for _, new in changed) and tallies().moved):
            self._folder.store("data/league.json", flat(tallies().whole))
            self._write_tables(tallies().whole)
        self._ratings.bring_up(told.ratings, names, anew=anew)
        self._write_players(self._everybody() if anew else sorted(people), lambda: tallies().whole, names)

    def _tallies(self, over: Sequence[Card], cards: Callable[[], Iterable[Card]]) -> _Tallied:
        """With these games, which are over."""
        untallied = [each.presenter.pages.untallied for each in self._pages.siblings.values()]
        nothing = Tallies(own={key: value for own in untallied for key, value in own.items()})
        tallies = self._folder.load("data/league.json", Tallies, nested_tallies) or nothing
        ended = [new for new in over if tallies.games.get(new.game) != new.moved]
        if any(key(card) <= tallies.last for card in ended):
            everyone = {card.game: card for card in [*cards(), *ended]}
            return _Tallied(counted(nothing, filter(counts, everyone.values()), self._shown), moved=True)
        return _Tallied(counted(tallies, ended, self._shown), moved=bool(ended))

    def _shown(self, card: Card) -> PagePresenter:
        return self._pages.of(card.kind).presenter.pages

    def _everybody(self) -> list[int]:
        return sorted(int(name) for name in self._folder.names("data/players"))

    def _parts(self, person: int) -> Mapping[str, Part]:
        return self._folder.load(f"data/players/{person}.json", dict[str, Part]) or {}

    def _renew_parts(self, changed: Changed) -> list[int]:
        """What each has played; whose pages change."""
        parts: dict[int, dict[str, Part | None]] = {}
        for old, new in changed:
            if old is None or _result(old) != _result(new):
                for person in old.people.values() if old else ():
                    parts.setdefault(person, {})[new.game] = None
                for seat, person in new.people.items():
                    parts.setdefault(person, {})[new.game] = part(new, seat)
        for person, changes in parts.items():
            whole = {**self._parts(person), **changes}
            own = {game: each for game, each in sorted(whole.items()) if each is not None}
            self._folder.store(f"data/players/{person}.json", own)
        return sorted(parts)

    def _renew_files(self, told: PlayersTold) -> list[int]:
        """What leagues and ratings tell of those who have a page; whose pages change."""
        found = []
        for person in sorted({*told.lines, *(each for ratings in told.ratings for each in ratings.steps)}):
            old = self._file(person)
            ratings = {each.kind: each.steps[person] for each in told.ratings if person in each.steps}
            new = PlayerFile(seasons={**old.seasons, **told.lines.get(person, {})}, ratings={**old.ratings, **ratings})
            if new != old and self._parts(person):
                self._folder.store(f"data/people/{person}.json", new)
                found.append(person)
        return found

    def _file(self, person: int) -> PlayerFile:
        return self._folder.load(f"data/people/{person}.json", PlayerFile) or PlayerFile()

    def _renew_names(self, told: PlayersTold, tallies: Tabled) -> Names:
        """As leagues call people, else as they sat in their last game."""
        known = cache(lambda: self._folder.load("data/names.json", dict[int, str]) or {})
        if not told.former and not told.names:
            return Names(self._pages, known, tallies)
        new = {**told.former, **known(), **told.names}
        if new != known():
            self._folder.store("data/names.json", {str(person): new[person] for person in sorted(new)})
        return Names(self._pages, lambda: new, tallies)

    # -- pages ---

    def _write_players(self, people: Iterable[int], tallies: Tabled, names: Names) -> None:
        for person in people:
            parts = sorted(self._parts(person).values(), key=lambda each: (each.began, each.game), reverse=True)
            tally, file = tallies().people.get(str(person)), self._file(person)
            name = names.of(person) or (parts[0].seat if parts else str(person))
            place, about = f"players/{person}/", f"{name}: {self._pages.say('site.parts_says')}"
            curves = [curve(self._pages.say, kind, steps) for kind, steps in file.ratings.items() if steps]
            facts = {"tally": tally, "parts_of": parts, "seasons": [*file.seasons.values()], "curves": curves}
            self._pages.put(self._folder, place, "player", name, here="players", description=about, **facts)

    def _write_tables(self, tallies: Tallies) -> None:
        rows, kinds = ranked(tallies), kinds_of(self._pages)
        count = max(1, -(-len(rows) // ROWS))
        for page in range(1, count + 1):
            place = "players/" if page == 1 else f"players/page-{page}/"
            facts = {"rows": rows[(page - 1) * ROWS : page * ROWS], "page": page, "pages": count, "kinds": kinds}
            facts["description"] = self._pages.say("site.players_says")
            self._pages.put(self._folder, place, "players", self._pages.say("site.players"), here="players", **facts)
        for pages in self._pages.siblings.values():
            own = pages.presenter.pages
            title, about = pages.say(f"site.{own.tally_page}"), pages.say(f"site.{own.tally_page}_says")
            facts = {"rows": own.tally_rows(tallies.own), "description": about}
            pages.put(self._folder, f"{own.tally_page}/", f"game/{own.tally_page}", title, here=own.tally_page, **facts)


def _result(card: Card) -> object:
    return card.finished, card.scores, card.winners, card.people
