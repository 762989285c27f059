"""Letters that are dealt with together: each comes to what it would come to alone, whenever the daemon dies meanwhile."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.adapters.store.schema import metadata
from pbem.adapters.store.sql import SqlBooks
from pbem.host.ports import Conflict, Mail, MailboxDown, Person, RawLetter, Taken
from pbem.mail import sorting
from pbem.mail.incoming import Dealt, Incoming
from pbem.mail.routes import Routes
from tests.fakes import FakeClock, MemoryStore
from tests.rules.tables import examples
from tests.service.all_kinds import Made, letters
from tests.service.bureau import HOST, IDENTITY, Bureau, SlowPostman, address

BATCH = 10
LETTERS = (  # of six at a table where Anton is awaited, then Bert
    ("claudia", "standing fight\nadvance france: import A paris"),
    ("anton", "austria: import A lemberg"),
    ("bert", "italy: factory rome"),
    ("daniel", "press to all: Guten Tag"),
    ("nobody", "may I play?"),
    ("anton", "status"),
    ("claudia", "standing peace\nnonsense"),
    ("bert", "name Bertram"),
    ("fritz", "history"),
)
_people: dict[str, Person] = {}
APART = {"attempts", "uid", "uidvalidity"}  # how often a mail was tried, and where a letter lay


def rows(bureau: Bureau) -> Mapping[str, Sequence[str]]:
    """All that the books hold, apart from what a death may change."""
    assert isinstance(bureau.store, MemoryStore)
    return {
        table.name: [repr({k: v for k, v in row._asdict().items() if k not in APART}) for row in found.values()]
        for table in metadata.sorted_tables
        if (found := bureau.store.rows(table)) is not None
    }


@pytest.fixture(scope="module", autouse=True)
def known(opened: Bureau) -> None:
    _people.update({member.person.address: member.person for member in opened.game.members})


def way_back(who: str) -> str:
    """Where that member's letters about the game go."""
    return (
        IDENTITY.reply_to(IDENTITY.ticket("imp-1", _people[who], issued=FakeClock().now())) if who in _people else HOST
    )


@given(written=st.lists(letters(way_back), min_size=2, max_size=BATCH))
@examples(5)
def test_letters_together_come_to_what_they_come_to_one_by_one(opened: Bureau, written: Sequence[Made]) -> None:
    """The same rows in the books, and the same mails in the same order."""
    together, alone = opened.copy(), opened.copy()
    for bureau, size in ((together, BATCH), (alone, 1)):
        bureau.server.games.secrets = random.Random(5)
        for made in written:
            bureau.mailbox.add(made.raw, bureau.clock.now())
        with at_once(size):
            bureau.tick()
    assert rows(together) == rows(alone)
    assert together.postman.sent == alone.postman.sent
    assert together.mailbox.shelved == alone.mailbox.shelved


@contextmanager
def at_once(size: int) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sorting, "ALONE", size)
        yield


def drop_all(bureau: Bureau, of: Sequence[tuple[str, str]] = LETTERS) -> None:
    for who, words in of:
        bureau.drop(who, words)


# -- what goes wrong with one of them ---


@pytest.mark.parametrize("fault", [ZeroDivisionError, Conflict, Taken])
def test_one_that_goes_wrong_spoils_none_of_the_others(
    bureau: Bureau, monkeypatch: pytest.MonkeyPatch, fault: type[Exception]
) -> None:
    harmed, deal_with = [address("daniel")], Routes.deal_with

    def harm(self: Routes, incoming: Incoming) -> Dealt:
        if incoming.letter.sender in harmed:
            raise fault("the test wants it so")
        return deal_with(self, incoming)

    plain = bureau.copy()
    drop_all(plain, [each for each in LETTERS if each[0] != "daniel"])
    plain.tick()
    monkeypatch.setattr(Routes, "deal_with", harm)
    drop_all(bureau)
    bureau.tick()
    harmed.clear()
    bureau.tick()  # what a race has kept is dealt with now
    assert bureau.mailbox.inbox == []
    for who in ("anton", "bert", "claudia", "fritz"):
        assert len(bureau.answers(who)) == len(plain.answers(who))
    assert isinstance(bureau.store, MemoryStore)
    assert isinstance(plain.store, MemoryStore)
    assert len(bureau.store.fates()) == len(plain.store.fates()) + 1
    assert bureau.document["nations"] == plain.document["nations"]


def test_letters_that_came_before_the_mailbox_broke_are_dealt_with(
    bureau: Bureau, monkeypatch: pytest.MonkeyPatch
) -> None:
    drop_all(bureau, LETTERS[:5])
    come = bureau.mailbox.unread()

    def breaking() -> Iterator[RawLetter]:
        yield from come[:3]
        raise MailboxDown("the test wants it so")

    monkeypatch.setattr(bureau.mailbox, "unread", breaking)
    assert not bureau.daemon.tick()
    assert [raw for raw, _ in bureau.mailbox.shelved] == [*come[:3]]


# -- what they cost ---


class CountingStore(MemoryStore):
    """Counts the transactions that a disk is waited for."""

    durable = 0

    @contextmanager
    def transaction(self, *, durable: bool = True) -> Iterator[SqlBooks]:
        self.durable += durable
        with super().transaction(durable=durable) as books:
            yield books


def test_many_letters_cost_no_more_waiting_for_the_disk_than_a_few(lots: None) -> None:
    bureau = Bureau(CountingStore())
    bureau.open()
    taken = []
    for number in (2, 4, 8):
        drop_all(bureau, [("anton", "status")] * number)
        before = count_of(bureau)
        assert len(bureau.tick()) == number
        taken.append(count_of(bureau) - before)
    assert len(set(taken)) == 1


def count_of(bureau: Bureau) -> int:
    assert isinstance(bureau.store, CountingStore)
    return bureau.store.durable


# -- what a death leaves ---


class Killed(BaseException):
    """The process is gone: nothing catches it."""


class MortalStore(MemoryStore):
    """Dies at the last of some steps: before and after each transaction, and each mail."""

    left: int | None = None  # steps; None: it lives on

    @contextmanager
    def transaction(self, *, durable: bool = True) -> Iterator[SqlBooks]:
        with super().transaction(durable=durable) as books:
            yield books
            self.step()
        self.step()

    def step(self) -> None:
        if self.left is not None:
            self.left -= 1
            if self.left < 1:
                self.left = None
                raise Killed


class MortalPostman(SlowPostman):
    def __init__(self, store: MortalStore) -> None:
        super().__init__()
        self._store = store

    def send(self, mail: Mail) -> None:
        self._store.step()
        super().send(mail)
        self._store.step()


class MortalBureau(Bureau):
    """Its daemon starts again at once when it has died, and what it had in hand is free."""

    def __init__(self) -> None:
        self.books = MortalStore()
        super().__init__(self.books)
        self.postman = MortalPostman(self.books)
        self.restart()

    def restart(self) -> None:
        self.restart_with(self._server(0))


def lived(steps: Sequence[int], size: int = BATCH) -> MortalBureau:
    """A table of six whose letters wait together, and daemons that die after so many steps."""
    with pytest.MonkeyPatch.context() as patch, at_once(size):
        patch.setattr("pbem.core.chance.draw", lambda *_: 0)
        patch.setattr("pbem.host.session.unit_of_work.Games.new_secret", lambda _: f"{15:064x}")
        bureau = MortalBureau()
        bureau.open()
        drop_all(bureau)
        for left in steps:
            bureau.books.left = left
            with suppress(Killed):
                bureau.daemon.tick()
            bureau.books.left = None
            bureau.restart()
        bureau.tick()
        bureau.tick()
    return bureau


@pytest.fixture(scope="module")
def plain() -> MortalBureau:
    """Nobody died, and each letter was dealt with by itself."""
    return lived([], 1)


@pytest.mark.slow
@given(steps=st.lists(st.integers(1, 60), max_size=5))
@examples(4)
def test_a_daemon_that_dies_among_letters_and_mails_leaves_what_it_would_have_left(
    plain: MortalBureau, steps: Sequence[int]
) -> None:
    """The same log, the same letters by their ids; no mail twice but what was in hand at a death."""
    bureau = lived(steps)
    assert rows(bureau) == rows(plain)
    sent, expected = (Counter(mail.message_id for mail in one.postman.sent) for one in (bureau, plain))
    assert sent.keys() == expected.keys()
    assert sum(sent.values()) - sum(expected.values()) <= len(steps)
    first = {mail.message_id: mail for mail in plain.postman.sent}
    assert all(mail == first[mail.message_id] for mail in bureau.postman.sent)
    assert [*dict.fromkeys(mail.message_id for mail in bureau.postman.sent)] == [*first], "in the same order"
