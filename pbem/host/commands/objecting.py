"""Somebody of a season objects to what came of a table, a draw or an act: whoever leads it decides."""

from __future__ import annotations

from pbem.core.refusal import Illegal
from pbem.host.commands.league import LeagueCommand, LeagueContext, done
from pbem.host.messages.alarms import Trouble
from pbem.host.messages.replies import Reply
from pbem.host.reporting.alarms import post_alarm
from pbem.host.season.telling import tell
from pbem.host.session.budget import check_words
from pbem.host.session.season import SeasonDesk
from pbem.league.acts import Objected
from pbem.league.desk import matters, may_rule, told_at
from pbem.league.log import player
from pbem.league.powers import check_object


def _object(context: LeagueContext) -> Reply:
    desk = context.desk(lambda season: not season.ended)
    about, text, person = context.wish.what, context.wish.why, context.somebody
    check_object(desk.season, person.id, about, told_at(desk.season, desk.entries, about), context.now)
    if not text:
        raise Illegal("league.objection_why", about=about)
    check_words("press.too_long", text)
    number = max(desk.season.objections, default=0) + 1
    act = Objected(number=number, person=person.id, about=about, text=text)
    desk.enter(context.now, player(person.id), act, context.via)
    tell(context.work, desk, context.now)
    _tell_operator(context, desk, number)
    return done(desk, "league.objected_to", number=number, about=about)


def _tell_operator(context: LeagueContext, desk: SeasonDesk, number: int) -> None:
    """Where nobody who leads the season may decide on it."""
    matter = next(each for each in matters(desk.season, context.now) if each.about == f"O-{number}")
    if any(may_rule(desk.season, leader, matter) for leader in desk.season.leaders):
        return
    what = Trouble.league_objection.say(season=desk.tag, name=matter.about)
    detail = f'Decide with `pbem league do {desk.tag} "uphold {matter.about}: WHY"`, or dismiss. {matter.facts["text"]}'
    about = f"{desk.tag}.{matter.about}"
    post_alarm(
        context.work.repository, what, detail, about=about, operator=context.operator, now=context.now, once=True
    )


OBJECT = LeagueCommand(
    name="object",
    words=("object|objection", "Einspruch", "obiezione"),
    takes="objection",
    do=_object,
)
