"""A published game proved from what was published: the log is one chain and gives every position, every lot is fair."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct

from pbem.core.chance import Lots, commitment, draw
from pbem.core.game import AnyEntry, Registry
from pbem.core.log import START, BrokenLink, beginning, check_link, is_veiled, number_of
from pbem.core.refusal import Refusal
from pbem.host.archive.published import GameFacts
from pbem.host.archive.record_play import play_file
from pbem.host.archive.verify import FAILS, verify_log
from pbem.host.commands.table import COMMANDS
from pbem.host.lobby.gathering import dealing
from pbem.host.reporting.chapters import Chapter, dealt_in, whole
from pbem.host.session.session import Equip, LoadedGame, load_game
from pbem.host.session.terms import Changes, changes, in_force, terms_of


class Page(Struct, frozen=True, kw_only=True):
    """What an archive says of one turn."""

    last: int  # the number of its last entry
    digest: str  # of that entry
    position: Mapping[str, Any]


class Published(GameFacts, frozen=True, kw_only=True):
    """What an archive says of one game."""

    sealed: bool  # log and record are hidden while they would tell a secret
    turns: tuple[Page, ...]
    log: tuple[bytes, ...]
    record: str | None
    flaw: str = ""  # where its own files do not fit together


class Unproved(Exception):
    """Something is not what it should be."""


class Proof(Struct, frozen=True, kw_only=True):
    """What came of one game."""

    published: Published
    fault: str = ""

    def __str__(self) -> str:
        game, turns = self.published.game, _count(len(self.published.turns), "turn", "turns")
        told = f"{game}: {turns}, {_count(len(self.published.log), 'entry', 'entries')}"
        if self.fault:
            return f"{told}: {self.fault}"
        if self.published.sealed:
            return f"{game}: {turns}; its log is sealed while it would tell a secret"
        if (first := beginning(self.published.log)) < len(self.published.log):
            return f"{told}: the log is one chain; what is secret from entry {first} on is sealed till the end"
        lots = "its lots follow from its secret" if self.published.secret else "its secret is told at the end"
        return f"{told}: the log gives every position, and {lots}"


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def prove(published: Published, games: Registry) -> Proof:
    """Never raises for what was published."""
    try:
        _prove(published, games)
    except (Unproved, BrokenLink) as fault:
        return Proof(published=published, fault=str(fault))
    except Refusal as refusal:
        return Proof(published=published, fault=f"today's rules refuse it: {refusal.code}")
    except FAILS as problem:
        return Proof(published=published, fault=f"today's rules fail on it: {type(problem).__name__}: {problem}")
    return Proof(published=published)


def _prove(published: Published, games: Registry) -> None:
    equip = _equip(published, games)
    loaded = equip(())
    if not published.sealed:
        _check_log(published, loaded, equip)
    _check_told(published, loaded)
    if published.flaw:
        raise Unproved(published.flaw)


def _equip(published: Published, games: Registry) -> Equip:
    agreed = terms_of(published.setup)

    @cache
    def table(changed: Changes) -> LoadedGame:
        return load_game(games, COMMANDS, in_force(agreed, changed))

    return lambda done: table(changes(done))


def _check_log(published: Published, loaded: LoadedGame, equip: Equip) -> None:
    entries = [*_entries(published, loaded)]
    if len(entries) == len(published.log):
        _check_turns(published, loaded, whole(loaded, entries).over)
    else:
        _check_sealed(published)
    if published.record != play_file(published.game, loaded, entries):
        raise Unproved("the play file is not what the log tells")
    if published.secret is not None:
        _check_lots(published, loaded, published.secret, entries)
        _check_opening(published, loaded, published.secret, entries[0])
        _decide_again(published, equip, published.secret, entries)


def _check_sealed(published: Published) -> None:
    """While there is something sealed, the log is one chain, and each turn ends where it says."""
    if published.secret is not None:
        raise Unproved("the game is over, but entries of its log are sealed")
    for seq in range(beginning(published.log), len(published.log)):
        if not is_veiled(published.log[seq]):
            raise Unproved(f"entry {seq}: it is not veiled, but the one before it is")
    digests = _numbered(published)
    for number, page in enumerate(published.turns):
        if digests.get(page.last) != page.digest:
            raise Unproved(f"turn {number} ends with another entry than the log has there")
    if [*digests] != [*range(len(digests))]:
        raise Unproved("an entry that is not sealed is missing from the log")


def _numbered(published: Published) -> dict[int, str]:
    """The digests of entries by their numbers, but of those that count apart."""
    found = zip(published.log, _digests(published), strict=True)
    numbers = ((number_of(raw), digest) for raw, digest in found)
    return {number: digest for number, digest in numbers if number is not None}


def _digests(published: Published) -> Iterator[str]:
    """Of each entry. Raises `Unproved` for the first one that is not in its place."""
    prev = START
    for seq, raw in enumerate(published.log):
        try:
            prev = check_link(raw, seq, prev)
        except BrokenLink as broken:
            raise Unproved(f"entry {seq}: {broken}") from None
        yield prev


def _check_told(published: Published, loaded: LoadedGame) -> None:
    """Nothing is kept back that everybody may know."""
    won = bool(published.turns and published.turns[-1].position.get("winners"))
    if published.secret is None and (published.finished or won):
        raise Unproved("the game is over, but the secret of its lots is not told")
    has_secrets = loaded.rules.hides(loaded.rules.blank(published.setup)) and not published.finished
    if published.sealed and published.people and not has_secrets:
        raise Unproved("its log is kept back, but there is nothing secret in it")


def _entries(published: Published, loaded: LoadedGame) -> Iterator[AnyEntry]:
    """Those before the first sealed one. Raises `Unproved` for the first entry of all that is not in its place."""
    for seq in range(min(len([*_digests(published)]), beginning(published.log))):
        try:
            entry: AnyEntry = loaded.rules.decoder().decode(published.log[seq])
        except msgspec.MsgspecError as problem:
            raise Unproved(f"entry {seq}: today's rules can't read it: {problem}") from None
        yield entry


def _check_turns(published: Published, loaded: LoadedGame, chapters: Sequence[Chapter]) -> None:
    if len(published.turns) != len(chapters):
        raise Unproved(f"the log tells {len(chapters)} turns, but {len(published.turns)} are published")
    for number, (page, chapter) in enumerate(zip(published.turns, chapters, strict=True)):
        if (page.last, page.digest) != (chapter.after.count.last, chapter.after.prev):
            raise Unproved(f"turn {number} ends with another entry than the log has there")
        if page.position != _plain(loaded.rules.view(chapter.after.state, None)):
            raise Unproved(f"turn {number}: the position is not what the log gives")


def _plain(view: Mapping[str, Any]) -> Any:
    return msgspec.json.decode(msgspec.json.encode(view))


def _check_lots(published: Published, loaded: LoadedGame, secret: str, entries: Sequence[AnyEntry]) -> None:
    if commitment(secret) != published.commitment:
        raise Unproved("the secret is not the one that was promised")
    chance = Lots(secret, published.game)
    if dealing(loaded.rules, published.setup, chance, dealt_in(entries[0])).seats != published.setup.seats:
        raise Unproved("the seats are not those that the secret gives")
    for entry in entries:
        for lot in entry.draws:
            if entry.seq and not lot.purpose.startswith(f"{entry.called} "):
                raise Unproved(f"entry {entry.seq}: the lot for {lot.purpose!r} is not its own")
            if draw(secret.encode(), f"{published.game}|{lot.purpose}", lot.among) != lot.result:
                raise Unproved(f"entry {entry.seq}: the lot for {lot.purpose!r} is not what the secret gives")


def _decide_again(published: Published, equip: Equip, secret: str, entries: Sequence[AnyEntry]) -> None:
    """What follows from each order and its lots; other rules may have decided otherwise."""
    if {entry.rules_version for entry in entries} != {equip(()).rules.version}:
        return
    finding = verify_log(published.game, published.log, equip, secret)
    if not finding.honest:
        raise Unproved(f"entry {finding.seq} ({finding.about}): {finding.fault}")


def _check_opening(published: Published, loaded: LoadedGame, secret: str, entry: AnyEntry) -> None:
    """Lots that were drawn, but are not in the log, would still be seen in what came of them."""
    if entry.rules_version != loaded.rules.version:
        return  # other rules may have drawn in another way
    chance = Lots(secret, published.game)
    lots = dealing(loaded.rules, published.setup, chance, dealt_in(entry)).lots
    events = loaded.rules.open(loaded.rules.blank(published.setup), chance, lots)
    if (tuple(events), tuple(chance.draws)) != (tuple(entry.events), tuple(entry.draws)):
        raise Unproved("the opening is not what the secret gives")
