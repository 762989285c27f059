"""One of each letter about a season, and of the answers that tell of one."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from pbem.host.messages import letters
from pbem.host.messages.leagues import (
    ChairTold,
    LeagueLine,
    LeagueList,
    LeagueTold,
    PetitionTold,
    RankingRow,
    RatingStep,
    RatingTold,
    SeasonPetitions,
    SeasonTables,
    Standings,
    TableTold,
)
from pbem.host.messages.replies import Reply
from pbem.host.messages.rows import problem

NOON = 1_772_539_200  # Tue 3 Mar 2026, 12:00 UTC
DAY = 86_400
LINK, COMMITMENT = "fedcba9876543210" * 4, "0123456789abcdef" * 4
LINE = LeagueLine(
    name="euro", tag="euro-3", titles={"en": "Euro League", "de": "Euro-Liga", "it": "Lega Euro"}, phase="entries",
    opens=NOON - 21 * DAY, closes=NOON, ends=NOON + 119 * DAY, entrants=14,
)  # fmt: skip
TOLD = LeagueTold(
    line=LINE, players=4, load=2, tables=4, weeks=17, game_days=56, slot_hours=24, leaving=2, musters=NOON - 5 * DAY,
    commitment=COMMITMENT, opened=True,
)  # fmt: skip
TIES = (("wins", 60), ("direct", -1), ("seconds", 2), ("strength", 1_055), ("share", 3_000), ("late", 1))
GROUP = Standings(
    season="euro-3", group="2b", count=3,
    rows=(
        RankingRow(place=1, name="Claudia <C>", played=3, points=2_600, ties=()),
        RankingRow(place=2, name="Bert", played=3, points=1_400, ties=(), own=True),
        RankingRow(place=3, name="player 17", played=1, points=100, ties=()),
    ),
)  # fmt: skip
PLAYS = TableTold(
    number=4, game="imp-57", state="plays", ends=NOON + 56 * DAY,
    chairs=(
        ChairTold(name="Anton", position="france"),
        ChairTold(name="Bert", position="austria_hungary", own=True),
        ChairTold(name="", position="italy"),
    ),
)  # fmt: skip
WAITS = replace(PLAYS, number=9, game="", state="waits", ends=None)
OVER = TableTold(
    number=12, game="imp-61", state="over", how="time",
    chairs=(
        ChairTold(name="Claudia <C>", position="russia", place=1, score=61, points=1_000),
        ChairTold(name="Bert", position="germany", place=2, score=48, points=450, own=True),
        ChairTold(name="player 17", position="italy", place=2, score=48, points=450),
    ),
)  # fmt: skip

OBJECTION = {"number": 2, "who": "Bert", "of": "T-12", "since": NOON, "text": "the bank was miscounted"}
MATTERS = (
    {"kind": "objection", "about": "O-2", **OBJECTION, "lines": ("uphold", "dismiss")},
    {"kind": "fault", "about": "T-9", "table": 9, "game": "imp-61", "lines": ("replay", "void")},
    {"kind": "lacking", "about": "T-7", "table": 7, "game": "", "until": NOON + 5 * DAY, "lines": ()},
    {"kind": "ending", "about": "T-4", "table": 4, "game": "imp-57", "ends": NOON + DAY, "lines": ("extend",)},
    {"kind": "unfilled", "about": "T-3", "table": 3, "game": "imp-55", "since": NOON - DAY, "asked": 12, "lines": ()},
    {"kind": "beacon", "about": "D-1", "draw": 1, "until": NOON + 3 * DAY, "beacon": "lotto of 6 March", "lines": ()},
)

SUSPECTED = (
    {"kind": "gifts", "names": ["Anton", "Bert"], "tables": [3, 7], "lines": ()},
    {"kind": "purchases", "names": ["Anton", "Bert"], "table": 3, "count": 9, "lines": ()},
    {"kind": "instants", "names": ["Anton", "Bert"], "count": 14, "lines": ()},
    {"kind": "name", "names": ["Anton", "anton"], "name": "anton", "lines": ()},
    {"kind": "domain", "names": ["Anton", "Bert"], "domain": "house.test", "lines": ()},
)
RATING = RatingTold(
    kind="imperial", name="Bert", own=True, rating=12.44, best=14.1, settled=False, games=2,
    steps=(
        RatingStep(game="imp-61", at=NOON, before=14.1, after=12.44),
        RatingStep(game="imp-57", at=NOON - DAY, before=0.0, after=14.1),
    ),
)  # fmt: skip
WISH = PetitionTold(
    number=2, kind="change", by="Bert", title="Longer reserves", text="They are away\na lot.",
    sets=(("reserves.hours", "72", True), ("scoring.system", "squares", False)),
    length=0, start=None, whom="", closes=NOON + 7 * DAY, status="open", ended=None, majority="half",
    electors=20, said=3, own="for", votes={}, comments=(), why="",
)  # fmt: skip
ASKED = SeasonPetitions(season="euro-3", petitions=(WISH,), answers=(2,))
VOTES = {"for": ("Anton", "Bert"), "against": ("Claudia <C>",), "abstain": ()}
DECIDED = SeasonPetitions(
    season="euro-3",
    petitions=(replace(WISH, status="passed", ended=NOON, votes=VOTES, comments=(("Anton", "at last"),)),),
)


def news(what: str, *told: Any, answers: tuple[str, ...] = (), **facts: Any) -> letters.SeasonNews:
    return letters.SeasonNews(season="euro-3", what=what, title="Euro League", facts=facts, told=told, answers=answers)


def tables(*told: TableTold) -> SeasonTables:
    return SeasonTables(season="euro-3", tables=told)


def answer(*told: Any) -> Reply:
    return replace(problem(""), problem=None, season="euro-3", told=told)


def season_letters() -> dict[str, letters.Message]:
    return {
        "season_open": news("open", TOLD, closes=NOON, entered=False),
        "season_muster": news("muster", answers=("yes", "rest", "no"), closes=NOON),
        "season_muster_again": news("muster_again", answers=("yes", "rest", "no"), closes=NOON),
        "season_off": news("off", least=10, count=1),
        "season_left_out": news("left_out", answered=False, plays=False),
        "season_draw": news(
            "draw", tables(PLAYS, WAITS), draw=1, group="2b", tables=4, load=2, leaving=2, link=LINK, commitment=COMMITMENT,
            pool=False, chain="",
        ),
        "season_draw_of_a_round": news(
            "draw", tables(WAITS), draw=2, group="", tables=1, load=2, leaving=2, link=LINK, commitment=COMMITMENT,
            pool=False, chain="",
        ),
        "season_draw_of_a_pool": news(
            "draw", tables(PLAYS), draw=63, group="", tables=1, load=2, leaving=2, link=LINK, commitment=COMMITMENT,
            pool=True, chain=COMMITMENT[::-1],
        ),
        "season_draw_sealed": news(
            "draw", tables(replace(PLAYS, chairs=PLAYS.chairs[1:2])), draw=1, group="2b", tables=1, load=2, leaving=2,
            link="", seal=COMMITMENT, commitment="", pool=False, chain="",
        ),
        "season_table": news(
            "table", tables(OVER), GROUP, table=12, group="2b", winners=["Claudia <C>"], place=2, void=False,
            was=(4, 1_450), now=(2, 2_050), times=[("anton", 93_600), ("bert", 5_400)],
        ),
        "season_ending": news(
            "ending", table=4, game="imp-57", ends=NOON + DAY, stall=2.0, unfinished="standing",
            times=[("anton", 93_600), ("bert", 5_400)],
        ),
        "season_round": news("round", GROUP, tables(OVER), count=1, group="2b"),
        "season_final": news(
            "final", GROUP, place=2, group="2b", moves="up", champions=["Zoe"], next="euro-4", opens=NOON + 130 * DAY,
            link=LINK, commitment=COMMITMENT,
        ),
        "season_desk": news("desk", count=6, head=False, matters=MATTERS),
        "season_desk_below_a_head": news("desk", count=1, head=True, matters=MATTERS[:1]),
        "season_audit": news("audit", count=5, head=False, matters=SUSPECTED),
        "season_petition": news("petition", ASKED, petition=2, status="open", petition_title=WISH.title),
        "season_votes": news("votes", DECIDED, petition=2, status="passed", petition_title=WISH.title),
        "season_away": news("away", days=28),
        "season_out": news("out", cost=2, seats=3, bar=1, leads=True),
        "season_leads": news("leads", petition=3),
        "reply_leagues": answer(LeagueList(leagues=(LINE, replace(LINE, name="asia", tag="asia-1", phase="playing")))),
        "reply_league": answer(replace(TOLD, own="entered", beacon="the lotto numbers of 6 March")),
        "reply_league_of_a_pool": answer(replace(TOLD, tables=0, every=1, best=6, line=replace(LINE, phase="playing"))),
        "reply_ranking": answer(replace(GROUP, rows=tuple(replace(row, ties=TIES) for row in GROUP.rows))),
        "reply_rating": answer(RATING, replace(RATING, own=False, settled=True, steps=())),
        "reply_away": replace(problem("league.away", start=NOON, end=NOON + 9 * DAY), season="euro-3"),
        "reply_not_away": replace(problem("league.not_away"), season="euro-3"),
        "reply_alias": replace(problem("league.called", name="Zephyr", hidden=False), season="euro-3"),
        "reply_entered": replace(
            problem("league.in", tag="euro-3", phase="entries", luck="banana"), season="euro-3", told=(TOLD,)
        ),
    }  # fmt: skip
