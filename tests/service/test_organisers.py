"""Whoever leads a league writes what is to be done, a line each; the operator does the same at the command line."""

from __future__ import annotations

import re
from typing import Any

import pytest
from msgspec.structs import replace

from pbem.host.organising.commands import ORGANISER_COMMANDS
from pbem.league.acts import Expelled
from pbem.league.log import CLOCK, live
from pbem.league.season import folded
from pbem.league.settings import Settings
from tests.service.bureau import OPERATOR, address
from tests.service.season import DAY, SMALL, SeasonBureau

OUTSIDE, WITHIN = "zoe", "playera"  # who leads it: nobody who plays, and somebody who does


@pytest.fixture
def bureau() -> SeasonBureau:
    return led(OUTSIDE)


def led_by(*by: str) -> Settings:
    return replace(SMALL, organisers=tuple(map(address, by)))


def led(*by: str, **more: Any) -> SeasonBureau:
    return SeasonBureau(led_by(*by), **more)


def named(text: str) -> str:
    """Nobody has a name here: people are written by their addresses."""
    return re.sub(r"\bplayer[a-f]\b", lambda found: address(found[0]), text)


def say(bureau: SeasonBureau, who: str, text: str) -> list[tuple[str, str | None]]:
    """In answer to a letter about the season; what became of each line."""
    bureau.write(who, named(text), subject=f"Re: [{bureau.tag}] about the league")
    return bureau.outcomes(who)


def do(bureau: SeasonBureau, *lines: str) -> list[tuple[str, str | None]]:
    found = bureau.server.leagues.organise(bureau.tag, [*map(named, lines)]).results
    return [(each.outcome, each.refusal.code if each.refusal else None) for each in found]


# -- who may, and how it is written ---


def test_powers_are_used_line_by_line_up_to_the_first_that_can_not_be(bureau: SeasonBureau) -> None:
    assert say(
        bureau, OUTSIDE, "open entries\nclose entries\nmove playerb to division 9: for fun\nannounce: hello"
    ) == [
        ("done", None),
        ("done", None),
        ("refused", "league.who"),
        ("held", None),
    ]
    assert bureau.told[-2:] == ["opened", "called_off"]


def test_an_act_tells_who_what_and_why_and_those_it_concerns_are_told(bureau: SeasonBureau) -> None:
    bureau.begun()
    assert say(bureau, OUTSIDE, "expel playerb: wrote under two names") == [("done", None)]
    last = next(each for each in bureau.acts if isinstance(each.act, Expelled))
    assert (last.by, last.act.why, bool(last.via)) == ("organiser player 7", "wrote under two names", True)  # type: ignore[union-attr]
    told = [mail for mail in bureau.postman.sent if f".ruling.{last.seq}." in mail.message_id]
    assert {mail.to for mail in told} >= {address(who) for who in bureau.people}
    assert "player 2 is expelled. wrote under two names" in told[-1].text
    assert f"object A-{last.seq}" in told[-1].text


def test_letter_and_command_give_the_same_act(bureau: SeasonBureau) -> None:
    bureau.to("entries")
    bureau.enter()
    other = led(OUTSIDE)
    other.to("entries")
    other.enter()
    lines = ["set table.load = 3: more people", "refuse playerc: unknown", "admit playerc: known after all", "apart playera playerb: brothers"]  # fmt: skip
    assert {one for one, _ in say(bureau, OUTSIDE, "\n".join(lines))} == {"done"}
    assert {one for one, _ in do(other, *lines)} == {"done"}
    assert [each.act for each in bureau.acts[-3:]] == [each.act for each in other.acts[-3:]]
    assert {each.by for each in other.acts[-3:]} == {"operator"}


WHILE_PLAYED = (
    ("announce: hello", "Ansage: hello", "annuncio: hello"),
    ("pause 3 days with season: floods", "pausiere 3 Tage mit Saison: floods", "pausa 3 giorni con stagione: floods"),
    ("resume: dry again", "weiter: dry again", "riprendi: dry again"),
    ("extend season 7 days: slow", "verlängere Saison 7 Tage: slow", "prolunga stagione 7 giorni: slow"),
    ("extend {table} 2 days: slow", "verlängere {table} 2 Tage: slow", "prolunga {table} 2 giorni: slow"),
    ("penalise playerb 1.5: rude", "bestrafe playerb 1,5: rude", "penalizza playerb 1.5: rude"),
    ("move playerc to division 2: asked", "versetze playerc in Spielklasse 2: asked", "sposta playerc in divisione 2: asked"),
    ("end {table}: enough", "beende {table}: enough", "termina {table}: enough"),
    ("void {table}: a fault", "annulliere {table}: a fault", "annulla {table}: a fault"),
    ("expel playere: two names", "ausschließen playere: two names", "espelli playere: two names"),
    ("excuse playere: no, one", "entschuldige playere: no, one", "giustifica playere: no, one"),
    ("end season: enough", "beende Saison: enough", "termina stagione: enough"),
)  # fmt: skip


@pytest.mark.parametrize("language", [0, 1, 2])
def test_all_that_is_done_while_it_is_played_is_the_same_by_letter_and_command(
    bureau: SeasonBureau, language: int
) -> None:
    bureau.begun()
    other = SeasonBureau.beside(bureau, bureau.store.copy())  # type: ignore[attr-defined]
    before, table = len(bureau.acts), f"T-{bureau.running[0].number}"
    for words in WHILE_PLAYED:
        by_letter, by_command = words[language].format(table=table), words[0].format(table=table)
        assert (words, say(bureau, OUTSIDE, by_letter)) == (words, [("done", None)])
        assert do(other, by_command) == [("done", None)]
    ours, theirs = ([each for each in one.acts[before:] if each.by != CLOCK] for one in (bureau, other))
    assert [each.act for each in ours] == [each.act for each in theirs]
    assert {each.by for each in theirs} == {"operator"}


def test_who_does_not_lead_it_has_no_powers(bureau: SeasonBureau) -> None:
    bureau.begun()
    before = bureau.told
    say(bureau, "playerb", "organiser\nexpel playera: they win too often")
    bureau.write(OUTSIDE, "expel playerb: forged", subject=f"Re: [{bureau.tag}]", to="pbem@pbem.test")
    assert bureau.told == before


def test_who_plays_writes_below_the_head_and_never_rules_on_their_own_group() -> None:
    bureau = led(WITHIN, OUTSIDE)
    bureau.begun()
    before = bureau.told
    say(bureau, WITHIN, "announce: without a head this is no power")
    assert bureau.told == before
    assert say(bureau, WITHIN, "organiser\nannounce: next week the server moves") == [("done", None)]
    for head, line in (("Veranstalter", "expel playerb: late"), ("organizzatore", "extend T-1 2 days: slow")):
        assert say(bureau, WITHIN, f"{head}\n{line}") == [("refused", "league.own_group")]
    assert (
        say(bureau, OUTSIDE, "extend T-1 2 days: slow") == [("refused", "league.at_end")]
        or bureau.told[-1] == "extended"
    )


def test_the_operator_may_write_too(bureau: SeasonBureau) -> None:
    bureau.know(OPERATOR)
    bureau.begun()
    assert say(bureau, OPERATOR, "announce: all is well") == [("done", None)]
    assert bureau.acts[-1].by == "operator"


def test_leading_can_be_shared_and_handed_over(bureau: SeasonBureau) -> None:
    bureau.know(address("yves"))
    bureau.to("entries")
    assert say(bureau, OUTSIDE, f"promote {address('yves')}") == [("done", None)]
    assert say(bureau, "yves", "announce: hello") == [("done", None)]
    assert say(bureau, OUTSIDE, f"hand over to {address('yves')}\n") == [("done", None)]
    assert bureau.season.leaders == (bureau.number("yves"),)


@pytest.mark.parametrize("power", [*ORGANISER_COMMANDS.by_name.values()], ids=lambda power: power.name)
def test_every_power_reads_in_three_languages(power: Any) -> None:
    given = {
        "who": "anton",
        "one": "anton",
        "other": "bert",
        "number": "2",
        "table": "T-4",
        "draw": "D-1",
        "act": "A-7",
    }
    given |= {"length": "2 days", "setting": "table.load", "value": "3", "address": "a@b.test", "name": "anna"}
    given |= {"scores": "anton 12, bert 7 unrated", "points": "1.5", "objection": "O-3", "petition": "P-2"}
    for form in power.forms:
        words = " ".join(given[word[1:-1]] if word[0] == "{" else word.split("|")[-1] for word in form.split())
        ((read,), prose) = ORGANISER_COMMANDS.read([f"{words}: because"])
        assert (read.command.name, read.refusal, prose) == (power.name, None, [])


# -- the course of a season ---


def test_entries_can_be_closed_and_a_season_called_off(bureau: SeasonBureau) -> None:
    assert do(bureau, "open entries") == [("done", None)]
    bureau.enter()
    assert do(bureau, "close entries") == [("done", None)]
    bureau.tick(DAY)
    assert bureau.season.phase == "playing"
    assert do(bureau, "call off: no time") == [("refused", "league.phase")]
    again = led(OUTSIDE)
    assert do(again, "call off: no time") == [("done", None)]
    assert again.season.phase == "called_off"


def test_a_preview_shows_tables_and_tells_nothing_of_the_lots(bureau: SeasonBureau) -> None:
    bureau.to("entries")
    bureau.enter()
    bureau.to("muster")
    bureau.muster()
    first, second = (bureau.server.leagues.organise(bureau.tag, ["preview draw"]).told for _ in range(2))
    assert first != second
    assert not bureau.season.is_drawn
    before = len(bureau.acts)
    bureau.to("playing")
    assert bureau.acts[before + 1].act.link == bureau.season.links[1]  # type: ignore[union-attr]


def test_a_draw_is_made_anew_by_the_next_link_until_somebody_has_played(bureau: SeasonBureau) -> None:
    bureau.begun()
    old = {table.number: table for table in bureau.season.tables.values()}
    assert do(bureau, "redraw D-1: two brothers at T-1") == [("done", None)]
    assert bureau.season.links[2] != bureau.season.links[1]
    assert [each.drawn for each in bureau.season.tables.values()] != [each.drawn for each in old.values()]
    with bureau.server.games.work() as work:
        assert {work.game(each.game).status for each in old.values() if each.game} == {"finished"}
    bureau.tick()
    assert bureau.running
    bureau.finish_table(bureau.running[0].number)
    assert do(bureau, "redraw D-1: again") == [("refused", "league.played")]


def test_what_was_done_is_taken_back_and_counts_again_bit_by_bit(bureau: SeasonBureau) -> None:
    bureau.begun()
    to = bureau.acts[-1].seq
    before = bureau.season
    do(bureau, "expel playerb: a mistake", "announce: oh dear")
    done = bureau.season
    assert do(bureau, f"rewind to A-{to}: it was another") == [("done", None)]
    assert bureau.season == before == folded(live(bureau.acts))
    assert do(bureau, "roll forward: no, it was right") == [("done", None)]
    assert bureau.season == done
    assert do(bureau, "roll forward: twice") == [("refused", "league.not_rewound")]
    assert do(bureau, "rewind to A-3: all of it") == [("refused", "league.told")]


def test_settings_are_set_before_the_draw_and_then_no_more(bureau: SeasonBureau) -> None:
    bureau.to("entries")
    ends = bureau.season.calendar.ends
    assert (
        do(bureau, "set season.weeks = 18: holidays", "set scoring.system = winner: as in 2020") == [("done", None)] * 2
    )
    assert bureau.season.calendar.ends == ends + 7 * DAY
    bureau.enter()
    bureau.to("muster")
    bureau.muster()
    bureau.to("playing")
    assert do(bureau, "set scoring.system = places: why not") == [("refused", "league.frozen")]
    assert do(bureau, "set season.weeks = 20: why not") == [("refused", "league.needs_petition")]


def test_a_pause_stops_all_clocks_and_begins_no_table(bureau: SeasonBureau) -> None:
    bureau.begun()
    ends = bureau.season.calendar.ends
    running = bureau.running[0].number
    assert do(bureau, "pause 7 days with season: the server moves") == [("done", None)]
    assert bureau.season.calendar.ends == ends + 7 * DAY
    assert do(bureau, "pause 2 days: twice") == [("refused", "league.paused")]
    bureau.finish_table(running)
    begun = len([each for each in bureau.season.tables.values() if each.begun])
    bureau.tick(DAY)
    assert len([each for each in bureau.season.tables.values() if each.begun]) == begun
    assert do(bureau, "resume: it is done", "resume: twice") == [("done", None), ("refused", "league.not_paused")]
    bureau.tick(DAY)
    assert len([each for each in bureau.season.tables.values() if each.begun]) > begun


def test_the_end_can_be_put_off_and_be_now(bureau: SeasonBureau) -> None:
    bureau.begun()
    ends = bureau.season.calendar.ends
    assert do(bureau, "extend season 7 days: floods") == [("done", None)]
    assert bureau.season.calendar.ends == ends + 7 * DAY
    told = [mail for mail in bureau.tick() if ".ruling." in mail.message_id]
    assert [("floods" in mail.text) for mail in told] == [True] * 7
    assert do(bureau, "end season: the server stops") == [("done", None)]
    bureau.to("deciding")
