"""The course of a game turn: slots that begin, roll out and follow one another (section 4)."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from pbem.core.seat import Seat
from pbem.games.empire.rules.accounts import hup, record
from pbem.games.empire.rules.air import patrols
from pbem.games.empire.rules.construction import works
from pbem.games.empire.rules.countries import seating, trade
from pbem.games.empire.rules.course import arriving, endings, forced, owed, pirate_bot
from pbem.games.empire.rules.economy import developing, pay, sites, supply
from pbem.games.empire.rules.ground import pirate
from pbem.games.empire.rules.ground.sides import guards
from pbem.games.empire.rules.ground.zones import over
from pbem.games.empire.rules.held import NOTHING, Crew, Held, every_crew, put
from pbem.games.empire.rules.land import landing, provisional
from pbem.games.empire.rules.orders import Rollout
from pbem.games.empire.rules.people import births, capturing, contact
from pbem.games.empire.rules.pieces import space
from pbem.games.empire.rules.sea import guns, serpents
from pbem.games.empire.rules.world import World


def begin(w: World) -> bool:
    """The start of a slot (E4.6); has its player a country left that moves?"""
    player = w.state.active
    assert player is not None, "a slot is somebody's"
    w.set(serial=1 + max(w.state.serial, w.state.last), wind=None, battled=False, passages=())
    w.finality("slot")
    w.note("slot_began", slot=w.now, player=player)
    capturing.ends(w, player)
    if not w.countries_of(player):
        return False
    hup.count(w)
    trade.take_effect(w, player)
    for country in w.countries_of(player):
        with pirate.of(w, country):
            _begin(w, country)
    contact.settle(w)
    pirate.look(w)
    return True


def _begin(w: World, country: str) -> None:
    w.change_country(country, in_slot=True, power={}, water={})
    _refresh(w, country)
    if w.state.turn == 2:
        arriving.arrive(w, country)
    sites.begin(w, country)
    developing.yield_all(w, country)
    births.give_birth(w, country)
    hup.count(w)
    supply.eat(w, country)
    supply.drink(w, country)
    hup.count(w)


def _refresh(w: World, country: str) -> None:
    """What held for the slots before ends."""
    for unit in list(w.units_of(country)):
        w.change(unit.id, came=(), landed=None, job=False, retreated=False, done="", surfaced="", armed=NOTHING)
    for place in w.places_of(country):
        w.set_held(place, country, every_crew(w.held(place, country), lambda crew: replace(crew, job=False)))


def rollout(w: World, player: Seat, order: Rollout, late: int) -> None:
    """The end of a slot (E4.7); a forced one counts as late by 1 at least (E4.5)."""
    if order.forced:
        late = max(1, late)
        forced.settle(w, player)
        provisional.stand(w)
    else:
        owed.check(w, player)
        provisional.fly(w)
        patrols.crash_lost(w, player)
    if w.options["lateness"] == "ledger":
        late = 0
    landing.after_battle(w, player)
    if not order.forced:  # nobody's silence throws a battle die
        guns.at_rollout(w, player)
    _settle(w, player, late)
    w.note("rolled_out", player=player, slot=w.now, late=late, forced=order.forced, witness=_next(w))
    trade.lapse(w, player)
    _stayed(w, player)
    advance(w)


def _settle(w: World, player: Seat, late: int) -> None:
    """What all his countries do over the end, and their dice."""
    countries = w.countries_of(player)
    for country in countries:
        with pirate.of(w, country):
            arriving.turn_ended(w, country)
            developing.rollout(w, country)
            machines = works.rollout(w, country)
            hup.count(w)
            space.lose_loose_goods(w, country, machines)
            pay.pay_military(w, country)
            pay.settle_oil(w, country)
        hup.count(w)
    for country in countries:
        with pirate.of(w, country):
            dice = w.roll(f"confidence {country}", int(w.tables.dice["confidence"]))
            w.rolled(f"confidence {country}", dice, str(sum(dice)))
            record.enter(w, country, sum(dice), late)


def _next(w: World) -> Seat:
    """The next player in order is witness (E4.3)."""
    order, behind = w.state.order, w.state.place + 1
    return next(seat for seat in (*order[behind:], *order) if w.countries_of(seat))


def _stayed(w: World, player: Seat) -> None:
    """Workers that stay in a hostile SAC's zone run a risk from now on (E13.6)."""
    for country in w.countries_of(player):
        for place in w.places_of(country):
            in_reach = place in w.map.land and not guards(w, country, place) and bool(over(w, place, country))
            held = every_crew(w.held(place, country), partial(_reached, in_reach=in_reach))
            w.set_held(place, country, held)


def _reached(crew: Crew, *, in_reach: bool) -> Crew:
    return replace(crew, stayed=in_reach)


def advance(w: World) -> None:
    """To the next slot whose player still has a country; behind the last one the game turn ends."""
    while True:
        if w.state.place + 1 < len(w.state.order):
            w.set(place=w.state.place + 1)
        else:
            _end_turn(w)
            if w.state.phase == "over":
                return
        if endings.is_over(w):
            endings.end(w, "one_left")
            return
        if w.state.active is not None and w.countries_of(w.state.active) and begin(w):
            return


def _end_turn(w: World) -> None:
    """The phaser turn (E18.8), and the next game turn."""
    _bots_slot(w)
    serpents.phaser_turn(w)
    pirate.end_of_turn(w)
    hup.count(w)
    w.note("turn_ended", turn=w.state.turn)
    if w.state.turn == int(w.options["end_turns"]):
        endings.end(w, "last_turn")
        return
    order = seating.order(w)
    w.set(turn=w.state.turn + 1, place=0, order=order)
    for id_ in list(w.countries):
        w.change_country(id_, turns_held=w.country(id_).turns_held + 1)
    _rest(w)


def _bots_slot(w: World) -> None:
    """The Pirate moves last, also where nobody plays him (E18.1)."""
    if not pirate.is_bots(w):
        return
    order, place = w.state.order, w.state.place
    w.set(order=(*order, pirate.BOT), place=len(order))
    with pirate.told_to(w):
        if begin(w):
            pirate_bot.play(w)
            _settle(w, pirate.BOT, 0)
    w.set(order=order, place=place)
    w.note("pirate_moved")


def _rest(w: World) -> None:
    """Everything has 12 BTA again: once a game turn, whoever's it is by then (E2.2, E4.9)."""
    for unit in list(w.units.values()):
        holds = {country: _rested(held) for country, held in unit.holds.items()}
        w.change(unit.id, used=NOTHING, holds=holds, loaded=0, unloaded=0, dock_loaded=NOTHING, dock_unloaded=NOTHING)
    for name, part in list(w.parts.items()):
        if part.held:
            w.change_part(name, held={country: _rested(held) for country, held in part.held.items()})


def _rested(held: Held) -> Held:
    new = Held()
    for good in held.goods:
        new = put(new, good, held.amount(good))
    return every_crew(Held(goods=new.goods, crews=held.crews), _awake)


def _awake(crew: Crew) -> Crew:
    return replace(crew, used=NOTHING)
