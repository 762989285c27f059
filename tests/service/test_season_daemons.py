"""Two daemons on one database, a file and a server: a season has one draw, each table once, each letter once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from pbem.adapters.store.sql import SqlStore
from tests.databases import DATABASES, books_of
from tests.service.season import SMALL, START, SeasonBureau


@pytest.mark.slow
@pytest.mark.parametrize("kind", DATABASES)
def test_two_daemons_at_once_make_one_season(kind: str, request: pytest.FixtureRequest) -> None:
    url = books_of(kind, request)
    with closing(SqlStore(url)) as first, closing(SqlStore(url)) as second:
        one = SeasonBureau(SMALL, store=first)
        other = SeasonBureau.beside(one, second)
        one.to("entries")
        one.enter()
        one.to("muster")
        one.muster()
        for bureau in (one, other):
            bureau.clock.set(START - 60)
            bureau.tick()
            bureau.asleep = True  # what notes polls for tests is no daemon, and tries nothing twice
            bureau.clock.set(START)
        with ThreadPoolExecutor(2) as both:
            for _ in range(8):
                [done.result() for done in [both.submit(bureau.tick, 30) for bureau in (one, other)]]
        assert [one.told.count(act) for act in ("closed", "divided", "drawn", "begun")] == [1, 1, 1, 2]
        with first.transaction() as repository:
            assert len(repository.games()) == 2
            assert len(repository.tables_of("euro-1")) == 2
        sent = [mail.message_id for bureau in (one, other) for mail in bureau.postman.sent]
        assert len({*sent}) == len(sent)
        assert sum("Your tables" in mail.subject for bureau in (one, other) for mail in bureau.postman.sent) == 6
