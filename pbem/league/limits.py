"""What a league's settings may be, beyond their types: all that is wrong at once, each with its code."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import get_args

from msgspec import Struct

from pbem.league.calendar import day, day_in, is_day, zones
from pbem.league.points import NEED_SCORES, is_fair
from pbem.league.ranking import Tie
from pbem.league.settings import DRAWN, FIXED, Settings

Way = tuple[str, ...]
MOST = 2000  # entrants
DRAWN_LEAST = 16  # with fewer people meetings would repeat

_NAME = re.compile(r"[a-z]{2,12}")
_WEEKLY = re.compile(r"(mon|tue|wed|thu|fri|sat|sun) ([01][0-9]|2[0-3]):[0-5][0-9]")
_RESULTS = re.compile(r"all|round|mine|digest ([01][0-9]|2[0-3]):[0-5][0-9]")
_LEAST: Mapping[int, Mapping[str, Sequence[str]]] = {
    0: {
        "entry": ("days", "muster_days"),
        "season": ("pause_weeks",),
        "table": ("zones",),
        "rounds": ("cut",),
        "scoring": ("counted",),
        "lateness": ("free", "cost", "most"),
        "leaving": ("cost", "bar"),
        "rating": ("provisional",),
    },
    1: {
        "groups": ("turns",),
        "divisions": ("up",),
        "rounds": ("days", "advance"),
        "pool": ("every_days", "wait_days", "again", "best"),
        "petitions": ("days",),
        "reserves": ("hours",),
    },
}


class Mistake(Struct, frozen=True, kw_only=True):
    """A key, what is wrong with it, and the facts of the sentence."""

    way: Way
    code: str
    facts: Mapping[str, object] = {}


class House(Struct, frozen=True, kw_only=True):
    """What a server has, as far as a league depends on it."""

    now: int
    games: Mapping[str, Collection[int]]  # by id: how many each can seat
    scored: Collection[str]  # those that have scores
    templates: Collection[str] = ()
    reserved: Collection[str] = ()  # tags of games, words of the language, names that are taken
    by_hand: bool = False  # people are entered by a command: no time for entries is needed
    options: Callable[[Settings], Sequence[Mistake]] = lambda _: ()  # what the game and the host say to the options


def mistakes(settings: Settings, house: House) -> list[Mistake]:
    """All that is wrong with the settings on this server."""
    of_house = [each for check in (_name, _game, _season, _table, _scoring) for each in check(settings, house)]
    return [*of_house, *(each for check in (_entrants, _groups, _rounds, _limits, _values) for each in check(settings))]


Found = Iterator[Mistake]


def _mistake(way: str, code: str, **facts: object) -> Mistake:
    return Mistake(way=(*way.split("."),), code=code, facts=facts)


def _name(settings: Settings, house: House) -> Found:
    if not _NAME.fullmatch(settings.name) or settings.name in house.reserved:
        yield _mistake("name", "league.name", name=settings.name, taken=settings.name in house.reserved)


def _game(settings: Settings, house: House) -> Found:
    if settings.game not in house.games:
        yield _mistake("game", "league.game", game=settings.game, known=sorted(house.games))
    if settings.template and settings.template not in house.templates:
        yield _mistake("template", "opening.template", template=settings.template, known=sorted(house.templates))
    yield from house.options(settings)


def _entrants(settings: Settings) -> Found:
    entry, groups = settings.entry, settings.groups
    least = 2
    if settings.format in DRAWN:
        least = DRAWN_LEAST
    elif settings.format in FIXED:
        least = groups.least
    if entry.least < least:
        yield _mistake("entry.least", "league.too_few", least=least, given=entry.least, series=settings.format in DRAWN)
    if entry.least > MOST:
        yield _mistake("entry.least", "league.too_many", least=least, most=MOST)
    if entry.most and not entry.least <= entry.most <= MOST:
        yield _mistake("entry.most", "league.too_many", least=entry.least, most=MOST)
    if entry.muster_days and entry.muster_days >= entry.days:
        yield _mistake("entry.muster_days", "league.muster", days=entry.days)


def _season(settings: Settings, house: House) -> Found:
    season = settings.season
    if season.zone not in zones():
        yield _mistake("season.zone", "league.value", least=None)
    elif not is_day(season.start):
        yield _mistake("season.start", "league.start", days=0, earliest=None)
    else:
        wait = 1 if house.by_hand else max(1, settings.entry.days)
        earliest = day_in(house.now, wait, season.zone)
        if day(season.start) < earliest:
            yield _mistake("season.start", "league.start", days=wait, earliest=earliest.isoformat())
    if not 1 <= season.weeks <= 104:
        yield _mistake("season.weeks", "league.weeks")
    if not 0 <= season.hour <= 23:
        yield _mistake("season.hour", "league.value", least=0, most=23)


def _table(settings: Settings, house: House) -> Found:
    table = settings.table
    seats = house.games.get(settings.game)
    if table.players not in table.allowed:
        yield _mistake("table.players", "league.table", allowed=table.allowed, seats=sorted(seats or ()))
    if seats is not None and not {*table.allowed} <= {*seats}:
        yield _mistake("table.allowed", "league.table", allowed=table.allowed, seats=sorted(seats))
    if not 1 <= table.load <= 10:
        yield _mistake("table.load", "league.load")


def _groups(settings: Settings) -> Found:
    groups, players = settings.groups, settings.table.players
    in_order = players <= groups.least <= groups.size <= groups.most <= 21
    if settings.format in FIXED and not in_order:
        yield _mistake("groups", "league.groups", players=players, most=2 * groups.least - 1)
    elif settings.format == "divisions" and groups.most < 2 * groups.least - 1:
        yield _mistake("groups.most", "league.groups", players=players, most=2 * groups.least - 1)
    shape = settings.divisions.shape
    if not shape or min(shape) < 1 or [*shape] != sorted(shape):
        yield _mistake("divisions.shape", "league.shape")


def _rounds(settings: Settings) -> Found:
    count, others = settings.rounds.count, settings.table.players - 1
    if settings.format == "cup" and settings.rounds.advance >= min(settings.table.allowed):
        yield _mistake("rounds.advance", "league.value", least=1, most=min(settings.table.allowed) - 1)
    if not 1 <= count <= 20 or (settings.format in DRAWN and count * others >= settings.entry.least):
        without = (settings.entry.least - 1) // max(1, others)
        yield _mistake("rounds.count", "league.rounds", most=max(1, min(20, without)))


def _limits(settings: Settings) -> Found:
    limits = settings.limits
    if limits.game_days and not 14 <= limits.game_days <= 365:
        yield _mistake("limits.game_days", "league.limit")
    if limits.stall and limits.stall < 1.5:
        yield _mistake("limits.stall", "league.stall")


def _scoring(settings: Settings, house: House) -> Found:
    scoring, seats = settings.scoring, house.games.get(settings.game, settings.table.allowed)
    sizes = sorted({*settings.table.allowed} & {*seats})
    lists = {size: scoring.places.get(size, ()) for size in sizes}
    whole = all(len(worth) == size and [*worth] == sorted(worth, reverse=True) for size, worth in lists.items())
    if not whole or not is_fair(lists) or min((*scoring.places.keys(), *sizes)) < 1:
        yield _mistake("scoring.places", "league.unequal", means=_means(lists), sizes=sizes)
    known = get_args(Tie)
    if scoring.ties[-1:] != ("lot",) or len({*scoring.ties} & {*known}) != len(scoring.ties):
        yield _mistake("scoring.ties", "league.ties", known=known)
    if settings.game in house.games and settings.game not in house.scored and scoring.system in NEED_SCORES:
        yield _mistake("scoring.system", "league.scores", game=settings.game)


def _means(lists: Mapping[int, Sequence[int]]) -> dict[int, str]:
    """By size, as one would write them."""
    return {size: f"{float(Fraction(sum(worth), len(worth))):g}" if worth else "–" for size, worth in lists.items()}


def _values(settings: Settings) -> Found:
    for least, sections in _LEAST.items():
        for section, keys in sections.items():
            own = getattr(settings, section)
            for key in keys:
                if getattr(own, key) < least:
                    yield _mistake(f"{section}.{key}", "league.value", least=least)
    for way, percent in (("entry.on_time", settings.entry.on_time), ("leaving.share", settings.leaving.share)):
        if not 0 <= percent <= 100:
            yield _mistake(way, "league.value", least=0, most=100)
    if settings.pool.spread <= 0:
        yield _mistake("pool.spread", "league.value", least=0)
    if settings.draw.beacon and settings.format == "pool":  # whose lots would wait each day
        yield _mistake("draw.beacon", "league.value", least=None)
    if settings.draw.links < 2 * settings.draws:
        yield _mistake("draw.links", "league.value", least=2 * settings.draws)
    if not _WEEKLY.fullmatch(settings.mail.weekly):
        yield _mistake("mail.weekly", "league.value", least=None)
    if not _RESULTS.fullmatch(settings.mail.results):
        yield _mistake("mail.results", "league.value", least=None)
