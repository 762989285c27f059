"""One game in the archive: its folder, with a page for each turn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pbem.adapters.site.files import Folder
from pbem.adapters.site.find import Index, keep, kept, renewed
from pbem.adapters.site.ledger import lots_of
from pbem.adapters.site.mails import mailbox, without
from pbem.adapters.site.noted import drop_notes, losses, notes_of
from pbem.adapters.site.pages import SitePages
from pbem.adapters.site.records import Card, GameFile, Headline, Series, TurnLine, flat, nested_game
from pbem.core.presenter import Chart, PagePresenter, View
from pbem.core.presenter import Series as Drawn
from pbem.host.archive.notes import Note
from pbem.host.archive.published import ArchivedTurn, GameArchive, Held
from pbem.host.messages.parts import Awaited

RECENT = 20  # turns in a feed, and of one game among those of all


class Published(Struct, frozen=True, kw_only=True):
    """What feeds have told of a game, by whatever words and templates."""

    recent: tuple[Headline, ...] = ()


class GameFolders:
    """Puts volumes into their folders, and keeps what the lists will have to tell of them."""

    def __init__(self, folder: Folder, pages: SitePages) -> None:
        self._folder = folder
        self._pages = pages
        self.news: list[tuple[Card, Sequence[Headline]]] = []

    def held(self, game: str) -> Held:
        """What need not be told again. The newest turn is told again: it gets a link to the one that follows it.

        When there are notes, all turns are told again with them.
        """
        file = _known(self._folder, game, self._pages.made)
        if file and not file.noted and notes_of(self._folder, game) is not None:
            file = None
        log = self._folder.read(f"{game}/log.jsonl") or b""
        digests = tuple(line.digest for line in file.turns[:-1]) if file else ()
        return Held(digests=digests, logged=log.count(b"\n"))

    def keep(self, volume: GameArchive) -> None:
        """Write the pages of the game, all or none; `game.json` comes last and tells that they are all there."""
        with self._folder.at_once():
            self.news.append(_GameFolder(self._folder, self._pages.of(volume.setup.game), volume).write())


class _GameFolder:
    """The folder of one game."""

    def __init__(self, folder: Folder, pages: SitePages, volume: GameArchive) -> None:
        self._folder = folder
        self._pages = pages
        self._shown = pages.presenter.pages
        self._volume = volume
        self._game = volume.game
        self._notes = self._noted()

    def _noted(self) -> Sequence[Note] | None:
        """None where there are none, or the game has gone on since."""
        found = notes_of(self._folder, self._game)
        return found.notes if found and found.log == self._volume.turns[-1].digest else None

    def write(self) -> tuple[Card, Sequence[Headline]]:
        volume = self._volume
        old = _known(self._folder, self._game, self._pages.made)
        known = old.turns if old else ()
        file = self._file(old)
        card = _card(file, volume.turns[-1], self._pages)
        self._write_turns(len(file.turns), len(known))
        for path, content in self._pages.layers(volume.turns[-1].after):
            self._folder.write(path, content)
        self._write_downloads({line.digest for line in known})
        self._write_front(file, card)
        self._folder.store(f"{self._game}/game.json", flat(file))
        return card, file.recent

    def _file(self, old: GameFile | None) -> GameFile:
        volume, newest = self._volume, self._volume.turns[-1]
        known = old.turns[: volume.kept] if old else ()
        return GameFile(
            **volume.shared(),
            made=self._pages.made,
            sealed=volume.record is None,
            turns=(*known, *(_line(turn, self._shown) for turn in volume.turns)),
            series=_series(old.series if old else {}, volume, self._shown),
            recent=self._recent(old),
            awaited=() if volume.finished else tuple(_by_when(newest.awaited, volume.deadlines)),
            scores=newest.after["scores"],
            winners=newest.after["winners"],
            noted=self._notes is not None,
        )

    def _recent(self, old: GameFile | None) -> tuple[Headline, ...]:
        kept = [one for one in old.recent if one.number < self._volume.kept] if old else []
        published = self._folder.load(f"{self._game}/game.json", Published) or Published()
        ids = {one.number: one.id for one in published.recent}
        return tuple([*kept, *(self._headline(turn, ids) for turn in self._volume.turns)][-RECENT:])

    def _headline(self, turn: ArchivedTurn, ids: Mapping[int, str]) -> Headline:
        """Under the id with which a feed has told it already, whatever has become of its words."""
        title, told = self._pages.title(turn), self._pages.told(turn)
        id_ = ids.get(turn.number, self._pages.entry_id(self._volume.created, f"{self._game}/turn-{turn.number}"))
        return Headline(game=self._game, number=turn.number, at=turn.at, title=title, told=told, id=id_)

    # -- its files ---

    def _write_turns(self, count: int, told: int) -> None:
        for turn in self._volume.turns:
            place = f"{self._game}/turn-{turn.number}"
            follows = turn.number + 1 < count
            self._folder.store(f"{place}/position.json", turn.after)
            notes = [note for note in self._notes or () if note.turn == turn.number]
            page = self._pages.turn(self._game, turn, self._volume.commitment, follows=follows, notes=notes)
            self._folder.write(f"{place}/index.html", page)
        for number in range(count, told):
            self._write_gone(f"{self._game}/turn-{number}/", number)

    def _write_gone(self, place: str, number: int) -> None:
        """In the place of a turn that was taken back."""
        title = f"{self._game}: {self._pages.say('site.turn', number=number)}"
        self._pages.put(self._folder, place, "gone", title, game=self._game, number=number)
        self._folder.remove(f"{place}position.json")

    def _write_downloads(self, known: set[str]) -> None:
        volume, game, folder = self._volume, self._game, self._folder
        if volume.log is None or volume.record is None:
            for name in ("log.jsonl", f"{game}.play"):
                folder.remove(f"{game}/{name}")  # what was open may have become secret: who took a seat
        else:
            log = (folder.read(f"{game}/log.jsonl") or b"").splitlines(keepends=True)[: volume.logged]
            folder.write(f"{game}/log.jsonl", b"".join([*log, *(raw + b"\n" for raw in volume.log)]))
            folder.write(f"{game}/{game}.play", volume.record)
        mails = folder.read(f"{game}/reports.mbox") or b"" if known else b""
        new = [turn for turn in volume.turns if turn.digest not in known]
        if volume.opened is not None and known:
            new = [turn for turn in volume.turns if turn.number >= volume.opened]
            mails = without(mails, volume, new[0])
        folder.write(f"{game}/reports.mbox", mailbox(mails, volume, new, self._pages.letters))

    def _write_front(self, file: GameFile, card: Card) -> None:
        game, folder, pages, volume = self._game, self._folder, self._pages, self._volume
        index = kept(folder, f"{game}/search.js", Index)
        texts = [(turn.number, pages.title(turn), self._text(turn)) for turn in volume.turns]
        told = renewed(index, volume.kept, texts)
        keep(folder, f"{game}/search.js", game, told)
        if self._notes is None:
            drop_notes(folder, game)
        lost = losses(self._notes or (), file.setup.seats)
        folder.write(f"{game}/index.html", pages.game(file, card, volume, self._write_charts(file), lost))
        feed = pages.feed(pages.say("site.feed_game", game=game), f"{game}/", file.recent)
        folder.write(f"{game}/feed.xml", feed)
        folder.write(f"{game}/lots/index.html", pages.lots(file, told.titles))

    def _write_charts(self, file: GameFile) -> list[Chart]:
        """Those there are: of what is secret, and of a single round, there is none."""
        drawn: list[Chart] = []
        newest = self._volume.turns[-1]
        for kind in self._shown.charts:
            path = f"{self._game}/charts/{kind}.svg"
            chart = self._shown.chart(kind, _by_round(file, kind), self._pages.language, newest.after)
            if chart is None:
                self._folder.remove(path)
            else:
                drawn.append(chart)
                self._folder.write(path, chart.svg)
        return drawn

    def _text(self, turn: ArchivedTurn) -> str:
        """The opening stands for the game as a whole, too."""
        setup = self._volume.setup
        whole = "" if turn.number else f"{self._game} {setup.edition} {' '.join(setup.seats)}\n"
        return whole + self._pages.words(turn)


def _by_when(awaited: Iterable[Awaited], deadlines: Mapping[str, int | None]) -> Iterable[Awaited]:
    return (replace(each, deadline=deadlines.get(each.seat)) for each in awaited)


def _known(folder: Folder, game: str, made: str) -> GameFile | None:
    """What is published of a game; None when its pages were made of other words and templates."""
    file = folder.load(f"{game}/game.json", GameFile, nested_game)
    return file if file and file.made == made else None


def _series(old: Series, volume: GameArchive, shown: PagePresenter) -> Series:
    new, none = lines_of([turn.after for turn in volume.turns], shown), (None,) * volume.kept
    later = (None,) * len(volume.turns)
    series: dict[str, dict[str, tuple[int | None, ...]]] = {}
    for kind, lines in new.items():
        before = {whose: line[: volume.kept] for whose, line in old.get(kind, {}).items()}
        known = {**{whose: line for whose, line in before.items() if line != none}, **lines}
        series[kind] = {whose: (*before.get(whose, none), *lines.get(whose, later)) for whose in known}
    return series


def lines_of(positions: Iterable[View], shown: PagePresenter) -> dict[str, dict[str, list[int | None]]]:
    """What the positions tell of amounts, turn by turn; None before there was who has them, and when they are gone.

    Raises `KeyError` for what is no position.
    """
    told = [shown.amounts(position) for position in positions]
    lines: dict[str, dict[str, list[int | None]]] = {}
    for amounts in told:
        for kind, all_ in amounts.items():
            lines.setdefault(kind, {}).update((whose, []) for whose in all_ if whose not in lines[kind])
    for kind, known in lines.items():
        for whose, line in known.items():
            line += [amounts.get(kind, {}).get(whose) for amounts in told]
    return lines


def _by_round(file: GameFile, kind: str) -> Drawn:
    """What the last turn of each round left."""
    last = {line.round: place for place, line in enumerate(file.turns)}
    lines = {whose: [amounts[place] for place in last.values()] for whose, amounts in file.series[kind].items()}
    return Drawn(rounds=[*last], lines=lines)


def _line(turn: ArchivedTurn, shown: PagePresenter) -> TurnLine:
    return TurnLine(
        number=turn.number,
        round=turn.round,
        own=shown.turn(turn.events),
        at=turn.at,
        last=turn.last,
        digest=turn.digest,
        kept=turn.kept,
        draws=lots_of(turn, shown),
    )


def _card(file: GameFile, newest: ArchivedTurn, pages: SitePages) -> Card:
    return Card(
        game=file.game,
        edition=file.setup.edition,
        setup=file.setup.setup,
        seats=file.setup.seats,
        people=file.people,
        who=file.who,
        began=file.turns[0].at,
        moved=newest.at,
        finished=file.finished,
        turns=len(file.turns),
        round=newest.after["round"],
        own=pages.presenter.pages.card(newest.after),
        scores=file.scores,
        winners=file.winners,
        kind=pages.kind,
    )
