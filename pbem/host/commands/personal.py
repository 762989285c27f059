"""What people choose for themselves: `language`, `zone`, `reports`, whether a `calendar` file or a `page` to order from
comes with letters, and `address`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from msgspec.structs import replace
from rapidfuzz import fuzz, process

from pbem.core.game import AnyOrder
from pbem.core.refusal import Illegal
from pbem.host.commands.aside import Asides, Preference
from pbem.host.lobby.addresses import change, listed
from pbem.host.messages.sections import Told
from pbem.host.play.results import Outcome
from pbem.language.statements import Statement
from pbem.language.tokens import fold
from pbem.language.words import LANGUAGE_NAMES
from pbem.league.calendar import zones

FEW = 3  # names of time zones that the writer may have meant
NEAR = 70  # rapidfuzz's score from which a name is worth suggesting
LONGEST = 100  # letters of a name that are compared
YES = ("yes", "on", "ja", "an", "si")
NO = ("no", "off", "nein", "aus")

# Which reports there are to choose, in English, German, Italian; the first is the word that we use.
CHOICES = {
    "all": ("all", "alle", "alles", "tutti", "tutto"),
    "round": ("round", "rounds", "Runde", "Runden", "giro", "giri"),
    "mine": ("mine", "my", "own", "eigene", "meine", "miei", "mie"),
    "digest": ("digest", "daily", "täglich", "giornaliero", "giornalieri", "quotidiano"),
}
WRITTEN = re.compile(
    r"[: ]*(?P<mode>\w+)[: ]*"
    r"(?:(?:at |um |alle |ore |alle ore )?(?P<hour>\d{1,2})(?: ?[:h]? ?(?P<minute>\d{2}))?(?: ?(?:h|uhr|ore))?)?"
)


def language(written: str) -> str:
    """The language that a beginning of one of its names means. Raises `Illegal`."""
    found = _meant(fold(written).strip(), LANGUAGE_NAMES)
    if found is None:
        raise Illegal("language.unknown", read=written, candidates=tuple(names[0] for names in LANGUAGE_NAMES.values()))
    return found


def _meant(begun: str, known: Mapping[str, tuple[str, ...]]) -> str | None:
    """The one of which a name begins so."""
    found = {id_ for id_, names in known.items() if any(fold(name).startswith(begun) for name in names)}
    return found.pop() if len(found) == 1 else None


def zone(written: str) -> str:
    """The time zone of that name, or of the one city of that name. Raises `Illegal`."""
    known = zones_by_key()
    meant = known.get(_key(written), ())
    if len(meant) != 1:
        found = process.extract(_key(written)[:LONGEST], known.keys(), scorer=fuzz.ratio, score_cutoff=NEAR, limit=FEW)
        near = dict.fromkeys(name for key, *_ in found for name in known[key])
        raise Illegal("zone.unknown", read=written, candidates=meant or tuple(near)[:FEW])
    return meant[0]


@cache
def zones_by_key() -> dict[str, tuple[str, ...]]:
    """Time zones by what may be written for them: the whole name, or the city alone."""
    names = sorted(zones())
    by_city: dict[str, tuple[str, ...]] = {}
    for name in names:
        city = _key(name.rpartition("/")[2])
        by_city[city] = (*by_city.get(city, ()), name)
    return {**by_city, **{_key(name): (name,) for name in names}}


def _key(written: str) -> str:
    return "".join(c for c in fold(written) if c not in " _:")


def chosen(written: str) -> str:
    """What `Member.reports` is to be after these words. Raises `Illegal`."""
    found = WRITTEN.fullmatch(" ".join(fold(written).split()))
    mode = _meant(found["mode"], CHOICES) if found else None
    if found is None or mode is None or (mode == "digest") != bool(found["hour"]):
        raise Illegal("reports.unknown", read=written)
    if mode != "digest":
        return mode
    hour, minute = int(found["hour"]), int(found["minute"] or 0)
    if hour > 23 or minute > 59:
        raise Illegal("reports.unknown", read=written)
    return f"digest {hour:02}:{minute:02}"


def _reports(asides: Asides, said: Statement[AnyOrder]) -> Outcome:
    member = asides.member
    if member.person.id not in {reader.person.id for reader in asides.game.readers}:
        raise Illegal("reports.operator")
    return asides.choose("reports", replace(member, reports=chosen(said.rest)) if said.rest else None)


def brings_calendar(written: str) -> bool:
    """Do letters bring a file for a calendar, by these words? Raises `Illegal`."""
    return _chosen(written, Illegal("calendar.unclear", read=written))


def _calendar(asides: Asides, said: Statement[AnyOrder]) -> Outcome:
    person = replace(asides.member.person, calendar=brings_calendar(said.rest)) if said.rest else None
    return asides.choose("calendar", replace(asides.member, person=person) if person else None)


def wants_page(written: str) -> bool:
    """Do letters bring the page to order from, by these words? Raises `Illegal`."""
    return _chosen(written, Illegal("page.unclear", read=written))


def _page(asides: Asides, said: Statement[AnyOrder]) -> Outcome:
    own = asides.member.person
    person = replace(own, page=wants_page(said.rest)) if said.rest else own
    asides.tell(Told(command="page", facts={"chosen": person.page}))
    return asides.choose("page", replace(asides.member, person=person) if said.rest else None)


def _chosen(written: str, unclear: Illegal) -> bool:
    """Are there to be files, by these words? Raises what says that they are neither yes nor no."""
    word = fold(written).strip(" .!:")
    if word not in (*YES, *NO):
        raise unclear
    return word in YES


def _address(asides: Asides, said: Statement[AnyOrder]) -> Outcome:
    """From where a person may write, and where our letters go."""
    person, outcome = change(asides.work, asides.member.person, said.text.partition(" ")[2].strip(), asides.now)
    asides.member = replace(asides.member, person=person)
    asides.tell(listed(asides.work, person))
    return outcome


LANGUAGE = Preference(
    name="language",
    words=("language", "Sprache", "lingua"),
    behind="[COLON] _anything",
    choose=lambda asides, said: asides.choose_for_person(language=language(said.rest)),
)
ZONE = Preference(
    name="zone",
    words=("zone", "Zeitzone", "fuso"),
    behind="[COLON] _anything",
    choose=lambda asides, said: asides.choose_for_person(zone=zone(said.rest)),
)
REPORTS = Preference(
    name="reports",
    words=("reports|report", "Berichte|Bericht", "resoconti|resoconto|rapporti|rapporto"),
    behind="_time*",
    choose=_reports,
)
CALENDAR = Preference(name="calendar", words=("calendar", "Kalender", "calendario"), choose=_calendar)
PAGE = Preference(name="page", words=("page", "Wahlseite", "pagina"), choose=_page)
ADDRESS = Preference(name="address", words=("address", "Adresse", "indirizzo"), choose=_address)
