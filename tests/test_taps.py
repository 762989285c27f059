"""Games by mail with taps alone, in three languages: on the links of letters, and on the page to order from."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser import Browser
from tests.phone import phone
from tests.service.bureau import FLAGS, HOST, address
from tests.taps import PLAYERS, Table, Tap, in_logs, tap, writing

pytestmark = pytest.mark.browser

PETITION = "petition change: it is too slow\nset slot_hours = 48"  # the only thing that is typed
SWISS = (  # all nations are anton's, and Austria-Hungary may pass Investor
    *(f"bond anton {nation} 30" for nation in FLAGS),
    *("turn austria_hungary", "rondel austria_hungary maneuver_1", "treasury austria_hungary 30"),
)
ORDERS = {
    *("factory", "production", "maneuver", "investor", "import", "taxation"),
    *("army", "fleet", "hostile", "friendly", "attack", "buy", "swap", "pass"),
    *("fight", "peace"),
}


def petition(table: Table) -> None:
    """One player asks for something; the others vote."""
    who = table.bureau.awaited[0][0]
    table.send(who, Tap(tap(writing(table.last(who))[0]).to, "", PETITION))
    table.vote()


@pytest.mark.slow
def test_a_whole_game_is_played_with_taps_alone(chromium: Browser, tmp_path: Path) -> None:
    """From the invitation to the final letter, with everything in it that can be asked and ordered."""
    with phone(chromium, tmp_path) as thumb:
        table = Table(4, thumb, archive=thumb.web)
        table.join()
        table.rounds(20)
        petition(table)
        table.remind()
        table.rounds(40)
        table.lose_tags()
        table.rounds()
    assert table.bureau.game.status == "finished"
    assert table.played >= ORDERS
    assert table.outcomes >= {"played", "tried", "voted"}
    assert not table.refused
    assert {one.to == HOST for one in table.tapped} == {False, True}
    for name in PLAYERS:
        assert not writing(table.bureau.postman.to(address(name))[-1])


@pytest.mark.slow
def test_what_was_tapped_is_taken_back_in_time(chromium: Browser, tmp_path: Path) -> None:
    """A few turns of orders that bind after a moment; then without tags in addresses."""
    with phone(chromium, tmp_path) as thumb:
        table = Table(5, thumb, archive=thumb.web, hold_minutes=5)
        table.join()
        table.take_back(table.bureau.awaited[0][0])
        table.rounds(2)
        petition(table)
        table.lose_tags()
        table.rounds(3)
        table.take_back(table.bureau.awaited[0][0])
        table.remind()
    assert table.outcomes >= {"binds", "undone", "voted"}
    assert not table.refused
    assert {one.to == HOST for one in table.tapped} == {False, True}


@pytest.mark.slow
def test_swiss_banks_answer_with_taps(chromium: Browser, tmp_path: Path) -> None:
    """Rare in games: one lets pass with a link, the next one forces on the page."""
    with phone(chromium, tmp_path) as thumb:
        table = Table(3, thumb, archive=thumb.web)
        table.join()
        table.bureau.given(*SWISS)
        mail = table.last("anton")
        passing = next(link for link in writing(mail) if ": import " in in_logs(tap(link).body, "en"))
        table.send("anton", thumb.write(mail, passing))
        (one, *_) = (who for who, kind, _ in table.bureau.awaited if kind == "swiss")
        lets = {in_logs(tap(link).body, PLAYERS[one]): link for link in writing(table.last(one))}
        table.send(one, thumb.write(table.last(one), lets["let pass"]))
        (other, *_) = (who for who, kind, _ in table.bureau.awaited if kind == "swiss")
        table.publish()
        table.send(other, thumb.point(table.last(other), lambda _: "force", preview=False))
    assert table.played >= {"let_pass", "force"}
    assert not table.refused
