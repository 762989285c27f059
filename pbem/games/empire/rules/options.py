"""What a table may be played by: the keys of section 21 of the rules, each with its values, the default first."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct


class Option(Struct, frozen=True, kw_only=True):
    values: tuple[str, ...]  # none: a whole number
    default: str
    set_by: str = "clarification"  # start change clarification


def _of(*values: str, by: str = "clarification") -> Option:
    return Option(values=values, default=values[0], set_by=by)


OPTIONS: Mapping[str, Option] = {
    "land_crt": _of("table", "referee", by="change"),
    "naval_steps": _of("factor", "referee", by="change"),
    "naval_destroyer": _of("1/2", "2/3", "1"),
    "naval_unarmed": _of("bombing", "referee"),
    "bombing_table": _of("verbatim", "monotone"),
    "naval_convoy": _of("yes", "no", "referee", by="change"),
    "land_retreat": _of("2", "1", "3"),
    "confidence_spread": _of("literal", "investment", by="change"),
    "tax_timing": _of("next_turn", "same_turn_pre", "same_turn_prev"),
    "inflation_sites": _of("floor", "ceil"),
    "swamp_motor": _of("no", "yes"),
    "swamp_cattle": _of("9", "1/2"),
    "chemicals_rate": _of("1/10", "1/4", "1"),
    "oil_flight": _of("aircraft", "mission"),
    "oil_submarine": _of("1/40", "1/20", "0"),
    "lateness_boundary": _of("after", "at"),
    "construction": _of("table", by="start"),
    "swamp_extra": _of("wood", "building_material"),
    "goods": _of("table", "typescript", by="start"),
    "colony_apart": _of("2", "0", "4"),
    "confidence_floor": _of("none", "0"),
    "end_turns": Option(values=(), default="12"),
    "canal_manned": _of("one", "both"),
    "land_exchange": _of("printed", "both"),
    "power": _of("grid", "square", "free"),
    "investment_when": _of("paid", "produced"),
    "made_when": _of("at_once", "next_turn"),
    "made_moves": _of("no", "yes"),
    "farm_where": _of("open", "marked", by="start"),
    "bta_border": _of("entered", "dearer"),
    "space_city": _of("free", "warehouse"),
    "battle_orders": _of("one", "many"),
    "scramble": _of("match", "none", "all"),
    "pirate": Option(values=(), default="bot", set_by="start"),  # bot none SEAT
    "serpents": _of("yes", "no"),
    "ask": _of("no", "yes"),
    "canal_worker": _of("present", "permanent", by="change"),
    "canal_line": _of("single", "double", by="change"),
    "naval_gun_stay": _of("yes", "no", by="change"),
    "pirate_turn": Option(values=("3", "4"), default="3", set_by="change"),
    "bombing_empty": _of("yes", "no", by="change"),
    "catalog_bridge": _of("no", "yes", by="change"),
    "torpedo_sum": _of("no", "yes", by="change"),
    "worker_zoc": _of("never", "palace", by="change"),
    "lateness": _of("mcr", "ledger"),
    "finality": _of("at_once", "on_rollout"),
}
BY_SETUP: Mapping[str, Mapping[str, str]] = {
    "full": {},
    "training": {"end_turns": "6", "pirate": "none", "serpents": "no"},
    "bare": {"end_turns": "0", "pirate": "none", "serpents": "no"},
}


def options_from(setup: str, chosen: Mapping[str, str]) -> dict[str, str]:
    """Every option's value. Raises `ValueError` for a key or a value that there is not."""
    found = {key: option.default for key, option in OPTIONS.items()} | dict(BY_SETUP[setup])
    for key, value in chosen.items():
        _check(key, value)
        found[key] = value
    return found


def _check(key: str, value: str) -> None:
    option = OPTIONS.get(key)
    if option is None:
        raise ValueError(f"option {key}: there is none; there are {', '.join(OPTIONS)}")
    if key == "pirate":
        return
    if not option.values and not value.isdigit():
        raise ValueError(f"option {key}: {value!r} is no whole number")
    if option.values and value not in option.values:
        raise ValueError(f"option {key}: {value!r} is none of {', '.join(option.values)}")
