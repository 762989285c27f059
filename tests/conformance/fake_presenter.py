"""Claims as its letters show it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from pbem.core.chance import Draw
from pbem.core.presenter import (
    Event,
    Facts,
    PagePresenter,
    Picture,
    Presenter,
    Progress,
    Sheet,
    Tables,
    Throw,
    View,
    Voice,
)
from tests.conformance.fake_rules import CLAIMS, ROUNDS


class ClaimsVoice(Voice):
    folder = "tests/conformance/claims"

    def names(self, language: str) -> Mapping[str, Mapping[str, str]]:
        return {"claims": {claim: claim.title() for claim in CLAIMS}}

    def lot(self, purpose: str) -> str:
        """Without its round."""
        return re.sub(r"^\d+\. ", "", purpose)

    def ids(self) -> Mapping[str, str]:
        return {claim.title(): claim for claim in CLAIMS}


class ClaimsPages(PagePresenter):
    tally_page = "claims"

    def amounts(self, view: View) -> Mapping[str, Mapping[str, int | None]]:
        return {"ore": view["ore"]}

    def throws(self, draws: Sequence[Draw], events: Sequence[Event]) -> Sequence[Throw]:
        told = {f"{draw.purpose}": Throw() for draw in draws}
        for event in events:
            found = [draw for draw in draws if event.get("die") and draw.purpose.endswith(f" {event['claim']}")]
            told |= {draw.purpose: Throw(face=event["die"], followed=(event,)) for draw in found}
        return [*told.values()]

    def layers(self, view: View, language: str) -> Mapping[str, str]:
        return {"ground": '<svg xmlns="http://www.w3.org/2000/svg"/>'}

    def board(self, view: View, before: View | None, events: Sequence[Event], **_: object) -> str:
        return "<p>no board</p>"


class ClaimsPresenter(Presenter):
    voice = ClaimsVoice()
    pages = ClaimsPages()

    def headline(self, events: Sequence[Event]) -> Facts | None:
        return next(({"seat": event["seat"]} for event in events if event["type"] == "TurnEnded"), None)

    def progress(self, view: View) -> Progress:
        return Progress(share=view["round"] / ROUNDS, facts={"round": view["round"]})

    def tables(self, view: View, before: View | None) -> Tables:
        return {"claims": [{"id": claim, "ore": ore} for claim, ore in view["ore"].items()]}

    def records(self, view: View, about: str | None, sheet: Sheet | None = None) -> Tables:
        if sheet is not None:
            dug = [event for event in sheet.events if event["type"] == "OreFound"]
            return {
                "dug": [event for event in dug if about in (None, event["claim"])],
                "wagers": [sheet.ledger["wager"]],
            }
        return {"claims": [row for row in self.tables(view, None)["claims"] if about in (None, row["id"])]}

    def examples(self, facts: Facts, *, alone: bool) -> Sequence[str]:
        if facts["kind"] == "ruling":
            return [f"ruling {facts['most']}"]
        return [*(f"dig {claim} 2" for claim in facts["claims"]), "rest"]

    def board(self, view: View, before: View | None, events: Sequence[Event], language: str) -> Picture:
        raise NotImplementedError  # the tests draw no pictures
