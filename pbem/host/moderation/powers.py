"""What somebody writes who presides over a game: its powers are used in their order, each with what became of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from inspect import getdoc
from typing import Any, TypeVar

from msgspec.structs import replace

from pbem.core.refusal import Illegal, Refusal
from pbem.host.play.results import Outcome, Result
from pbem.host.session.budget import check_words
from pbem.language.moderators import ModeratorCommand, Power

P = TypeVar("P", bound=ModeratorCommand)
MOST = 20  # powers of one letter
Use = Callable[[Power], Outcome | None]  # of a power; None: it is done. It raises `Refusal`


def power(kind: Callable[..., P], *forms: str, **more: Any) -> Callable[[Callable[[Any, Power], Any]], P]:
    """Of a function a power of that kind: called as it is, written so, and told by its docstring."""
    return lambda do: kind(name=do.__name__.rstrip("_"), forms=forms, does=getdoc(do) or "", do=do, **more)


def use_powers(read: tuple[Sequence[Power], Sequence[str]], do: Use) -> list[Result]:
    """Use these powers, in this order, up to the first that can't be; prose stands last."""
    written, prose = read
    powers = [replace(power, refusal=power.refusal or _too_much(written[:n])) for n, power in enumerate(written, 1)]
    passed = [Result(outcome="passed", text=text, line=0) for text in prose]
    if any(power.refusal for power in powers):
        return [*map(_held, powers), *passed]
    verdicts: list[Result] = []
    for power in powers:
        is_stopped = any(verdict.refusal for verdict in verdicts)
        verdicts.append(_held(power) if is_stopped else used(power, do))
    return [*verdicts, *passed]


def check_explained(power: Power, status: str) -> None:
    """Raises `Illegal` where a reason is missing, in a game of that status."""
    if not power.why and power.command.explained in ("always", status):
        raise Illegal("power.why")


def _too_much(powers: Sequence[Power]) -> Refusal | None:
    """Why one letter can't hold all of these."""
    try:
        if len(powers) > MOST:
            raise Illegal("power.too_many", most=MOST)
        check_words("press.too_long", *(text for power in powers for text in power.says))
    except Illegal as refusal:
        return refusal
    return None


def used(power: Power, do: Use) -> Result:
    """What becomes of a power when it is used so."""
    try:
        outcome = do(power) or "done"
    except Refusal as refusal:
        return Result(outcome="refused", text=power.text, line=power.line, refusal=refusal)
    return Result(outcome=outcome, text=power.text, line=power.line)


def _held(power: Power) -> Result:
    outcome: Outcome = "refused" if power.refusal else "held"
    return Result(outcome=outcome, text=power.text, line=power.line, refusal=power.refusal)
