"""The pages of ratings, one list for each game of the registry, and the files that they can be counted again from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from markupsafe import Markup
from msgspec import Struct

from pbem.adapters.site.files import Folder
from pbem.adapters.site.pages import SitePages
from pbem.adapters.site.records import SeasonLine, Tallies
from pbem.adapters.site.sheets import csv_of, iso
from pbem.host.archive.ratings import PublishedRatings
from pbem.league.ratings import DIGITS, PROVISIONAL, RatedTable, Rating, Step, listed
from pbem.render.charts import Line, Style, line_chart

ROWS = 100  # players on a page
GAMES, RATINGS = "games.csv", "ratings.csv"
SETTLED, UNSETTLED = Style(colour="#1a5a63"), Style(colour="#8a5a00", dashes="4 3")

Say = Callable[..., str]


class PlayersTold(Struct, frozen=True, kw_only=True):
    """What is new of players beside their games."""

    names: Mapping[int, str] = {}  # as leagues call them now
    former: Mapping[int, str] = {}  # as they did once, which counts where nothing else is known
    lines: Mapping[int, Mapping[str, SeasonLine]] = {}  # by person, then by season
    ratings: tuple[PublishedRatings, ...] = ()


class Names(Struct, frozen=True):
    """How people are called on pages that tell of all of them."""

    pages: SitePages
    leagues: Callable[[], Mapping[int, str]]  # both are read when they are needed
    tallies: Callable[[], Tallies]

    def of(self, person: int) -> str:
        """ "" of whoever is known by no name, nor wants to be known by none."""
        leagues = self.leagues()
        if person in leagues:
            return leagues[person] or self.pages.say("site.player_number", person=person)
        tally = self.tallies().people.get(str(person))
        return tally.name if tally else ""


class RatingRow(Struct, frozen=True, kw_only=True):
    """Somebody in a list."""

    rank: int | None  # None while their rating is provisional
    person: int
    mu: float
    sigma: float
    games: int
    last: int

    @property
    def rating(self) -> float:
        return self.mu - 3 * self.sigma


class RatingPages:
    """Brings up the list of each game of the registry."""

    def __init__(self, folder: Folder, pages: SitePages) -> None:
        self._folder = folder
        self._pages = pages

    def bring_up(self, moved: Sequence[PublishedRatings], names: Names, *, anew: bool) -> None:
        for ratings in moved:
            rows = [*rows_of(ratings.newest)]
            self._folder.store(f"data/ratings/{ratings.kind}.json", rows)
            self._folder.write(f"ratings/{ratings.kind}/{GAMES}", csv_of([*_games(ratings)], GAME_COLUMNS))
            told = [{**figures(row), "name": names.of(row.person)} for row in rows]
            self._folder.write(f"ratings/{ratings.kind}/{RATINGS}", csv_of(told, COLUMNS))
        for kind in kinds_of(self._pages) if anew else [ratings.kind for ratings in moved]:
            self._write(kind, self._folder.load(f"data/ratings/{kind}.json", list[RatingRow]) or [], names)

    def _write(self, kind: str, rows: Sequence[RatingRow], names: Names) -> None:
        count = max(1, -(-len(rows) // ROWS))
        title = self._pages.say("site.ratings_of", game=kind.capitalize())
        for page in range(1, count + 1):
            place = f"ratings/{kind}/" if page == 1 else f"ratings/{kind}/page-{page}/"
            shown = [(row, names.of(row.person)) for row in rows[(page - 1) * ROWS : page * ROWS]]
            facts = {"rows": shown, "kind": kind, "page": page, "pages": count, "provisional": PROVISIONAL}
            facts["description"] = self._pages.say("site.rating_says")
            self._pages.put(self._folder, place, "ratings", title, here="players", **facts)


def kinds_of(pages: SitePages) -> list[str]:
    """The ids of all games of the registry."""
    return [each.id for each in pages.siblings.values()]


# -- the figures ---

COLUMNS = ("rank", "person", "name", "rating", "mu", "sigma", "games", "last")
GAME_COLUMNS = ("game", "ended", "season", "seat", "person", "place", "counts", "left")


def rows_of(newest: Mapping[int, Step]) -> Iterator[RatingRow]:
    """Settled above provisional; who had no game for a year before the last there was is not in it."""
    ratings: Mapping[int, Rating] = {person: step.rating for person, step in newest.items()}
    now = max((step.end for step in newest.values()), default=0)
    for rank, (person, rating) in enumerate(listed(ratings, now), 1):
        own = rank if rating.settled() else None
        mu, sigma = round(rating.mu, DIGITS), round(rating.sigma, DIGITS)
        yield RatingRow(rank=own, person=person, mu=mu, sigma=sigma, games=rating.games, last=rating.last or 0)


def figures(row: RatingRow) -> dict[str, str]:
    """As the file has them."""
    return {
        "rank": "" if row.rank is None else str(row.rank),
        "person": str(row.person),
        "rating": f"{row.rating:.1f}",
        "mu": f"{row.mu:.{DIGITS}f}",
        "sigma": f"{row.sigma:.{DIGITS}f}",
        "games": str(row.games),
        "last": iso(row.last),
    }


def _games(ratings: PublishedRatings) -> Iterator[dict[str, Any]]:
    for table in ratings.tables:
        yield from game_rows(table, ratings.seasons.get(table.game, ""))


def game_rows(table: RatedTable, season: str) -> Iterator[dict[str, Any]]:
    """What a game counts for, seat by seat in seating order."""
    for number, seat in enumerate(table.seats, 1):
        yield {
            "game": table.game,
            "ended": iso(table.end),
            "season": season,
            "seat": number,
            "person": "" if seat.person is None else seat.person,
            "place": seat.place,
            "counts": seat.how,
            "left": "" if seat.leaver is None else seat.leaver,
        }


# -- somebody's course ---


def curve(say: Say, kind: str, steps: Sequence[Step]) -> dict[str, Any]:
    """Somebody's rating from game to game, drawn and in words; provisional and settled told apart."""
    shown = [round(step.rating.strength.shown) for step in steps]
    settled = [step.games >= PROVISIONAL for step in steps]
    first = settled.index(True) if any(settled) else len(steps)
    lines = [
        (say("site.provisional"), [*shown[: first + 1], *[None] * (len(shown) - first - 1)], UNSETTLED),
        (say("site.settled"), [None] * first + shown[first:], SETTLED),
    ]
    drawn = [Line(name=name, values=values, style=style) for name, values, style in lines if any_known(values)]
    game, now, best = kind.capitalize(), steps[-1].rating.strength.shown, max(shown)
    told = say("site.curve_told", games=len(steps), now=f"{now:.1f}", best=best, settled=settled[-1])
    title = say("site.rating_in", game=game)
    svg = line_chart(title, say("site.games_axis"), range(1, len(steps) + 1), drawn, told)
    facts = {"kind": kind, "game": game, "rating": now, "settled": settled[-1], "games": len(steps)}
    return {**facts, "told": told, "svg": Markup(svg)}  # noqa: S704 - all text in a picture is outlines


def any_known(values: Iterable[int | None]) -> bool:
    return any(value is not None for value in values)
