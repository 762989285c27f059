"""What is shown of Empire, behind the door."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.core.notation import Names
from pbem.core.presenter import Event, Facts, Picture, Presenter, Progress, Sheet, Standing, Tables, View
from pbem.core.seat import Setup
from pbem.games.empire.presentation import illustrations, sheets, tables
from pbem.games.empire.presentation.examples import examples
from pbem.games.empire.presentation.help import topic_of
from pbem.games.empire.presentation.pages import EmpirePages
from pbem.games.empire.presentation.words import VOICE, EmpireVoice, vocabulary
from pbem.games.empire.rules.options import options_from


class EmpirePresenter(Presenter):
    """Shows Empire in letters and pages."""

    @property
    def voice(self) -> EmpireVoice:
        return VOICE

    @property
    def pages(self) -> EmpirePages:
        return PAGES

    def headline(self, events: Sequence[Event]) -> Facts | None:
        return tables.headline(events)

    def help_topic(self, word: str) -> str:
        return topic_of(word)

    def vocabulary(self, commands: Names) -> Mapping[str, Names]:
        return vocabulary(commands)

    def progress(self, view: View) -> Progress:
        """By turns; a game without a last one is as far as one of the usual length would be, never at its end."""
        last = view["end_turns"] or USUAL_TURNS
        done = view["turn"] - 1 + (view["order"].index(view["active"]) / len(view["order"]) if view["active"] else 0)
        most = 1.0 if view["end_turns"] else ALMOST
        leader = max(view["countries"], key=lambda id_: view["countries"][id_]["confidence"], default="")
        facts = {"slot": view["slot"], "active": view["active"], "leader": leader}
        return Progress(share=max(0.0, min(most, done / last)), facts=facts)

    def tables(self, view: View, before: View | None) -> Tables:
        standing = tables.standing_rows(view)
        return {
            "countries": tables.country_rows(view, before),
            "standing": standing,
            "turn_standing": standing if tables.is_turn_over(view, before) else [],  # what letters tell of it
            "places": tables.place_rows(view, _told(view)),
            "offers": tables.offer_rows(view),
            "charts": tables.chart_rows(view, before),
        }

    @property
    def opens_with_options(self) -> bool:
        return True

    def concerning(self, events: Sequence[Event], view: View, seat: str) -> Sequence[Event]:
        return tables.losses(events, view, seat)

    def near(self, view: View, place: str) -> Tables:
        return {"places": tables.places_near(view, place), "charts": [tables.ChartRow(view=view, around=[place])]}

    def records(self, view: View, about: str | None, sheet: Sheet | None = None) -> Tables:
        countries = tables.of(view, about)
        if about is not None and not countries:  # a square or a unit stands on no sheet of its own
            return sheets.of_thing(view, about)
        if sheet is not None:
            return sheets.tables(view, about, sheet)
        rows = [row for row in tables.country_rows(view, None) if row.id in countries]
        places = tables.place_rows(view, countries)
        return {"countries": rows, "places": places, "units": tables.unit_rows(view, countries)}

    def standings(self, view: View) -> Sequence[Standing]:
        return tables.standings(view)

    def examples(self, facts: Facts, *, alone: bool) -> Sequence[str]:
        return examples(facts)

    def options(self, setup: Setup) -> Sequence[tuple[str, str, bool]]:
        values = options_from(setup.setup or "training", setup.options)
        return [(key, value, key in setup.options) for key, value in values.items()]

    def board(self, view: View, before: View | None, events: Sequence[Event], language: str) -> Picture:
        return illustrations.board(view, before)

    def is_board_changed(self, view: View, before: View, events: Sequence[Event]) -> bool:
        return illustrations.is_board_changed(view, before)


def _told(view: View) -> list[str]:
    """The countries whose squares a letter tells: those of whose slot it is."""
    return tables.of(view, view["active"]) if view["active"] else []


USUAL_TURNS = 12
ALMOST = 0.99
PAGES = EmpirePages()
PRESENTER: EmpirePresenter = EmpirePresenter()
