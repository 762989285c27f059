"""Press: what players write to each other, passed on under their seats' names, and kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from pbem.core.game import AnyOrder
from pbem.core.refusal import Illegal
from pbem.host.messages import letters, sections
from pbem.host.messages.rows import OWN_ID, answer_id, content_job, to_member
from pbem.host.ports import Game, Letter, Member, OutboxRow, Person, Press
from pbem.host.session.anonymity import check_tells_nothing, is_hidden
from pbem.host.session.terms import PressRule
from pbem.host.session.unit_of_work import UnitOfWork
from pbem.language.answers import INVITATION
from pbem.language.press import ALL, LONGEST
from pbem.language.statements import Statement

MOST, DAY = 20, 86_400  # a person's press in so many seconds, in all their games
LAST = 10  # press that is told when it is asked for


def send(
    work: UnitOfWork, game: Game, member: Member, said: Statement[AnyOrder], letter: Letter, now: int
) -> tuple[str, ...]:
    """Keep press and queue it to everybody it is for; the seats it goes to. Raises `Illegal`."""
    _check(work, game, member, said, now)
    if is_hidden(game, work.games.load(game).terms.anonymous):
        check_tells_nothing(said.rest, member.person, work.repository.addresses(member.person.id), letter)
    kept = work.repository.press(game.id)
    press = Press(
        number=len(kept) + 1,
        at=now,
        seat=member.seat,
        to=said.to,
        text=said.rest,
        answer=answer_id(letter),
    )
    work.repository.add_press(game.id, press)
    if press.to == (ALL,) and game.status != "inviting":
        work.repository.set_moved(game.id, work.session(game).position.seq)
    answered, rule, seats = _answered(game, kept, letter), work.loaded(game).terms.press, readers(game, press)
    work.repository.post(
        _copy(game, each, press, answered, rule, now) for each in game.readers if _gets(each, press, seats)
    )
    return seats


def _gets(reader: Member, press: Press, seats: Sequence[str]) -> bool:
    """A moderator without a seat reads what is written to all."""
    return reader.seat in seats if reader.seat else press.to == (ALL,)


def readers(game: Game, press: Press) -> tuple[str, ...]:
    """The seats that press goes to, in the order of the loaded."""
    return tuple(m.seat for m in game.members if m.seat != press.seat and (press.to == (ALL,) or m.seat in press.to))


def public_press(work: UnitOfWork, game: Game) -> tuple[Press, ...]:
    """What was written to all, by number."""
    return tuple(press for press in work.repository.press(game.id) if press.to == (ALL,))


def last_press(work: UnitOfWork, game: Game, seat: str) -> sections.PressRead:
    """The last press that was to this seat, from it, or to all."""
    mine = [press for press in work.repository.press(game.id) if ALL in press.to or seat in (press.seat, *press.to)]
    return sections.PressRead(letters=tuple(_entry(game, press) for press in mine[-LAST:]))


# -- what is refused ---


def _check(work: UnitOfWork, game: Game, member: Member, said: Statement[AnyOrder], now: int) -> None:
    allowed = work.loaded(game).terms.press
    if allowed == "none":
        raise Illegal("press.none")
    if allowed == "public" and said.to != (ALL,):
        raise Illegal("press.public_only")
    if member.seat in said.to:
        raise Illegal("press.to_oneself")
    if not said.rest:
        raise Illegal("press.empty")
    if (read := len(said.rest.encode())) > LONGEST:
        raise Illegal("press.too_long", most=LONGEST, read=read)
    if game.status == "inviting":
        _check_no_answer_inside(said.text.splitlines()[1:])
    if sum(1 for _ in _written_since(work, member.person, now - DAY)) >= MOST:
        raise Illegal("press.too_many", most=MOST)


def _check_no_answer_inside(lines: Sequence[str]) -> None:
    for line in lines:
        if INVITATION.answer([line]):
            raise Illegal("press.order_inside", read=line)


def _written_since(work: UnitOfWork, person: Person, since: int) -> Iterator[Press]:
    for game in work.repository.games_of(person.id):
        seats = [member.seat for member in game.members if member.person.id == person.id]
        yield from (press for press in work.repository.press(game.id) if press.seat in seats and press.at > since)


# -- the letters ---


def _copy(game: Game, member: Member, press: Press, answered: Press | None, rule: PressRule, now: int) -> OutboxRow:
    """One reader's letter. It follows their own copy of what it answers, so that they see a thread."""
    follows = _copy_at(game, answered, member.seat) if answered else None
    content = letters.Press(
        game=game.id, seat=member.seat, said=_entry(game, press), answers=_answers(press, member, rule)
    )
    return to_member(game, member, f"press.{press.number}", content_job(content, follows=follows), now)


def _answers(press: Press, member: Member, rule: PressRule) -> tuple[tuple[str, ...], ...]:
    """To whom its reader may want to answer: its writer, and all whom it was for; a moderator announces."""
    if not member.seat:
        return ()
    all_of_them = (press.seat, *(seat for seat in press.to if seat != member.seat))
    whole = press.to if press.to == (ALL,) else all_of_them
    return tuple(dict.fromkeys([(press.seat,), whole])) if rule == "all" else (whole,)


def _answered(game: Game, kept: Sequence[Press], letter: Letter) -> Press | None:
    """The press that a letter answers: the last one that it refers to."""
    copies = {id_: press for press in kept for id_ in _copies(game, press)}
    named = [found[1] for reference in letter.references if (found := OWN_ID.fullmatch(reference))]
    return next((copies[id_] for id_ in reversed(named) if id_ in copies), None)


def replied_to(work: UnitOfWork, game: Game, seat: str, letter: Letter) -> str | None:
    """Whom a reply to another's press is meant for: who wrote it, or "all"; None where the letter is no such reply."""
    last = replace(letter, references=letter.references[-1:])
    press = _answered(game, work.repository.press(game.id), last)
    if press is None or press.seat == seat:
        return None
    return ALL if press.to == (ALL,) else press.seat


def _copies(game: Game, press: Press) -> Iterator[str]:
    for member in game.members:
        copy = _copy_at(game, press, member.seat)
        if copy is not None:
            yield copy


def _copy_at(game: Game, press: Press, seat: str) -> str | None:
    """The row by which this seat knows it."""
    if seat == press.seat:
        return press.answer
    return f"{game.id}.press.{press.number}.{seat}" if seat in readers(game, press) else None


def _entry(game: Game, press: Press) -> sections.Pressed:
    return sections.Pressed(
        at=press.at, seat=press.seat, to=readers(game, press), public=press.to == (ALL,), text=press.text
    )
