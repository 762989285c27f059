"""The settings file to fill in, as large providers of mail have it: hosts, ports, and how one logs in there."""

from __future__ import annotations

from jinja2 import Environment, StrictUndefined

from pbem.files import resource

_PLAIN = Environment(  # noqa: S701  it is no page
    trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True, undefined=StrictUndefined
)


def settings_for(provider: str | None) -> str:
    """The settings file that `pbem init` writes; None: as any other has it."""
    return filled_in("pbem.yaml.j2", provider=provider)


def filled_in(name: str, **facts: object) -> str:
    """A file of `templates/settings`."""
    return _PLAIN.from_string(resource(f"templates/settings/{name}").read_text("utf-8")).render(facts)
