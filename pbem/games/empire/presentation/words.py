"""The words of Empire: how kinds, goods, places and amounts are told."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from pbem.core.notation import Names
from pbem.core.presenter import Event, Speaker, Voice
from pbem.games.empire.data.editions import map_of, order_language
from pbem.games.empire.data.names import display_names, ways_of, words
from pbem.games.empire.presentation.gathering import gathered, places_of
from pbem.games.empire.presentation.tables import ChartRow
from pbem.games.empire.presentation.text_map import ENGLISH, text_map

_DIE = re.compile(r"\d+\.\d+ (.+?)(?: \d+)?")
ORDERS = "en"  # the language whose words stand in the orders that we keep
THINGS = ("kinds", "goods", "factories", "items", "marks", "guns", "made")
DUTIES = {"battle.owed": "battle", "air.cap_first": "land", "air.up": "land", "sub.must_surface": "surface"}


class EmpireVoice(Voice):
    """How Empire is spoken about."""

    @property
    def folder(self) -> str:
        return "games/empire"

    def names(self, language: str) -> Mapping[str, Mapping[str, str]]:
        """Words of orders come first: where a thing has the id of one, as a dock has, the word is what is written."""
        names = display_names(language)
        return {"words": names["words"], **names}

    def lot(self, purpose: str) -> str:
        """Without the slot, and which die it is of those for the same."""
        found = _DIE.fullmatch(purpose)
        return found[1] if found else purpose

    def gathered(self, events: Sequence[Event]) -> Sequence[Event]:
        return gathered(events)

    def ids(self) -> Mapping[str, str]:
        return _ids()

    def in_orders(self, language: str) -> Mapping[str, str]:
        return _in_orders(language)

    def filters(self, speaker: Speaker) -> Mapping[str, Callable[..., Any]]:
        thing, named = _told_by(speaker, "tasks"), _told_by(speaker, "terrains")
        return {
            **_of_sheets(speaker, thing),
            **_of_dice(speaker, thing),
            **_of_amounts(speaker, thing, named),
            **_of_sentences(speaker),
            **_of_places(speaker),
            "thing": thing,
            "things": lambda ids: speaker.comma(map(thing, ids)),
            "named": named,
        }


def _told_by(speaker: Speaker, otherwise: str) -> Callable[..., str]:
    """A filter: a kind, a good, something built, in a form that the language has for it, as with its article.

    What is none of them is called by the words of another section; units by their ids.
    """
    told = speaker.word_of(otherwise)

    def thing(id_: str, form: str = "") -> str:
        for kind in THINGS:
            try:
                return speaker.formed(kind, id_, form)
            except KeyError:
                continue
        return told(id_)

    return thing


def _of_sentences(speaker: Speaker) -> Mapping[str, Callable[..., str]]:
    """Sentences within sentences."""

    def told(what: str, facts: Mapping[str, Any], country: str | None) -> str:
        return speaker.say(f"told.{what}", country=country, **facts)

    return {
        "told": told,
        "reason": lambda key: speaker.say(f"reason.{key}"),  # why, in half a sentence
        "duty": lambda duty: speaker.say(f"duties.{DUTIES[duty['code']]}", **duty),
        "deed": speaker.word_of("deeds"),
        "done": speaker.word_of("done"),
    }


def _of_places(speaker: Speaker) -> Mapping[str, Callable[..., Any]]:
    """Squares and ways, and the map of them."""

    def drawn(row: ChartRow) -> str:
        """The map as text."""
        said = {key: speaker.say(f"map.{key}") for key in ENGLISH}
        marks = {kind: speaker.formed("marks", kind, "") for kind in words()["marks"]}
        map_, said = map_of(row.view["board"]), {**marks, **said}
        return text_map(map_, row.view, around=row.around, words=said, explained=row.explained)

    return {
        "drawn": drawn,
        "way": " - ".join,
        "places": lambda at: speaker.comma(places_of(at)),
        "several": lambda at: len(places_of(at)) > 1,
        "terrain": speaker.word_of("terrains"),
        "state": speaker.word_of("states"),
    }


def _of_sheets(speaker: Speaker, thing: Callable[[str], str]) -> Mapping[str, Callable[..., str]]:
    """What lines of the records and what is left of a slot are told with."""

    def plants(factories: Sequence[Mapping[str, Any]]) -> str:
        """Factories, with what is wrong with them."""
        hurt = speaker.say("sheet_lines.plant_damaged")
        return speaker.comma(f"{thing(f['kind'])}{f' ({hurt})' if f['damaged'] else ''}" for f in factories)

    def building(works: Mapping[str, Mapping[str, int]]) -> str:
        """What is under way, and how far."""
        return speaker.comma(f"{thing(what)} {work['done']}/{work['needs']}" for what, work in works.items())

    def friends(players: Mapping[str, Sequence[str]]) -> str:
        """To whom, and where if not everywhere."""
        return speaker.comma(f"{who} ({', '.join(at)})" if at else who for who, at in players.items())

    def spare(free: Mapping[str, Sequence[Any]]) -> str:
        """How many are free where, with the most BTA that one of them has left."""
        return speaker.comma(f"{at} {count} ({bta} BTA)" for at, (count, bta) in free.items())

    def at_places(much: Mapping[str, Any]) -> str:
        return speaker.comma(f"{at} {count}" for at, count in much.items())

    return {
        "plants": plants,
        "building": building,
        "friends": friends,
        "spare": spare,
        "at_places": at_places,
    }


def _of_amounts(
    speaker: Speaker, thing: Callable[[str], str], named: Callable[[str, str], str]
) -> Mapping[str, Callable[..., str]]:
    """How many there are of what, and whose it is."""

    def numbered(count: Any, id_: str) -> str:
        """So many of a thing, where a number is told; fractions are of one."""
        id_ = {"workers": "worker"}.get(id_, id_)  # as the state document has those aboard
        if not count:
            return thing(id_)
        return f"{count} {named(id_, 'many') if is_many(count) and is_named(id_) else thing(id_)}"

    def counted(items: Iterable[Sequence[Any]]) -> str:
        """So much of each: 3 steel, INF1."""
        return speaker.comma(numbered(count, what) for what, count in items)

    def amounts(much: Mapping[str, Any]) -> str:
        return speaker.comma(numbered(count, what) for what, count in much.items())

    def pairs(found: Mapping[str, str]) -> str:
        """Whose is what: anton AH, bert AS."""
        return speaker.comma(f"{whose} {thing(what)}" for whose, what in found.items())

    def lists(found: Mapping[str, Sequence[str]]) -> str:
        return speaker.comma(f"{whose}: {' + '.join(map(thing, each))}" for whose, each in found.items())

    def offered(items: Iterable[tuple[str, int]]) -> str:
        """What can be picked, as it is picked; behind it how many of it that is."""
        facts = ({"what": what, "count": count, "border": what in words()["items"]} for what, count in items)
        return speaker.comma(speaker.say("position.pick", **each) for each in facts)

    return {
        "offered": offered,
        "numbered": numbered,
        "counts": counted,
        "amounts": amounts,
        "pairs": pairs,
        "lists": lists,
    }


def _of_dice(speaker: Speaker, thing: Callable[[str], str]) -> Mapping[str, Callable[..., str]]:
    """What dice are for, and what they bring."""

    def outcome(result: str) -> str:
        """A word, perhaps behind a ship and odds."""
        told = speaker.word_of("outcomes")
        return " ".join(told(word) if told(word) != word else thing(word) for word in result.split(" "))

    def results(faces: Mapping[str, str]) -> str:
        """What each face would bring."""
        return speaker.comma(f"{face}: {outcome(result)}" for face, result in faces.items())

    def target(name: str) -> str:
        """What is fired at, as an order names it: a unit, a thing, or one with its place."""
        what, *where = name.split(" ")
        return " ".join([thing(what), *where])

    def struck(purpose: str) -> str:
        """The same, with its square behind it."""
        name, _, square = purpose.rpartition(" ")
        return speaker.say("position.struck", target=target(name), at=square)

    return {"outcome": outcome, "results": results, "target": target, "struck": struck}


def vocabulary(commands: Names) -> Mapping[str, Names]:
    """Everything a player may write, by table of the manual; the words of orders are none of the commands."""
    known = order_language()
    own = {kind.removeprefix("K_").lower(): ways for kind, ways in known.keywords.items() if not kind.startswith("G_")}
    tables = words()
    return {
        "words": own,
        "commands": {id_: ways for id_, ways in commands.items() if id_ not in own and not id_.startswith("_")},
        **{kind: tables[kind] for kind in THINGS if kind in tables},
    }


@cache
def _ids() -> Mapping[str, str]:
    return {way: id_ for kind in THINGS for id_, ways in words().get(kind, {}).items() for way in ways}


def is_many(count: Any) -> bool:
    """Does a plural stand behind that number?"""
    return str(count) != "1" and "/" not in str(count)


def is_named(id_: str) -> bool:
    return any(id_ in words()[kind] for kind in THINGS)


VOICE = EmpireVoice()


@cache
def _in_orders(language: str) -> Mapping[str, str]:
    """What an order of ours says, and the language's word: of what is several things one that is read for all."""
    ours, theirs = display_names(ORDERS), ways_of(language)
    said: dict[str, list[tuple[str, ...]]] = {}
    for kind in (*THINGS, "words"):
        for id_, word in ours[kind].items():
            said.setdefault(word if kind == "words" else id_.replace("_", " "), []).append(theirs[kind][id_])
    said |= {word: [theirs["plurals"][id_]] for id_, word in ours["plurals"].items()}
    for_all = {word: [way for way in last if all(way in ways for ways in more)] for word, (*more, last) in said.items()}
    return {word: ways[0] for word, ways in for_all.items() if ways}
