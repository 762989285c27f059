"""The examples that stand in pages of Markdown, each with what its page keeps out of sight.

A block between fences may have a comment right above it: the position it is tried in, in the words of a play file; the
last line may say who writes (`bert>`). A comment right below it tells what is expected then.
"""

from __future__ import annotations

import re
import textwrap

from msgspec import Struct

TABLE = "seats anton bert claudia\nflags anton austria_hungary, bert italy, claudia france"
_BLOCK = re.compile(
    r"(?:^<!--\n(?P<before>(?:(?!-->).)*)\n-->\n)?^```(?P<info>[^\n`]*)\n(?P<text>.*?)\n```$(?:\n<!--\n(?P<then>.*?)\n-->)?",
    re.DOTALL | re.MULTILINE,
)
_WRITER = re.compile(r"(?:^|\n)([\w-]+)>\Z")


class Example(Struct, frozen=True, kw_only=True):
    """One block of a page."""

    line: int  # of its first line in the page
    kind: str  # the first word behind the fence, "" for a letter
    words: tuple[str, ...]  # those after it
    before: str  # in the comment above, without who writes
    writer: str
    text: str
    then: str  # in the comment below

    @property
    def play(self) -> str:
        """It as a play file: the letter stands between its position and what is expected."""
        return (
            f"{self.position}\n{self.writer}>\n{textwrap.indent(self.text, '  ')}\n{textwrap.indent(self.then, '  ')}\n"
        )

    @property
    def position(self) -> str:
        """What stands above it, at the usual table unless it has its own."""
        has_table = re.search(r"^(?:seats|begin nothing)\b", self.before, re.MULTILINE)
        return self.before if has_table else f"{TABLE}\n{self.before}"

    @property
    def orders(self) -> list[str]:
        """Each line with those that are indented under it, without the remarks."""
        bare = (re.split(r"\s+#\s", line)[0].rstrip() for line in self.text.splitlines())
        return re.split(r"\n(?!\s)", "\n".join(line for line in bare if line))


def examples(page: str) -> list[Example]:
    """All of a page, in their order."""
    return [_example(page, found) for found in _BLOCK.finditer(page)]


def _example(page: str, found: re.Match[str]) -> Example:
    before = found["before"] or ""
    writer = _WRITER.search(before)
    kind, *words = found["info"].split() or [""]
    return Example(
        line=page.count("\n", 0, found.start("text")) + 1,
        kind=kind,
        words=tuple(words),
        before=before[: writer.start()] if writer else before,
        writer=writer[1] if writer else "anton",
        text=found["text"],
        then=found["then"] or "",
    )
