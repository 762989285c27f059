"""The entrants of a season ask each other and vote, in answers to letters about it, as in games."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.core.refusal import Illegal, Refusal
from pbem.host.commands.league import LeagueCommand, LeagueContext
from pbem.host.leagues.council import Elector, petition_answered
from pbem.host.leagues.tallies import listed, petitions_told
from pbem.host.messages.replies import Line, Reply
from pbem.host.messages.rows import problem
from pbem.host.session.budget import check_words
from pbem.host.session.season import SeasonDesk
from pbem.language.ballots import Ballot, torn
from pbem.language.petitions import Motion, Remark, Saying, read_saying
from pbem.league.acts import TakenBack
from pbem.league.council import name, open_petitions


def _council(context: LeagueContext) -> Reply:
    """Each petition and vote of the letter by itself: what became of one is no matter of the others."""
    hearing = _Hearing(context, context.desk())
    return replace(problem(""), problem=None, season=hearing.desk.tag, lines=hearing.lines())


class _Hearing:
    """The sayings of one letter."""

    def __init__(self, context: LeagueContext, desk: SeasonDesk) -> None:
        assert context.person is not None, "strangers only ask"
        self.desk = desk
        self._elector = Elector(context.work, desk, context.person, context.now, context.via, context.house())
        self._said = [(saying, _read(saying)) for saying in context.wish.said]
        self._answered = petition_answered(context.letter.references, desk.tag)

    def lines(self) -> tuple[Line, ...]:
        ballots = [(self._number(said), said) for _, said in self._said if isinstance(said, Ballot)]
        self._torn = torn((number, ballot) for number, ballot in ballots if number is not None)
        return tuple(self._heard(saying, said) for saying, said in self._said)

    def _number(self, ballot: Ballot) -> int | None:
        """The petition that is named, else the one whose letter is answered, else the only one; None of several."""
        known = open_petitions(self.desk.season)
        return ballot.number or self._answered or (known[0] if len(known) == 1 else None)

    def _heard(self, saying: Saying, said: Motion | Ballot | Refusal) -> Line:
        told = Line(text=saying.text, outcome="posted", line=saying.line, column=saying.column)
        try:
            if isinstance(said, Refusal):
                raise said
            return self._posted(told, said) if isinstance(said, Motion) else self._voted(told, said)
        except Refusal as refusal:
            return replace(told, outcome="refused", code=refusal.code, facts=refusal.facts)

    def _posted(self, told: Line, motion: Motion) -> Line:
        check_words("petition.too_long", motion.words)
        return replace(told, kept=name(self._elector.post(motion).number))

    def _voted(self, told: Line, ballot: Ballot) -> Line:
        number = self._number(ballot)
        if number is None:
            raise Illegal("petition.which", open=tuple(map(name, open_petitions(self.desk.season))))
        if ballot.does == "unclear":
            raise Illegal("petition.unclear", name=name(number))
        if number in self._torn:
            raise Illegal("petition.two_votes", name=name(number))
        check_words("petition.too_long", ballot.comment)
        act = self._elector.vote(number, ballot)
        if isinstance(act, TakenBack):
            return replace(told, outcome="withdrawn")
        return replace(told, outcome="voted", facts={"name": name(number), "vote": ballot.vote, "stands": None})


def _read(saying: Saying) -> Motion | Ballot | Refusal:
    try:
        said = read_saying(saying, lambda _: False)
    except Refusal as refusal:
        return refusal
    assert not isinstance(said, Remark), "remarks are about turns of games"
    return said


def _petitions(context: LeagueContext) -> Reply:
    desk = context.desk()
    told = petitions_told(context.work, desk.season, listed(desk.season), context.reader)
    return replace(problem(""), problem=None, season=desk.tag, told=(told,))


def _accept(context: LeagueContext) -> Reply:
    """Lead the league, as the entrants have voted."""
    desk = context.desk()
    assert context.person is not None, "strangers only ask"
    Elector(context.work, desk, context.person, context.now, context.via, context.house()).accept(context.wish.petition)
    return replace(problem("league.leading", tag=desk.tag), season=desk.tag)


COUNCIL_COMMANDS = (
    LeagueCommand(name="council", words=("", "", ""), do=_council),  # it is found by its sayings
    LeagueCommand(
        name="season_petitions", words=("petitions", "Anträge", "petizioni"), takes="league", do=_petitions, tells=True
    ),
    LeagueCommand(name="lead", words=("accept", "nehme an|annehmen", "accetto"), takes="petition", do=_accept),
)
