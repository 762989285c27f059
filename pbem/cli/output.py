"""What the command line shows people."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from textwrap import fill
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from pbem.adapters.checks.findings import Check, Status
from pbem.cli.dates import utc
from pbem.games import GAMES
from pbem.host.ports import Dead, Noted
from pbem.mail.kept_letters import name_of
from pbem.render.wording import wording

if TYPE_CHECKING:
    from pbem.adapters.mail_renderer import MailRenderer
    from pbem.demo import Outcome
    from pbem.host.messages.sections import Deed, Overview, Sitting
    from pbem.host.ports import Address, Game, Person

_STYLES = {Status.good: "green", Status.poor: "yellow", Status.broken: "bold red"}
WIDE = 160  # characters of a line
SHOWN = 10  # of the last acts
WIDTH = 79  # of a page


@contextmanager
def demo_progress(language: str = "en") -> Iterator[Callable[[Mapping[str, Any]], None]]:
    """A bar that follows a game to its end, and says in that language how far it is."""
    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task("invitations", total=1)

        def show(document: Mapping[str, Any]) -> None:
            presenter = GAMES[document["game"]].presenter
            now = presenter.progress(document)
            told = wording(presenter.voice, language, html=False).say("progress", **now.facts)
            bar.update(task, completed=now.share, description=told)

        yield show
        bar.update(task, completed=1, description="the game is over")


def show_outcome(outcome: Outcome, program: str) -> None:
    print(outcome.report)
    print("=" * 72)
    print(f"{outcome.letters} letters were read by the players; they lie in {outcome.folder / 'letters'}")
    print(f"The record of the game: {outcome.folder / outcome.tag}.play")
    same = "the same position" if outcome.replayed else "ANOTHER POSITION"
    print(f"Replayed ({program} replay {outcome.folder / outcome.tag}.play) it gives {same}.")
    print(f"To look at the game, turn by turn: {program} archive serve {outcome.archive}")


def show_game(tag: str, found: Overview, done: Sequence[Deed], words: MailRenderer) -> None:
    """One page: who sits where, who is awaited since when, what is on file, and the last letters about it."""
    turn = "" if found.turn is None else f", turn {found.turn}"
    print(f"{tag}: {found.status}{turn}")
    for moderator in found.moderators:
        _line(f"  moderator {moderator}")
    for sitting in found.seats:
        _line(f"  {sitting.seat} {_sits(sitting, found.status)}".rstrip())
    _show_awaited(found)
    _show_done(done, words)
    for came in found.letters:
        _line(f"letter: {utc(came.at)}, {came.sender}, {came.fate}: {came.subject}")
    for lost in found.lost:
        _line(f"not delivered: {lost.id} to {lost.to}: {lost.reason}")


def _sits(sitting: Sitting, status: str) -> str:
    if sitting.is_free:
        return "is free; a bot plays" if sitting.bot else "is free"
    joined = "has joined" if sitting.joined else "has not answered"
    late = f"; late by {sitting.late} so far" if sitting.late else ""
    times = "once" if sitting.forced == 1 else f"{sitting.forced} times in a row"
    forced = f"; rolled out {times}" if sitting.forced else ""
    back = (f"; {count} letters in a row have come back from {where}" for where, count in sitting.returned.items())
    bot = "; a bot plays" if sitting.bot else ""
    return f"<{sitting.address}> {joined if status == 'inviting' else ''}".rstrip() + "".join(
        (bot, late, forced, *back, _away(sitting))
    )


def _away(sitting: Sitting) -> str:
    if sitting.away is None:
        return ""
    writes = "writes meanwhile" if sitting.agreed else "was asked to write meanwhile"
    return f"; away until {utc(sitting.away)}" + (f", {sitting.deputy} {writes}" if sitting.deputy else "")


def _show_awaited(found: Overview) -> None:
    """What is on file is told without its text: it is sealed."""
    for each in found.awaited:
        since = "" if each.begun is None else f", since {utc(each.begun)}"
        later = "a bot answers" if each.bot else "no time counts now" if each.held else "not told yet"
        until = later if each.deadline is None else f"until {utc(each.deadline)}"
        _line(f"awaited: {each.seat}, {each.kind} {each.about or ''}{since}, {until}".replace(" ,", ","))
    for paper in found.papers:
        _line(f"on file: {paper.seat}, {paper.kind}, since {utc(paper.at)}")


def _show_done(done: Sequence[Deed], words: MailRenderer) -> None:
    """What all were told of; the move order sheet and the votes stand in the archive."""
    for each in done[-SHOWN:]:
        told = " ".join(words.deed(each))
        _line(f"done in turn {each.turn}, {utc(each.at)}: {told}".replace("\n", " / "))


def _line(text: str) -> None:
    """What does not fit goes on in the next line, a little to the right."""
    print(fill(_safe(text), WIDTH, subsequent_indent="    ", break_on_hyphens=False, break_long_words=False))


def show_checks(checks: Iterable[Check]) -> bool:
    """Each finding as it comes, in words that need no colour, and what mends it; is nothing broken?"""
    console = Console(highlight=False)
    counts = dict.fromkeys(Status, 0)
    for check in checks:
        counts[check.verdict] += 1
        row = Table.grid(padding=(0, 2))
        row.add_column(width=6, style=_STYLES[check.verdict])
        row.add_column(width=8)
        row.add_column(ratio=1, overflow="fold")
        row.add_row(check.verdict.value, check.about, Text(check.told))
        if check.mend:
            row.add_row("", "", Text(f"to mend it: {check.mend}"))
        console.print(row)
    console.print(f"{counts[Status.good]} good, {counts[Status.poor]} poor, {counts[Status.broken]} broken")
    return counts[Status.broken] == 0


def show_letter(document: Mapping[str, Any]) -> None:
    print(f"from: {document['from']}")
    for line in document["lines"]:
        print(f"  {line}")
    for cut in document["cut"]:
        print(f"not read: {cut['lines']} lines of {cut['why']}")
    if document["ignored"]:
        print(f"never answered: {document['ignored']}")


def show_person(person: Person, addresses: Iterable[Address], games: Iterable[Game]) -> None:
    print(_safe(f"{person.name or 'no name'} ({person.language}, {person.zone})"))
    for each in addresses:
        told = "our letters go here" if each.address == person.address else ""
        verified = "" if each.verified is not None else "not verified"
        failures = f"{each.failures} letters in a row did not arrive" if each.failures else ""
        print(_safe(f"  {each.address}  {'; '.join(filter(None, (told, verified, failures)))}".rstrip()))
    for game in games:
        seats = ", ".join(member.seat for member in game.members if member.person.id == person.id)
        print(f"  {game.id}  {game.status}  as {seats}")


def show_waiting(found: Iterable[Noted | Dead], *, in_full: bool = False) -> None:
    """A line for each letter that needs a person; what strangers wrote in them can't move the cursor."""
    found = list(found)
    if not found:
        print("none", file=sys.stderr)
    for one in found:
        if isinstance(one, Noted):
            told = f"from {one.sender or 'nobody'}, {utc(one.arrived)}: {one.subject}"
        else:
            told = f"to {one.to}, {utc(one.created)}, tried {one.attempts} times: {one.reason}"
        what = one.fate if isinstance(one, Noted) else f"given up {one.kind}"
        print(_safe(f"{name_of(one)}  {what:<18}  {told}", None if in_full else WIDE))
        if in_full:
            print(_safe(f"id: {one.id}, game: {one.game or 'none'}"))


def _safe(text: str, width: int | None = None) -> str:
    shown = "".join(c if c.isprintable() else "?" for c in text)
    return shown if width is None or len(shown) <= width else f"{shown[: width - 1]}…"
