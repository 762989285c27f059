"""An organiser's powers over the people of a season."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.core.refusal import Illegal
from pbem.host.leagues.entries import enter_row
from pbem.host.leagues.leaving import free_seats
from pbem.host.organising.organising import Organising, both_groups, check_phase, group_about, organiser_power
from pbem.host.ports import Entrant
from pbem.language.moderators import Power
from pbem.league import acts
from pbem.league.points import HUNDRED
from pbem.league.powers import check_entered, check_move

MOST_POINTS = 100  # that one act may take


@organiser_power(
    "enter {address} as {name}",
    "teilnehmen|anmelden {address} als {name}",
    "iscrivi {address} come {name}",
    "enter|teilnehmen|anmelden|iscrivi {address}",
    explained="",
)
def enter(o: Organising, power: Power) -> None:
    """Enter somebody by hand, who may still say no."""
    row = {"address": power.fields["address"], "name": power.fields.get("name", "")}
    enter_row(o.work, o.desk, row, o.now, by=o.by)


@organiser_power("admit {who}", "zulassen {who}", "ammetti {who}")
def admit(o: Organising, power: Power) -> None:
    """Let somebody play who was left out, refused or not mustered; before the first draw."""
    person = o.person_named(power)
    if o.season.closed_at is not None:
        raise Illegal("league.closed_already")
    own = o.season.people[person]
    if not own.gone and own.answer:
        raise Illegal("league.plays", who=person)
    o.enter(acts.Admitted(person=person, why=power.why))


@organiser_power("refuse {who}", "ablehnen {who}", "rifiuta {who}")
def refuse(o: Organising, power: Power) -> None:
    """Refuse somebody’s entry, before the first draw."""
    person = o.person_named(power)
    check_entered(o.season, person)
    if o.season.closed_at is not None:
        raise Illegal("league.closed_already")
    o.enter(acts.Refused(person=person, why=power.why))


@organiser_power("expel {who}", "ausschließen|ausschliessen {who}", "espelli {who}", about=group_about)
def expel(o: Organising, power: Power) -> None:
    """Throw somebody out of the season, on record."""
    person = o.person_named(power)
    check_entered(o.season, person)
    _expel(o, person, power.why)


@organiser_power("same {one} {other}", "dieselben {one} {other}", "stessa {one} {other}", about=both_groups)
def same(o: Organising, power: Power) -> None:
    """Two who are one person in truth are thrown out, both; one person has one line."""
    people = [o.person_named(power, field) for field in ("one", "other")]
    if len({*people}) < len(people):
        raise Illegal("league.same_person")
    for person in people:
        check_entered(o.season, person)
    for person in people:
        _expel(o, person, power.why)


def _expel(o: Organising, person: int, why: str) -> None:
    """Others play on for them."""
    o.enter(acts.Expelled(person=person, why=why))
    free_seats(o.work, o.desk, person, why, o.now)


@organiser_power("excuse {who}", "entschuldigen|entschuldige {who}", "giustifica {who}", about=group_about)
def excuse(o: Organising, power: Power) -> None:
    """Somebody who left has left with leave: it costs nothing."""
    person = o.person_named(power)
    own = o.season.people.get(person)
    if own is None or not (own.gone or own.left) or own.excused:
        raise Illegal("league.not_left")
    o.enter(acts.Excused(person=person, why=power.why))


@organiser_power(
    "penalise|penalize {who} {points}", "bestrafe {who} {points}", "penalizza {who} {points}", about=group_about
)
def penalise(o: Organising, power: Power) -> None:
    """Take points from somebody’s line, on record; 2, or 1.5."""
    person = _in_play(o, power)
    points = round(HUNDRED * float(power.fields["points"].replace(",", ".")))
    if not 0 < points <= MOST_POINTS * HUNDRED:
        raise Illegal("league.points", most=MOST_POINTS)
    o.enter(acts.Penalised(person=person, points=points, why=power.why))


@organiser_power("forgive {who} {number}", "verzeihe {who} {number}", "perdona {who} {number}", about=group_about)
def forgive(o: Organising, power: Power) -> None:
    """Forgive somebody NUMBER of the periods by which they were late."""
    person, periods = _in_play(o, power), int(power.fields["number"])
    own = o.season.people[person]
    if not 0 < periods <= own.late - own.forgiven:
        raise Illegal("league.not_late", late=own.late - own.forgiven)
    o.enter(acts.Forgiven(person=person, periods=periods, why=power.why))


def _in_play(o: Organising, power: Power) -> int:
    """Whose line there is, and can still change. Raises `Illegal`."""
    check_phase(o, "drawn", "playing", "deciding")
    person = o.person_named(power)
    if person not in {each.person for each in o.season.entrants}:
        raise Illegal("league.not_entered")
    return person


@organiser_power("apart {one} {other}", "getrennt {one} {other}", "separa|separati {one} {other}")
def apart(o: Organising, power: Power) -> None:
    """Keep two people from sitting at one table; before the groups are made."""
    one, other = (o.person_named(power, field) for field in ("one", "other"))
    for person in (one, other):
        check_entered(o.season, person)
    if one == other:
        raise Illegal("league.same_person")
    if o.season.is_drawn:
        raise Illegal("league.closed_already")
    known = o.work.repository.entrant(o.desk.tag, one) or Entrant(season=o.desk.tag, person=one)
    wishes = {*filter(None, known.apart.split(",")), str(other)}
    salt = known.salt or o.work.games.secrets.randbytes(16).hex()
    o.work.repository.save_entrant(replace(known, apart=",".join(sorted(wishes, key=int)), salt=salt))


@organiser_power("move {who} to division {number}", "versetzen|versetze {who} in Spielklasse {number}",
                 "sposta {who} in|nella divisione {number}", about=group_about)  # fmt: skip
def move(o: Organising, power: Power) -> None:
    """Let somebody begin the next season in another division, until its first draw."""
    person, division = o.person_named(power), int(power.fields["number"])
    check_move(o.season, person, division, o.next_is_drawn)
    o.enter(acts.Moved(person=person, division=division, why=power.why))


@organiser_power("promote {who}", "ernenne {who}", "nomina {who}", explained="")
def promote(o: Organising, power: Power) -> None:
    """Let somebody lead the league, too."""
    person = _leader(o, power)
    if person in o.season.leaders:
        raise Illegal("league.leads")
    o.enter(acts.Promoted(person=person))


@organiser_power("hand over to {who}", "übergib|uebergib an {who}", "cedi a|ad {who}", explained="")
def hand_over(o: Organising, power: Power) -> None:
    """Let somebody lead the league in your place."""
    person = _leader(o, power)
    o.enter(acts.HandedOver(person=person, leaves=o.own))


def _leader(o: Organising, power: Power) -> int:
    """Somebody who is known here: of the season by name, else by address."""
    read = power.fields["who"]
    known = o.work.repository.person_at(read.lower()) if "@" in read else None
    return known.id if known else o.person_named(power)
