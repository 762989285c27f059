"""Who may start games here, and what games there may be: what somebody wishes, and else what all get here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, cast, get_args

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.refusal import Illegal
from pbem.core.seat import Seat, Setup
from pbem.host.lobby.invitees import free_name
from pbem.host.messages.replies import Reply
from pbem.host.messages.rows import problem
from pbem.host.ports import Person
from pbem.host.session.anonymity import Anonymity
from pbem.host.session.terms import FIXED, PressRule, Terms, terms_of
from pbem.host.session.unit_of_work import UnitOfWork
from pbem.language.openings import Request

PLAYERS = 6  # when nothing else is asked for

OpenTo = Literal["anyone", "known", "nobody"]


class LobbyPolicy(Struct, frozen=True, kw_only=True):
    """Who may start games here, and what they get that ask for nothing else."""

    open_to: OpenTo = "known"
    plain: Terms = Terms(setup=Setup())
    templates: Mapping[str, Terms] = {}

    def closed(self, *, known: bool) -> Reply | None:
        """Why somebody may not start games here; None when they may."""
        if self.open_to == "nobody":
            return problem("opening.nobody")
        return problem("opening.known_only") if self.open_to == "known" and not known else None


# -- what somebody wishes ---


def terms_wished(policy: LobbyPolicy, request: Request) -> Terms:
    """Raises `Illegal`."""
    wishes = request.wishes
    plain = _template(policy, wishes.get("template"))
    hours = int(wishes.get("hours", plain.slot_hours))
    if not 1 <= hours <= 24 * 365:
        raise Illegal("opening.hours", read=hours, most=24 * 365)
    setup = Setup(
        game=plain.setup.game,
        edition=wishes.get("edition", plain.setup.edition),
        setup=wishes.get("setup", plain.setup.setup),
        options={**plain.setup.options, **_of_words(wishes), **request.options},
    )
    base = replace(
        plain,
        slot_hours=hours,
        remind_hours=tuple(hour for hour in plain.remind_hours if hour < hours),
        press=cast("PressRule", _one_of(wishes, "press", get_args(PressRule), plain.press)),
        anonymous=cast("Anonymity", _one_of(wishes, "anonymous", get_args(Anonymity), plain.anonymous)),
        places=int(wishes.get("players", plain.places or PLAYERS)),
        bot_seats=int(wishes.get("bots", plain.bot_seats)),
    )
    return _with_options(setup, base, request)


def _of_words(wishes: Mapping[str, str]) -> Mapping[str, str]:
    """Options that have a word of their own: for so many minutes `undo` takes an order back."""
    return {"hold_minutes": wishes["undo"]} if "undo" in wishes else {}


def check_wishes(work: UnitOfWork, policy: LobbyPolicy, request: Request, terms: Terms, person: Person) -> None:
    """Tell by name the wish that no game can have, or all of them that do not go together. Raises `Illegal`."""
    if _can_be(work, terms, person):
        return
    each = [*({"wishes": {key: value}} for key, value in request.wishes.items())]
    each += [{"options": {key: value}} for key, value in request.options.items()]
    alone = [replace(request, **{"wishes": {}, "options": {}, **one}) for one in each]
    wrong = [one for one in alone if not _can_be(work, terms_wished(policy, one), person)] or alone
    told = [*_said(request)] if wrong == alone else [words for one in wrong for words in _said(one)]
    raise Illegal("opening.impossible", read=told)


def _template(policy: LobbyPolicy, name: str | None) -> Terms:
    if name is None:
        return policy.plain
    if name not in policy.templates:
        raise Illegal("opening.template", read=name, candidates=tuple(policy.templates))
    return policy.templates[name]


def _with_options(setup: Setup, base: Terms, request: Request) -> Terms:
    """Options may be those of the game, or of the terms as far as no other word is for them. Raises `Illegal`."""
    try:
        terms = terms_of(setup, base)
    except ValueError:
        raise Illegal("opening.impossible", read=[*_said(request)]) from None
    if any(key in FIXED for key in request.options):
        raise Illegal("opening.impossible", read=[*_said(request)])
    return terms


def _one_of(wishes: Mapping[str, str], key: str, known: Sequence[str], otherwise: str) -> str:
    value = wishes.get(key, otherwise)
    if value not in known:
        raise Illegal("option.value", key=key, read=value, candidates=tuple(known))
    return value


def _said(request: Request) -> Iterator[str]:
    """Its wishes as they may be written."""
    yield from (f"{key} {value}" for key, value in request.wishes.items())
    yield from (f"option {key}={value}" for key, value in request.options.items())


def _can_be(work: UnitOfWork, terms: Terms, person: Person) -> bool:
    """Is there such a game, with all its places taken?"""
    if terms.for_people < 1:
        return False
    first = Seat(free_name(terms, person.address, (), work.games.secrets))
    full = (first, *(Seat(f"player{n}") for n in range(2, min(terms.for_people, 100) + 1)))
    try:
        work.games.check(replace(terms, setup=replace(terms.setup, seats=full)))
    except ValueError:
        return False
    return True
