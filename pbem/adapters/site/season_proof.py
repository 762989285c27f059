"""Seasons proved from an archive's files alone: what the log gives, and whether the files beside it say the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec
from msgspec.structs import replace

from pbem.adapters.site.files import Folder
from pbem.adapters.site.page_proof import page_faults, rating_page_faults
from pbem.adapters.site.rating_pages import RATINGS
from pbem.adapters.site.rating_proof import rated_of, rating_faults, sheet_of, steps_of
from pbem.adapters.site.reading import Damaged, games_in, published
from pbem.adapters.site.season_files import LOG, SETTINGS, WHOLE, Told, Whole, files_of, sheets_of
from pbem.adapters.site.sheets import instant_of
from pbem.core.game import Registry
from pbem.core.log import BrokenLink
from pbem.files import ConfigError, read_yaml
from pbem.host.archive.proof import prove
from pbem.host.archive.table_result import table_result
from pbem.host.leagues.published import PublishedSeason
from pbem.league.log import live, read
from pbem.league.proof.evidence import Fault, GameResult, Published
from pbem.league.proof.verdict import Verdict, verify
from pbem.league.ratings import RatedTable
from pbem.league.season import folded
from pbem.league.settings import Settings
from pbem.league.state import Season


def seasons_in(root: Path) -> list[str]:
    """The folders of all seasons, as `leagues/euro/3/`; the oldest of a league first."""
    found = {file.parent for name in (LOG, SETTINGS) for file in root.glob(f"leagues/*/*/{name}")}
    order = sorted(found, key=lambda place: (place.parent.name, len(place.name), place.name))
    return [f"{place.relative_to(root).as_posix()}/" for place in order]


def prove_season(root: Path, place: str, games: Registry) -> Verdict:
    """What follows of a season. Raises `Damaged` for settings, or facts of a game, that can't be read."""
    folder = Folder(root)
    log = (folder.read(f"{place}{LOG}") or b"").splitlines()
    settings = _settings(folder, place)
    season = _folded(log)
    imported = _whole(folder, place).imported
    results, fault = _results(root, season, games) if season and not imported else ({}, None)
    rated, made = rated_of(folder, settings.game), steps_of(folder, f"{place}{RATINGS}")
    has_ratings = not imported or (season is not None and season.imported is not None)
    told = Published(log=log, settings=settings, games=results, rated=rated if has_ratings else None, steps=made)
    verdict = verify(replace(told, imported=bool(imported)))
    if verdict.fault is None and verdict.season is not None:
        verdict = replace(verdict, fault=fault or next(_beside(folder, place, verdict.season, log, rated), None))
    return verdict


def _beside(folder: Folder, place: str, season: Season, log: list[bytes], rated: list[RatedTable]) -> Iterator[Fault]:
    """What files and pages tell otherwise than the log gives."""
    yield from _files(folder, place, season, log)
    yield from page_faults(folder, place, _page_digests(folder, place))
    if rated:
        yield from rating_faults(folder, season.settings.game, rated)
        yield from rating_page_faults(folder, season.settings.game)


def _folded(log: list[bytes]) -> Season | None:
    """None where there is nothing to fold: the proof of the log tells why."""
    try:
        return folded(live(read(log)))
    except (BrokenLink, LookupError, ValueError):
        return None


def _settings(folder: Folder, place: str) -> Settings:
    path = f"{place}{SETTINGS}"
    try:
        text = (folder.read(path) or b"").decode()
        return msgspec.convert(read_yaml(text, path).value, Settings)
    except (ConfigError, UnicodeDecodeError, msgspec.ValidationError) as problem:
        raise Damaged(f"{path} can't be read: {problem}") from None


# -- games ---


def _results(root: Path, season: Season, games: Registry) -> tuple[dict[str, GameResult | None], Fault | None]:
    """What the logs of the season's games give, and the first game that is not proved itself."""
    here = {*games_in(root)}
    found: dict[str, GameResult | None] = {}
    for table in season.tables.values():
        if table.noted is None or not table.game:
            continue
        if table.game not in here:
            return found, Fault("V7", f"T-{table.number}", f"{table.game} is not in this archive")
        game = published(root, table.game, games)
        if wrong := prove(game, games).fault:
            return found, Fault("V7", f"T-{table.number}", f"{table.game}: {wrong}")
        found[table.game] = table_result(game, table.noted.entry, table.noted.digest, games)
    return found, None


# -- files ---


def _files(folder: Folder, place: str, season: Season, log: list[bytes]) -> Iterator[Fault]:
    """Those that say something else than the log gives; names of people are taken as they are told there."""
    told = Told(
        published=PublishedSeason(
            tag=season.tag,
            league=season.founded.league,
            number=season.founded.season,
            settings=season.founded.settings,
            log=tuple(log),
            names=_names(folder, place),
            ratings=tuple(steps_of(folder, f"{place}{RATINGS}")),
            imported=instant_of(_whole(folder, place).imported),
        ),
        season=season,
    )
    for name, wanted in files_of(told, sheets_of(told), _page_digests(folder, place)):
        if folder.read(f"{place}{name}") != wanted:
            yield Fault("V8", name, "it does not say what the log gives")


def _whole(folder: Folder, place: str) -> Whole:
    return folder.load(f"{place}{WHOLE}", Whole) or Whole()


def _page_digests(folder: Folder, place: str) -> Mapping[str, str]:
    """As the file of the whole season tells them."""
    return {name: digest for name, digest in _whole(folder, place).digests.items() if name.endswith(".html")}


def _names(folder: Folder, place: str) -> Mapping[int, str]:
    """By the numbers of the people."""
    found: dict[int, str] = {}
    for name in ("results.csv", RATINGS, "entrants.csv"):
        for row in sheet_of(folder, f"{place}{name}"):
            if (row.get("person") or "").isdecimal():
                found[int(row["person"])] = row.get("name") or ""
    return found
