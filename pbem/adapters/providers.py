"""The settings file to fill in, as large providers of mail have it: hosts, ports, and how one logs in there."""

from __future__ import annotations

from jinja2 import Environment, StrictUndefined

from pbem.files import resource

_PLAIN = Environment(  # noqa: S701  it is no page
    trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True, undefined=StrictUndefined
)


def settings_for(provider: str | None) -> str:
    """The settings file that `pbem init` writes; None: as any other has it."""
    template = resource("templates/settings/pbem.yaml.j2").read_text("utf-8")
    return _PLAIN.from_string(template).render(provider=provider)
