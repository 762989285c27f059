"""What could be an agreement is told to whoever leads a season, and to nobody else."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from pbem.core.favour import Favour
from pbem.core.seat import Seat
from pbem.host.leagues.audit import AtTable, Suspicion, suspicions
from tests.service.bureau import address
from tests.service.season import SeasonBureau, playing, settings

LED = replace(settings(table={"load": 4}), organisers=("zoe@players.test",))


def table(number: int, *favours: tuple[str, str, str], answers: tuple[tuple[int, int], ...] = ()) -> AtTable:
    """Seats a to d of the players 1 to 4."""
    people = {seat: place for place, seat in enumerate("abcd", 1)}
    told = tuple(Favour(kind, Seat(by), Seat(to), 2) for kind, by, to in favours)  # type: ignore[arg-type]
    return AtTable(table=number, people=people, favours=told, answers=answers)


def test_gifts_to_and_fro_at_two_tables_are_told() -> None:
    there, back = ("gift", "a", "b"), ("gift", "b", "a")
    assert suspicions([table(1, there), table(2, back)]) == [Suspicion(kind="gifts", people=(1, 2), facts={"tables": [1, 2]})]  # fmt: skip
    assert suspicions([table(1, there, back)]) == []
    assert suspicions([table(1, there), table(2, there)]) == []


@pytest.mark.parametrize(("bought", "is_told"), [("bbbbbbb", True), ("bbbbbb", False), ("bbbbbbc", False)])
def test_who_buys_for_one_other_alone_is_told(bought: str, *, is_told: bool) -> None:
    found = suspicions([table(1, *(("purchase", "a", to) for to in bought))])
    assert bool(found) is is_told
    assert all((each.kind, each.people) == ("purchases", (1, 2)) for each in found)


def test_two_who_answer_together_many_times_are_told() -> None:
    def answers(gap: int, count: int) -> list[AtTable]:
        return [table(1, answers=tuple(each for n in range(count) for each in ((1, n * 9000), (2, n * 9000 + gap))))]

    assert suspicions(answers(100, 11)) == [Suspicion(kind="instants", people=(1, 2), facts={"count": 11})]
    assert suspicions(answers(130, 11)) == []
    assert suspicions(answers(100, 10)) == []
    apart = [table(2, answers=tuple((person, 10**7 * person + n * 9000) for person in (1, 2) for n in range(40)))]
    assert suspicions([*answers(100, 11), *apart]) == []  # as those who look at their letters on the hour


def together(bureau: SeasonBureau) -> tuple[list[int], list[str]]:
    """Two tables at which the same two sit who have a nation each, and their names."""
    tables = bureau.running
    pairs = [
        ([one.number, other.number], [*(one.seated & other.seated)])
        for place, one in enumerate(tables)
        for other in tables[place + 1 :]
        if len(one.seated & other.seated) >= 2
    ]
    numbers, people = pairs[0]
    names = [who for who in bureau.people if bureau.number(who) in people[:2]]
    return numbers, names


def governed(bureau: SeasonBureau, number: int, who: str) -> str:
    game = bureau.table_game(number)
    with bureau.server.games.work() as work:
        state = work.session(game).state
    return next(str(nation) for nation, seat in state.government.items() if seat == who)


def test_gifts_between_two_players_of_a_season_reach_whoever_leads_it() -> None:
    bureau = playing(LED)
    (first, second), (one, other) = together(bureau)
    for number, by, to in ((first, one, other), (second, other, one)):
        game = bureau.table_game(number).id
        told = bureau.write(by, f"give {governed(bureau, number, to)} 1m", subject=f"[{game}]")
        assert any("treasury" in mail.text or "gives" in mail.text for mail in told)
    ((found, _),) = bureau.server.leagues.audit(bureau.tag)
    assert found.kind == "gifts"
    assert {*found.people} == {bureau.number(one), bureau.number(other)}
    assert found.facts["tables"] == [first, second]
    bureau.finish_table(first)
    bureau.tick(8 * 24 * 3600)
    letters = [mail for mail in bureau.postman.sent if "may be looked at" in mail.subject]
    assert [mail.to for mail in letters] == ["zoe@players.test"]
    bureau.finish_table(second)
    bureau.tick(8 * 24 * 3600)
    assert len([mail for mail in bureau.postman.sent if "may be looked at" in mail.subject]) == 1  # nothing is new


def test_the_same_name_and_a_domain_of_few_are_told() -> None:
    bureau = SeasonBureau()
    with bureau.store.transaction() as repository:
        for name, home in (("Anna  Ärger", "a@house.test"), ("anna aerger", "b@house.test")):
            repository.add_person(name, home, 0)
    bureau.to("entries")
    bureau.enter()
    bureau.server.leagues.enter(bureau.tag, [{"address": "a@house.test"}, {"address": "b@house.test"}])
    found = {each.kind: names for each, names in bureau.server.leagues.audit(bureau.tag)}
    assert {*found} <= {"name", "domain"}
    assert "domain" in found
    assert address("playera") not in str(found)


def test_nothing_is_suspected_of_those_who_just_play() -> None:
    bureau = playing()
    bureau.to("ended")
    assert bureau.server.leagues.audit(bureau.tag) == []
