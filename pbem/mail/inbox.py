"""One letter in, one answer out, exactly once: read, decide and write the answer in one transaction."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial, reduce
from hashlib import sha256

from msgspec.structs import replace

from pbem.core.seat import Seat
from pbem.host.app.deputy import answer_deputy, joined, part_stead
from pbem.host.app.moderator import led
from pbem.host.app.opener import opener_says
from pbem.host.calendar.zones import DAY
from pbem.host.commands.preferences import Asides
from pbem.host.housekeeping.lapsing import lapse_due
from pbem.host.lobby.absences import spread
from pbem.host.lobby.addresses import answer_about_address
from pbem.host.lobby.conclusion import conclude
from pbem.host.lobby.empty_seats import alarms_of_empty_seats
from pbem.host.lobby.invitations import answer_invitation
from pbem.host.lobby.moderators import presides
from pbem.host.lobby.nominations import says_whether_to_lead
from pbem.host.lobby.openings import LobbyPolicy, Openings, asks_for_games
from pbem.host.lobby.rate_limit import FAULT, FLOOD, IDLE, LISTED, MISREAD, idle_left, is_flood
from pbem.host.lobby.substitution import asked_about, says_whether, sits_already
from pbem.host.lobby.tickets import renewed_by_copies
from pbem.host.lobby.writers import Writer
from pbem.host.messages import Reply
from pbem.host.messages.alarms import Sentence, Trouble
from pbem.host.messages.host_identity import HostIdentity
from pbem.host.messages.rows import alarm, alarms, answer, mark, occasion, problem
from pbem.host.play.results import ReplyContext, aside
from pbem.host.play.telling import check_telling
from pbem.host.ports import (
    Clock,
    Conflict,
    Game,
    Letter,
    LetterReader,
    Log,
    MailFolder,
    Member,
    Person,
    RawLetter,
    Stopwatch,
    StoreDown,
)
from pbem.host.reporting.answers import reply, verdict_line
from pbem.host.reporting.calendar_events import answered
from pbem.host.reporting.chapters import order_text
from pbem.host.reporting.unheard import unheard
from pbem.host.session.acts import Rewound
from pbem.host.session.anonymity import check_tells_nothing, is_hidden
from pbem.host.session.budget import LETTERS, PRESIDING, TooMuchMail, check_letters
from pbem.host.session.identity import Identity, Ticket
from pbem.host.session.unit_of_work import Games, UnitOfWork, read_entries
from pbem.language.invitations import invitation_answer
from pbem.language.powers import part_moderator, part_preview, reads_as_power
from pbem.language.statements import ASIDES, QUESTIONS
from pbem.mail.attempts import ROUNDS, Meetings
from pbem.mail.bounces import heard
from pbem.mail.duplicates import Known, recognised
from pbem.mail.quarantine import KEPT, SURPLUS, limited, put_by


class _Hopeless(Exception):
    """A letter that was met in vain too often."""

    def __init__(self, letter: Letter) -> None:
        super().__init__(f"tried in {ROUNDS} rounds, and never dealt with")
        self.letter = letter  # as far as it is read now


class Inbox:
    """Answers letters."""

    def __init__(
        self,
        games: Games,
        read: LetterReader,
        clock: Clock,
        letterhead: HostIdentity,
        identity: Identity,
        log: Log,
        watch: Stopwatch,
        house: LobbyPolicy,
    ) -> None:
        self._games = games
        self._read = read
        self._clock = clock
        self._letterhead = letterhead
        self._identity = identity
        self._log = log
        self._watch = watch
        self._house = house
        self._meetings = Meetings(games)

    def take(self, raw: RawLetter) -> MailFolder:
        """Deal with a letter, if that has not been done yet; where it belongs then. Never raises for its content.

        None was filed later than now, whatever the mail server's clock says.
        """
        raw = replace(raw, arrived=min(raw.arrived, self._clock.now()))
        began, letter, (fate, game) = self._watch(), *self._dealt_with(raw)
        facts = {"letter": letter.id, "game": game, "fate": fate, "seconds": round(self._watch() - began, 4)}
        self._log.info("letter dealt with", extra=facts)
        return MailFolder.kept if fate in KEPT else MailFolder.done

    def _dealt_with(self, raw: RawLetter) -> tuple[Letter, tuple[str, str | None]]:
        """The letter, what became of it, and whose game it was."""
        letter = _unread(raw)
        try:
            letter = self._opened(raw, self._meetings.another(raw))
            return letter, self._games.do(lambda desk: self._once(desk, raw, letter))
        except StoreDown:
            self._meetings.excuse(raw)
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

    def _set_aside(self, raw: RawLetter, letter: Letter, why: str) -> tuple[Letter, tuple[str, str | None]]:
        """Apologise for it; if even that can't be done, put it by without a word of what stands in it."""
        for each in (letter, _unread(raw)):
            try:
                return each, self._games.do(partial(self._apologise, raw=raw, letter=each, fault=why))
            except (Conflict, StoreDown):
                raise
            except Exception:  # noqa: BLE001 - whatever it is, the next letter waits
                self._log.exception("letter %s could not be put by", each.id)
        return letter, (FAULT, None)

    def _once(self, desk: UnitOfWork, raw: RawLetter, letter: Letter) -> tuple[str, str | None]:
        """Of a letter that has been dealt with the mark tells where it belongs: it may not have come there yet."""
        self._meetings.over(desk, raw)
        known = self._recognised(desk, raw, letter)
        if known.fate is not None:
            return known.fate, None
        fate, game = self._deal_with(desk, raw, known)
        check_letters(desk.books.fresh, self._most(desk, letter))
        fate = limited(desk.books, fate, raw.arrived)
        if fate == SURPLUS:
            told = Trouble.surplus.say()
            self._tell_once_a_day(desk, "surplus", told, "The others lie among what is dealt with, in the mailbox.")
        self._note(desk, raw, known.letter, game, fate)
        return fate, game

    def _recognised(self, desk: UnitOfWork, raw: RawLetter, letter: Letter) -> Known:
        """One that is dealt with again at the operator's wish counts as never seen."""
        known = recognised(desk.books, letter, raw, self._read)
        if not letter.again:
            return known
        desk.books.forget(known.letter.id)
        return replace(known, fate=None)

    def _most(self, desk: UnitOfWork, letter: Letter) -> int:
        """The letters that may go out because of this one."""
        game, person = _find_game(desk, self._identity, letter), desk.books.person_at(letter.sender.lower())
        return PRESIDING if game and presides(game, person, self._letterhead.operator) else LETTERS

    def _refuse(self, desk: UnitOfWork, raw: RawLetter, letter: Letter, much: TooMuchMail) -> tuple[str, str | None]:
        """Nothing of it was done; its writer is told so."""
        self._meetings.over(desk, raw)
        letter = self._recognised(desk, raw, letter).letter
        game, now = _find_game(desk, self._identity, letter), self._clock.now()
        writer = Writer(desk, self._identity, game, letter, now, self._letterhead.operator) if game else None
        seat = writer.member.seat if writer and writer.member else None
        said = problem("letter.much", game.id if game else None, seat, count=much.count, most=much.most)
        fate = self._say(desk, raw, letter, said, writer.address if writer else None)
        self._note(desk, raw, letter, said.game, fate)
        return fate, said.game

    def _deal_with(self, desk: UnitOfWork, raw: RawLetter, known: Known) -> tuple[str, str | None]:
        """What became of the letter, and whose game it was."""
        letter = known.letter
        if letter.ignored is not None:
            self._ignore(desk, letter)
            return f"ignored {letter.ignored}", _game_of_player(desk, self._identity, letter)
        if raw.cut is not None:
            return self._too_long(desk, raw, raw.cut, letter)
        if known.is_resent:
            return self._say(desk, raw, letter, problem("letter.resent")), None
        now = self._clock.now()
        about_himself = answer_about_address(desk, self._identity, letter, now)
        if about_himself is not None:
            return self._say(desk, raw, letter, about_himself), None
        opening = self._opening(desk, raw, letter, now)
        if opening is not None:
            return opening
        game = _find_game(desk, self._identity, letter)
        sender = Writer(desk, self._identity, game, letter, now, self._letterhead.operator) if game else None
        said = self._answer_in(desk, game, sender, raw, letter) if game and sender else self._no_game(desk, letter)
        is_asked = game is not None and sender is not None and sender.is_asked
        about = asked_about(desk, game, sender.person) if is_asked and game and sender and sender.person else None
        if game and sender and sender.person and sender.problem is None:
            said = renewed_by_copies(desk, self._identity, letter, sender.person, game, said)
        fate = self._say(desk, raw, letter, said, sender.address if sender else None, about)
        if game and game.status == "running":
            steps = desk.referee(game).steps
            desk.books.post(unheard(game, steps, self._letterhead.operator, now))
            desk.books.post(alarms_of_empty_seats(desk.game(game.id), steps, self._letterhead.operator, now))
            conclude(desk, desk.game(game.id), now, letter.id)
        return fate, game.id if game and fate != FLOOD else None

    def _say(
        self,
        desk: UnitOfWork,
        raw: RawLetter,
        letter: Letter,
        said: Reply,
        to: str | None = None,
        about: str | None = None,
    ) -> str:
        """Post the answer, unless such letters have been answered often enough; what became of the letter."""
        fate = said.problem or (MISREAD if said.is_vain else _fate_of(said))
        if is_flood(desk.books, letter, fate, raw.arrived):
            self._tell_of_flood(desk)
            return FLOOD
        is_last = fate in IDLE and idle_left(desk.books, letter, fate, raw.arrived) == 1
        desk.books.post([answer(letter, replace(said, last=is_last), self._clock.now(), to, about)])
        return fate

    def _tell_of_flood(self, desk: UnitOfWork) -> None:
        self._tell_once_a_day(desk, "flood", Trouble.flood.say(), "See pbem status.")

    def _tell_once_a_day(self, desk: UnitOfWork, about: str, what: Sentence, detail: str) -> None:
        """What anybody can bring about would else be a flood, too."""
        now = self._clock.now()
        row = alarm(what, detail, about=f"{about}.{now // DAY}", to=self._letterhead.operator, now=now)
        if not desk.books.posted(row.id):
            desk.books.post([row])

    def _opening(self, desk: UnitOfWork, raw: RawLetter, letter: Letter, now: int) -> tuple[str, str | None] | None:
        """What became of a letter that asks for a game, or for those that gather; None for any other."""
        openings = Openings(desk, self._identity, self._house, letter, raw.arrived, now)
        said = openings.hear()
        if said is None and _find_game(desk, self._identity, letter) is None and asks_for_games(letter.lines):
            said = openings.games()
        if said is None:
            return None
        if said.reply is None:
            self._tell_of_flood(desk)
            return FLOOD, None
        desk.books.post([answer(letter, said.reply, now, about=said.about)])
        return said.reply.problem or LISTED, said.reply.game

    def _too_long(self, desk: UnitOfWork, raw: RawLetter, limit: int, letter: Letter) -> tuple[str, str | None]:
        """Only its header was read: somebody we know is told so, nobody else."""
        if desk.books.person_at(letter.sender.lower()) is None:
            return "ignored too_long", None
        game = _find_game(desk, self._identity, letter)
        member = Writer(desk, self._identity, game, letter, self._clock.now()).member if game else None
        sizes = {"size": -(-raw.size // 1024), "limit": limit // 1024}
        said = problem("letter.too_long", game.id if game else None, member.seat if member else None, **sizes)
        return self._say(desk, raw, letter, said), said.game

    def _ignore(self, desk: UnitOfWork, letter: Letter) -> None:
        """A machine's letter is never answered; but a player who can't be reached is the operator's business."""
        news = heard(desk, letter, self._identity, self._letterhead.domain)
        if news is None:
            return
        if news.believed and news.game:
            to, now = self._letterhead.operator, self._clock.now()
            about = f"returned.{news.game.id}.{mark(news.whom)}.{now // DAY}"
            rows = alarms(news.game, news.what, news.detail, about=about, operator=to, now=now)
            desk.books.post(row for row in rows if not desk.books.posted(row.id))
        else:
            self._tell_once_a_day(desk, "hearsay", news.what, news.detail)

    def _no_game(self, desk: UnitOfWork, letter: Letter) -> Reply:
        """Whoever may start games here is told how."""
        mine, tag = [game.id for game in _games_of(desk, letter)], self._identity.about_of(letter)
        is_known = desk.books.person_at(letter.sender.lower()) is not None
        starts = self._house.open_to == "anyone" or (self._house.open_to == "known" and is_known)
        return problem("letter.no_game", tag=tag, games=mine, starts=starts and not mine and not tag)

    def _answer_in(self, desk: UnitOfWork, game: Game, writer: Writer, raw: RawLetter, letter: Letter) -> Reply:
        member = writer.member
        settled = sits_already(game, self._identity.ticket_of(letter), letter) if member else None
        if settled is not None:
            return settled
        if writer.problem is not None and not (writer.is_late and _only_asks(desk, game, writer, letter)):
            return writer.problem
        if writer.stead is not None and writer.person is not None and game.status != "inviting":
            writer.verify(self._clock.now())
            return self._in_stead(desk, game, writer.person, writer.stead, raw, letter)
        told = self._outsider(desk, game, writer, raw, letter)
        if told is not None:
            return told
        writer.verify(self._clock.now())
        if letter.unreadable is not None:
            return problem("letter.unreadable", game.id, member.seat if member else None, why=letter.unreadable)
        if game.status == "running":
            lapse_due(desk, game, raw.arrived)  # what had run out before the letter was filed lapses first
        if member is None:
            return self._led(desk, game, writer, raw, letter)
        own, presiding = part_moderator(letter.lines)
        rest, tries = part_preview(own) if presiding else (own, False)
        if presiding and not any(rest):
            return self._led(desk, game, writer, raw, replace(letter, lines=presiding), tries=tries)
        opened = opener_says(desk, game, member, replace(letter, lines=own), self._clock.now())
        if opened is not None:
            return opened
        said = self._with_steads(desk, game, member, raw, replace(letter, lines=own))
        if not presiding:
            return said
        more = self._led(desk, desk.game(game.id), writer, raw, replace(letter, lines=presiding), tries=tries)
        return replace(
            more,
            lines=(*said.lines, *more.lines),
            settings=more.settings or said.settings,
            reports=more.reports or said.reports,
            calendar=more.calendar or said.calendar,
            told=(*said.told, *(each for each in more.told if each not in said.told)),
            events=said.events,
            answered=said.answered,
        )

    def _led(
        self, desk: UnitOfWork, game: Game, writer: Writer, raw: RawLetter, letter: Letter, *, tries: bool = False
    ) -> Reply:
        return led(desk, game, writer, letter, raw.arrived, self._clock.now(), tries=tries)

    def _outsider(self, desk: UnitOfWork, game: Game, writer: Writer, raw: RawLetter, letter: Letter) -> Reply | None:
        """The answer to somebody who has no seat, unless he presides over the game and writes of that."""
        if writer.member is not None:
            return None
        now = self._clock.now()
        if writer.is_asked and game.status == "running":
            lapse_due(desk, game, raw.arrived)
        said = _of_what_he_was_asked(desk, game, writer.person, letter, now) if writer.person else None
        if said is not None:
            writer.verify(now)
        code = "accept.unclear" if writer.is_asked else "letter.stranger"
        return said or (problem(code, game.id) if writer.presides is None else None)

    def _in_stead(
        self, desk: UnitOfWork, game: Game, person: Person, seat: str, raw: RawLetter, letter: Letter
    ) -> Reply:
        """The answer to what somebody writes for a player who is away."""
        if letter.unreadable is not None:
            return problem("letter.unreadable", game.id, seat, why=letter.unreadable)
        if game.status == "running":
            lapse_due(desk, game, raw.arrived)
        seen, filed = _seen(desk, game, self._identity.ticket_of(letter)), _filed(desk, game, raw)
        return answer_deputy(desk, game, person, seat, letter, filed, seen, self._clock.now())

    def _with_steads(self, desk: UnitOfWork, game: Game, member: Member, raw: RawLetter, letter: Letter) -> Reply:
        """What he writes for himself, and under `as SEAT:` for players who are away."""
        own, parts = part_stead(desk, game, member, letter)
        replies = []
        if any(own) or not parts:
            replies.append(self._as_member(desk, game, member, raw, replace(letter, lines=tuple(own))))
        for seat, lines in parts.items():
            replies.append(self._in_stead(desk, game, member.person, seat, raw, replace(letter, lines=tuple(lines))))
        return reduce(joined, replies)

    def _as_member(self, desk: UnitOfWork, game: Game, member: Member, raw: RawLetter, letter: Letter) -> Reply:
        if game.status == "running":
            return self._orders(desk, game, member, raw, letter)
        return self._words(desk, game, member, letter)

    def _orders(self, desk: UnitOfWork, game: Game, member: Member, raw: RawLetter, letter: Letter) -> Reply:
        referee = desk.referee(game)
        seat = Seat(member.seat)
        asides = Asides(desk, game, member, letter, self._clock.now())
        seen = _seen(desk, game, self._identity.ticket_of(letter))
        filed = _filed(desk, game, raw)
        verdicts = asides.settle(
            referee.hear(
                seat,
                letter.lines,
                filed,
                mark(letter.id),
                seen,
                zone=member.person.zone,
                check_words=_check_of_words(desk, game, member, letter),
                check_telling=check_telling,
                is_power=self._powers_of(game, member),
                answered=lambda seq: _answered(desk, game, seat, seq),
            )
        )
        asides.keep()
        spread(desk, game, member, self._clock.now())
        told = asides.in_reply(reply(desk, game, seat, letter, verdicts))
        return replace(told, answered=answered((step.entry for step in referee.steps), seat, himself=True))

    def _powers_of(self, game: Game, member: Member) -> Callable[[str], bool] | None:
        """What reads as a power, for a player who has any."""
        return reads_as_power if presides(game, member.person, self._letterhead.operator) else None

    def _words(self, desk: UnitOfWork, game: Game, member: Member, letter: Letter) -> Reply:
        """Before a game begins and after its end there are no orders, but what concerns the writer alone is done."""
        reader = desk.games.table(game).reader
        statements = reader.read(letter.lines, self._powers_of(game, member)).statements
        asides = Asides(desk, game, member, letter, self._clock.now())
        said = [statement for statement in statements if statement.command in ASIDES]
        stopped = any(
            each.refusal and not (game.status == "inviting" and invitation_answer(each.text)) for each in statements
        )
        verdicts = asides.settle([aside(statement, stopped=stopped) for statement in said])
        game = asides.keep()
        if game.status == "inviting":
            words = reader.without_press(letter.lines)
            told = answer_invitation(desk, game, asides.member, words, self._clock.now())
            nothing_else = told.problem == "invitation.unclear"
        else:
            told = problem("game.over", game.id, member.seat)
            nothing_else = len(said) == len(statements)
        lines = tuple(verdict_line(verdict) for verdict in verdicts)
        settled = replace(told, lines=lines, problem=None if verdicts and nothing_else else told.problem)
        return asides.in_reply(settled)

    def _apologise(self, desk: UnitOfWork, *, raw: RawLetter, letter: Letter, fault: str) -> tuple[str, str | None]:
        """Nothing was changed; say so, keep the letter, tell the operator."""
        self._meetings.over(desk, raw)
        known = self._recognised(desk, raw, letter)
        if known.fate is None:
            if not is_flood(desk.books, letter, FAULT, raw.arrived):
                self._own_up(desk, known.letter, fault)
            self._note(desk, raw, known.letter, None, FAULT)
        return known.fate or FAULT, None

    def _own_up(self, desk: UnitOfWork, letter: Letter, fault: str) -> None:
        self._alarm(desk, letter, Trouble.letter.say(sender=letter.sender or "somebody"), fault)
        if letter.sender and letter.ignored is None:
            desk.books.post([answer(letter, problem("letter.fault"), self._clock.now())])

    def _alarm(self, desk: UnitOfWork, letter: Letter, what: Sentence, detail: str) -> None:
        to = self._letterhead.operator
        desk.books.post([alarm(what, detail, about=occasion(letter), to=to, now=self._clock.now())])

    def _note(self, desk: UnitOfWork, raw: RawLetter, letter: Letter, game: str | None, fate: str) -> None:
        desk.books.note(
            letter.id,
            raw,
            sender=letter.sender,
            subject=letter.subject,
            game=game,
            fate=fate,
        )
        kind = fate.partition(" ")[0]
        desk.books.tally(kind if kind in ("ignored", FAULT) else "answered")
        put_by(desk.books, letter.id, raw, letter.sender, fate, self._clock.now())


def _of_what_he_was_asked(desk: UnitOfWork, game: Game, person: Person, letter: Letter, now: int) -> Reply | None:
    """To lead the game, or to take a seat in it."""
    said = says_whether_to_lead(desk, game, person, letter, now)
    return said or says_whether(desk, game, person, letter, now)


def _unread(raw: RawLetter) -> Letter:
    """In the place of a letter that can't even be read."""
    id_ = f"sha256:{sha256(raw.raw).hexdigest()}"
    nothing: tuple[str, ...] = ()
    return Letter(
        id=id_, sender="", name="", subject="", references=nothing, lines=nothing, cut=(), ignored=None, again=raw.again
    )


def _header(raw: bytes) -> bytes:
    """The letter without its body (RFC 5322 section 2.1)."""
    return re.split(rb"(?<=\n)\r?\n", raw, maxsplit=1)[0] + b"\r\n"


def _filed(desk: UnitOfWork, game: Game, raw: RawLetter) -> int:
    """When the letter counts as filed: not before the time it is about began."""
    starts = [slot.started for slot in desk.books.slots(game.id) if slot.started is not None]
    return max([raw.arrived, *starts])


def _only_asks(desk: UnitOfWork, game: Game, writer: Writer, letter: Letter) -> bool:
    """Does a player ask what changes nothing? The answer goes to the player's own address, whoever has asked."""
    if writer.member is None or writer.stead is not None or game.status != "running" or not any(letter.lines):
        return False
    statements = desk.referee(game).reader.read(letter.lines).statements
    return bool(statements) and all(each.command in QUESTIONS and not each.refusal for each in statements)


def _seen(desk: UnitOfWork, game: Game, ticket: Ticket | None) -> ReplyContext | None:
    """Which moment of the game the letter of ours told about that is answered."""
    if ticket is None or ticket.seq is None or ticket.serial is None or ticket.about != game.id:
        return None
    now = desk.referee(game).position
    if any(isinstance(done.act, Rewound) and done.seq > ticket.seq for done in now.done):
        return ReplyContext(turn=desk.games.positions(desk.books, game, ticket.seq)[-1].turn, serial=-1, seq=ticket.seq)
    is_of_this_turn = ticket.seq >= now.since - 1
    turn = now.turn if is_of_this_turn else desk.games.positions(desk.books, game, ticket.seq)[-1].turn
    return ReplyContext(turn=turn, serial=ticket.serial, seq=ticket.seq)


def _answered(desk: UnitOfWork, game: Game, seat: Seat, seq: int) -> str:
    """What a question to this seat was answered with in that entry, in the order language; "" for nothing."""
    table = desk.table(game)
    (entry,) = read_entries(table.rules, desk.books, game.id, seq - 1, seq)
    return next((order_text(table, answer.order) for answer in entry.answers if answer.seat == seat), "")


def _check_of_words(desk: UnitOfWork, game: Game, member: Member, letter: Letter) -> Callable[[str], None] | None:
    """Where nobody may know who sits where, a petition must not tell it."""
    if not is_hidden(game, desk.games.table(game).terms.anonymous):
        return None
    addresses = desk.books.addresses(member.person.id)
    return lambda words: check_tells_nothing(words, member.person, addresses, letter)


def _find_game(desk: UnitOfWork, identity: Identity, letter: Letter) -> Game | None:
    """The game of the ticket or the brackets; without either, the only one the sender is in."""
    about = identity.about_of(letter)
    if about:
        return desk.books.game(about)
    mine = [game for game in _games_of(desk, letter) if game.status != "finished"]
    return mine[0] if len(mine) == 1 else None


def _fate_of(said: Reply) -> str:
    """What became of a letter that was dealt with: was anything in it refused?"""
    return "answered refused" if any(line.outcome == "refused" for line in said.lines) else "answered"


def _game_of_player(desk: UnitOfWork, identity: Identity, letter: Letter) -> str | None:
    """The game that a letter is about, where its sender plays there."""
    game = _find_game(desk, identity, letter)
    return game.id if game and game.id in {each.id for each in _games_of(desk, letter)} else None


def _games_of(desk: UnitOfWork, letter: Letter) -> Sequence[Game]:
    person = desk.books.person_at(letter.sender.lower())
    return desk.books.games_of(person.id) if person else ()
