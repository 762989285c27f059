"""No letter, whatever is in it, crashes the inbox, changes what its writer may not change, or tells a stranger anything.

`PBEM_DEEP=10000 pytest tests/service/test_all_kinds.py` writes a hundred thousand letters, others than usual.
"""

from __future__ import annotations

import json
from email.parser import BytesParser
from email.policy import default
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import html

from pbem.adapters.composing import FromAddress, compose
from pbem.adapters.store.schema import metadata
from pbem.host.ports import Mail
from tests.fakes import FakeClock, MemoryStore
from tests.rules.tables import examples
from tests.service.all_kinds import NAMED, Made, letters
from tests.service.bureau import HOST, IDENTITY, NAMES, OPERATOR, Bureau, address

MEMBERS = {address(name) for name in NAMES}
OF_THE_POST = {"letters", "outbox", "marks", "raws", "tallies"}  # tables that any letter may change
GAME_TABLES = [table for table in metadata.sorted_tables if table.name not in OF_THE_POST]
FIELDS = {
    *("date", "message-id", "from", "reply-to", "to", "subject", "in-reply-to", "references", "mime-version"),
    *("auto-submitted", "x-auto-response-suppress", "x-pbem-loop", "content-type", "content-transfer-encoding"),
    *("list-id", "list-help", "list-post", "list-unsubscribe"),
}
STATES = st.sampled_from(["running", "running", "inviting", "finished"])
LONGEST = 12_000  # characters of the longest answer to a question
SHORT = 5_000  # bytes of an answer to somebody who has proved nothing
BATCH = 10  # letters to one server


def ticket_address(who: str) -> str:
    """Where that member's letters about the first game go."""
    return (
        IDENTITY.reply_to(IDENTITY.ticket("imp-1", _people[who], issued=FakeClock().now())) if who in _people else HOST
    )


_people: dict[str, Any] = {}


@pytest.fixture(scope="module")
def servers(opened: Bureau) -> dict[str, Bureau]:
    """With a game that is being played, one that has not begun, and one that is over."""
    _people.update({member.person.address: member.person for member in opened.game.members})
    inviting, over = Bureau(), opened.copy()
    inviting.invite()
    inviting.tick()
    over.finish()
    assert over.game.status == "finished"
    return {"running": opened, "inviting": inviting, "finished": over}


@pytest.mark.slow
@given(state=STATES, written=st.lists(letters(ticket_address), min_size=BATCH, max_size=BATCH))
@examples(6)
def test_no_letter_does_harm(servers: dict[str, Bureau], state: str, written: list[Made]) -> None:
    bureau = servers[state].copy()
    after = tables(bureau)
    for made in written:
        before = after
        bureau.mailbox.add(made.raw, bureau.clock.now())
        sent = bureau.tick()
        after = tables(bureau)
        check_changes(made, before, after)
        for mail in sent:
            check_mail(mail, made)
    assert "fault" not in bureau.store.fates().values()
    assert bureau.mailbox.inbox == []


def tables(bureau: Bureau) -> dict[str, dict[Any, Any]]:
    """What the games are, and everybody in them; the operator is entered when a letter first comes in his name."""
    assert isinstance(bureau.store, MemoryStore)
    found = {table.name: bureau.store.rows(table) for table in GAME_TABLES}
    found["addresses"].pop(OPERATOR, None)
    found["people"] = {key: person for key, person in found["people"].items() if person.address != OPERATOR}
    return found


def check_changes(made: Made, before: dict[str, Any], after: dict[str, Any]) -> None:
    """Only a member who has proved it changes anything, and nothing that is another's."""
    if made.writer is None:
        assert after == before
        return
    for key, paper in after["papers"].items():
        assert before["papers"].get(key) == paper or paper.seat == made.writer
    for key, entry in after["entries"].items():
        if key not in before["entries"]:
            told = json.loads(entry.entry)
            done_by = [told["act"]["by"]] if told["act"] else []
            assert {*(answer["seat"] for answer in told["answers"]), *done_by} <= {made.writer}
    for key, person in after["people"].items():
        is_his = person.address == NAMED if key not in before["people"] else person.name.lower() == made.writer
        assert is_his or before["people"].get(key) == person


def check_mail(mail: Mail, made: Made) -> None:
    """It goes where it should, as one letter with our fields alone, and is safe to look at."""
    assert mail.answers or mail.to in MEMBERS | {OPERATOR, NAMED}
    assert mail.to == OPERATOR or not any(member in mail.text for member in MEMBERS - {mail.to})
    assert mail.to in MEMBERS | {OPERATOR, NAMED} or len(compose(mail, FromAddress(address=HOST), 0)) <= SHORT
    assert len(mail.text) <= LONGEST + 3 * len(made.raw)  # an answer may quote, but nobody's letter grows on its way
    message = BytesParser(policy=default).parsebytes(compose(mail, FromAddress(address=HOST), 0))
    assert {name.lower() for name in message} <= FIELDS
    assert [str(to) for to in message.get_all("to")] == [mail.to]
    if mail.html:
        check_page(mail.html)


def check_page(page: str) -> None:
    root = html.document_fromstring(page)
    assert not root.xpath("//script | //iframe | //object | //embed | //form | //link | //base")
    assert not root.xpath("//@*[starts-with(name(), 'on')]")
    assert all(source.startswith("cid:") for source in root.xpath("//@src"))
    assert not any("javascript:" in str(value).lower() for value in root.xpath("//@*"))
