"""One letter in, one answer out, exactly once: read, decide and write the answer in one transaction."""

from __future__ import annotations

import re
from typing import Protocol

from pbem.service.answers import reply
from pbem.service.correspondence import Alarm, Reply
from pbem.service.games import Desk, Games
from pbem.service.league import answer_invitation
from pbem.service.ports import Clock, Conflict, Game, Letter, LetterReader, Member, RawLetter, Shelf
from pbem.service.post import answer, content_job, post, problem
from pbem.service.publish import publish
from pbem.service.sender import Letterhead
from pbem.service.slots import lapse_due
from pbem.table.seat import Seat

TAG = re.compile(r"\[([a-z]+-\d+)\]", re.IGNORECASE)
TRIES = 5  # when another writer was first


class Log(Protocol):
    """Where the operator reads what went wrong."""

    def exception(self, message: str, *facts: object) -> None: ...


class Inbox:
    """Answers letters."""

    def __init__(self, games: Games, read: LetterReader, clock: Clock, letterhead: Letterhead, log: Log) -> None:
        self._games = games
        self._read = read
        self._clock = clock
        self._letterhead = letterhead
        self._log = log

    def take(self, raw: RawLetter) -> Shelf:
        """Deal with a letter, if that has not been done yet; where it belongs then. Never raises for its content."""
        letter = self._read(raw.raw)
        try:
            return self._try(raw, letter)
        except Conflict:
            raise
        except Exception as fault:  # noqa: BLE001 - one bad letter never stops the loop
            self._log.exception("letter %s could not be dealt with", letter.id)
            return self._apologise(raw, letter, fault)

    def _try(self, raw: RawLetter, letter: Letter) -> Shelf:
        for attempt in range(TRIES):
            try:
                return self._once(raw, letter)
            except Conflict:
                if attempt == TRIES - 1:
                    raise
        raise AssertionError("unreachable")

    def _once(self, raw: RawLetter, letter: Letter) -> Shelf:
        with self._games.work() as desk:
            if desk.books.seen(letter.id):
                return Shelf.done
            fate, game, shelf = self._deal_with(desk, raw, letter)
            self._note(desk, raw, letter, game, fate)
            return shelf

    def _deal_with(self, desk: Desk, raw: RawLetter, letter: Letter) -> tuple[str, str | None, Shelf]:
        """What became of the letter, whose game it was, and where it belongs."""
        if letter.ignored is not None:
            shelf = Shelf.kept if letter.ignored == "no_sender" else Shelf.done
            return f"ignored {letter.ignored}", None, shelf
        game = _find_game(desk, letter)
        said = self._answer_in(desk, game, raw, letter) if game else _no_game(desk, letter)
        now = self._clock.now()
        desk.books.post([answer(letter, said, now)])
        if game and game.status == "running":
            publish(desk, desk.game(game.id), now)
        return said.problem or "answered", game.id if game else None, Shelf.done

    def _answer_in(self, desk: Desk, game: Game, raw: RawLetter, letter: Letter) -> Reply:
        member = _member(game, letter.sender)
        if member is None:
            return problem("letter.stranger", game.id)
        match game.status:
            case "inviting":
                return answer_invitation(desk, game, member, letter.lines, self._clock.now())
            case "finished":
                return problem("game.over", game.id, member.seat)
            case _:
                return self._orders(desk, game, member, raw, letter)

    def _orders(self, desk: Desk, game: Game, member: Member, raw: RawLetter, letter: Letter) -> Reply:
        """What had run out before the letter was filed lapses first."""
        lapse_due(desk, game, raw.arrived)
        referee = desk.referee(game)
        seat = Seat(member.seat)
        verdicts = referee.hear(seat, letter.lines, raw.arrived, letter.id)
        return reply(desk, game, seat, letter, verdicts, referee.passed_over(letter.lines))

    def _apologise(self, raw: RawLetter, letter: Letter, fault: Exception) -> Shelf:
        """Nothing was changed; say so, keep the letter, tell the operator."""
        now = self._clock.now()
        with self._games.work() as desk:
            if not desk.books.seen(letter.id):
                alarm = Alarm(what=f"A letter from {letter.sender} met a fault of ours.", detail=repr(fault))
                job = content_job(alarm)
                desk.books.post([post(f"alarm.{letter.id}", self._letterhead.operator, job, now=now)])
                if letter.sender and letter.ignored is None:
                    desk.books.post([answer(letter, problem("letter.fault"), now)])
                self._note(desk, raw, letter, None, "fault")
        return Shelf.kept

    def _note(self, desk: Desk, raw: RawLetter, letter: Letter, game: str | None, fate: str) -> None:
        desk.books.note(
            letter.id,
            arrived=raw.arrived,
            sender=letter.sender,
            subject=letter.subject,
            game=game,
            fate=fate,
        )


def _find_game(desk: Desk, letter: Letter) -> Game | None:
    """The game of the tag in the subject; without a tag, the only one the sender is in."""
    tag = TAG.search(letter.subject)
    if tag:
        return desk.books.game(tag[1].lower())
    mine = [game for game in desk.books.games_of(letter.sender.lower()) if game.status != "finished"]
    return mine[0] if len(mine) == 1 else None


def _no_game(desk: Desk, letter: Letter) -> Reply:
    tag = TAG.search(letter.subject)
    mine = [game.id for game in desk.books.games_of(letter.sender.lower())]
    return problem("letter.no_game", tag=tag[1] if tag else None, games=mine)


def _member(game: Game, address: str) -> Member | None:
    return next((m for m in game.members if m.address == address.lower()), None)
