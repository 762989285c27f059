"""The tables over all finished games: players with how they came out, and what the game counts itself.

Games count in the order of their ends. All of it can be reckoned anew from the lists.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from msgspec.structs import replace

from pbem.adapters.site.records import Card, Part, Tallies, Tally
from pbem.core.outcome import ranks
from pbem.core.presenter import PagePresenter

Shown = Callable[[Card], PagePresenter]  # what shows games like that one


def counts(card: Card) -> bool:
    """Is there a result?"""
    return card.scores is not None and card.winners is not None


def key(card: Card) -> tuple[int, str]:
    """Games are counted in the order of their ends."""
    return card.moved, card.game


def counted(tallies: Tallies, cards: Iterable[Card], shown: Shown) -> Tallies:
    """The tables with these games, which all ended after those that are in it."""
    for card in sorted(cards, key=key):
        tallies = _with(tallies, card, shown(card))
    return tallies


def places(card: Card) -> Mapping[str, int]:
    """Who came where, by seat; who won is before who only has as many points."""
    return ranks(card.scores or {}, card.winners or ())


def part(card: Card, seat: str) -> Part:
    over = counts(card)
    return Part(
        game=card.game,
        seat=seat,
        seats=len(card.seats),
        began=card.began,
        finished=card.moved if card.finished else None,
        place=places(card)[seat] if over else None,
        points=(card.scores or {})[seat] if over else None,
    )


def _with(tallies: Tallies, card: Card, shown: PagePresenter) -> Tallies:
    came = places(card)
    people = {**tallies.people}
    seats = [seat for seat in came if seat in card.people]
    before = {seat: people.get(str(card.people[seat]), Tally(name=seat)) for seat in seats}
    for seat, tally in before.items():
        people[str(card.people[seat])] = replace(
            tally,
            name=_name(tally, card, seat),
            games=tally.games + 1,
            wins=tally.wins + (seat in (card.winners or ())),
            points=tally.points + (card.scores or {})[seat],
            places={**tally.places, str(came[seat]): tally.places.get(str(came[seat]), 0) + 1},
        )
    own = {**tallies.own, **shown.tallied(tallies.own, card.edition, card.own, card.winners or ())}
    return Tallies(last=key(card), games={**tallies.games, card.game: card.moved}, people=people, own=own)


def _name(tally: Tally, card: Card, seat: str) -> str:
    """What somebody is called: as they sat in their last game, or else by the name that the end of one told."""
    if seat not in card.who:
        return seat
    return tally.name if tally.games else card.who[seat]


def ranked(tallies: Tallies) -> list[tuple[int, str, Tally]]:
    """Rank, number and tally of each player: who has won most first, of equals who needed fewer games."""
    best = sorted(tallies.people.items(), key=lambda each: (-each[1].wins, each[1].games, each[1].name, each[0]))
    return [(rank, person, tally) for rank, (person, tally) in enumerate(best, 1)]
