"""One letter in, one answer out, exactly once: read, decide and write the answer in one transaction.

Several letters may share one, as long as nothing goes wrong with any of them: each finds the books as those before it
leave them, so that the same comes of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from hashlib import sha256

from msgspec.structs import replace

from pbem.host.lobby.moderators import presides
from pbem.host.messages.alarms import Trouble
from pbem.host.messages.rows import answer, occasion, problem
from pbem.host.ports import Conflict, Letter, LetterReader, MailFolder, RawLetter, StoreDown
from pbem.host.reporting.alarms import post_alarm
from pbem.host.session.budget import LETTERS, PRESIDING, TooMuchMail, check_letters
from pbem.host.session.unit_of_work import UnitOfWork
from pbem.mail.context import Context
from pbem.mail.incoming import Dealt, Incoming, find_game
from pbem.mail.rate_limit import FAULT, is_flood
from pbem.mail.retention import KEPT, SURPLUS, limited, put_by
from pbem.mail.routes import Routes
from pbem.mail.seen import ROUNDS, Attempts, Known, recognised


class _Hopeless(Exception):
    """A letter that was met in vain too often."""

    def __init__(self, letter: Letter) -> None:
        super().__init__(f"tried in {ROUNDS} rounds, and never dealt with")
        self.letter = letter  # as far as it is read now


class Inbox:
    """Answers letters."""

    def __init__(self, context: Context, routes: Routes, read: LetterReader) -> None:
        self._context = context
        self._games = context.games
        self._clock = context.clock
        self._log = context.log
        self._operator = context.host.operator
        self._routes = routes
        self._read = read
        self._attempts = Attempts(context.games)

    def take(self, raw: RawLetter) -> MailFolder:
        """Deal with a letter, if that has not been done yet; where it belongs then. Never raises for its content."""
        return self._alone(raw)

    def take_all(self, raws: Sequence[RawLetter]) -> Iterator[tuple[RawLetter, MailFolder]]:
        """The same of several, in their order; together, where none was met before and nothing goes wrong.

        Each is told once it has been dealt with, so that those are known where the next raises.
        """
        are_new = len(raws) > 1 and self._attempts.are_new(raws)
        together = are_new and self._together([*map(self._filed, raws)])
        one_by_one = (self._alone(raw, 1 if are_new else None) for raw in raws)
        yield from zip(raws, together or one_by_one, strict=True)

    def _alone(self, raw: RawLetter, times: int | None = None) -> MailFolder:
        """`times`: for the how manieth time it is met; None: that is not counted yet."""
        began, letter, dealt = self._context.watch(), *self._dealt_with(self._filed(raw), times)
        return self._placed(letter, dealt, self._context.watch() - began)

    def _together(self, raws: Sequence[RawLetter]) -> Sequence[MailFolder]:
        """Where they belong; none, and nothing has happened, where each is to be dealt with by itself."""
        began = self._context.watch()
        try:
            letters = [self._opened(raw, 1) for raw in raws]
            of_each = (partial(self._once, raw=raw, letter=letter) for raw, letter in zip(raws, letters, strict=True))
            dealt = self._games.do_all(of_each)
        except Exception:  # noqa: BLE001 - with which of them it is, and what comes of it, is seen one by one
            return ()
        took = (self._context.watch() - began) / len(raws)
        return [self._placed(letter, each, took) for letter, each in zip(letters, dealt, strict=True)]

    def _filed(self, raw: RawLetter) -> RawLetter:
        """None was filed later than now, whatever the mail server's clock says."""
        return replace(raw, arrived=min(raw.arrived, self._clock.now()))

    def _placed(self, letter: Letter, dealt: Dealt, took: float) -> MailFolder:
        fate, game = dealt
        facts = {"letter": letter.id, "game": game, "fate": fate, "seconds": round(took, 4)}
        self._log.info("letter dealt with", extra=facts)
        return MailFolder.kept if fate in KEPT else MailFolder.done

    def _dealt_with(self, raw: RawLetter, times: int | None) -> tuple[Letter, Dealt]:
        """The letter, what became of it, and whose game it was."""
        letter = _unread(raw)
        try:
            letter = self._opened(raw, times or self._attempts.another(raw))
            return letter, self._games.do(lambda work: self._once(work, raw, letter))
        except StoreDown:
            self._attempts.excuse(raw)
            raise
        except Conflict:
            raise
        except TooMuchMail as much:
            return letter, self._games.do(partial(self._refuse, raw=raw, letter=letter, much=much))
        except _Hopeless as hopeless:
            return self._set_aside(raw, hopeless.letter, repr(hopeless))
        except Exception as fault:  # noqa: BLE001 - one bad letter never stops the loop
            self._log.exception("letter %s could not be dealt with", letter.id)
            return self._set_aside(raw, letter, repr(fault))

    def _opened(self, raw: RawLetter, times: int) -> Letter:
        """The letter; raises `_Hopeless` when it was met in vain too often. Then only its header is read, once."""
        if times <= ROUNDS:
            return replace(self._read(raw.raw), again=raw.again)
        head = replace(self._read(_header(raw.raw)), again=raw.again) if times == ROUNDS + 1 else _unread(raw)
        raise _Hopeless(head)

    def _set_aside(self, raw: RawLetter, letter: Letter, why: str) -> tuple[Letter, Dealt]:
        """Apologise for it; if even that can't be done, put it by without a word of what stands in it."""
        for each in (letter, _unread(raw)):
            try:
                return each, self._games.do(partial(self._apologise, raw=raw, letter=each, fault=why))
            except (Conflict, StoreDown):
                raise
            except Exception:  # noqa: BLE001 - whatever it is, the next letter waits
                self._log.exception("letter %s could not be put by", each.id)
        return letter, (FAULT, None)

    def _once(self, work: UnitOfWork, raw: RawLetter, letter: Letter) -> Dealt:
        """Of a letter that has been dealt with the mark tells where it belongs: it may not have come there yet."""
        self._attempts.over(work, raw)
        known = self._recognised(work, raw, letter)
        if known.fate is not None:
            return known.fate, None
        incoming = Incoming(self._context, work, raw, known)
        fate, game = self._routes.deal_with(incoming)
        check_letters(work.repository.fresh, self._most(work, letter))
        fate = limited(work.repository, fate, raw.arrived)
        if fate == SURPLUS:
            lies = "The others lie among what is dealt with, in the mailbox."
            incoming.tell_once_a_day("surplus", Trouble.surplus.say(), lies)
        self._note(work, raw, known.letter, game, fate)
        return fate, game

    def _recognised(self, work: UnitOfWork, raw: RawLetter, letter: Letter) -> Known:
        """One that is dealt with again at the operator's wish counts as never seen."""
        known = recognised(work.repository, letter, raw, self._read)
        if not letter.again:
            return known
        work.repository.forget(known.letter.id)
        return replace(known, fate=None)

    def _most(self, work: UnitOfWork, letter: Letter) -> int:
        """The letters that may go out because of this one."""
        game, person = find_game(work, self._context.identity, letter), work.repository.person_at(letter.sender.lower())
        return PRESIDING if game and presides(game, person, self._operator) else LETTERS

    def _refuse(self, work: UnitOfWork, raw: RawLetter, letter: Letter, much: TooMuchMail) -> Dealt:
        """Nothing of it was done; its writer is told so."""
        self._attempts.over(work, raw)
        incoming = Incoming(self._context, work, raw, self._recognised(work, raw, letter))
        game, writer = incoming.game, incoming.writer
        said = problem("letter.much", game.id if game else None, incoming.seat, count=much.count, most=much.most)
        fate = incoming.say(said, writer.address if writer else None)
        self._note(work, raw, incoming.letter, said.game, fate)
        return fate, said.game

    def _apologise(self, work: UnitOfWork, *, raw: RawLetter, letter: Letter, fault: str) -> Dealt:
        """Nothing was changed; say so, keep the letter, tell the operator."""
        self._attempts.over(work, raw)
        known = self._recognised(work, raw, letter)
        if known.fate is None:
            if not is_flood(work.repository, letter, FAULT, raw.arrived):
                self._own_up(work, known.letter, fault)
            self._note(work, raw, known.letter, None, FAULT)
        return known.fate or FAULT, None

    def _own_up(self, work: UnitOfWork, letter: Letter, fault: str) -> None:
        now, what = self._clock.now(), Trouble.letter.say(sender=letter.sender or "somebody")
        post_alarm(work.repository, what, fault, about=occasion(letter), operator=self._operator, now=now)
        if letter.sender and letter.ignored is None:
            work.repository.post([answer(letter, problem("letter.fault"), now)])

    def _note(self, work: UnitOfWork, raw: RawLetter, letter: Letter, game: str | None, fate: str) -> None:
        work.repository.note(letter.id, raw, sender=letter.sender, subject=letter.subject, game=game, fate=fate)
        kind = fate.partition(" ")[0]
        work.repository.tally(kind if kind in ("ignored", FAULT) else "answered")
        put_by(work.repository, letter.id, raw, letter.sender, fate, self._clock.now())


def _unread(raw: RawLetter) -> Letter:
    """In the place of a letter that can't even be read."""
    id_ = f"sha256:{sha256(raw.raw).hexdigest()}"
    return Letter(
        id=id_, sender="", name="", subject="", references=(), lines=(), cut=(), ignored=None, again=raw.again
    )


def _header(raw: bytes) -> bytes:
    """The letter without its body (RFC 5322 section 2.1)."""
    return re.split(rb"(?<=\n)\r?\n", raw, maxsplit=1)[0] + b"\r\n"
