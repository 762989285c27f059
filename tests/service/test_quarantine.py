"""What is held of letters that nobody asked for, and which letters count as the same."""

from __future__ import annotations

from contextlib import closing

import pytest

from pbem.adapters.store.sql import SqlStore
from pbem.host.messages.rows import mark
from pbem.host.ports import MailFolder
from pbem.mail import retention
from tests.service.bureau import DAY, HOST, HOUR, Bureau, prefix

IMPORT = "austria: import A lemberg"
ID = "<known.to.others@home.test>"


# -- how much is held ---


def nameless(bureau: Bureau, size: int) -> None:
    bureau.letters += 1
    raw = f"To: {HOST}\r\nMessage-ID: <{bureau.letters}@nobody.test>\r\n\r\n{'x' * size}"
    bureau.mailbox.add(raw.encode(), bureau.clock.now())


def held(bureau: Bureau) -> list[int]:
    letters = bureau.raws
    with bureau.store.transaction() as repository:
        raws = [repository.raw(letter) for letter in letters]
    return [len(raw.raw) for raw in raws if raw]


def test_letters_without_a_sender_fill_no_disk(bureau: Bureau) -> None:
    before = len(held(bureau))
    for _ in range(40):
        nameless(bureau, 900_000)
    bureau.tick()
    assert len(bureau.mailbox.on(MailFolder.kept)) == retention.A_DAY
    assert len(held(bureau)) - before == retention.A_DAY
    assert sum(held(bureau)) < (retention.A_DAY + 1) * retention.BEGINNING
    assert len([mail for mail in bureau.alarms if "More letters without a sender" in mail.text]) == 1
    bureau.tick(DAY + HOUR)
    nameless(bureau, 9)
    bureau.tick()
    assert len(bureau.mailbox.on(MailFolder.kept)) == retention.A_DAY + 1


def test_of_a_strangers_letter_the_beginning_is_held_and_of_a_players_all(bureau: Bureau) -> None:
    bureau.write("zoe", "y" * 70 + "\n" + ("> " + "x" * 70 + "\n") * 2_000, subject="hello")
    assert max(held(bureau)) == retention.BEGINNING
    bureau.write("anton", "status\n" + ("> " + "x" * 70 + "\n") * 2_000)
    assert max(held(bureau)) > 2 * retention.BEGINNING


def test_what_is_kept_for_a_person_is_let_go_when_nobody_has_looked_for_long() -> None:
    bureau = Bureau()
    nameless(bureau, 9)
    bureau.tick()
    for _ in range(retention.WAITING_DAYS - 1):
        bureau.tick(DAY)
    assert len(bureau.mailbox.on(MailFolder.kept)) == len(held(bureau)) == 1
    for _ in range(2):
        bureau.tick(DAY)
    assert (bureau.mailbox.on(MailFolder.kept), held(bureau)) == ([], [])


# -- which letter is the same ---


@pytest.mark.parametrize(
    ("first", "fields"),
    [
        ("zoe", {}),  # a stranger, who knew the next id
        ("bert", {}),  # another player
        ("anton", {"to": HOST}),  # under his name, without proof
        ("anton", {"Auto_Submitted": "auto-replied"}),
    ],
)
def test_nobody_can_take_away_anothers_letter_by_its_message_id(
    bureau: Bureau, first: str, fields: dict[str, str]
) -> None:
    bureau.write(first, "hello, this is not the letter", id_=ID, **fields)
    bureau.write("anton", IMPORT, id_=ID)
    assert bureau.outcomes("anton") == [("played", None)]
    assert bureau.awaited == [("bert", "turn", "italy")]
    answers = bureau.answers("anton")
    assert answers[-1].in_reply_to == ID
    bureau.write("anton", IMPORT, id_=ID)
    assert len(bureau.answers("anton")) == len(answers)


def test_a_letter_without_a_sender_takes_nothing_from_one_with_a_sender(bureau: Bureau) -> None:
    raw = f"To: {HOST}\r\nMessage-ID: {ID}\r\n\r\nx".encode()
    bureau.mailbox.add(raw, bureau.clock.now())
    bureau.write("anton", IMPORT, id_=ID)
    assert bureau.outcomes("anton") == [("played", None)]


@pytest.mark.parametrize("bad", ["<>", "<x>", "none", "<a b@c>"])
def test_what_is_no_message_id_parts_letters_from_nothing(bureau: Bureau, bad: str) -> None:
    for who, text in (("bert", "status"), ("anton", IMPORT)):
        raw = bureau.letter(who, text, id_=ID).replace(ID.encode(), bad.encode())
        bureau.mailbox.add(raw, bureau.clock.now())
    bureau.tick()
    assert bureau.outcomes("anton") == [("played", None)]
    assert bureau.answers("anton")[-1].in_reply_to == "<imp-1.game@pbem.test>"


def test_other_words_under_the_same_message_id_are_not_read_and_the_writer_is_told_once(bureau: Bureau) -> None:
    bureau.write("anton", "draft austria: import A lemberg", id_=ID)
    for _ in range(2):
        bureau.write("anton", "austria: taxation", id_=ID)
    assert bureau.awaited == [("anton", "turn", "austria_hungary")]
    assert [reply.problem for reply in bureau.replies("anton")[-2:]] == [None, "letter.resent"]
    assert "this one says something else" in " ".join(bureau.answers("anton")[-1].text.split())
    assert bureau.mailbox.on(MailFolder.kept) == []


def test_the_same_words_that_came_on_another_way_are_one_letter(bureau: Bureau) -> None:
    first = bureau.letter("anton", IMPORT, id_=ID)
    for raw in (first, b"Received: from elsewhere\r\n" + first):
        bureau.mailbox.add(raw, bureau.clock.now())
        bureau.tick()
    assert len(bureau.answers("anton")) == 1
    assert bureau.entries[-1]["cause"]["letter"] == mark(ID)


def test_a_letter_of_somebody_who_was_forgotten_is_still_known(bureau: Bureau) -> None:
    bureau.write("zoe", "hello", id_=ID, subject="hello")
    with bureau.store.transaction() as repository:
        repository.erase_mail("zoe@players.test")
    assert prefix(bureau.write("zoe", "hello", id_=ID, subject="hello")) == []


def test_no_message_id_and_no_sender_is_too_long_for_a_database(database: str) -> None:
    """PostgreSQL keeps no key of more than 2,704 bytes."""
    wild = "".join(chr(0x1F300 + number * 7 % 900) for number in range(840))
    with closing(SqlStore(database)) as store:
        bureau = Bureau(store)
        for sender in ("a" * 3_000 + "@x.test", "b" * 3_000 + "@x.test"):
            for id_ in (f"<{wild}@x>", f"<{wild[:220]}@x>"):
                raw = f"From: {sender}\r\nMessage-ID: {id_}\r\nTo: {HOST}\r\n\r\nhello"
                bureau.mailbox.add(raw.encode(), bureau.clock.now())
        bureau.tick()
        assert (bureau.mailbox.inbox, bureau.alarms) == ([], [])
