"""What the command line shows people."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from pbem.service.answers import awaited

if TYPE_CHECKING:
    from pbem.demo import Outcome
    from pbem.service.games import Desk
    from pbem.service.ports import Game

END = 25  # power points that end the game


@contextmanager
def demo_progress() -> Iterator[Callable[[Mapping[str, Any]], None]]:
    """A bar that follows the strongest nation to the end of the scoring track."""
    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task("invitations", total=END)

        def show(document: Mapping[str, Any]) -> None:
            nations: Mapping[str, Any] = document["nations"]
            leader = max(nations, key=lambda nation: nations[nation]["power"])
            text = f"round {document['round']}, {document['nation']} to move; {leader} leads"
            bar.update(task, completed=nations[leader]["power"], description=text)

        yield show
        bar.update(task, completed=END, description="the game is over")


def show_outcome(outcome: Outcome) -> None:
    print(outcome.report)
    print("=" * 72)
    print(f"{outcome.letters} letters were read by the players; they lie in {outcome.folder / 'letters'}")
    print(f"The record of the game: {outcome.folder / outcome.tag}.play")
    same = "the same position" if outcome.replayed else "ANOTHER POSITION"
    print(f"Replayed (pbem replay {outcome.folder / outcome.tag}.play) it gives {same}.")
    print(f"To look at the game, turn by turn: pbem archive serve {outcome.archive}")


def show_game(desk: Desk, game: Game) -> None:
    print(f"{game.id}: {game.status}")
    for member in game.members:
        joined = "has joined" if member.joined else "has not answered"
        print(f"  {member.seat} <{member.person.address}> {joined if game.status == 'inviting' else ''}".rstrip())
    if game.status == "running":
        for each in awaited(desk.books, game, desk.referee(game)):
            until = "not told yet" if each.deadline is None else f"until {_instant(each.deadline)}"
            print(f"awaited: {each.seat}, {each.kind} {each.about or ''}, {until}".replace(" ,", ","))


def show_letter(document: Mapping[str, Any]) -> None:
    print(f"from: {document['from']}")
    for line in document["lines"]:
        print(f"  {line}")
    for cut in document["cut"]:
        print(f"not read: {cut['lines']} lines of {cut['why']}")
    if document["ignored"]:
        print(f"never answered: {document['ignored']}")


def _instant(at: int) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%a %d %b %Y %H:%M UTC")
