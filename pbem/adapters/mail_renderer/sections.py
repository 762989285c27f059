"""What an answer tells beside what the question's own section has: a function for each kind of section."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pbem.adapters.mail_renderer.teller import Teller
from pbem.host.commands.table import COMMANDS
from pbem.host.messages import sections
from pbem.render.layout import tidy

HELP = "help"
WELCOME = (  # nothing is wrong
    "invitation.joined",
    "invitation.declined",
    "invitation.already",
    "opening.opened",
    "opening.joined",
    "opening.left",
    "opening.given_up",
    "accept.accepted",
    "accept.seated",
    "accept.declined",
    "deputy.accepted",
    "deputy.declined",
    "address.confirmed",
    "address.undone",
    "waiting.on",
    "waiting.off",
    "league.away",
    "league.not_away",
    "league.in",
    "league.out",
    "league.said_yes",
    "league.said_no",
    "league.said_rest",
    "league.reports",
    "league.objected_to",
    "league.leading",
    "league.leaving",
    "league.called",
    "league.reserve_on",
    "league.reserve_off",
    "promote.accepted",
    "promote.declined",
)
REFUSED = ("answered refused", "misread")  # what became of a letter in which something, or all, could not be done

Own = dict[str, Any]


def section(part: sections.Section, teller: Teller) -> Own:
    """What its template is given; `kind` names it."""
    kind = type(part)
    own = SECTIONS[kind](part, teller) if kind in SECTIONS else {}
    return {"kind": kind.__struct_config__.tag, "part": part, **own}


def told_alone(told: Mapping[str, Any], teller: Teller) -> str:
    """What an answer tells in one of its sections, by itself."""
    return tidy(teller.wording.letter("mail/told.txt.j2", {"told": [told]}))


def _preview(part: sections.Preview, teller: Teller) -> Own:
    return {"earned": teller.presenter.earned(part.after, part.before)}


def _trial(part: sections.Trial, teller: Teller) -> Own:
    """What would be done, and what of the position would be another."""
    return {
        "deeds": [teller.deed(deed) for deed in part.deeds],
        "happens": teller.told_openly(part.events),
        "before": teller.changed(part.before, part.after),
        "after": teller.changed(part.after, part.before),
    }


def _help(part: sections.Help, teller: Teller) -> Own:
    """Help about a word; about help itself, what else there is."""
    words = (part.topic, teller.presenter.help_topic(part.topic)) if part.topic else ()
    topics = [one for one in dict.fromkeys((*teller.wording.topics(), *COMMANDS.topics)) if one != HELP]
    known = [word for word in words if word in topics]
    return {"topic": known[0] if known else HELP, "topics": [] if known else topics}


def _board(part: sections.Board, teller: Teller) -> Own:
    if part.near is not None:
        return {"tables": teller.presenter.near(part.view, part.near)}
    return teller.position(part.view, None)


def _records(part: sections.Records, teller: Teller) -> Own:
    return {
        "late": teller.late(part.late),
        "about": teller.wording.called(part.about or ""),
        "tables": teller.presenter.records(part.view, part.about, part.own) if part.view else {},
    }


def _history(part: sections.History, teller: Teller) -> Own:
    return {"turns": teller.turns(part.turns), "deeds": [(deed, teller.deed(deed)) for deed in part.deeds]}


def _overview(part: sections.Overview, _teller: Teller) -> Own:
    return {"came": [(came, _fate(came.fate)) for came in part.letters]}


def _rules(part: sections.RulesInForce, teller: Teller) -> Own:
    return {"options": teller.options(part)}


def _clock(part: sections.Timetable, teller: Teller) -> Own:
    return {"late": teller.late(part.late)}


def _fate(fate: str) -> str:
    """What became of a letter, roughly: answered, ignored, fault or problem."""
    kind = fate.partition(" ")[0]
    if fate in REFUSED:
        return "refused"
    if fate in WELCOME:
        return "answered"
    return kind if kind in ("answered", "ignored", "fault") else "problem"


SECTIONS: Mapping[type, Callable[[Any, Teller], Own]] = {  # the others need no more than themselves
    sections.Preview: _preview,
    sections.Trial: _trial,
    sections.Help: _help,
    sections.Board: _board,
    sections.Records: _records,
    sections.History: _history,
    sections.Overview: _overview,
    sections.RulesInForce: _rules,
    sections.Timetable: _clock,
}
