"""How fast letters go out to one mail host, and that nobody else waits for it."""

from __future__ import annotations

from pbem.host.ports import Mail
from pbem.mail.pace import MINUTE, Throttle
from tests.fakes import MemoryStore
from tests.service.bureau import HOUR, Bureau

LIMIT = 3


class SlowBureau(Bureau):
    """A bureau that sends no more than LIMIT letters a minute to one domain; it notes when each went out."""

    per_minute = LIMIT

    def __init__(self) -> None:
        super().__init__()
        self.times: list[tuple[int, str]] = []
        self.postman.delay = self._note

    def _note(self, mail: Mail) -> None:
        self.times.append((self.clock.now(), mail.to))

    def drain(self, seconds: int) -> None:
        """Go round whenever something is due."""
        end = self.clock.now() + seconds
        while (due := self.daemon._delivery.next_instant()) is not None and due <= end:
            self.at(max(due, self.clock.now()))


def sent_to(bureau: SlowBureau, domain: str) -> list[int]:
    return [at for at, to in bureau.times if to.endswith(domain)]


def test_no_more_than_so_many_a_minute_go_to_one_domain() -> None:
    bureau = SlowBureau()
    for number in range(10):
        bureau.drop(f"p{number}@large.test", "hello", subject="hello")
    began = bureau.clock.now()
    bureau.tick()
    assert sent_to(bureau, "large.test") == [began] * LIMIT
    bureau.drain(HOUR)
    times = sent_to(bureau, "large.test")
    assert len(times) == 10
    assert all(later - earlier >= MINUTE for earlier, later in zip(times, times[LIMIT:], strict=False))
    assert times[-1] == began + 3 * MINUTE


def test_letters_to_one_domain_keep_their_order() -> None:
    bureau = SlowBureau()
    for number in range(8):
        bureau.drop(f"p{number:02}@large.test", "hello", subject="hello")
        bureau.tick(7)
    bureau.drain(HOUR)
    names = [to for _, to in bureau.times]
    assert names == sorted(names)
    assert len(names) == 8


def test_other_domains_do_not_wait() -> None:
    bureau = SlowBureau()
    for number in range(10):
        bureau.drop(f"p{number}@large.test", "hello", subject="hello")
    bureau.drop("zoe@small.test", "hello", subject="hello")
    bureau.tick()
    assert len(sent_to(bureau, "small.test")) == 1


def test_waiting_for_its_turn_is_no_failed_attempt() -> None:
    bureau = SlowBureau()
    for number in range(30):
        bureau.drop(f"p{number}@large.test", "hello", subject="hello")
    bureau.tick()
    assert isinstance(bureau.store, MemoryStore)
    with bureau.store.transaction() as repository:
        rows = repository.due(bureau.clock.now() + HOUR)
    assert {row.attempts for row in rows} == {0}


def test_there_may_be_no_limit() -> None:
    pace = Throttle(None)
    for _ in range(1_000):
        assert pace.earliest("a@b.test", 5) == 5
        pace.note("a@b.test", 5)


def test_domains_are_the_same_in_any_case() -> None:
    pace = Throttle(1)
    pace.note("a@B.test", 5)
    assert pace.earliest("c@b.TEST", 6) == 5 + MINUTE


def test_a_clock_that_was_put_back_keeps_no_letter_longer_than_a_minute() -> None:
    pace = Throttle(1)
    pace.note("anton@large.test", 10**9)
    assert pace.earliest("anton@large.test", 1_000) == 1_000 + MINUTE
