"""Anonymous games: what is answered to an address tells nobody whether it sits there, is known, or is a stranger's."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import cycle

import pytest
from msgspec.structs import replace

from pbem.host.moderation.commands import MODERATOR_COMMANDS
from pbem.host.ports import Mail
from tests.service.bureau import DAY, Bureau, address
from tests.service.every_command import FIELDS
from tests.service.test_moderation import appoint
from tests.service.test_openings import ask, office
from tests.service.test_petition_letters import answer, letter_of

ASKER, TARGET = "anton", "claudia"
SITTING, KNOWN, STRANGER = "bert@players.test", "kim@known.test", "sam@strange.test"
ANY = "somebody@any.test"
BEFORE = ("invite", "seat")  # powers of no use in a game that runs


def players() -> Iterator[str]:
    yield "petition replace {seat} by {address}: they sleep"
    yield "away until tomorrow deputy {address}"
    yield "address {address}"


def powers(*, before: bool) -> Iterator[str]:
    """Each power over somebody who may be named by an address."""
    for name, command in MODERATOR_COMMANDS.by_name.items():
        said = " ".join(_word(word) for word in command.forms[0].split())
        if "{address}" in said and (before or name not in BEFORE):
            yield f"{said}: it must be"


def _word(word: str) -> str:
    if word in ("{address}", "{who}", "{whom}"):
        return "{address}"
    return word if word == "{seat}" else FIELDS[word[1:-1]] if word[0] == "{" else word.partition("|")[0]


def running() -> Bureau:
    """Anton plays and moderates."""
    bureau = Bureau()
    bureau.open(4, anonymous="always")
    return _prepared(bureau, address(ASKER))


def gathering() -> Bureau:
    """Anton has asked for a game in which bert has a seat, and two are free."""
    bureau = office("anyone")
    ask(bureau, address(ASKER), "new game players 4 anonymous always")
    ask(bureau, SITTING, "join imp-1")
    return _prepared(bureau)


def led() -> Bureau:
    """The operator has invited; anton, who is to play, moderates."""
    bureau = Bureau()
    bureau.invite(3, anonymous="always")
    bureau.write(ASKER, "join")
    return _prepared(bureau, address(ASKER))


def _prepared(bureau: Bureau, *leading: str) -> Bureau:
    """One address is known, and plays nowhere."""
    with bureau.store.transaction() as repository:
        (one,) = repository.addresses(repository.add_person("Kim", KNOWN, 0).id)
        repository.save_address(replace(one, verified=0))
    appoint(bureau, *leading)
    return bureau


def seat_of(bureau: Bureau, who: str) -> str:
    return next((m.seat for m in bureau.game.members if m.person.address == address(who)), "nobody")


def course(bureau: Bureau, words: str, whose: str, seat: str) -> tuple[list[tuple[str, str, str]], list[str]]:
    """All mail of the day after a letter, and what the log has then, with the address in a form of its own."""
    made = bureau.copy()
    before = len(made.postman.sent)
    made.write(ASKER, words.format(seat=seat, address=whose))
    made.tick(DAY)
    sent = made.postman.sent[before:]
    acts = [str((entry.get("act") or {}).get("type")) for entry in made.entries]
    return sorted(_plain(mail, whose) for mail in sent), acts


def _plain(mail: Mail, whose: str) -> tuple[str, str, str]:
    """What a seat hears anyhow is told alike whose address was written; it has a form that tells of neither."""
    masked = [text.replace(whose, ANY).replace(SITTING, ANY) for text in (mail.to, mail.subject, mail.text)]
    return masked[0], masked[1], re.sub(r"\s+", " ", masked[2])


def variants(commands: Sequence[str], head: str) -> Iterator[str]:
    """Each once, and in turn twice, tried out, or in a letter that frees the seat as well."""
    for said, other in zip(
        commands, cycle(("{said}\n{said}", "preview\n{said}", "eject {{seat}}: so\n{said}")), strict=False
    ):
        yield from (f"{head}{said}", f"{head}{other.format(said=said)}")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("place", "head", "commands"),
    [
        (running, "", [*players()]),
        (running, "moderator\n", [*powers(before=False)]),
        (gathering, "", [*powers(before=True)]),
        (led, "moderator\n", [*powers(before=True)]),
    ],
)
def test_what_is_told_of_an_address_is_the_same_whoever_has_it(
    place: Callable[[], Bureau], head: str, commands: Sequence[str]
) -> None:
    bureau = place()
    seat = seat_of(bureau, TARGET)
    for words in variants(commands, head):
        told = {whose: course(bureau, words, whose, seat) for whose in (SITTING, KNOWN, STRANGER)}
        assert told[SITTING] == told[STRANGER], words
        assert told[KNOWN] == told[STRANGER], words


def test_who_plays_hears_alone_that_they_can_not_take_a_second_seat() -> None:
    bureau = running()
    seat = seat_of(bureau, TARGET)
    bureau.write(ASKER, f"petition replace {seat} by {SITTING}: they sleep")
    offer = letter_of(bureau, SITTING, f"the seat of {seat}")
    for words in ("accept P-1", "I decline."):
        sent = answer(bureau, SITTING, offer, words)
        assert [mail.to for mail in sent] == [SITTING]
        assert bureau.replies(SITTING)[-1].problem == "accept.sits"


def test_who_is_asked_to_an_anonymous_game_gets_a_seat_when_they_join() -> None:
    bureau = gathering()
    bureau.write(ASKER, f"invite {STRANGER}\ninvite {SITTING}")
    assert len(bureau.game.members) == 2
    answer(bureau, STRANGER, letter_of(bureau, STRANGER, "needs players"), "join imp-1")
    assert [m.person.address for m in bureau.game.members] == [address(ASKER), SITTING, STRANGER]
    answer(bureau, SITTING, letter_of(bureau, SITTING, "needs players"), "join imp-1")
    assert bureau.replies(SITTING)[-1].problem == "invitation.already"
