"""What the entrants of a season ask each other, and what their votes come to.

Electors are those who play, one vote a person; whoever says nothing is neither for nor against.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.core.log import digest_of
from pbem.core.refusal import Illegal
from pbem.core.voting import MOST_OPEN, Majority, decided
from pbem.league import acts
from pbem.league.changes import LATER, SECTIONS_LATER, check_set, with_key
from pbem.league.limits import House
from pbem.league.log import Entry
from pbem.league.settings import Settings
from pbem.league.state import Petition, Season
from pbem.league.veil import withheld

MAJORITIES: Mapping[str, Majority] = {
    "change": "half",
    "clarify": "more",
    "suspend": "more",
    "replace": "half",
    "abort": "two_thirds",
}
OF_EACH = "table.load"  # nobody is given more to play than they have entered for
OF_GAMES = ("template", "options")  # they are settled when a league is founded


def name(number: int) -> str:
    """How letters call a petition."""
    return f"P-{number}"


def electors(season: Season) -> tuple[int, ...]:
    """Who votes now; none before the first draw, and none when the season is over."""
    if season.phase not in ("drawn", "playing", "deciding"):
        return ()
    here = (each.person for each in season.entrants)
    return tuple(person for person in here if person in season.people and not season.people[person].gone)


def petition_of(season: Season, number: int) -> Petition:
    """Raises `Illegal`."""
    if number not in season.petitions:
        raise Illegal("petition.unknown", read=name(number), open=tuple(map(name, open_petitions(season))))
    return season.petitions[number]


def open_petitions(season: Season) -> tuple[int, ...]:
    return tuple(number for number, each in season.petitions.items() if each.status == "open")


def majority_of(asked: acts.Petitioned) -> Majority:
    return "all" if any(key == OF_EACH for key, _ in asked.sets) else MAJORITIES[asked.kind]


# -- what may be asked and said ---


def check_petition(season: Season, asked: acts.Petitioned, house: House) -> None:
    """Raises `Illegal` for what can't be asked, or not by them."""
    if not electors(season):
        raise Illegal("league.no_votes", phase=season.phase)
    if asked.person not in electors(season):
        raise Illegal("league.no_elector")
    if sum(season.petitions[each].asked.person == asked.person for each in open_petitions(season)) >= MOST_OPEN:
        raise Illegal("petition.too_many", most=MOST_OPEN)
    if asked.sets and asked.kind != "change":
        raise Illegal("petition.sets_nothing" if asked.kind != "clarify" else "league.clarifies", kind=asked.kind)
    if not (asked.title or asked.text or asked.sets) and asked.kind in ("change", "clarify"):
        raise Illegal("petition.empty")
    check_sets(season, asked.sets, house)


def check_sets(season: Season, sets: Sequence[tuple[str, str]], house: House) -> None:
    """Raises `Illegal` for what can't be set, at once or from the next season on."""
    after = settings_of_next(season)
    for key, value in dict.fromkeys(sets):
        values = tuple(dict.fromkeys(other for same, other in sets if same == key))
        if len(values) > 1:
            raise Illegal("petition.twice", key=key, values=values)
        if key == "organisers":
            raise Illegal("league.voted_for", key=key)
        if key.partition(".")[0] in OF_GAMES:
            raise Illegal("league.fixed", key=key)
        is_now = binds_at_once(key)
        check_set(season.settings if is_now else after, key, value, drawn=is_now, petition=True, house=house)
        after = with_key(after, key, value)


def binds_at_once(key: str) -> bool:
    """In the running season? All else binds from the next one on."""
    return key in LATER or key.partition(".")[0] in SECTIONS_LATER


def settings_of_next(season: Season) -> Settings:
    """Those of the season, with what its entrants have voted for the one behind it."""
    settings = season.settings
    passed = [each for each in season.petitions.values() if each.status == "passed"]
    for petition in sorted(passed, key=lambda each: each.ended or 0):
        for key, value in petition.asked.sets:
            settings = settings if binds_at_once(key) else with_key(settings, key, value)
    return settings


def check_vote(season: Season, person: int, number: int) -> Petition:
    """Raises `Illegal`."""
    petition = petition_of(season, number)
    check_open(petition)
    if person not in petition.asked.electors:
        raise Illegal("league.no_elector")
    return petition


def check_open(petition: Petition) -> None:
    if petition.status != "open":
        votes = {"pro": len(petition.side("for")), "contra": len(petition.side("against"))}
        raise Illegal(
            "petition.over", name=name(petition.asked.number), status=petition.status, ended=petition.ended, **votes
        )


def check_taken_back(season: Season, person: int, number: int) -> None:
    """Whoever made it may, while nobody else has voted. Raises `Illegal`."""
    petition = petition_of(season, number)
    check_open(petition)
    if petition.asked.person != person:
        raise Illegal("petition.not_yours", name=name(number))
    if {*petition.votes} - {person}:
        raise Illegal("petition.voted", name=name(number))


# -- what it comes to ---


def result(petition: Petition, at: int) -> bool | None:
    """Has it passed or failed? None while that depends on those who have not voted, and there is time left."""
    asked = petition.asked
    silent = 0 if at >= asked.closes else len(petition.silent)
    pro, contra = len(petition.side("for")), len(petition.side("against"))
    return decided(majority_of(asked), pro, contra, len(asked.electors), silent)


def published(entries: Sequence[Entry], raws: Sequence[bytes], season: Season) -> tuple[bytes, ...]:
    """What everybody may read of the log: of votes the digests alone, till their petitions are over (7.3), and of who
    sits at anonymous tables, till those are."""
    votes = {each.seq for each in entries if isinstance(each.act, acts.Voted) and _is_open(season, each.act.number)}
    hidden = votes | withheld(season, entries)
    return tuple(digest_of(raw) if seq in hidden else raw for seq, raw in enumerate(raws))


def _is_open(season: Season, number: int) -> bool:
    petition = season.petitions.get(number)
    return petition is not None and petition.status == "open"
