"""Petitions: majorities, who counts, and when one is decided (procedure.md, section 5)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.language.ballots import Vote
from pbem.language.petitions import KINDS, Kind
from pbem.service.council.petitions import ABSOLUTE, Petition, petitions
from pbem.service.play.acts import Act, Decided, Deemed, Done, Petitioned, Voted, Withdrawn

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
