"""How a server does, in words: nothing here waits for a library."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.cli.dates import utc
from pbem.host.housekeeping.monotonic_clock import SLEEP
from pbem.host.housekeeping.outage import WORRYING, Outage

if TYPE_CHECKING:
    from pbem.host.housekeeping.clock_state import ClockState
    from pbem.host.ports import Vitals
    from pbem.settings import Settings


def greeting(settings: Settings, vitals: Vitals) -> str:
    """What a daemon that begins to serve says."""
    box, games = settings.mailbox, sum(vitals.games.values())
    until = "none" if vitals.next_deadline is None else utc(vitals.next_deadline)
    told = f"serving {settings.smtp.sender} at {box.host}:{box.port}"
    return f"{told}; {games} {'game' if games == 1 else 'games'}; next deadline: {until}"


def show_vitals(vitals: Vitals, now: int, size: int, version: str, clock: ClockState) -> None:
    """One page; what needs somebody is marked with an exclamation mark, not only with colour."""
    games = ", ".join(f"{count} {status}" for status, count in vitals.games.items())
    came = ", ".join(f"{count} {fate}" for fate, count in vitals.letters.items())
    until = f", the next until {utc(vitals.next_deadline)}" if vitals.next_deadline is not None else ""
    oldest = f", the oldest for {_ago(now - vitals.oldest)}" if vitals.oldest is not None else ""
    rows = [
        ("games", games or "none"),
        ("awaited", f"{vitals.awaited} answers{until}"),
        ("letters to us", came or "none yet"),
        (_marked("last poll", vitals.polled, now, SLEEP), _since(vitals.polled, now)),
        ("last letter out", _since(vitals.delivered, now)),
        (_marked("waiting to go out", vitals.oldest, now, WORRYING), f"{vitals.queued} letters{oldest}"),
        ("! given up" if vitals.dead else "given up", f"{vitals.dead} letters of ours (pbem letters list)"),
        ("! kept" if vitals.kept else "kept", f"{vitals.kept} letters to us that need a person (pbem letters list)"),
        *((f"! {what}", f"out of reach for {_ago(now - since)}") for what, since in _out_of_reach(vitals)),
        *(("! clock", f"{fault} (pbem clock)") for fault in clock.faults),
        ("database", f"{size / 1e6:.1f} MB"),
        ("version", version),
    ]
    for name, told in rows:
        print(f"{name:<18} {told}")


def _out_of_reach(vitals: Vitals) -> list[tuple[str, int]]:
    """What the state of the clock does not tell better."""
    return [(what, since) for what, since in vitals.down.items() if what != Outage.clock]


def _marked(name: str, since: int | None, now: int, longest: int) -> str:
    """The name, with an exclamation mark when that is longer ago than it should be."""
    return f"! {name}" if since is not None and now - since > longest else name


def _since(at: int | None, now: int) -> str:
    return "never" if at is None else f"{utc(at)}, {_ago(now - at)} ago"


def _ago(seconds: int) -> str:
    for unit, name in ((86_400, "days"), (3_600, "hours"), (60, "minutes")):
        if seconds >= 2 * unit:
            return f"{seconds // unit} {name}"
    return f"{max(0, seconds)} seconds"
