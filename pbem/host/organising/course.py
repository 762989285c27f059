"""An organiser's powers over the course of a season: entries, draws, its end, its settings, and what is taken back."""

from __future__ import annotations

from pbem.core.refusal import Illegal
from pbem.host.calendar.moments import parse_length
from pbem.host.leagues.drawing import close_entries as close
from pbem.host.leagues.drawing import divide_entrants, draw_tables, previewed
from pbem.host.leagues.entries import open_entries as open_
from pbem.host.leagues.halting import pause_games
from pbem.host.leagues.house import house
from pbem.host.leagues.telling import tables_told
from pbem.host.organising.games import lead_all, lead_game
from pbem.host.organising.organising import Organising, check_phase, number_of, organiser_power, table_about
from pbem.host.session.budget import check_words
from pbem.host.session.unit_of_work import read_entries
from pbem.language.moderators import Power
from pbem.league import acts
from pbem.league.changes import check_set, value_of
from pbem.league.due import end_of
from pbem.league.powers import check_draw, check_end, check_forward, check_redraw, check_rewind

SHOWN = 40  # tables of a preview

# -- entries ---


@organiser_power("open entries", "öffne|oeffne|eröffne|eroeffne Anmeldung", "apri iscrizioni", explained="")
def open_entries(o: Organising, _power: Power) -> None:
    """Let people enter now, before the day that the calendar says."""
    open_(o.work, o.desk, o.now, o.by)


@organiser_power("close entries", "schließe|schliesse Anmeldung", "chiudi iscrizioni", explained="")
def close_entries(o: Organising, _power: Power) -> None:
    """Close entries now; groups and tables are drawn at once."""
    if o.season.closed_at is not None:
        raise Illegal("league.closed_already")
    check_phase(o, "entries", "muster")
    close(o.work, o.desk, o.now, o.by)


@organiser_power("call off", "absagen", "annulla stagione")
def call_off(o: Organising, power: Power) -> None:
    """Call the season off, before its first draw."""
    check_phase(o, "founded", "entries", "muster")
    o.enter(acts.CalledOff(why=power.why))


# -- draws ---


@organiser_power("preview draw", "Vorschau Auslosung", "anteprima sorteggio", explained="")
def preview_draw(o: Organising, _power: Power) -> None:
    """See groups and tables as lots might make them; others are drawn for it, so that nothing is known before."""
    season = previewed(o.work, o.desk, o.now)
    o.told.append(tables_told(o.work, season, [*season.tables][:SHOWN], None))


@organiser_power("draw", "auslosen", "sorteggia", explained="", begins_prose=True)
def draw(o: Organising, _power: Power) -> None:
    """Draw what is to be drawn now, if something kept it from being drawn."""
    number = 1 + max(o.season.draws, default=0) if o.season.settings.format == "pool" else 1
    check_draw(o.season, number)
    if not o.season.groups:
        divide_entrants(o.work, o.desk, o.now, o.by)
    draw_tables(o.work, o.desk, number, o.now, o.by)


@organiser_power("redraw {draw}", "neu auslosen {draw}", "risorteggia {draw}")
def redraw(o: Organising, power: Power) -> None:
    """Draw anew by the next link, until an order has been played; games that had begun end without a result."""
    number = number_of(power, "draw")
    check_redraw(o.season, number, lambda game: _has_orders(o, game))
    begun = [o.season.tables[table].game for table in o.season.draws[number].tables]
    draw_tables(o.work, o.desk, number, o.now, o.by, again=number, why=power.why)
    for game in filter(None, begun):
        lead_game(o.work, game, o.by, f"end without scores: {power.why}", o.now)


def _has_orders(o: Organising, game_id: str) -> bool:
    game = o.work.game(game_id)
    return any(entry.answers for entry in read_entries(o.work.games.load(game).rules, o.work.repository, game.id))


@organiser_power("beacon {value}", "Zufallszahl {value}", "faro {value}", explained="")
def beacon(o: Organising, power: Power) -> None:
    """Tell the public number that the draw waits for, as anybody can look it up."""
    waits = [number for number, each in o.season.beacons.items() if not each.value and number not in o.season.draws]
    if not waits:
        raise Illegal("league.no_beacon", wanted=bool(o.season.settings.draw.beacon))
    o.enter(acts.BeaconTold(draw=waits[0], value=power.fields["value"]))


# -- time ---


@organiser_power(
    "pause|pausa {length} with season",
    "pausiere {length} mit Saison",
    "pausa {length} con stagione",
    "pause|pausiere|pausa {length}",
)
def pause(o: Organising, power: Power) -> None:
    """Stop the clocks of all games for LENGTH, as in “7 days”; with season: its end is later by as much."""
    check_phase(o, "drawn", "playing")
    if any(each.end is None or each.end > o.now for each in o.season.pauses):
        raise Illegal("league.paused")
    length = parse_length(power.fields["length"])
    also = power.text.partition(":")[0].rsplit(maxsplit=1)[-1].casefold() in ("season", "saison", "stagione")
    o.enter(acts.Paused(start=o.now, end=o.now + length, season=also, why=power.why))
    pause_games(o.work, o.desk, o.now, o.now + length, power.why, o.now)


@organiser_power("resume|weiter|riprendi", begins_prose=True)
def resume(o: Organising, power: Power) -> None:
    """Let the clocks of all games go on."""
    if not any(each.end is None or each.end > o.now for each in o.season.pauses):
        raise Illegal("league.not_paused")
    o.enter(acts.Resumed(why=power.why))
    lead_all(o.work, o.season, o.by, f"resume: {power.why}", o.now)


@organiser_power("extend season {length}", "verlängere|verlaengere Saison {length}", "prolunga stagione {length}")
def extend_season(o: Organising, power: Power) -> None:
    """Let the season end later by LENGTH."""
    check_phase(o, "drawn", "playing")
    was = o.season.calendar.ends
    o.enter(acts.Extended(was=was, until=was + parse_length(power.fields["length"]), why=power.why))


@organiser_power(
    "extend {table} {length}", "verlängere|verlaengere {table} {length}", "prolunga {table} {length}", about=table_about
)
def extend_table(o: Organising, power: Power) -> None:
    """Give a table more time, not beyond the season’s end."""
    number = number_of(power, "table")
    check_end(o.season, number)
    was = end_of(o.season, o.season.tables[number])
    until = min(was + parse_length(power.fields["length"]), o.season.calendar.ends)
    if until == was:
        raise Illegal("league.at_end", table=number)
    o.enter(acts.Extended(table=number, was=was, until=until, why=power.why))


@organiser_power("end season", "beende Saison", "termina stagione")
def end_season(o: Organising, power: Power) -> None:
    """End the season now: what still runs is ended by time, then it is decided."""
    check_phase(o, "drawn", "playing")
    o.enter(acts.Extended(was=o.season.calendar.ends, until=o.now, why=power.why))


# -- settings and words ---


@organiser_power("set {setting} = {value}", "setze {setting} = {value}", "imposta {setting} = {value}")
def set_(o: Organising, power: Power) -> None:
    """Give a key of the league’s file another value, before the first draw."""
    key, value, settings = power.fields["setting"].lower(), power.fields["value"], o.season.settings
    here = house(o.work, o.policy, o.now)
    made = check_set(settings, key, value, drawn=o.season.is_drawn, petition=False, house=here)
    o.enter(acts.Set(key=key, value=value_of(made, key), was=value_of(settings, key), why=power.why))


@organiser_power("announce", "Ansage", "annuncio", gives="text", explained="")
def announce(o: Organising, power: Power) -> None:
    """Tell all players something."""
    text = "\n".join(power.says)
    if not text.strip():
        raise Illegal("press.empty")
    check_words("press.too_long", text)
    o.enter(acts.Announced(text=text))


# -- what is taken back ---


@organiser_power("rewind to {act}", "zurück|zurueck zu|auf {act}", "torna a|ad {act}")
def rewind(o: Organising, power: Power) -> None:
    """Take back every act behind that one, if none has begun a table, noted a result or been told by a draw."""
    to = number_of(power, "act")
    check_rewind(o.desk.entries, to)
    o.enter(acts.Rewound(to=to, why=power.why))


@organiser_power("roll forward", "wieder vor", "ripristina")
def forward(o: Organising, power: Power) -> None:
    """Take the last rewinding back, unless something has been done since."""
    o.enter(acts.Rewound(to=check_forward(o.desk.entries), forward=True, why=power.why))
