"""What of a season a search may find: the season by its name, its groups by their people."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from pbem.adapters.site.find import PageIndex, of_pages
from pbem.league.state import Season


def season_index(season: Season, title: str, called: Callable[[int], str]) -> PageIndex:
    """`title` is how the season's page calls it, `called` how its pages call people."""

    def names(people: Iterable[int]) -> str:
        return " · ".join(map(called, people))

    groups = [
        (f"{name}/", f"{season.tag} {name}", f"{season.tag} {name}\n{names(people)}")
        for name, people in season.groups.items()
        if name
    ]
    everybody = () if groups else sorted(each.person for each in season.entrants)
    return of_pages([("", title, f"{title} {season.tag} {season.settings.game}\n{names(everybody)}"), *groups])
