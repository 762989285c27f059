"""Petitions: majorities, who counts, and when one is decided (docs/reference/procedure.md, section 5)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.core.seat import Seat
from pbem.games import GAMES
from pbem.host.archive.replay import Replay
from pbem.host.clock.slots import note
from pbem.host.play.adjudicator import Adjudicator
from pbem.host.play.executor import hear
from pbem.host.play.results import Submission
from pbem.host.session.acts import Act, Decided, Deemed, Done, Petitioned, Seated, Voted, Withdrawn
from pbem.host.session.petitions import ABSOLUTE, Petition, petitions
from pbem.language.ballots import Vote
from pbem.language.petitions import KINDS, Kind
from tests.depth import examples_of

FIVE = ("anton", "bert", "claudia", "daniel", "emil")
VOTES: dict[str, Vote] = {"F": "for", "A": "against", "Q": "quorum"}
CLOSES = 1_000


def asked(kind: Kind, votes: str, more: Sequence[Act] = ()) -> Petition:
    """Anton's petition, with a letter for the vote of each seat: F, A, Q, or a dot for none."""
    posted = Petitioned(by="anton", number=1, kind=kind, title="", electors=FIVE, closes=CLOSES)
    cast = [Voted(by=seat, number=1, vote=VOTES[v]) for seat, v in zip(FIVE, votes, strict=False) if v != "."]
    acts = [posted, *cast, *more]
    (petition,) = petitions([Done(seq=n, at=n, turn=1, act=act) for n, act in enumerate(acts)])
    return petition


@pytest.mark.parametrize(
    ("votes", "simple", "absolute"),
    [
        ("FFAQQ", True, False),  # the examples of 5.2
        ("FFFAA", True, True),
        ("FFAAQ", False, False),
        ("FFF..", True, True),  # certain before all have voted
        ("FF...", None, None),
        ("FFA..", None, None),
        ("FFQQ.", True, None),
        ("FAA..", None, None),
        ("FAAQ.", False, False),
        ("FAAA.", False, False),
        ("FQQQQ", True, False),
        ("AQQQQ", False, False),  # his own vote, changed
    ],
)
def test_majorities(votes: str, simple: bool | None, absolute: bool | None) -> None:
    for kind in KINDS:
        assert asked(kind, votes).result(CLOSES - 1, CLOSES) is (absolute if kind in ABSOLUTE else simple), kind


def test_at_its_end_the_silent_are_quorum() -> None:
    assert asked("clarify", "F....").result(CLOSES, CLOSES) is True
    assert asked("change", "FF...").result(CLOSES, CLOSES) is False


def test_silence_is_quorum_once_somebody_has_rolled_out_and_a_vote_stays() -> None:
    petition = asked("change", "F.A..", [Deemed(by="clock", seat=seat, numbers=(1,)) for seat in ("bert", "claudia")])
    assert petition.side("quorum") == ("bert",)
    assert petition.side("against") == ("claudia",)
    assert petition.silent == ("daniel", "emil")


def test_the_vote_of_a_substitute_is_heard_and_counts_as_quorum() -> None:
    petition = asked("clarify", "F", [Voted(by="bert", number=1, vote="against", counts=False)])
    assert petition.side("quorum") == ("bert",)
    assert petition.side("against") == ()


def test_what_was_withdrawn_or_decided_is_not_open() -> None:
    assert asked("clarify", "F", [Withdrawn(by="anton", number=1)]).status == "withdrawn"
    assert asked("clarify", "F", [Decided(by="clock", number=1, passed=True)]).status == "passed"


@given(st.sampled_from(sorted(KINDS)), st.text("FAQ.", min_size=5, max_size=5), st.text("FAQ", min_size=5, max_size=5))
def test_a_certain_outcome_is_the_one_that_all_votes_would_have(kind: Kind, votes: str, rest: str) -> None:
    early = asked(kind, "F" + votes[1:])
    whole = asked(kind, "F" + "".join(b if a == "." else a for a, b in zip(votes, rest, strict=True))[1:])
    final = whole.result(CLOSES, CLOSES)
    assert final is not None
    assert early.result(0, CLOSES) in (None, final)


SEATS = ("anton", "bert", "claudia", "daniel", "emil", "fritz")
NATIONS = ("austria_hungary", "italy", "france", "great_britain", "germany", "russia")
HOUR = 3_600
STEPS = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(["for", "against", "quorum"]), st.integers(0, 5)),
        st.tuples(st.just("seat"), st.integers(2, 5)),
        st.tuples(st.just("hours"), st.integers(1, 30)),
    ),
    max_size=12,
)


def plainly(kind: Kind, counted: list[str | None], *, capped: bool) -> bool | None:
    """Every way in which those who are silent may vote, if the time is not over, leads to this."""
    silent = 0 if capped else counted.count(None)
    results = set()
    for more in range(silent + 1):
        for_, against = counted.count("for") + more, counted.count("against") + silent - more
        results.add(for_ > len(counted) / 2 if kind in ABSOLUTE else for_ > against)
    return results.pop() if len(results) == 1 else None


@settings(max_examples=examples_of(30))
@given(st.integers(2, 6), st.sampled_from(["clarify", "change", "replace"]), STEPS)
def test_votes_are_counted_as_the_procedure_reads(players: int, kind: Kind, steps: list[tuple[str, int]]) -> None:
    seats = SEATS[:players]
    flags = ", ".join(f"{seat} {nation}" for seat, nation in zip(seats, NATIONS, strict=False))
    session = Replay(f"seats {' '.join(seats)}\nflags {flags}\n", GAMES, str).session
    posted = now = 100
    hear(session, Seat("anton"), [f"petition {kind} {'bert' if kind == 'replace' else 'Fleets'}"], Submission(at=now))
    cast: dict[str, str] = {"anton": "for"}
    changed, heard = set(), set()
    decided: tuple[int, bool] | None = None
    since, cap = posted + 24 * HOUR if kind == "replace" else posted, posted + 7 * 24 * HOUR
    for what, number in [("hours", 0), *steps]:
        seat = seats[number % players]
        now += number * HOUR if what == "hours" else 1
        Adjudicator(session).run_out(now)
        counted = [cast.get(each) or ("quorum" if each in heard else None) for each in seats]
        result = plainly(kind, counted, capped=now > cap) if now > since else None
        decided = decided or (None if result is None else (now, result))
        if what == "seat" and seat not in ("anton", "bert"):
            note(session, now, Seated(by="operator", seat=seat, person=7))
            changed.add(seat)
        elif what not in ("seat", "hours") and decided is None:
            hear(session, Seat(seat), [f"{what} P-1"], Submission(at=now))
            (heard.add(seat) if seat in changed else cast.update({seat: what}))
            counted = [cast.get(each) or ("quorum" if each in heard else None) for each in seats]
            result = plainly(kind, counted, capped=False) if now >= since else None
            decided = None if result is None else (now, result)
        (petition,) = petitions(session.position.done)
        status = "open" if decided is None else "passed" if decided[1] else "failed"
        assert (petition.status, petition.ended is None or petition.ended >= since) == (status, True)
        for vote in ("for", "against", "quorum"):
            expected = tuple(s for s in seats if (cast.get(s) or ("quorum" if s in heard else None)) == vote)
            assert petition.side(vote) == expected
