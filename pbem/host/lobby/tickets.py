"""What a ticket is worth now: how long it lives, which moment it may tell of, and what was used up or renewed.

A ticket about a game counts for the turn that its letter told of and for the next, and longer only until there is a
later report to its holder. So a report that somebody else has seen is soon worth nothing. An answer to whichever report
is at hand is not lost all the same: nothing of it is done, and the holder's own address gets it with a new ticket.
"""

from __future__ import annotations

from msgspec.structs import replace

from pbem.host.calendar.zones import DAY
from pbem.host.messages.replies import Reply
from pbem.host.ports import Game, Letter, Person, Repository, SeasonBook
from pbem.host.session.acts import Rewound
from pbem.host.session.identity import UNDO, Identity, Ticket
from pbem.host.session.position import Position
from pbem.host.session.unit_of_work import UnitOfWork

LIFE = 30 * DAY  # of a ticket about a game
ASKED = 7 * DAY  # of one that confirms something
OLD = 14 * DAY  # after the books were brought up, tickets of programs older than 0.4 count no more
BROUGHT_UP = "tickets"  # the mark of that instant; books without it have seen none of those

LATE = "identity.old_ticket"
CONFIRM, ASK = "confirm", "ask"  # what tickets are about that an address must bring back, with a person's number behind


def is_personal(about: str) -> bool:
    """Is it about an address, and no game?"""
    return about.partition("-")[0] in (CONFIRM, ASK, UNDO)


def renewals(repository: Repository, person: Person, game: str) -> int:
    """How often all tickets of a person about a game were made worthless."""
    return repository.mark(_renewed(person, game)) or 0


def renew(repository: Repository, person: Person, game: str) -> None:
    """The tickets that were given till now count no more, the ones in letters from now on do."""
    repository.set_mark(_renewed(person, game), renewals(repository, person, game) + 1)


def _renewed(person: Person, game: str) -> str:
    return f"ticket.{person.id}.{game}"


def spend(repository: Repository, ticket: Ticket, now: int) -> None:
    """It confirms something once."""
    repository.set_mark(f"spent.{ticket.token}", now)


def is_spent(repository: Repository, ticket: Ticket) -> bool:
    return repository.mark(f"spent.{ticket.token}") is not None


def lives(ticket: Ticket, now: int, life: int) -> bool:
    """Is it as young as that? One of an older program is not known to be."""
    return ticket.issued is not None and now <= ticket.issued + life


def is_of(repository: Repository, identity: Identity, ticket: Ticket | None, person: Person) -> bool:
    """Was it ever given to this person, about this game, whatever it is worth now?"""
    times = range(renewals(repository, person, ticket.about) + 1) if ticket else ()
    return any(identity.holds(ticket, person, n) for n in times) if ticket else False


def flaw(
    work: UnitOfWork, identity: Identity, letter: Letter, person: Person, about: Game | SeasonBook | None, now: int
) -> str:
    """The code of why a letter does not prove to be this person's; "" when it does."""
    ticket = identity.ticket_of(letter)
    code = ""
    if identity.policy != "dkim":
        code = _flaw_of(work, identity, ticket, person, about, now)
    if not code and identity.policy != "token" and letter.proven != "pass":
        code = "identity.unproven"
    return code


def _flaw_of(
    work: UnitOfWork,
    identity: Identity,
    ticket: Ticket | None,
    person: Person,
    about: Game | SeasonBook | None,
    now: int,
) -> str:
    if ticket is None:
        return "identity.no_token"
    name = about.id if isinstance(about, Game) else about.tag if about else None
    if ticket.about != name or not is_of(work.repository, identity, ticket, person):
        return "identity.wrong_token"
    good = identity.holds(ticket, person, renewals(work.repository, person, ticket.about)) and _is_young(
        work.repository, ticket, now
    )
    is_now = not isinstance(about, Game) or _is_of_the_moment(work, about, person, ticket)
    return "" if good and is_now else LATE


def _is_young(repository: Repository, ticket: Ticket, now: int) -> bool:
    brought_up = repository.mark(BROUGHT_UP)
    if ticket.issued is None:
        return brought_up is not None and now <= brought_up + OLD
    return lives(ticket, now, LIFE)


def _is_of_the_moment(work: UnitOfWork, game: Game, person: Person, ticket: Ticket) -> bool:
    """Does it tell of the turn that is under way, or the one before, or was there no later letter?"""
    if ticket.petition is not None:
        return all(member.person.id != person.id for member in game.members)
    if not has_begun(work, game) or (ticket.issued is None and ticket.number is None):
        return True
    seq = -1 if ticket.number is None else seq_of(work, game, ticket.number)
    if any(reader.person.id == person.id and seq >= reader.told for reader in game.readers):
        return True
    return work.session(game).position.turn - turn_of(work, game, seq) <= 1


def has_begun(work: UnitOfWork, game: Game) -> bool:
    """Is there a log? One that was given up before it began has none."""
    return game.status == "running" or (game.status == "finished" and len(work.repository.entries(game.id)) > 0)


def seq_of(work: UnitOfWork, game: Game, number: int) -> int:
    """Of the entry of which a ticket has the number."""
    return work.session(game).position.count.place(number)


def turn_of(work: UnitOfWork, game: Game, seq: int) -> int:
    """The turn that a letter with this last entry told of; of one before a rewinding the turn that was gone back to."""
    return turn_after(work, game, max(seq, last_rewinding(work.session(game).position)))


def turn_after(work: UnitOfWork, game: Game, seq: int) -> int:
    """The turn that was under way after this entry, whatever was gone back to since."""
    now = work.session(game).position
    is_now = seq >= max(now.since - 1, last_rewinding(now))
    return now.turn if is_now else work.games.positions(work.repository, game, seq)[-1].turn


def last_rewinding(position: Position) -> int:
    """The last entry by which all went back to an earlier turn; -1: there is none."""
    return max((done.seq for done in position.done if isinstance(done.act, Rewound)), default=-1)


def renewed_by_copies(
    work: UnitOfWork, identity: Identity, letter: Letter, person: Person, game: Game, said: Reply
) -> Reply:
    """Who has sent a copy of a letter to others has sent them the ticket: it counts no more, and the answer says so."""
    own = [each.address for each in work.repository.addresses(person.id)]
    if not identity.copied_to(letter, own) or identity.ticket_of(letter) is None:
        return said
    renew(work.repository, person, game.id)
    return replace(said, copied=True)
