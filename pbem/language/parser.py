"""A letter's lines into orders: what is one order, what is prose, what can't be read."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Generic, TypeVar

import lark
from msgspec.structs import replace

from pbem.core.notation import Notation
from pbem.core.refusal import Illegal, Refusal, Unreadable
from pbem.core.seat import Seat
from pbem.language.command import ORDER, UNREAD, Commands
from pbem.language.grammar import Grammar, Sentence, named_in, unreadable_at
from pbem.language.mending import Mender, put_in
from pbem.language.moderators import Power
from pbem.language.petitions import SAYINGS, Saying, is_about_petitions, part_petitions, read_saying
from pbem.language.pieces import OpenOrder, Piece, items_of, pieces_of
from pbem.language.press import Dispatch, part_press, read_press
from pbem.language.prose import Sieve
from pbem.language.slips import respelled
from pbem.language.statements import Reading, Statement
from pbem.language.stretches import IsOrder
from pbem.language.tokens import Token, as_written, fold, tokenize, without_comment
from pbem.language.turning import Turner

O = TypeVar("O")

MOST = 200  # orders, commands, press and petitions of one letter, and lines of prose around them
TABLES = 200  # whose parsers are remembered: those with the same seats have one together
JUDGED = 300  # lines of press, and of other texts, of which is remembered whether they read as orders


class Parser(Generic[O]):
    """Reads the letters of one table."""

    def __init__(self, notation: Notation[O], commands: Commands, seats: Iterable[str] = ()) -> None:
        self._notation = notation
        self.commands = commands
        self.seats = tuple(seats)
        self._grammar = Grammar(notation, commands, self.seats)
        self._sieve = Sieve(self._grammar, notation, commands)
        self._mender = Mender(self._grammar, notation)
        self._turner = Turner(self._grammar, notation)
        self.is_order = lru_cache(JUDGED)(self._reads_as_order)

    def read(self, lines: Sequence[str], is_power: Callable[[str], bool] | None = None) -> Reading[O]:
        """`is_power`: for a writer who presides, too, what else must not be mailed to others as text."""
        others, press = part_press(lines, self._grammar.lexicon)
        rest, petitions = part_petitions(others, self.commands.moderators.reads)
        stops = self.is_order if is_power is None else lambda line: is_power(line) or self.is_order(line)
        found: list[OpenOrder | Dispatch | Saying] = [*self._orders(rest), *press, *petitions]
        parts = sorted(found, key=lambda each: each.place)
        reading = self._sieve.without_prose([self._said(each, stops) for each in parts[:MOST]])
        return _cut_short(reading, lines, parts[MOST].place) if len(parts) > MOST else reading

    def _said(self, part: OpenOrder | Dispatch | Saying, stops: IsOrder) -> Statement[O]:
        if isinstance(part, OpenOrder):
            return self._statement(part)
        command = self.commands.by_name[part.kind]
        said: Statement[O] = Statement(command=command, text=part.text, line=part.line, column=part.column)
        try:
            if isinstance(part, Saying):
                return replace(said, motion=read_saying(part, stops))
            return replace(said, to=read_press(part, self._grammar, self.seats, stops), rest=part.said)
        except Refusal as refusal:
            return replace(said, refusal=refusal)

    def powers(self, lines: Sequence[str]) -> tuple[list[Power], list[str]]:
        """What a moderator writes in these lines, and the prose that was passed over."""
        return self.commands.moderators.read(lines, self.is_order)

    def without_press(self, lines: Sequence[str]) -> list[str]:
        """The lines that are the writer's words to us."""
        return part_press(lines, self._grammar.lexicon)[0]

    def given(self, text: str, line: int) -> O:
        """What one `given` line says. Raises `Unreadable`."""
        return self._notation.parse(self._grammar.parse(_something(without_comment(text), line), "given"))

    def name(self, text: str, line: int) -> str:
        """The id of the game's thing that a text names. Raises `Unreadable`."""
        patterns = (kind for kind in self._notation.patterns if kind not in self._notation.own_names)
        return self._grammar.name(_something(text, line), (*self._notation.names, *patterns))

    def seat(self, text: str) -> Seat:
        """The seat that a text names. Raises `Illegal`."""
        return Seat(self.one_of(text, ()))

    def one_of(self, text: str, ids: Collection[str]) -> str:
        """The id of the one that a text names, among the seats and the game's things of such kinds as have these ids.

        What is in no table, as a place of a map or a name that came up in the game, is called by its id. Raises
        `Illegal`.
        """
        called = fold(text).strip()
        for id_ in ids:
            if fold(id_) == called:
                return id_
        kinds = (kind for kind, table in self._notation.names.items() if any(id_ in ids for id_ in table))
        try:
            return self._grammar.name(_something(text, 1), (*kinds, "SEAT"))
        except Unreadable as problem:
            raise Illegal(problem.code, **problem.facts) from None

    def order(self, text: str) -> O:
        """One order that is known to be readable, such as one on file. Raises `Unreadable`."""
        (statement,) = self.read(text.splitlines()).statements
        if statement.order is None:
            raise statement.refusal or ValueError(f"no order: {text!r}")
        return statement.order

    def mended(self, statement: Statement[O]) -> list[Statement[O]]:
        """What an unreadable line may have been meant for."""
        if statement.command is not UNREAD:
            return [*self._respelled(statement)]
        opened = self._orders(statement.text.splitlines())
        found = self._mender.mended(opened[0].tokens) if len(opened) == 1 else []
        read = (self._as_a_whole(self._begun(Piece(_written(line), [*line]))) for line in found)
        meant = [each for each in read if not each.refusal]
        return meant or [*self._respelled(statement)]

    def instead(self, statement: Statement[O]) -> Iterator[tuple[str, Statement[O]]]:
        """Each name that a word which can't be read may be meant for, and what the line says with it."""
        for order in self._orders(statement.text.splitlines())[:1]:
            (place, _), line = order.sentence.stop, order.tokens
            for name in order.sentence.candidates:
                put = put_in(line, place, name)
                yield name, self._as_a_whole(self._begun(Piece(_written(put), [*put])))

    def ids(self, name: str) -> frozenset[str]:
        """What it may be called, of whichever kind."""
        return self._grammar.lexicon.ids(tokenize(name, 1))

    def _respelled(self, statement: Statement[O]) -> Iterable[Statement[O]]:
        """What it may be meant for as a petition, a vote or a remark, each once."""
        first, _, below = statement.text.partition("\n")
        for lines in respelled(first, SAYINGS):
            read = (self.read([line, *below.splitlines()]).statements for line in lines)
            meant = [one for (one, *more) in read if one.motion and not one.refusal and not more]
            if meant:
                return {repr(one.motion): one for one in reversed(meant)}.values()
        return ()

    def goes_on(self, text: str) -> bool:
        """Is it an order of a kind that is made of lines, one by one?"""
        (opened,) = self._orders(text.splitlines())
        return opened.sentence.heads[-1:] != [] and opened.sentence.heads[-1][0] in self._notation.multiline

    # -- which pieces belong together ---

    def _orders(self, lines: Sequence[str]) -> list[OpenOrder]:
        """So many that the caller sees whether there are too many."""
        orders: list[OpenOrder] = []
        for each in pieces_of(lines):
            if len(orders) > MOST:
                break
            piece = Piece(each.text, self._turner.turned(self._grammar.counted_apart(each.tokens)))
            head = self._continued(orders) if self._grammar.is_continuation(piece.tokens) else None
            if head is not None:
                head.join(piece)
            elif orders and self._goes_on(orders[-1], piece.tokens):
                orders[-1].go_on(piece)
            else:
                orders += [order for part in self._headed(piece) for order in self._listed(part)]
        return orders

    def _listed(self, piece: Piece) -> list[OpenOrder]:
        """What the piece says: several orders with a comma between them only where it is no other one."""
        order = self._begun(piece)
        parts = self._turner.parted(order.sentence, MOST)
        orders = [self._begun(Piece(as_written(part), line)) for part, line in parts]
        return orders if orders and all(map(self._is_whole, orders[:MOST])) else [order]

    def _is_whole(self, order: OpenOrder) -> bool:
        tree = self._grammar.tree(order.tokens)
        return tree is not None and str(tree.data) == ORDER.name

    def _begun(self, piece: Piece) -> OpenOrder:
        order = OpenOrder([], self._grammar.sentence())
        order.go_on(piece)
        return order

    def _goes_on(self, order: OpenOrder, line: Sequence[Token]) -> bool:
        """Does the line belong to the order above: by its first word, or since that one is not finished?"""
        if self._grammar.is_connective(line):
            return bool(self._grammar.begins(line, self._notation.connectives) & order.sentence.accepts())
        heads = self._grammar.begins(line) & {*self._notation.heads}
        return bool(heads) and order.sentence.lacks(heads)

    def _headed(self, piece: Piece) -> list[Piece]:
        """A word such as `draft` may stand before the first order on its line."""
        head, rest = piece.tokens[:1], piece.tokens[1:]
        begun = self._grammar.begins(piece.tokens)
        if not rest or not begun or not begun <= self.commands.modes:
            return [piece]
        rest = rest[1:] if rest[0].kind == "COLON" else rest
        return [Piece(head[0].written, head), Piece(piece.text, rest)] if rest else [piece]

    def _continued(self, orders: Sequence[OpenOrder]) -> OpenOrder | None:
        """The last order that goes on over several lines; those of the first kind before the others."""
        for terminal in self._notation.multiline:
            for order in reversed(orders):
                if order.sentence.heads and order.sentence.heads[-1][0] == terminal:
                    return order
        return None

    # -- one order ---

    def _statement(self, order: OpenOrder) -> Statement[O]:
        """With as much of it as can be read, where it can't be read whole."""
        said = self._as_a_whole(order)
        if said.refusal is None or not self._sieve.looks_like_order(said):
            return said
        partial, others = self._partial(order.sentence)
        return replace(said, partial=partial, more=tuple(o for o in others if not _is_same(o, said.refusal)))

    def _as_a_whole(self, order: OpenOrder) -> Statement[O]:
        line, column = order.place
        said: Statement[O] = Statement(text="\n".join(order.texts), line=line, column=column)
        try:
            self._check_headed(order.tokens)
            tree = order.sentence.tree()
        except Refusal as problem:
            return replace(said, refusal=self._for_moderators(said) or problem)
        command, seats = self.commands.by_name[str(tree.data)], named_in(tree, "SEAT")
        rest = "".join(named_in(tree, "TOPIC", "SEAT")[:1]) or as_written(_behind(order.tokens))
        return replace(said, command=command, order=self._built(tree), rest=rest, witness="".join(seats[1:2]))

    def _for_moderators(self, said: Statement[O]) -> Unreadable | None:
        """What only a moderator can do, as a player's line: with what players ask each other for instead."""
        name = self.commands.moderators.named(said.text)
        if name is None:
            return None
        return Unreadable("power.players", line=said.line, column=said.column, read=said.text, power=name)

    def _check_headed(self, line: Sequence[Token]) -> None:
        """A line that belongs to an order needs one before it."""
        if self._grammar.needs_head(line):
            raise unreadable_at("order.unreadable", line[0], as_written(line), headless=True)

    def _built(self, tree: lark.Tree[lark.Token]) -> O | None:
        inner = tree.children[-1] if tree.children else None
        return self._notation.parse(inner) if isinstance(inner, lark.Tree) else None

    def _partial(self, sentence: Sentence) -> tuple[O | None, list[Unreadable]]:
        """An order as far as it can be read: its head, and of one over several lines its items; and why no more."""
        line = sentence.tokens
        kind, length = sentence.heads[0] if sentence.heads else ("", 0)
        head, kept, failed = [*line[:length]], [*line[:length]], []
        for item in items_of(line[length:]) if kind in self._notation.multiline else ():
            try:
                self._grammar.parse([*head, *item])
                kept += item
            except Unreadable as refusal:
                refusal.facts["item"] = as_written(item[1:])
                failed.append(refusal)
        tree = self._grammar.tree(kept) if head else None
        return self._built(tree) if tree and tree.data == ORDER.name else None, failed

    # -- what must not be mailed to others ---

    def _reads_as_order(self, line: str) -> bool:
        """Would the reader take this line, or a part of it, for an order, for a command, or for more of an order?"""
        if is_about_petitions(line, self.commands.moderators.reads):
            return True
        alone = (order for order in self._orders([line]) if self._is_bold(order.tokens))
        above = (self._orders([head, line])[0] for head in self._heads(line))
        more = (order for order in above if len(order.texts) > 1)
        return any(_is_addressed(order) or not self._as_a_whole(order).refusal for order in (*alone, *more))

    def _heads(self, line: str) -> Iterator[str]:
        """Orders that the line may go on with."""
        pieces = [piece.tokens for piece in pieces_of([line])]
        joined = {word for each in pieces for word in self._connectives_of(each)}
        yield from (head for head, connectives in self._connected.items() if connectives & joined)
        if any(map(self._grammar.is_continuation, pieces)):
            yield from (self._grammar.lexicon.called(head) for head in self._notation.multiline)

    def _connectives_of(self, line: Sequence[Token]) -> set[str]:
        """The words that it may begin with, if an order can go on with them."""
        return self._grammar.begins(line, self._notation.connectives) if self._grammar.is_connective(line) else set()

    @cached_property
    def _connected(self) -> Mapping[str, set[str]]:
        """Beginnings of turns written ahead, and with which words each may go on."""
        called, ahead = self._grammar.lexicon.called, self.commands.ahead.ways[0]
        heads = (ahead, *(f"{ahead} {called(head)}" for head in self._notation.heads))
        return {head: self._orders([head])[0].sentence.accepts() & {*self._notation.connectives} for head in heads}

    def _is_bold(self, line: Sequence[Token]) -> bool:
        """A beginning of a word to the host means nothing in press: "la" is no language there."""
        low = self.commands.low_priority
        return bool(self._grammar.begins(line) - low) or self._grammar.lexicon.is_listed(line, low)


@lru_cache(TABLES)
def parser_of(notation: Notation[O], commands: Commands, seats: tuple[str, ...]) -> Parser[O]:
    """The one for each table of a game that has these seats."""
    return Parser(notation, commands, seats)


def _cut_short(reading: Reading[O], lines: Sequence[str], place: tuple[int, int]) -> Reading[O]:
    """Nothing is read from there on, and nothing of the letter is played."""
    line, column = place
    text = lines[line - 1][column - 1 :].strip()
    refusal = Unreadable("letter.long", line=line, column=column, read=text, most=MOST)
    end: Statement[O] = Statement(text=text, line=line, column=column, refusal=refusal)
    return replace(reading, statements=(*reading.statements, end))


def _written(line: Sequence[Token]) -> str:
    """A line that is put together of several, as one would write it."""
    return " ".join(token.written for token in line)


def _behind(tokens: Sequence[Token]) -> Sequence[Token]:
    """What stands behind the first word, and a colon."""
    return tokens[2:] if tokens[1:] and tokens[1].kind == "COLON" else tokens[1:]


def _is_same(refusal: Unreadable, other: Refusal | None) -> bool:
    """Do they stop at the same place?"""
    return isinstance(other, Unreadable) and (refusal.line, refusal.column) == (other.line, other.column)


def _is_addressed(order: OpenOrder) -> bool:
    """Does it begin as an order does, with its colon? A slip further on makes no press of it."""
    length = order.sentence.heads[0][1] if order.sentence.heads else 0
    return any(token.kind == "COLON" for token in order.tokens[:length])


def _something(text: str, line: int) -> list[Token]:
    """The tokens of a text that must say something."""
    found = tokenize(text, line)
    if not found:
        raise Unreadable("order.incomplete", line=line, column=1, read="", expected=())
    return found
