"""What a game shows of itself to people: whoever words letters and lays out pages knows no more of it.

What a game need not have is answered here, for those that say that they are such a `Presenter`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

from msgspec import Struct

from pbem.core.chance import Draw
from pbem.core.notation import Names
from pbem.core.seat import Setup

# A position as its reader may see it: `Rules.view`. Whatever the game, it has `game`, `round`, `finished`, `players` by
# seat, and when it is over `scores` by seat and `winners`, otherwise None.
View = Mapping[str, Any]
Event = Mapping[str, Any]  # the fields of an event, and its tag as "type"
Facts = Mapping[str, Any]
Tables = Mapping[str, Sequence[Any]]  # rows by kind; the game's own templates know what stands in one


class Speaker(Protocol):
    """Sentences of one language, for the filters of a game."""

    def say(self, key: str, /, **facts: Any) -> str:
        """The sentence of that key. Raises `KeyError` when there is none."""
        ...

    def knows(self, key: str) -> bool: ...

    def formed(self, kind: str, id_: str, form: str) -> str:
        """A name within a sentence, with what that form puts before or behind it."""
        ...

    def word_of(self, section: str) -> Callable[[str], str]:
        """The word that a section of sentences has for an id; the id itself where it has none."""
        ...

    def counted(self, count: int, key: str) -> str:
        """So many things: none, one, or a number and the word for many."""
        ...

    def comma(self, items: Iterable[object]) -> str: ...

    def listed(self, items: Iterable[object]) -> str:
        """With "and" before the last."""
        ...


class Voice(Protocol):
    """How a game is spoken about."""

    def __hash__(self) -> int:
        return object.__hash__(self)

    @property
    def folder(self) -> str:
        """Such as `games/NAME`: its `sentences/LANGUAGE.yaml`, and `templates` that others import as `game/FILE`."""
        ...

    def names(self, language: str) -> Mapping[str, Mapping[str, str]]:
        """What each thing is called, by kind and id."""
        ...

    def lot(self, purpose: str) -> str:
        """What a lot is told to be for, by a key of the section `lots` and a name: without what only sets it apart."""
        return purpose

    def gathered(self, events: Sequence[Event]) -> Sequence[Event]:
        """Events as they are told one below the other: what is the same but for its place may be said once."""
        return events

    def ids(self) -> Mapping[str, str]:
        """The id of a thing by whatever a player may write for it, in any language."""
        return {}

    def in_orders(self, language: str) -> Mapping[str, str]:
        """What stands in the orders that we keep, and what the language writes for it."""
        return {}

    def filters(self, speaker: Speaker) -> Mapping[str, Callable[..., Any]]:
        """Filters for sentences and templates, by name."""
        return {}


class Picture(Struct, frozen=True, kw_only=True):
    """A picture for a letter."""

    name: str  # of its file, without an ending
    alt: str  # the same in words
    wide: int  # px it wants
    png: bytes


class Sheet(Struct, frozen=True, kw_only=True):
    """A sheet of a game's own that somebody has asked for: one of `Notation.sheets`."""

    kind: str
    round: int | None  # the one it is asked of; None: of all, or the one under way
    ledger: Facts  # as `Rules.ledger` gives it
    events: Sequence[Event]  # of the whole game, as its reader may know them


class Progress(Struct, frozen=True, kw_only=True):
    """How far a game has come."""

    share: float  # of the way to its end
    facts: Facts  # of the sentence `progress`, for whoever watches


class Turning(Struct, frozen=True, kw_only=True):
    """One thing that turned, and the facts of its sentence, `story.KIND`."""

    kind: str
    facts: Facts


class Round(Struct, frozen=True, kw_only=True):
    """A round in which something turned."""

    number: int
    turnings: tuple[Turning, ...]


class Series(Struct, frozen=True, kw_only=True):
    """Values over the game: for each line one in every round, None where it is not known."""

    rounds: Sequence[int]
    lines: Mapping[str, Sequence[int | None]]


class Chart(Struct, frozen=True, kw_only=True):
    """A picture of how the game went, complete in itself."""

    kind: str
    alt: str  # the same in words
    svg: str
    across: tuple[float, float] = (0, 1)  # where the first moment lies in it, and the last, in parts of its width


class Throw(Struct, frozen=True, kw_only=True):
    """What is told of a lot, beside what it was drawn for."""

    face: int | None = None  # of a die, from 1; None: it is none
    followed: tuple[Event, ...] = ()  # what came of it, and of those thrown with it


class Standing(Struct, frozen=True, kw_only=True):
    """A row of the final ranking."""

    seat: str
    points: int


class Label(Struct, frozen=True, array_like=True):
    """A name on a board to point at."""

    lines: Sequence[tuple[str, int, int]]  # text, its middle and its ground line
    mark: tuple[int, int] | None  # upper left of the room for a mark beside it
    slanted: int  # 1 or 0


class Pointing(Struct, frozen=True, kw_only=True):
    """A board to point at. The game's template `order.js` lists the pieces that lie on it in a position."""

    svg: str  # elements; what can be pointed at is a path with its id
    size: tuple[int, int]
    spots: Mapping[str, Sequence[int]]  # room for pieces by place: x, y, width, height
    colours: Mapping[str, Mapping[str, str]]  # fill, ink and edge, by whose the pieces are
    letters: Mapping[str, Mapping[str, str]]  # on the pieces, by language and whose they are
    labels: Mapping[str, Mapping[str, Label]]  # by language and place
    stock: str  # ASCII: what the choices of most questions have in common, as `render.fragment` packs them


class PagePresenter(Protocol):
    """What the archive shows of a game. Its template `game/site.html.j2` has what stands in the pages."""

    @property
    def editions(self) -> Sequence[str]:
        """The rule books there are, the usual one first."""
        return ("",)

    @property
    def pointing(self) -> Pointing | None:
        """What there is to point at in orders; None where there is no page for them."""
        return None

    # -- what is published, under keys that stay ---

    def turn(self, events: Sequence[Event]) -> Facts:
        """What the list of turns says of a turn."""
        return {}

    def card(self, view: View) -> Facts:
        """What the lists say of a game."""
        return {}

    def throws(self, draws: Sequence[Draw], events: Sequence[Event]) -> Sequence[Throw]:
        """Each lot of an entry, with what followed among its events; by default no die, and nothing that is known."""
        return [Throw() for _ in draws]

    def amounts(self, view: View) -> Mapping[str, Mapping[str, int | None]]:
        """By kind, then by what has them; None where they are secret. Raises `KeyError` for what is no view."""
        return {}

    @property
    def untallied(self) -> Facts:
        """What the table of the game's own says before any game is finished."""
        return {}

    def tallied(self, before: Facts, edition: str, card: Facts, winners: Sequence[str]) -> Facts:
        """What the table of the game's own says of all finished games, with one more of them."""
        return before

    # -- pages ---

    def columns(self, view: View) -> Sequence[str]:
        """The columns in the course of a game."""
        return ()

    def column(self, turn: Facts) -> str | None:
        """In which of them a turn stands; None when in none."""
        return None

    def control(self, turns: Sequence[Facts], view: View) -> Sequence[object]:
        """How the course of a game went on (who was in power over what; a record), from what `turn` says of all turns.

        Rows for the template.
        """
        return ()

    def position(self, view: View, shown: Tables) -> Tables:
        """All there is in a position; `shown` is what a letter tells of it, and by default that is all."""
        return shown

    @property
    def tally_page(self) -> str:
        """The page with the table of the game's own: its folder and template; `site.NAME` is its title."""
        ...

    def tally_rows(self, counted: Facts) -> Sequence[object]:
        """What stands in it, from `tallied`."""
        return ()

    # -- pictures ---

    @property
    def charts(self) -> Sequence[str]:
        """The kinds of amounts that are drawn."""
        return ()

    def chart(self, kind: str, over: Series, language: str, view: View) -> Chart | None:
        """Up to that position; None when there is nothing to compare."""
        return None

    def layers(self, view: View, language: str) -> Mapping[str, str]:
        """What many boards have in common: SVG by a name, in the order in which they cover one another."""
        ...

    def board(
        self,
        view: View,
        before: View | None,
        events: Sequence[Event],
        *,
        language: str,
        alt: str,
        layers: Sequence[str],
    ) -> str:
        """The board as an element of a page, over the files of its layers."""
        ...


class Presenter(Protocol):
    """What is shown of a game."""

    def __hash__(self) -> int:
        return object.__hash__(self)

    @property
    def voice(self) -> Voice: ...

    @property
    def pages(self) -> PagePresenter: ...

    # -- letters ---

    def headline(self, events: Sequence[Event]) -> Facts | None:
        """What these events are about: the facts of the sentence `subjects.report`; None when it is nothing special."""
        ...

    def help_topic(self, word: str) -> str:
        """The topic that a word of the order language is explained under."""
        return word

    def vocabulary(self, commands: Names) -> Mapping[str, Names]:
        """Everything a player may write, by table of the manual; `commands` are the words of all games."""
        return {"commands": commands}

    def progress(self, view: View) -> Progress: ...

    def tables(self, view: View, before: View | None) -> Tables:
        """The position, with what has changed since the one before."""
        ...

    def near(self, view: View, place: str) -> Tables:
        """The position around a place, of those that `Rules.place` gives."""
        return self.tables(view, None)

    def records(self, view: View, about: str | None, sheet: Sheet | None = None) -> Tables:
        """The rows about a thing of the game or a seat, all for None; of the position where no sheet is asked for."""
        ...

    def earned(self, view: View, before: View) -> Tables:
        """The rows of those who have more or less money than before."""
        return {}

    def standings(self, view: View) -> Sequence[Standing]:
        """The final ranking, of equals the winners first: its templates may know more of a row."""
        scores, winners = view["scores"], view["winners"]
        ranked = sorted(scores, key=lambda seat: (-scores[seat], seat not in winners))
        return [Standing(seat=seat, points=scores[seat]) for seat in ranked]

    def examples(self, facts: Facts, *, alone: bool) -> Sequence[str]:
        """Some answers to a question; `alone` when its reader is asked nothing else."""
        ...

    def brings(self, facts: Facts, speaker: Speaker) -> Mapping[str, str]:
        """What a choice of an answer costs and brings, by its key."""
        return {}

    def standing_example(self, facts: Facts) -> str | None:
        """How the same answer could be given in advance."""
        return None

    def options(self, setup: Setup) -> Sequence[tuple[str, str, bool]]:
        """Every option in force, its value, and whether it was chosen for this game."""
        return ()

    @property
    def opens_with_options(self) -> bool:
        """Does the letter that opens a game tell all options, since players may change them at once?"""
        return False

    def concerning(self, events: Sequence[Event], view: View, seat: str) -> Sequence[Event]:
        """What of it a player reads first: what they have lost. By default nothing."""
        return ()

    def story(self, course: Sequence[View]) -> Sequence[Round]:
        """How it came to the end, from views in the order of the game, the last of each round."""
        return ()

    def scores(self, course: Sequence[View]) -> Series | None:
        """The running scores of a few rounds; None where they are secret, or of one round."""
        return None

    def board(self, view: View, before: View | None, events: Sequence[Event], language: str) -> Picture: ...

    def is_board_changed(self, view: View, before: View, events: Sequence[Event]) -> bool:
        """Is there anything new to see on the board?"""
        return True

    def charts(self, course: Sequence[View], language: str) -> Sequence[Picture]:
        """How values went, when there is something to compare."""
        return ()
