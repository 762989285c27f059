"""`show`, or `orders`: what is on file, as every answer tells."""

from __future__ import annotations

from pbem.host.commands.aside import Query

SHOW = Query(name="show", kind="aside", words=("show", "zeige", "mostra"), low_priority=False, tell=lambda _: None)
ORDERS = Query(name="orders", kind="aside", words=("orders", "Befehle", "ordini"), part_of="show", tell=lambda _: None)
