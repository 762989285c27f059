"""What is shown of Imperial, behind the door."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.core.notation import Names
from pbem.core.presenter import (
    Event,
    Facts,
    Picture,
    Presenter,
    Progress,
    Round,
    Series,
    Sheet,
    Speaker,
    Standing,
    Tables,
    View,
)
from pbem.core.seat import Setup
from pbem.games.imperial.presentation import illustrations, story, tables
from pbem.games.imperial.presentation.examples import brings, examples, standing_example
from pbem.games.imperial.presentation.pages import ImperialPages
from pbem.games.imperial.presentation.words import VOICE, ImperialVoice, vocabulary


class ImperialPresenter(Presenter):
    """Shows Imperial in letters and pages."""

    @property
    def voice(self) -> ImperialVoice:
        return VOICE

    @property
    def pages(self) -> ImperialPages:
        return PAGES

    def headline(self, events: Sequence[Event]) -> Facts | None:
        return tables.headline(events)

    def help_topic(self, word: str) -> str:
        """The two of a kind on the rondel share theirs."""
        return word.removesuffix("_1").removesuffix("_2")

    def vocabulary(self, commands: Names) -> Mapping[str, Names]:
        return vocabulary(commands)

    def progress(self, view: View) -> Progress:
        """By the strongest nation: one that reaches the end of the power track ends the game."""
        nations = view["nations"]
        leader = max(nations, key=lambda nation: nations[nation]["power"])
        facts = {"round": view["round"], "nation": view["nation"], "leader": leader}
        return Progress(share=nations[leader]["power"] / tables.edition_of(view).power.end, facts=facts)

    def tables(self, view: View, before: View | None) -> Tables:
        return {
            "nations": tables.nation_rows(view, before),
            "players": tables.player_rows(view, before),
            "bonds": tables.bond_rows(view),
            "rondel": tables.space_rows(view, before),
        }

    def records(self, view: View, about: str | None, sheet: Sheet | None = None) -> Tables:
        nations, players = tables.nation_rows(view, None), tables.player_rows(view, None)
        return {
            "nations": [row for row in nations if about in (None, row.id)],
            "players": [row for row in players if about in (None, row.seat)],
        }

    def earned(self, view: View, before: View) -> Tables:
        return {
            "nations": [row for row in tables.nation_rows(view, before) if row.earned],
            "players": [row for row in tables.player_rows(view, before) if row.earned],
        }

    def standings(self, view: View) -> Sequence[Standing]:
        return tables.standings(view)

    def examples(self, facts: Facts, *, alone: bool) -> Sequence[str]:
        return examples(facts, alone=alone)

    def brings(self, facts: Facts, speaker: Speaker) -> Mapping[str, str]:
        return brings(facts, speaker)

    def standing_example(self, facts: Facts) -> str | None:
        return standing_example(facts)

    def options(self, setup: Setup) -> Sequence[tuple[str, str, bool]]:
        return tables.options(setup)

    def story(self, course: Sequence[View]) -> Sequence[Round]:
        return story.story(course)

    def scores(self, course: Sequence[View]) -> Series | None:
        return story.scores(course)

    def board(self, view: View, before: View | None, events: Sequence[Event], language: str) -> Picture:
        return illustrations.board(view, before, events, language)

    def is_board_changed(self, view: View, before: View, events: Sequence[Event]) -> bool:
        return illustrations.is_board_changed(view, before, events)

    def charts(self, course: Sequence[View], language: str) -> Sequence[Picture]:
        return illustrations.charts(course, language)


PAGES = ImperialPages()
PRESENTER: ImperialPresenter = ImperialPresenter()
