"""One of each letter, made from real positions and events: what the service would hand to the pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from pbem.core.chance import Lots, commitment
from pbem.core.log import Entry
from pbem.core.seat import Seat
from pbem.games import GAMES
from pbem.host.archive.replay import Replay
from pbem.host.builder.once import told_once
from pbem.host.messages import letters, parts, replies, sections
from pbem.host.messages.rows import problem
from pbem.host.play.executor import hear
from pbem.host.play.results import Submission
from pbem.host.reporting.answers import asks, plain, preview, verdict_line
from pbem.host.reporting.chapters import Stretch, blank, events_of, said_in, stretch, turn
from pbem.host.session import acts
from pbem.host.session.acts import Act, entered
from pbem.host.session.identity import Place
from pbem.host.session.position import positions
from pbem.host.session.session import LoadedGame
from pbem.host.session.terms import Terms
from tests.adapters.season_samples import season_letters

SECRET = "6f1d3c0e9ab84752a1e0c7d95b38f264"
NOON = 1_772_539_200  # Tue 3 Mar 2026, 12:00 UTC
PLACE = Place(turn=12, seq=47, serial=31)

LED = "moderator Zoe"
DEEDS = tuple(
    sections.Deed(at=NOON + 3_600 * hour, turn=11 + hour, kind=str(type(act).__struct_config__.tag), act=entered(act))
    for hour, act in enumerate(
        (
            acts.Paused(by=LED, start=NOON, end=None, why="a storm", cause="moderator"),
            acts.Resumed(by=LED, at=NOON + 3_600, why="it is over"),
            acts.Announced(by=LED, text="Hello again!"),
            acts.Corrected(by="operator", lines=("treasury italy 17", "cash anton 3"), why="a slip"),
            acts.OptionSet(by=LED, key="slot_hours", value="48", was="24", why="summer", consent="all"),
        )
    )
)

OVERVIEW = sections.Overview(
    status="running",
    turn=12,
    moderators=("Zoe <zoe@example.org>",),
    seats=(
        sections.Sitting(seat="anton", address="anton@example.org", joined=True, late=3, forced=2, returned={}),
        sections.Sitting(
            seat="bert", address="bert@example.org", joined=True, late=0, forced=1, returned={"bert@work.example": 4}
        ),
        sections.Sitting(seat="claudia", address="", joined=False, late=0, forced=0, returned={}, bot=True),
    ),
    awaited=(),
    papers=(
        sections.Filed(seat="anton", kind="draft", at=NOON),
        sections.Filed(seat="bert", kind="standing", at=NOON - 3_600),
    ),
    letters=(
        sections.Came(at=NOON, sender="anton@example.org", subject="Re: [imp-1] Turn 12", fate="answered"),
        sections.Came(at=NOON, sender="bert@example.org", subject="Re: [imp-1] Turn 11", fate="identity.no_token"),
        sections.Came(at=NOON, sender="bert@example.org", subject="Away", fate="ignored auto"),
        sections.Came(at=NOON, sender="anton@example.org", subject="Re: [imp-1]", fate="fault"),
    ),
    lost=(sections.Lost(id="imp-1.12.bert", to="bert@work.example", at=NOON, reason="550 no such user"),),
)

HELD = """
seats anton bert claudia
flags anton austria_hungary, bert italy, claudia france
given treasury italy 9
given turn italy
moderator> bot bert: on a journey
clock> +1h
"""

OPENING = "seats anton bert claudia daniel"

MANEUVER = """
seats anton bert claudia
flags anton austria_hungary, bert italy, claudia france
given treasury austria_hungary 9
given rondel austria_hungary production_1
given rondel italy investor
given treasury italy 7
given power italy 6
given tax italy 7
given factory venice
given flag tunis italy
given army austria_hungary vienna 2
given army austria_hungary budapest 1
given fleet austria_hungary trieste 1
given fleet italy ionian_sea 1
given army italy tunis 1
given army france munich 1 friendly
given army russia berlin 2 hostile
given fleet france marseille 1
given round 3
anton> austria: maneuver
         F trieste - ionian
         2 A vienna - venice hostile
         A budapest - west balkan
bert> fight
"""

MOVE = """
seats anton bert claudia
flags anton austria_hungary, bert italy, claudia france
given bond anton france 12
given bond claudia italy 6
given cash bert 4
given treasury austria_hungary 6
given treasury italy 8
given power italy 22
given tax italy 6
given rondel austria_hungary production_1
given rondel italy maneuver_1
given factory venice
given flag tunis italy
given flag ionian_sea italy
given army austria_hungary venice 1 hostile
given army italy rome 2
given army italy vienna 1 hostile
given army italy vienna 2 friendly
given fleet italy naples 1
given fleet italy ionian_sea 1
given round 6
anton> austria: investor
clock> lapse
"""

INVESTOR = """
seats anton bert claudia daniel
flags anton austria_hungary, bert italy, claudia france, daniel russia
given treasury austria_hungary 6
given rondel austria_hungary maneuver_1
given cash claudia 14
given investor claudia
anton> austria: investor
"""

SWISS = """
seats anton bert claudia
flags anton austria_hungary, bert italy, claudia france
given bond anton france 12
given bond anton germany 12
given treasury italy 20
given rondel italy maneuver_1
given turn italy
bert> italy: import F naples
"""

LAST = """
seats anton bert claudia
flags anton austria_hungary, bert italy, claudia france
given power italy 19
given power france 11
given power austria_hungary 7
given treasury italy 3
given factory venice
given factory genoa
given flag tunis italy
given flag greece italy
given flag ionian_sea italy
given turn russia
given round 13
clock> lapse
clock> lapse
bert> italy: taxation
"""

COURSE = """
seats anton bert claudia
flags anton austria_hungary, bert italy, claudia france
given treasury austria_hungary 9
given treasury italy 9
given treasury france 9
given rondel austria_hungary investor
given fleet italy ionian_sea 1
given rondel germany investor
given rondel russia investor
given round 2
anton> austria: import A lemberg, F trieste
bert> italy: taxation
claudia> france: production_1
clock> lapse
claudia> germany: import none
bert> russia: production_2
"""

LAPSE = """
seats anton bert claudia
flags anton austria_hungary, bert italy, claudia france
given round 2
clock> lapse
"""


class Scene:
    """A play under way, told to one seat."""

    def __init__(self, text: str) -> None:
        self.replay = Replay(text, GAMES, lambda refusal: f"{refusal.code} {refusal.facts}", Lots(SECRET, "imp-1"))
        self.replay.run()
        self.rules = self.replay.session.rules
        self.table = LoadedGame(self.rules, self.replay.session.parser, Terms(setup=self.replay.play.setup))
        self.entries: list[Entry[Any, Any]] = self.replay.record.entries

    def view(self, seat: str) -> Mapping[str, Any]:
        return self.rules.view(self.replay.session.state, Seat(seat))

    def told(self) -> Stretch:
        """What came after the set-up."""
        before = [entry for entry in self.entries if entry.cause.kind in ("opening", "given")]
        start = positions(self.rules, blank(self.table), before)[-1]
        return stretch(self.table, start, self.entries[len(before) :])

    def turns(self) -> tuple[parts.TurnReport, ...]:
        return tuple(turn(self.table, chapter) for chapter in self.told().over)

    def awaited(self, deadline: int | None = NOON) -> tuple[parts.Awaited, ...]:
        pending = self.replay.session.pending()
        return tuple(parts.Awaited(seat=d.seat, kind=d.kind, about=d.about, deadline=deadline) for d in pending)

    def questions(self, seat: str) -> tuple[parts.Asks, ...]:
        state = self.replay.session.state
        return tuple(asks(self.rules, state, d) for d in self.replay.session.pending() if d.seat == seat)

    def preview(self, seat: str, order: str) -> replies.Reply:
        session = self.replay.session
        lines = tuple(verdict_line(v) for v in hear(session, Seat(seat), ["preview", order], Submission(at=NOON)))
        told = (preview(session, seat),)
        awaited = self.awaited()
        return replies.Reply(game="imp-1", seat=seat, lines=lines, cut=(), on_file=(), awaited=awaited, told=told)

    # -- letters ---

    def report(self, seat: str) -> letters.Report:
        return letters.Report(
            game="imp-1",
            seat=seat,
            place=PLACE,
            turns=self.turns(),
            before=self.rules.view(self.told().before.state, Seat(seat)),
            after=self.view(seat),
            awaited=self.awaited(),
            slot_hours=24,
            questions=self.questions(seat),
        )

    def report_of_bot(self, seat: str) -> letters.Report:
        """A bot answers for Bert."""
        awaited = tuple(replace(each, deadline=None, bot=each.seat == "bert") for each in self.awaited())
        return replace(self.report(seat), awaited=awaited, bots=("bert",), questions=())

    def question(self, seat: str, *standing: str) -> letters.Question:
        told = self.told()
        return letters.Question(
            standing=standing,
            game="imp-1",
            place=PLACE,
            seat=seat,
            turns=self.turns(),
            said=said_in(self.table, told.begun.entries),
            events=events_of(told.begun.entries),
            before=self.rules.view(told.before.state, Seat(seat)),
            now=self.view(seat),
            awaited=self.awaited(),
            questions=self.questions(seat),
            slot_hours=24,
        )

    def final(self, seat: str) -> letters.Final:
        return letters.Final(
            game="imp-1",
            seat=seat,
            turns=self.turns(),
            before=self.rules.view(self.told().before.state, Seat(seat)),
            after=self.view(seat),
            commitment=commitment(SECRET),
            secret=SECRET,
            course=self.course(seat),
        )

    def course(self, seat: str) -> tuple[Mapping[str, Any], ...]:
        states = [position.state for position in positions(self.rules, blank(self.table), self.entries)[2:]]
        last = {self.rules.round(state): state for state in states}
        return tuple(self.rules.view(state, Seat(seat)) for state in last.values())

    def notice(self, act: Act, seat: str | None = "claudia", *dropped: str, moved: bool = False) -> letters.Notice:
        return letters.Notice(
            game="imp-1",
            seat=seat,
            place=PLACE,
            kind=str(type(act).__struct_config__.tag),
            act=msgspec.to_builtins(act),
            dropped=dropped,
            after=self.view(seat or "") if moved else None,
            moved=moved,
            awaited=self.awaited(),
            questions=self.questions(seat or ""),
            slot_hours=24,
        )

    def substitute(self, seat: str) -> letters.Substitute:
        return letters.Substitute(
            game="imp-1",
            place=PLACE,
            seat=seat,
            title="imperial",
            edition="new",
            players=self.table.terms.setup.seats,
            turns=self.turns(),
            after=self.view(seat),
            awaited=self.awaited(),
            questions=self.questions(seat),
            slot_hours=24,
            on_file=(replies.OnFile(kind="standing", text="standing peace"),),
            record="# The record of imp-1.",
        )

    def offer(self, seat: str) -> letters.Offer:
        return letters.Offer(
            game="imp-1",
            name="P-3",
            seat=seat,
            title="imperial",
            edition="new",
            players=3,
            slot_hours=24,
            decided=False,
            named=False,
            anonymous="no",
            view=self.view(seat),
        )

    def opening(self, seat: str) -> letters.Opening:
        draws = tuple(msgspec.to_builtins(draw) for entry in self.entries for draw in entry.draws)
        return letters.Opening(
            game="imp-1",
            place=replace(PLACE, turn=1),
            seat=seat,
            title="imperial",
            edition="new",
            commitment=commitment(SECRET),
            draws=draws,
            events=events_of(self.entries),
            after=self.view(seat),
            awaited=self.awaited(),
            slot_hours=24,
            questions=self.questions(seat),
        )

    def reply(self, seat: str, *lines: str, cut: tuple[tuple[str, int], ...] = ()) -> replies.Reply:
        session = self.replay.session
        before = len(self.entries)
        verdicts = hear(session, Seat(seat), lines, Submission(at=NOON))
        did = {entry.seq: events_of([entry]) for entry in self.entries[before:]}
        papers = [replies.OnFile(kind=p.kind, text=p.text) for p in session.record.filed() if p.seat == seat]
        return replies.Reply(
            game="imp-1",
            seat=seat,
            lines=tuple(replace(verdict_line(v), events=did.get(v.seq, ())) for v in verdicts),
            cut=tuple({"why": why, "lines": count} for why, count in cut),
            on_file=tuple(papers),
            awaited=self.awaited(),
            problem=None if verdicts else "letter.empty",
        )


def samples() -> dict[str, letters.Message]:
    """All letters that have a golden file, by its name."""
    maneuver, asked = Scene(MANEUVER), Scene(MANEUVER.replace("bert> fight\n", ""))
    opening, last, opened = Scene(OPENING), Scene(LAST), Scene(OPENING)
    told = _alone(maneuver, asked, opening, last, opened)
    return {**told, **season_letters(), **gathered(opening, Scene(MANEUVER), told)}


def _alone(maneuver: Scene, asked: Scene, opening: Scene, last: Scene, opened: Scene) -> dict[str, letters.Message]:
    return {
        "invitation": invitation(),
        "invitation_anonymous": replace(
            invitation(), seat="okapi", players=(), by="", others=5, press="public", anonymous="always"
        ),
        "opening": opening.opening("daniel"),
        "report_awaited": maneuver.report("bert"),
        "report_move": Scene(MOVE).report("bert"),
        "report": maneuver.report("claudia"),
        "report_round": Scene(COURSE).report("bert"),
        "report_turns": Scene(COURSE + "anton> austria: taxation\n").report("bert"),
        "report_bot": Scene(HELD).report_of_bot("claudia"),
        "report_bot_for_you": Scene(HELD).report_of_bot("bert"),
        "report_lapse": Scene(LAPSE).report("anton"),
        "question_battle": asked.question("bert", "peace at tunis", "force germany"),
        "question_invest": Scene(INVESTOR).question("claudia"),
        "question_after_turns": Scene(COURSE + "anton> austria: maneuver F trieste - ionian\n").question("bert"),
        "question_swiss": Scene(SWISS).question("claudia"),
        "reply_played": _first(opened, "production_1", (("quote", 14), ("attribution", 1), ("footer", 1))),
        "reply_refused": maneuver.reply(
            "bert",
            "Hi all, sorry for the delay!",
            "italy: import F rome, A naples",
            "advance russia: taxation",
            "give france 90",
            "See you, Bert",
            cut=(("signature", 2), ("quote", 3)),
        ),
        "reply_unreadable": maneuver.reply("bert", "italy: import F Treiste, A rome", "give italy 1"),
        "reply_empty": maneuver.reply("bert"),
        "reply_no_game": replies.Reply(
            game=None, seat=None, lines=(), cut=(), on_file=(), awaited=(), problem="letter.no_game",
            facts={"tag": None, "games": ["imp-1", "imp-7"]},
        ),
        "reply_joined": replies.Reply(
            game="imp-1", seat="bert", lines=(), cut=(), on_file=(), awaited=(), problem="invitation.joined",
            facts={"missing": ["claudia"], "free": 0},
        ),
        "reply_opened": replies.Reply(
            game="imp-1", seat="bert", lines=(), cut=(), on_file=(), awaited=(), problem="opening.opened",
            facts={"tag": "imp-1", "missing": 3, "players": 4, "commitment": "0123456789abcdef" * 4},
        ),
        "reply_games": replies.Reply(
            game=None, seat=None, lines=(), cut=(), on_file=(), awaited=(),
            told=(
                sections.OpenGames(games=(
                    sections.OpenGame(game="imp-7", title="imperial", edition="new", players=4, free=1, slot_hours=48, anonymous="no"),
                    sections.OpenGame(game="imp-9", title="imperial", edition="third_2010", players=6, free=5, slot_hours=24,
                                anonymous="always"),
                )),
            ),
        ),
        "reply_settings": replies.Reply(
            game="imp-1", seat="bert", cut=(), on_file=(), awaited=(),
            lines=(
                replies.Line(text="language de", outcome="set"),
                replies.Line(text="reports digest 18:00", outcome="set"),
                replies.Line(text="reports weekly", outcome="refused", code="reports.unknown", facts={"read": "weekly"}),
                replies.Line(text="zone Berln", outcome="refused", code="zone.unknown",
                        facts={"read": "Berln", "candidates": ["Europe/Berlin"]}),
            ),
            settings=replies.Settings(zone="Europe/Berlin", at=NOON),
            reports=replies.Reports(mode="digest", time="18:00", zone="Europe/Berlin"),
        ),
        "reply_preview": Scene(MANEUVER.partition("anton>")[0]).preview(
            "anton", "austria: maneuver F trieste - ionian; A budapest - west balkan"
        ),
        "reply_help": told(sections.Help(topic=None), sections.Help(topic="maneuver_1"), sections.Help(topic="standing")),
        "reply_overview": replies.Reply(
            game="imp-1", seat=None, cut=(), on_file=(),
            lines=(replies.Line(text="status", outcome="shown"),),
            awaited=(parts.Awaited(seat="bert", kind="turn", about="italy", deadline=NOON + 86_400, begun=NOON),),
            told=(OVERVIEW,),
        ),
        "reply_asked": told(
            sections.Board(view=maneuver.view("bert")),
            sections.History(turns=maneuver.turns(), more=4, deeds=DEEDS),
            sections.RulesInForce(
                title="imperial", edition="new", setup="standard", board="europe", players=("anton", "bert", "claudia"),
                options={"investor_card": "no"}, slot_hours=24, remind_hours=(12, 6, 1),
                press="public", anonymous="until_end",
            ),
            sections.Timetable(
                running=(
                    sections.Running(awaited=maneuver.awaited()[0], begun=NOON - 86_400, used=5_430),
                    sections.Running(awaited=replace(maneuver.awaited()[0], deadline=None, bot=True), begun=None, used=0),
                ),
                slot_hours=24, remind_hours=(12, 6, 1), sheet=sheet(), late={"anton": 2},
                hours=parts.Hours(
                    policy="on_request", zone="Europe/Berlin", idle_days="sat, sun", holidays="DE", quiet_hours="23:00-7:00",
                    bots="yes",
                ),
            ),
        ),
        "press": letters.Press(
            game="imp-1", seat="bert", answers=(("anton",), ("anton", "claudia")),
            said=pressed("bert", "claudia"),
        ),
        "press_all": letters.Press(
            game="imp-1", seat="bert", answers=(("anton",), ("all",)), said=pressed("bert", "claudia", public=True),
        ),
        "reply_press": replies.Reply(
            game="imp-1", seat="anton", cut=(), on_file=(), awaited=(),
            lines=(
                replies.Line(text="press to bert, claudia: Hello!\nHow are you?", outcome="sent", to=("bert", "claudia")),
                replies.Line(text="press to anton: Well done.", outcome="refused", code="press.to_oneself"),
                replies.Line(text="press", outcome="shown"),
            ),
            told=(sections.PressRead(letters=(pressed("bert", "claudia"), pressed("bert", "claudia", public=True))),),
        ),
        "reply_press_inside": maneuver.reply(
            "bert", "italy: import A rome", "press to anton: I shall be peaceful.", "Believe me!", "advance italy: taxation"
        ),
        "reminder": letters.Reminder(
            game="imp-1", place=PLACE, seat="bert", awaited=maneuver.awaited()[0], asks=maneuver.questions("bert")[0], hours=6,
            on_file=(replies.OnFile(kind="draft", text="italy: import F naples"),),
        ),
        "tally": letters.Tally(
            game="imp-1", place=PLACE, seat="bert", petitions=(replacement(),), slot_hours=24,
            awaited=maneuver.awaited(), questions=maneuver.questions("bert"),
        ),
        "overdue": letters.Overdue(
            game="imp-1", seat="anton", awaited=maneuver.awaited()[0], policy="on_request", closes=None,
            grace=NOON + 10_800,
        ),
        "overdue_still": letters.Overdue(
            game="imp-1", seat="", awaited=maneuver.awaited()[0], policy="on_request", closes=None, days=2, turn=4, leads=True,
        ),
        "overdue_own": letters.Overdue(
            game="imp-1", seat="bert", awaited=maneuver.awaited()[0], policy="auto", closes=NOON + 10_800, turn=12,
            asks=maneuver.questions("bert")[0],
        ),
        "halt": letters.Halt(
            game="imp-1", seat="bert", cause="petition", by="P-2", why="Easter", start=NOON, end=NOON + 172_800,
            resumed=False, awaited=maneuver.awaited(NOON + 200_000),
        ),
        "halt_outage": letters.Halt(
            game="imp-1", seat="bert", cause="outage", by="clock", why="", start=NOON, end=NOON + 10_800,
            resumed=False, awaited=maneuver.awaited(NOON + 20_000),
        ),
        "halt_open": letters.Halt(
            game="imp-1", seat="bert", cause="moderator", by="moderator anton", why="", start=NOON, end=None,
            resumed=False, awaited=(replace(maneuver.awaited()[0], deadline=None, held=True),),
        ),
        "halt_over": letters.Halt(
            game="imp-1", seat="bert", cause=None, by="moderator anton", why="", start=NOON, end=None,
            resumed=True, awaited=maneuver.awaited(NOON + 20_000),
        ),
        "unused": unused(),
        "unused_condition": unused_condition(),
        "tidings": letters.Tidings(game="imp-1", seat="bert", events=last.turns()[-1].events[:1]),
        "final": last.final("anton"),
        "address_check": letters.AddressCheck(address="bert@work.example"),
        "address_changed": letters.AddressChanged(address="bert@work.example", until=NOON + 172_800),
        "address_changed_older": letters.AddressChanged(address="bert@example.org", until=None),
        "reply_addresses": told(
            sections.Addresses(main="bert@example.org", others=("b@example.net",), waiting=("bert@work.example",))
        ),
        "reply_no_token": replies.Reply(
            game="imp-1", seat="bert", lines=(), cut=(), on_file=(), awaited=(), problem="identity.no_token",
            facts={"sender": "bert@example.org", "lines": ["italy: import F naples", "give italy 2 <b>"]},
        ),
        "reply_old_ticket": replies.Reply(
            game="imp-1", seat="bert", lines=(), cut=(), on_file=(), awaited=(), problem="identity.old_ticket",
            facts={"sender": "bert@example.org", "then": 11, "now": 13, "lines": ["italy: import F naples"]},
        ),
        "reply_copied": replace(problem("letter.empty", "imp-1", "bert"), problem=None, calendar=True, copied=True),
        "reply_undone": problem("address.undone", address="bert@example.org", gone=("thief@example.net",)),
        **notices(asked, last),
        "substitute": Scene(COURSE + "anton> austria: maneuver F trieste - ionian\n").substitute("bert"),
        "invitation_again": replace(invitation(), by="operator", again=True),
        "invitation_player": replace(invitation(), by="anton"),
        "unanswered": letters.Unanswered(game="imp-1", seat="anton", silent=("bert",), here=("anton", "claudia")),
        "arrivals": letters.Arrivals(
            game="imp-1", seat="anton", came=2, gone=False, names=("bert", "claudia"),
            here=("anton", "bert", "claudia"), count=3, silent=1, free=2,
        ),
        "arrivals_anonymous": letters.Arrivals(
            game="imp-1", seat="paris", came=1, gone=False, names=(), here=(), count=2, silent=0, free=3
        ),
        "declined": letters.Arrivals(
            game="imp-1", seat=None, came=0, gone=True, names=("bert",), here=("anton",), count=1, silent=1, free=1
        ),
        "offer": Scene(COURSE).offer("bert"),
        "offer_league": replace(
            Scene(COURSE).offer("bert"),
            listed=False,
            league=letters.SeasonSeat(
                titles={"en": "Euro League", "de": "Euro-Liga", "it": "Lega Euro"},
                table=12, ends=1_800_000_000, asked=23, days=30, par=True,
            ),
        ),
        "gathers": letters.Gathers(
            game="imp-1",
            by="anton",
            open=sections.OpenGame(
                game="imp-1", title="imperial", edition="new", players=4, free=3, slot_hours=48, anonymous="no"
            ),
        ),
        "nomination": letters.Nomination(game="imp-1", by="moderator Zoe", why="I move house", alone=True),
        "nomination_seat": letters.Nomination(game="imp-1", by="moderator Zoe", why="He moves", alone=False, seat="bert"),
        "reply_trial": told(
            sections.Trial(
                deeds=DEEDS,
                before=Scene(COURSE).view("bert"),
                after=maneuver.view("bert"),
                awaited=(parts.Awaited(seat="bert", kind="turn", about="italy", deadline=NOON),),
                sealed=True,
                told=("anton", "bert", "Zoe"),
                others=2,
            )
        ),
        "not_needed": letters.NotNeeded(game="imp-1", name="P-3", seat="bert"),
        "reply_accepted": replace(
            problem("accept.accepted", "imp-1"), facts={"name": "P-3", "whose": "bert", "open": True}
        ),
        "reply_away": told(sections.Leave(start=NOON, end=NOON + 432_000, days=10, standing=("standing peace",))),
        "reply_calendar": replace(problem("letter.empty", "imp-1", "bert"), problem=None, calendar=True),
        "reply_away_deputy": told(
            sections.Leave(
                start=NOON, end=NOON + 432_000, days=0, standing=(), deputy="claudia", agreed=True, without=("imp-7",)
            )
        ),
        "deputy": deputy(plays=True),
        "deputy_asked": deputy(plays=False),
        "deputy_over": replace(deputy(plays=False), over=True),
        "deputised": letters.Deputised(
            game="imp-1", seat="bert", by="deputy", lines=(replies.Line(text="italy: import F naples", outcome="played"),)
        ),
        "question_stead": replace(Scene(INVESTOR).question("claudia"), until=NOON + 432_000),
        "reply_accepted_deputy": problem("deputy.accepted", "imp-1", "bert", start=NOON, end=NOON + 432_000),
        "reply_waiting": problem("waiting.on", offers=1),
        "alarm": letters.Alarm(what="A letter to bert@example.org can't be delivered.", detail="550 unknown"),
    }  # fmt: skip


def gathered(opened: Scene, maneuver: Scene, told: Mapping[str, letters.Message]) -> dict[str, letters.Message]:
    """What goes out together, told once."""
    played = maneuver.reply("bert", "give austria 1", "petition suspend 48h because of my journey")
    joined = replace(problem("invitation.joined", "imp-1", "anton"), facts={"missing": [], "free": 0})
    passed = replace(replacement(), status="passed", ended=NOON, vacant=True)
    decided = maneuver.notice(acts.Decided(by="clock", number=3, passed=True), "bert")
    halt = told["halt"]
    assert isinstance(halt, letters.Halt)
    found = {
        "joined": (opened.opening("anton"), joined),
        "answer": (played, maneuver.report("bert"), replace(halt, seat="bert")),
        "report": (
            told["notice_petitioned"],
            replace(decided, petition=passed),
            maneuver.report("bert"),
            told["tally"],
        ),
        "notices": (maneuver.notice(acts.Announced(by=LED, text="Snow!"), "bert"), replace(decided, petition=passed)),
    }
    whole = {f"gathered_{name}": told_once(parts) for name, parts in found.items()}
    return {name: each for name, each in whole.items() if each is not None}


def deputy(*, plays: bool) -> letters.Deputy:
    return letters.Deputy(
        game="imp-1", seat="bert", start=NOON, end=NOON + 432_000, plays=plays, title="Imperial", players=6
    )


def notices(asked: Scene, last: Scene) -> dict[str, letters.Message]:
    """What a moderator and others have done, one of each kind."""
    by = "moderator Zoe"
    rewound = acts.Rewound(by=by, turn=12, why="Two units stood where none could be.")
    told: dict[str, letters.Message] = {
        "rewound": asked.notice(rewound, "bert", "advance italy: taxation", moved=True),
        "forward": asked.notice(replace(rewound, forward=True), "claudia", moved=True),
        "corrected": asked.notice(
            acts.Corrected(by="operator", lines=("treasury italy 17", "cash bert 5"), why="A slip."),
            "anton",
            moved=True,
        ),
        "option_set": asked.notice(
            acts.OptionSet(by=by, key="slot_hours", value="48", was="24", why="It is summer.", consent="all players")
        ),
        "seated": asked.notice(acts.Seated(by=by, seat="anton", person=7, why="He has no time any more.")),
        "bot_seated": asked.notice(acts.BotSeated(by="clock", seat="anton"), "bert"),
        "bot_for_you": asked.notice(acts.BotSeated(by=by, seat="anton", why="He is on a journey."), "anton"),
        "bot_left": asked.notice(acts.BotLeft(by="anton", seat="anton"), "bert"),
        "bot_taken": asked.notice(acts.BotLeft(by=by, seat="bert", why="He is back."), "bert", moved=True),
        "ejected": asked.notice(acts.Ejected(by="clock", seat="anton", why="")),
        "announced": asked.notice(acts.Announced(by=by, text="Merry Christmas to <b>all</b> of you!")),
        "acted_for": asked.notice(
            acts.ActedFor(by=by, seat="bert", text="italy: maneuver\nF naples - ionian", why="He phoned me."), None
        ),
        "clock_set": asked.notice(acts.ClockSet(by="operator", was=NOON + 9_000_000, why="The battery is new.")),
        "closed": asked.notice(acts.Closed(by=by, turn=12, why="Bert has sailed away.")),
        "deadline_set": asked.notice(acts.DeadlineSet(by=by, seat="bert", until=NOON + 90_000, why="He is ill.")),
        "promoted": asked.notice(acts.Promoted(by=by, whom="Anton", alone=True)),
        "removed": asked.notice(acts.Removed(by="petition P-2", person=8, whom="Zoe", why="Zoe: no answers.")),
    }
    silent = acts.Petitioned(
        by="clock", number=3, kind="replace", title="bert", seat="bert", electors=("anton",), closes=NOON
    )
    asks = asked.notice(silent)
    told["petitioned"] = replace(asks, petition=replacement())
    accepted = asked.notice(acts.Accepted(by="substitute", number=3, person=7))
    told["accepted"] = replace(accepted, petition=replace(replacement(), found=True))
    told["interpreted"] = asked.notice(
        acts.Interpreted(by="bert", number=1, seat="anton", turn=9, text="East, not west.")
    )
    told["objected"] = asked.notice(acts.Objected(by="bert", number=1, turn=9, text="The tax is one too low."))
    told["ruled"] = asked.notice(acts.Ruled(by=by, number=1, upheld=False, why="Two factories, no flag."))
    rejected = asked.notice(acts.Rejected(by=by, number=3, why="It is about another game."))
    no_more = replace(replacement(), status="rejected", ended=NOON, rejected="It is about another game.")
    told["rejected"] = replace(rejected, petition=no_more)
    told["consented"] = asked.notice(acts.Consented(by="claudia", seat="anton"))
    told["consented_not"] = asked.notice(acts.Consented(by="deputy", seat="anton", yes=False))
    told["away_deputy"] = asked.notice(acts.Away(by="anton", start=NOON, end=NOON + 432_000, deputy="deputy", person=7))
    told["away"] = asked.notice(acts.Away(by="anton", start=NOON, end=NOON + 432_000))
    ended = last.notice(acts.Ended(by=by, why="Nobody has time any more."), "anton")
    told["ended"] = replace(ended, awaited=(), commitment=commitment(SECRET), secret=SECRET)
    return {f"notice_{name}": each for name, each in told.items()}


def replacement() -> parts.Petition:
    """The host looks for a substitute."""
    return parts.Petition(
        name="P-3",
        kind="replace",
        by="clock",
        title="bert",
        text="",
        sets=(),
        start=None,
        length=0,
        closes=NOON + 604_800,
        status="open",
        ended=None,
        absolute=False,
        votes={"for": ("claudia",), "against": (), "quorum": ()},
        silent=("anton", "bert"),
        comments=(("claudia", "We can't wait for ever."),),
        seat="bert",
    )


def pressed(*to: str, public: bool = False) -> sections.Pressed:
    text = (
        "Let us leave the Ionian Sea to nobody, and think together about what Germany is building in Danzig & elsewhere.\n"
        "<b>Grüße</b> aus Wien\n"
        "Anton"
    )
    return sections.Pressed(at=NOON, seat="anton", to=to, public=public, text=text)


def told(*parts: sections.Section) -> replies.Reply:
    """What bert asked."""
    lines = tuple(replies.Line(text=str(type(part).__struct_config__.tag), outcome="shown") for part in parts)
    return replies.Reply(game="imp-1", seat="bert", lines=lines, cut=(), on_file=(), awaited=(), told=parts)


def _first(scene: Scene, order: str, cut: tuple[tuple[str, int], ...]) -> replies.Reply:
    """Whoever is awaited first sends this."""
    return scene.reply(scene.awaited()[0].seat, order, cut=cut)


def invitation() -> letters.Invitation:
    return letters.Invitation(
        game="imp-1",
        seat="bert",
        title="imperial",
        edition="new",
        players=("anton", "bert", "claudia"),
        by="moderator Zoe",
        others=2,
        slot_hours=24,
        commitment=commitment(SECRET),
    )


def sheet() -> tuple[parts.Kept, ...]:
    """Somebody who was late, somebody who had written ahead."""
    late = parts.Kept(
        seat="anton", kind="turn", about="austria_hungary", start=NOON - 180_000, end=NOON, counted=176_400, late=2,
        by="bert", witness="claudia", written=True,
    )  # fmt: skip
    return late, replace(late, seat="bert", about="italy", start=None, late=0, by="bert", witness="")


def unused() -> letters.Unused:
    line = replies.Line(
        text="italy: factory venice",
        outcome="unused",
        code="treasury.short",
        facts=plain({"nation": "italy", "needs": 5, "has": 3}),
    )
    return letters.Unused(game="imp-1", seat="bert", lines=(line,))


def unused_condition() -> letters.Unused:
    line = replies.Line(
        text="italy: if france at ionian_sea then maneuver\n  F naples - ionian_sea attack france",
        outcome="unused",
        code="advance.unmet",
        facts=plain({"about": "units", "nation": "france", "region": "ionian_sea", "present": False}),
    )
    return letters.Unused(game="imp-1", seat="bert", lines=(line,))
