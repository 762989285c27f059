"""Letters of ours that come back, or are not wanted: what machines say of them changes addresses, and never a game.

Anybody can write such a report, so that one is believed only if it brings back what only our letter to that person
held. Even then it takes several to change anything, the operator hears of each, and the most that comes of it is that
letters go to another address of the same person, or are fewer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec.structs import replace

from pbem.host.lobby.tickets import is_of
from pbem.host.messages.alarms import Trouble
from pbem.host.messages.rows import mark
from pbem.host.ports import Address, Bounce, Game, Letter, Person, Repository
from pbem.host.reporting.preferences import wanting
from pbem.host.session.identity import Identity
from pbem.mail.incoming import Incoming

OURS = r"<([a-z]+-\d+\.[^<>@\s]+)@{domain}>"  # the Message-ID of a letter about a game
IN_A_ROW = 3  # letters that did not arrive, after which another address is tried


def take_back(incoming: Incoming) -> None:
    """Take note of what a machine's letter says of one of ours, and tell of it; nothing where it is of no game."""
    told, letter, repository = incoming.letter.bounce, incoming.letter, incoming.work.repository
    if told is None or told.fate == "delayed":
        return
    row = _row(told, incoming.host.domain)
    found = _reader(repository, incoming.identity, letter)
    if found is None:
        if row:
            incoming.tell_once_a_day("hearsay", Trouble.hearsay.say(), row)
        return
    game, person = found
    is_complaint, times, then = told.fate == "complaint", "", ""
    if is_complaint:
        then = _fewer(repository, game, person)
    elif told.permanent:
        times, then = failed(repository, _blamed(repository, person, told.addresses))
    what = Trouble.complaint if is_complaint else Trouble.returned
    detail = " ".join(filter(None, [f"{row or game.id}: {letter.subject}", times, then]))
    about = mark(f"{person.id} {is_complaint} {then}")
    incoming.tell_once_a_day(f"returned.{game.id}.{about}", what.say(), detail, game)


def failed(repository: Repository, address: str) -> tuple[str, str]:
    """Count a letter that did not arrive there and never will; how often in a row that was, and what comes of it."""
    person = repository.person_at(address.lower())
    if person is None:
        return "", ""
    known = {each.address: each for each in repository.addresses(person.id)}
    counted = replace(known[address.lower()], failures=known[address.lower()].failures + 1)
    repository.save_address(counted)
    times = f"({counted.address}: {counted.failures} in a row)"
    if person.address != counted.address or counted.failures < IN_A_ROW:
        return times, ""
    other = _other(known.values(), counted)
    if other is None:
        return times, "There is no other address of this player's."
    repository.save_person(replace(person, address=other.address))
    return times, f"Letters to this player go to {other.address} from now on."


def _other(known: Iterable[Address], beside: Address) -> Address | None:
    """The one that was verified last of those that may be better."""
    better = [one for one in known if one.address != beside.address and one.failures < IN_A_ROW]
    return max((one for one in better if one.verified is not None), key=lambda one: one.verified or 0, default=None)


def _fewer(repository: Repository, game: Game, person: Person) -> str:
    """Whoever calls our letters spam gets only what they must answer; they keep their seat."""
    member = next((member for member in game.members if member.person.id == person.id), None)
    if member is None or member.reports == "mine":
        return ""
    repository.save_game(wanting(game, member, "mine"))
    return f"({member.seat} gets no more reports than those that ask them something)"


def _blamed(repository: Repository, person: Person, named: tuple[str, ...]) -> str:
    theirs = {each.address for each in repository.addresses(person.id)}
    return next((each.lower() for each in named if each.lower() in theirs), person.address)


def _row(told: Bounce, domain: str) -> str:
    """The row of the outbox that the letter of ours was made of, as the report says; "" when it does not."""
    found = re.fullmatch(OURS.format(domain=re.escape(domain)), told.original or "", re.IGNORECASE)
    return found[1] if found else ""


def _reader(repository: Repository, identity: Identity, letter: Letter) -> tuple[Game, Person] | None:
    """Whom the letter of ours was for, by the ticket in it, and which game it was about."""
    for ticket in identity.tickets_of_returned(letter):
        game = repository.game(ticket.about)
        if game is None:
            continue
        people = [one.person for one in (*game.members, *game.moderators)]
        person = next((each for each in people if is_of(repository, identity, ticket, each)), None)
        if person is not None:
            return game, person
    return None
