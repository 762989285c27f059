"""V3 to V5: links, groups, draws, and what was sealed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from pbem.league import acts
from pbem.league.drawing import (
    divide,
    dividing_inputs,
    draw_group,
    draw_match,
    draw_round,
    group_inputs,
    match_inputs,
    positions_had,
    round_inputs,
    smaller,
)
from pbem.league.figures import before_draw, is_open, round_scores, still_in
from pbem.league.log import Entry
from pbem.league.lots import follows, sealed
from pbem.league.proof.evidence import Fault, Trial
from pbem.league.settings import DRAWN
from pbem.league.state import Season
from pbem.league.waiting import next_matching, people_waiting, waiting


def links(trial: Trial) -> Iterator[Fault]:
    length = trial.season.settings.draw.links
    for number, (before, link) in enumerate(pairwise(trial.season.links)):
        part, place = divmod(number, length)
        if part and not place:
            before = trial.season.chains[part - 1] if part <= len(trial.season.chains) else ""
        if not follows(link, before):
            yield Fault("V3", link, "the link does not follow from the one before: one is wrong, or left out")
    drawn = [draw.link for draw in trial.season.draws.values() if draw.link]
    if len({*drawn}) != len(drawn):
        yield Fault("V3", drawn[-1], "a link is used twice")


def dividing(trial: Trial, entry: Entry) -> Iterator[Fault]:
    act = entry.act
    if not isinstance(act, acts.Divided):
        return
    ratings = dict(act.inputs.get("ratings", []))
    if _differs(
        trial, act.inputs, dividing_inputs(trial.season, ratings, trial.apart or (), trial.season.beacon_of(1))
    ):
        yield Fault("V4", f"A-{entry.seq}", "the groups were not made of what the log had then")
    elif _is_open(trial, act.inputs) and _divided(trial, act) != act.groups:
        yield Fault("V4", f"A-{entry.seq}", "the groups are not what the key gives")


def _divided(trial: Trial, act: acts.Divided) -> tuple[acts.Group, ...]:
    return tuple(divide(trial.season.settings, act.link, act.inputs, trial.apart or ()))


def drawing(trial: Trial, entry: Entry) -> Iterator[Fault]:
    act = entry.act
    if isinstance(act, acts.Shrunk) and smaller(trial.season, trial.season.tables[act.drawn.number]) != act.drawn:
        yield Fault("V4", f"T-{act.drawn.number}", "the smaller table is not what the key gives")
    elif isinstance(act, acts.Unsealed):
        draw = trial.season.draws[act.number]
        if act.link != draw.link:
            yield Fault("V5", f"D-{act.number}", "it is unsealed with another link than it was drawn by")
    elif isinstance(act, acts.Drawn):
        was = trial.season.draws.get(act.number)
        if was and was.is_closed and sealed(act.drawings, act.link) != was.digest:
            yield Fault("V5", f"D-{act.number}", "the drawing is not what was sealed")
        for drawing in act.drawings:
            yield from _drawing(trial, act, drawing)


def _drawing(trial: Trial, act: acts.Drawn, drawing: acts.Drawing) -> Iterator[Fault]:
    season, inputs, about = before_draw(trial.season, act.number), drawing.inputs, f"D-{act.number}"
    beacon = season.beacon_of(act.number)
    if season.settings.format == "pool":
        wanted = _matching(trial, season, act.number, inputs)
    elif season.settings.format in DRAWN:
        scores = dict(inputs["scores"]) if is_open(season) else round_scores(season, {})
        wanted = round_inputs(season, act.number, scores, still_in(season, act.number), trial.apart or (), beacon)
    else:
        wanted = group_inputs(season, inputs["group"], trial.apart or (), beacon)
    if _differs(trial, inputs, wanted):
        yield Fault("V4", about, "it was not drawn from what the log had then")
    elif _is_open(trial, inputs) and _again(trial, act, drawing) != drawing:
        yield Fault("V4", about, "the tables, positions or costs are not what the key gives")


def _matching(trial: Trial, season: Season, number: int, inputs: Mapping[str, Any]) -> Mapping[str, object]:
    """Of the ratings of those who wait nothing but the numbers is told."""
    at, told = next_matching(season), inputs.get("waiting", [])
    mu = {person: own for person, _, own, _ in told}
    known = {*mu} == {*people_waiting(season, at)} if at is not None else False
    here = waiting(season, at, mu) if known and at is not None else []
    trial.given.append("the ratings that a draw was made of are taken as given")
    return match_inputs(season, number, here, trial.apart or ())


def _again(trial: Trial, act: acts.Drawn, drawing: acts.Drawing) -> acts.Drawing:
    season, positions = before_draw(trial.season, act.number), trial.season.positions
    first = min((table.number for table in drawing.tables), default=1)
    if season.settings.format == "pool":
        had, apart = positions_had(season), trial.apart or ()
        made = draw_match(season.settings, act.link, drawing.inputs, positions, had, first, apart)
        return made or acts.Drawing(inputs=drawing.inputs, tables=())
    if season.settings.format in DRAWN:
        had, apart = positions_had(season), trial.apart or ()
        return draw_round(season.settings, act.link, drawing.inputs, positions, had, first, apart)
    return draw_group(season.settings, act.link, drawing.inputs, positions, first)


def _differs(trial: Trial, inputs: Mapping[str, object], wanted: Mapping[str, object]) -> bool:
    """But for what the log tells as a digest only, till it is over or for ever: ratings, and whose clocks go how."""
    hidden = ("hours", "ratings", *(["apart"] if trial.apart is None else []))
    own = {key: value for key, value in inputs.items() if key not in hidden}
    return own != {key: value for key, value in wanted.items() if key != "ratings"}


def _is_open(trial: Trial, inputs: Mapping[str, object]) -> bool:
    is_hidden = ("apart" in inputs and trial.apart is None) or "hours" in inputs
    if "hours" in inputs:
        trial.given.append("tables for which the clocks of people were looked at are taken as given")
    if "ratings" in inputs:
        trial.given.append("the ratings that a draw was made of are taken as given")
    if "apart" in inputs and trial.apart is None:
        trial.given.append("tables of people who are kept apart are taken as given till the season ends")
    return not is_hidden
