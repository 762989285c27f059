"""What somebody says who is asked to come to a game: in which language they read, and what this is."""

from __future__ import annotations

from pbem.host.app.received import Received
from pbem.host.commands.aside import Asides
from pbem.host.messages.replies import Reply
from pbem.host.messages.rows import Job, LetterJob, jobs_of, post, read_job
from pbem.host.play.results import aside
from pbem.host.ports import Game, Member, Person
from pbem.host.reporting.answers import verdict_line
from pbem.host.session.unit_of_work import UnitOfWork

HEARD = ("help", "language", "zone")  # of those who have no seat; all else is for those who play
FIRST = ("invitation", "gathers", "offer", "nomination", "deputy")  # letters to whoever may never have had one


def answer_asked(work: UnitOfWork, game: Game, person: Person, received: Received) -> Reply | None:
    """The answer to these words; None for a letter that holds none of them."""
    letter = received.letter
    said = work.games.load(game).parser.read(letter.lines).statements
    heard = [each for each in said if each.command.name in HEARD and not each.refusal]
    if not heard:
        return None
    asides = Asides(work, game, Member(person=person, seat=""), letter, received.now)
    lines = tuple(map(verdict_line, asides.settle([aside(each) for each in heard])))
    asides.keep()
    ask_again(work, game, person, asides.member.person, received.now)
    return asides.in_reply(Reply(game=game.id, seat=None, lines=lines, cut=(), on_file=(), awaited=()))


def ask_again(work: UnitOfWork, game: Game, person: Person, now_called: Person, now: int) -> None:
    """What they were asked last, once more, when they have chosen another language: else they could not read it."""
    if now_called.language == person.language:
        return
    for row in reversed(work.repository.mail_to(person.address, game.id)):
        if asked := _asked_first(read_job(row)):
            work.repository.post([post(row.id, person.address, asked, now=now, game=game.id, seat=row.seat)])
            return


def _asked_first(job: Job) -> LetterJob | None:
    """What in a letter of ours asks somebody who may never have had one before."""
    letters = (each for each in reversed(jobs_of(job)) if isinstance(each, LetterJob))
    return next((each for each in letters if each.content["type"] in FIRST), None)
