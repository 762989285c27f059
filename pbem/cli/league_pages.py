"""What the command line shows of leagues."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table as Grid

from pbem.cli.dates import utc
from pbem.host.leagues.audit import Suspicion
from pbem.host.messages.leagues import SeasonTables
from pbem.host.messages.sections import Section
from pbem.league.calendar import later
from pbem.league.due import due
from pbem.league.figures import group_standings, groups
from pbem.league.points import HUNDRED
from pbem.league.state import Season, Table
from pbem.simulation.season import Figures, Outcome

Names = Mapping[int, str]
PARTS = {"wins": 60, "strength": HUNDRED}  # in which a tie-break is counted


def calendar_lines(season: Season) -> Iterator[str]:
    """What happens when, in UTC."""
    calendar = season.calendar
    yield f"  {utc(calendar.opens)}  entries open"
    if calendar.musters is not None:
        yield f"  {utc(calendar.musters)}  all who entered are asked once more"
    is_pool = season.settings.format == "pool"
    what = "the first matching; entries stay open" if is_pool else "entries close, and the tables are drawn"
    yield f"  {utc(calendar.closes)}  {what}"
    later_on = ", or later" if season.settings.format == "cup" else ""
    for number in range(2, season.settings.draws + 1):
        drawn = later(calendar.closes, (number - 1) * season.settings.rounds.days, calendar.zone)
        if drawn < calendar.too_late:
            yield f"  {utc(drawn)}  round {number} is drawn{later_on}"
    if is_pool:
        days = season.settings.pool.every_days
        each = f"every {days} days" if days > 1 else "each day"
        yield f"  {utc(calendar.too_late)}  no more matchings; till then there is one {each}"
    yield f"  {utc(calendar.ends)}  what is not over is decided"


def show_season(season: Season, names: Names) -> None:
    print(f"{season.tag}: {season.phase}; {season.settings.titled('en')}, {season.settings.game}")
    print("\n".join(calendar_lines(season)))
    if not season.draws:
        here = [person for person, own in season.people.items() if not own.gone]
        print(f"entered: {len(here)}" + "".join(f"\n  {called(names, person)}" for person in sorted(here)))
    for name, people in season.groups.items():
        print(f"{f'group {name}' if name else 'all'}: {', '.join(called(names, person) for person in people)}")
    for table in season.tables.values():
        print(_table_line(table, names))
    for what in due(season)[:1]:
        print(f"due next: {what.what}{f' {what.about}' if what.about else ''}, {utc(what.at)}")


def called(names: Names, person: int) -> str:
    return names.get(person) or f"player {person}"


def _table_line(table: Table, names: Names) -> str:
    people = ", ".join(called(names, person) for person in table.people)
    game = table.game or "waits"
    return f"T-{table.number}  {game:<9}  {_state(table):<14}  {people}"


def _state(table: Table) -> str:
    if table.by_hand is not None:
        return "by hand"
    if table.noted is not None:
        return "void" if table.noted.void else f"over: {table.noted.how}"
    return "plays" if table.game else ""


def show_ranking(season: Season, names: Names, group: str) -> None:
    console = Console(highlight=False)
    for name in [group] if group else groups(season):
        console.print(_standings(season, names, name))


def _standings(season: Season, names: Names, name: str) -> Grid:
    ties = [tie for tie in season.settings.scoring.ties if tie != "lot"]
    grid = Grid("", "", "tables", "points", *ties, title=f"{season.tag} {name}".strip())
    for row in group_standings(season, name):
        says = [f"{getattr(row, tie) / PARTS.get(tie, 1):g}" for tie in ties]
        grid.add_row(str(row.place), called(names, row.line), str(row.played), f"{row.points / HUNDRED:.2f}", *says)
    return grid


# -- among bots ---


@contextmanager
def season_progress() -> Iterator[Callable[[Season, int], None]]:
    """A bar that follows each season through its calendar."""
    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task("", total=1)

        def show(season: Season, now: int) -> None:
            opens, ends = season.calendar.opens, season.calendar.ends
            over = sum(table.is_over for table in season.tables.values())
            told = f"{season.tag}: {season.phase}, {over} of {len(season.tables)} tables over"
            bar.update(task, completed=max(0.0, min(1.0, (now - opens) / (ends - opens))), description=told)

        yield show


def show_simulation(outcome: Outcome, program: str) -> None:
    """What each season came to, and where its letters and pages lie."""
    for season in outcome.seasons:
        print("\n".join(_figures(season)))
    for verdict in outcome.verdicts:
        print(verdict.sentence)
    print(f"The league's letters to each player: {outcome.folder / 'letters'}")
    print(f"To look at its pages: {program} archive serve {outcome.archive}")


def _figures(season: Figures) -> Iterator[str]:
    endings = ", ".join(f"{count} {how}" for how, count in sorted(season.endings.items()))
    groups = f", {season.groups} groups" if season.groups > 1 else ""
    yield f"{season.tag}: {season.entrants} players{groups}, {season.tables} tables ({endings})"
    yield f"  the last table was over {season.days:.0f} days after the first draw"
    if season.taken or season.empty:
        yield f"  {season.taken} seats were taken over; on {season.empty} a bot sat at the end, or nobody"
    yield f"  letters to each player: {season.league:.0f} about the league, {season.news:.0f} about their games;"
    yield f"  {season.most} to whoever got most; {season.answers:.0f} written by each"


SUSPECTED = {
    "gifts": "{names} gave each other money for nothing, at {tables}",
    "purchases": "{first} bought {count} times at T-{table}, and each time {second} had the good of it",
    "instants": "{names} answered within two minutes of each other, {count} times",
    "name": "{names} have the same name",
    "domain": "{names} have addresses at {domain}, as nobody else here",
}


def suspicion_line(suspicion: Suspicion, names: Sequence[str]) -> str:
    """In English, as all of the command line."""
    called = [f"{name} ({person})" for name, person in zip(names, suspicion.people, strict=True)]
    facts = {**suspicion.facts, "names": " and ".join(called), "first": called[0], "second": called[1]}
    facts["tables"] = ", ".join(f"T-{number}" for number in suspicion.facts.get("tables", ()))
    return f"{suspicion.kind}: {SUSPECTED[suspicion.kind].format(**facts)}"


def show_drawn(told: Sequence[Section]) -> None:
    """Tables as a draw might make them."""
    for part in told:
        for table in part.tables if isinstance(part, SeasonTables) else ():
            print(f"T-{table.number}  {', '.join(chair.name for chair in table.chairs)}")
