"""What the players ask each other: `petition change` and the like, votes, remarks, and which petitions are open."""

from __future__ import annotations

from pbem.core.game import AnyOrder
from pbem.core.refusal import Illegal
from pbem.host.commands.aside import Query
from pbem.host.governance import asking, voting
from pbem.host.governance.remarks import remark
from pbem.host.play.executor import CommandExecutor, GameCommand
from pbem.host.play.results import Result, result
from pbem.host.reporting.tallies import listed
from pbem.host.session.acts import Withdrawn
from pbem.host.session.petitions import name
from pbem.language.ballots import Ballot
from pbem.language.petitions import Motion, Remark
from pbem.language.statements import Statement


def _post(executor: CommandExecutor, statement: Statement[AnyOrder]) -> Result:
    """All are told: of a petition, or of a remark on a turn."""
    said = statement.motion
    assert isinstance(said, Motion | Remark), "it has been read"
    voting.count(executor.session, executor.at)
    executor.check_said(said.words, is_told=True)
    if isinstance(said, Motion):
        asking.post(executor.session, executor.seat, said, executor.at, executor.submission.zone)
    else:
        remark(executor.session, executor.seat, said, executor.at)
    return result("posted", statement)


def _cast(executor: CommandExecutor, statement: Statement[AnyOrder]) -> Result:
    """A vote, or a word that takes one's own petition back."""
    ballot = statement.motion
    assert isinstance(ballot, Ballot), "a word about a petition has been read"
    voting.count(executor.session, executor.at)
    executor.check_said(ballot.comment, is_told=False)
    if ballot.vote is None:
        executor.check_telling()
    if ballot.implied and not voting.answers_petition(executor.session, executor.answered):
        return _implied(executor, statement)
    return _vote(executor, statement, ballot)


def _implied(executor: CommandExecutor, statement: Statement[AnyOrder]) -> Result:
    """Such as "yes": around orders it is said by the way; alone it answers nothing that we asked."""
    if executor.alone:
        raise Illegal("yes.unclear", read=statement.text, open=voting.names_open(executor.session))
    return Result(outcome="passed", text=statement.text, line=0)


def _vote(executor: CommandExecutor, statement: Statement[AnyOrder], ballot: Ballot) -> Result:
    """How the vote really counts; a substitute's is heard beside the one that stands."""
    act = voting.vote(executor.session, executor.seat, ballot, executor.answered, executor.at, executor.torn)
    if isinstance(act, Withdrawn):
        return result("withdrawn", statement)
    told = {"name": name(act.number), "vote": act.vote, "stands": act.stands}
    return result("voted" if act.counts else "heard", statement, told=told)


PETITIONS = Query(
    name="petitions",
    words=("petitions", "Anträge", "petizioni"),
    tell=lambda context: listed(context.session.position.done, ended=context.game.status == "finished"),
)
PETITION = GameCommand(name="petition", part_of="petitions", behind=None, kept_from_deputies="petition", do=_post)
REMARK = GameCommand(name="remark", part_of="petitions", behind=None, kept_from_deputies="petition", do=_post)
VOTE = GameCommand(name="vote", part_of="petitions", behind=None, kept_from_deputies="petition", do=_cast)
