"""Letters that need a person: kept, looked at, dealt with again, dropped; and the raw ones of everybody expire."""

from __future__ import annotations

import pytest

from pbem.host.play.executor import CommandExecutor
from pbem.host.ports import Dead, MailFolder, Noted
from pbem.mail.kept_letters import Kept, name_of
from tests.service.bureau import DAY, HOUR, Bureau, address

IMPORT = "austria: import A lemberg"


def waiting(bureau: Bureau) -> list[Kept]:
    return list(bureau.server.kept_letters().all())


def retry(bureau: Bureau, one: Kept) -> str:
    return bureau.server.kept_letters().retry(name_of(one))


@pytest.fixture
def faulty(bureau: Bureau, monkeypatch: pytest.MonkeyPatch) -> tuple[Bureau, pytest.MonkeyPatch]:
    """Anton's orders have met a fault of ours."""

    def stumble(*_: object, **more: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(CommandExecutor, "execute", stumble)
    bureau.write("anton", IMPORT, id_="<orders@home.test>")
    return bureau, monkeypatch


def test_a_letter_that_met_a_fault_is_dealt_with_again_when_it_is_mended(
    faulty: tuple[Bureau, pytest.MonkeyPatch],
) -> None:
    bureau, patch = faulty
    filed, apology = bureau.clock.now(), bureau.answers("anton")[-1]
    (kept,) = waiting(bureau)
    assert isinstance(kept, Noted)
    assert (kept.id, kept.sender, kept.fate) == ("<orders@home.test>", address("anton"), "fault")
    patch.undo()
    bureau.clock.advance(5 * HOUR)
    assert retry(bureau, kept) == "answered"
    assert bureau.document["nations"]["austria_hungary"]["armies"] == {"lemberg": 1}
    assert bureau.entries[-1]["at"] == filed
    assert waiting(bureau) == []
    bureau.tick()
    answer = bureau.answers("anton")[-1]
    assert answer.message_id != apology.message_id
    assert answer.in_reply_to == apology.in_reply_to == "<orders@home.test>"
    with pytest.raises(LookupError, match="only letters that are kept"):
        bureau.server.kept_letters().retry("<orders@home.test>")
    before = bureau.entries
    bureau.write("anton", IMPORT, id_="<orders@home.test>")
    assert bureau.entries == before


def test_a_letter_that_meets_the_fault_again_is_kept_still(faulty: tuple[Bureau, pytest.MonkeyPatch]) -> None:
    bureau, _ = faulty
    (kept,) = waiting(bureau)
    for _ in range(2):
        assert retry(bureau, kept) == "fault"
        assert waiting(bureau) == [kept]
    bureau.tick()
    assert len({mail.message_id for mail in bureau.answers("anton")}) == len(bureau.answers("anton"))


def test_a_letter_that_could_not_even_be_read_is_tried_with_its_bytes(
    bureau: Bureau, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unread(raw: bytes) -> None:
        raise ZeroDivisionError

    read, bureau.server.read = bureau.server.read, unread  # type: ignore[assignment]
    bureau.restart_with(bureau.server)
    bureau.write("anton", IMPORT, id_="<orders@home.test>")
    (kept,) = waiting(bureau)
    assert kept.id.startswith("sha256:")
    bureau.server.read = read
    assert retry(bureau, kept) == "answered"
    assert bureau.document["nations"]["austria_hungary"]["armies"] == {"lemberg": 1}
    assert waiting(bureau) == []


def test_a_dropped_letter_is_gone_but_never_dealt_with(faulty: tuple[Bureau, pytest.MonkeyPatch]) -> None:
    bureau, patch = faulty
    patch.undo()
    (kept,) = waiting(bureau)
    bureau.server.kept_letters().drop(name_of(kept))
    assert waiting(bureau) == []
    with bureau.store.transaction() as repository:
        assert repository.raw(kept.id) is None
        assert repository.fate(kept.id) == "fault"
    with pytest.raises(LookupError, match="No letter that waits is called"):
        bureau.server.kept_letters().drop("nonsense")


def test_a_letter_of_ours_that_was_given_up_is_sent_when_it_is_tried_again(bureau: Bureau) -> None:
    bureau.postman.refuse(address("bert"))
    bureau.write("anton", IMPORT)
    dead = [one for one in waiting(bureau) if isinstance(one, Dead)]
    assert [(one.to, one.reason) for one in dead] == [(address("bert"), "550 unknown")]
    bureau.postman.mend()
    assert retry(bureau, dead[0]) == "waits to be sent again"
    deadline = bureau.slot.deadline
    assert [mail.to for mail in bureau.tick(HOUR)] == [address("bert")]
    assert bureau.slot.deadline == deadline
    assert waiting(bureau) == []


def test_a_letter_of_ours_that_was_given_up_can_be_dropped(bureau: Bureau) -> None:
    bureau.postman.refuse(address("bert"))
    bureau.write("anton", IMPORT)
    (dead,) = waiting(bureau)
    bureau.server.kept_letters().drop(dead.id)
    bureau.postman.mend()
    assert waiting(bureau) == []
    assert bureau.tick(HOUR) == []


def test_raw_letters_expire_but_not_those_kept_for_a_person(faulty: tuple[Bureau, pytest.MonkeyPatch]) -> None:
    bureau, patch = faulty
    patch.undo()
    bureau.write("anton", IMPORT, id_="<good@home.test>")
    bureau.write("anton", "gone home", id_="<away@home.test>", Auto_Submitted="auto-replied")
    with bureau.store.transaction() as repository:
        held = {letter: repository.raw(letter) is not None for letter in ("<good@home.test>", "<away@home.test>")}
        assert held == {"<good@home.test>": True, "<away@home.test>": False}
    bureau.tick(30 * DAY - 1)
    assert bureau.raws > {"<good@home.test>", "<orders@home.test>"}
    bureau.tick(DAY)
    assert bureau.raws == {"<orders@home.test>"}
    assert bureau.mailbox.on(MailFolder.kept) != []
    assert not any(raw.arrived < bureau.clock.now() - 30 * DAY for raw in bureau.mailbox.on(MailFolder.done))


def test_machines_letters_lie_in_the_mailbox_alone_and_expire_there(bureau: Bureau) -> None:
    bureau.write("anton", "gone home", id_="<away@home.test>", Auto_Submitted="auto-replied")
    assert any(b"<away@home.test>" in raw.raw for raw in bureau.mailbox.on(MailFolder.done))
    bureau.tick(31 * DAY)
    assert bureau.mailbox.on(MailFolder.done) == []


def test_a_mailbox_that_is_down_is_tidied_an_hour_later(bureau: Bureau) -> None:
    bureau.write("anton", IMPORT)
    bureau.mailbox.down = True
    bureau.tick(31 * DAY)
    bureau.mailbox.down = False
    bureau.tick(HOUR)
    assert bureau.mailbox.on(MailFolder.done) == []
