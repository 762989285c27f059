"""Claims as its letters show it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from msgspec import Struct

from pbem.core.notation import Names
from pbem.core.presenter import Event as Shown
from pbem.core.presenter import Facts, Picture, Progress, Round, Series, Speaker, Tables, View
from pbem.core.seat import Setup
from tests.conformance.fake_rules import CLAIMS, ROUNDS


class Standing(Struct, frozen=True, kw_only=True):
    seat: str
    points: int


class ClaimsVoice:
    folder = "tests/conformance/claims"

    def names(self, language: str) -> Mapping[str, Mapping[str, str]]:
        return {"claims": {claim: claim.title() for claim in CLAIMS}}

    def ids(self) -> Mapping[str, str]:
        return {claim.title(): claim for claim in CLAIMS}

    def in_orders(self, language: str) -> Mapping[str, str]:
        return {}

    def filters(self, speaker: Speaker) -> Mapping[str, Callable[..., Any]]:
        return {}


class ClaimsPages:
    editions = ("",)
    league = "claims"
    untallied: ClassVar[Facts] = {}
    charts = ()

    def turn(self, events: Sequence[Shown]) -> Facts:
        return {}

    def card(self, view: View) -> Facts:
        return {}

    def amounts(self, view: View) -> Mapping[str, Mapping[str, int | None]]:
        return {"ore": view["ore"]}

    def tallied(self, before: Facts, edition: str, card: Facts, winners: Sequence[str]) -> Facts:
        return {}

    def columns(self, view: View) -> Sequence[str]:
        return ()

    def column(self, turn: Facts) -> None:
        return None

    def league_rows(self, tallies: Facts) -> Sequence[Any]:
        return ()

    def chart(self, kind: str, over: Series, language: str) -> None:
        return None

    def layers(self, view: View, language: str) -> Mapping[str, str]:
        return {"ground": '<svg xmlns="http://www.w3.org/2000/svg"/>'}

    def board(self, view: View, before: View | None, events: Sequence[Shown], **_: object) -> str:
        return "<p>no board</p>"


class ClaimsPresenter:
    voice = ClaimsVoice()
    pages = ClaimsPages()

    def headline(self, events: Sequence[Shown]) -> Facts | None:
        return next(({"seat": event["seat"]} for event in events if event["type"] == "TurnEnded"), None)

    def help_topic(self, word: str) -> str:
        return word

    def vocabulary(self, commands: Names) -> Mapping[str, Names]:
        return {"commands": commands}

    def progress(self, view: View) -> Progress:
        return Progress(share=view["round"] / ROUNDS, told=f"round {view['round']}")

    def tables(self, view: View, before: View | None) -> Tables:
        return {"claims": [{"id": claim, "ore": ore} for claim, ore in view["ore"].items()]}

    def records(self, view: View, about: str | None) -> Tables:
        return {"claims": [row for row in self.tables(view, None)["claims"] if about in (None, row["id"])]}

    def earned(self, view: View, before: View) -> Tables:
        return {}

    def standings(self, view: View) -> Sequence[Standing]:
        scores = view["scores"]
        return [Standing(seat=seat, points=scores[seat]) for seat in sorted(scores, key=lambda s: (-scores[s], s))]

    def examples(self, facts: Facts, view: View, *, alone: bool) -> Sequence[str]:
        return [*(f"dig {claim} 2" for claim in facts["claims"]), "rest"]

    def standing_example(self, facts: Facts) -> str | None:
        return None

    def options(self, setup: Setup) -> Sequence[tuple[str, str, bool]]:
        return ()

    def story(self, course: Sequence[View]) -> Sequence[Round]:
        return ()

    def scores(self, course: Sequence[View]) -> Series | None:
        return None

    def board(self, view: View, before: View | None, events: Sequence[Shown], language: str) -> Picture:
        raise NotImplementedError  # the tests draw no pictures

    def charts(self, course: Sequence[View], language: str) -> Sequence[Picture]:
        return ()
