"""How mail programs thread our letters: one tree for each game, whoever looks (jwz.org/doc/threading.html)."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import Message
from itertools import pairwise
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from pbem.adapters.composing import FromAddress, compose
from pbem.games.imperial.bots import BOTS
from tests.service.bureau import DAY, HOST, NAMES, Bureau, address

SUBJECT = "[imp-1]"


@dataclass
class Node:
    """A container of the algorithm: a message, or only an id that messages refer to."""

    id: str
    message: Message | None = None
    parent: Node | None = None
    children: list[Node] = field(default_factory=list)

    def is_above(self, other: Node | None) -> bool:
        return other is not None and (other is self or self.is_above(other.parent))

    def move_to(self, parent: Node | None) -> None:
        if self.parent is not None:
            self.parent.children.remove(self)
        self.parent = parent
        if parent is not None:
            parent.children.append(self)

    def outline(self, depth: int = 0) -> Iterator[str]:
        yield "  " * depth + (self.id if self.message else f"({self.id})")
        for child in sorted(self.children, key=lambda child: child.id):
            yield from child.outline(depth + 1)


def threaded(messages: Iterable[Message]) -> list[Node]:
    """The trees: steps 1, 2 and 4 of the algorithm, without its guesses by subject."""
    nodes: dict[str, Node] = {}
    for message in messages:
        _link(nodes, message)
    roots = [node for node in nodes.values() if node.parent is None]
    return [node for root in roots for node in _pruned(root)]


def _link(nodes: dict[str, Node], message: Message) -> None:
    node = nodes.setdefault(message["Message-ID"], Node(message["Message-ID"]))
    node.message = message
    ids = str(message["References"] or message["In-Reply-To"] or "").split()
    line = [nodes.setdefault(id_, Node(id_)) for id_ in ids]
    for above, below in pairwise(line):
        if below.parent is None and not below.is_above(above):
            below.move_to(above)
    if line and not node.is_above(line[-1]):
        node.move_to(line[-1])


def _pruned(root: Node) -> Sequence[Node]:
    """An id that nobody has a message of goes, unless it holds several together."""
    return root.children if root.message is None and len(root.children) < 2 else [root]


class Post:
    """A bureau, and what everybody has in his mailbox: what he got and what he wrote."""

    def __init__(self) -> None:
        self.bureau = Bureau()
        self.boxes: dict[str, list[Message]] = {name: [] for name in NAMES}

    def collect(self) -> None:
        """Sort what was sent since the last time into the mailboxes."""
        for mail in self.bureau.postman.sent:
            who = mail.to.partition("@")[0]
            if who in self.boxes:
                self.boxes[who].append(_read(compose(mail, FromAddress(address=HOST), 0)))
        self.bureau.postman.sent.clear()

    def reply(self, who: str, text: str) -> None:
        """Answer the last report or question, as a mail program does."""
        last = next(message for message in reversed(self.boxes[who]) if message["Auto-Submitted"] == "auto-generated")
        chain = f"{last['References'] or ''} {last['Message-ID']}".strip()
        self.write(who, text, In_Reply_To=last["Message-ID"], References=chain, subject=f"Re: {last['Subject']}")

    def write(self, who: str, text: str, **fields: str) -> None:
        raw = self.bureau.drop(who, text, **fields).raw
        self.boxes[who].append(_read(raw))
        self.bureau.tick()
        self.collect()

    @property
    def all(self) -> list[Message]:
        return [message for box in self.boxes.values() for message in box]

    def bots_orders(self, dice: random.Random) -> list[tuple[str, str]]:
        with self.bureau.server.games.work() as desk:
            session = desk.session(desk.game("imp-1"))
            rules: Any = session.rules
            chosen = [(d.seat, BOTS["greedy"](rules, session.state, d, dice.randrange)) for d in session.pending()]
        return [(seat, rules.notation.write(order)) for seat, order in chosen]


def _read(raw: bytes) -> Message:
    return message_from_bytes(raw, policy=policy.default)


@pytest.fixture(scope="module")
def post() -> Post:
    """A game from the invitation to the end: answers, fresh letters, refusals, questions, a lapse with its reminders."""
    post, dice = Post(), random.Random(3)
    post.bureau.invite(3)
    post.bureau.tick()
    post.collect()
    for who in NAMES[:3]:
        post.reply(who, "join")
    for round_ in range(18):
        for seat, order in post.bots_orders(dice):
            if round_ % 5 == 4:
                post.write(seat, "status\nnonsense", subject=SUBJECT)
            if round_ % 3:
                post.reply(seat, order)
            else:
                post.write(seat, order, subject=SUBJECT)
    for _ in range(4):
        post.bureau.tick(DAY // 3)
        post.collect()
    post.bureau.finish()
    post.collect()
    return post


def test_a_whole_game_is_one_tree(post: Post) -> None:
    assert len(post.all) > 80
    (tree,) = threaded(post.all)
    assert tree.id == "<imp-1.game@pbem.test>"


@pytest.mark.parametrize("who", NAMES[:3])
def test_a_whole_game_is_one_tree_in_everybody_s_mailbox(post: Post, who: str) -> None:
    kinds = {str(message["Auto-Submitted"]) for message in post.boxes[who]}
    assert kinds == {"auto-replied", "auto-generated", "None"}
    assert len(threaded(post.boxes[who])) == 1
    assert len(threaded(reversed(post.boxes[who]))) == 1


def test_an_answer_stands_under_the_letter_it_answers_and_a_report_under_the_game(lots: None) -> None:
    post = Post()
    post.bureau.invite(2)
    post.bureau.tick()
    post.collect()
    for who in NAMES[:2]:
        post.reply(who, "join")
    ((seat, _, nation),) = post.bureau.awaited
    post.reply(seat, f"{nation}: production_1")
    post.write(seat, "status", subject=SUBJECT)
    (tree,) = threaded(post.boxes[seat])
    shown = "\n".join(tree.outline())
    for plain, found in (
        ("SEAT", rf"\b{seat}\b"),
        ("letter", r"letter-\d"),
        ("answer", r"answer\.\w+"),
        ("", r"@[\w.]+"),
    ):
        shown = re.sub(found, plain, shown)
    assert shown == OUTLINE


OUTLINE = """\
(<imp-1.game>)
  <imp-1.0.SEAT>
    <letter>
      <answer>
  <imp-1.invitation.SEAT>
    <letter>
      <answer>
  <letter>
    <answer>"""


def test_an_answer_keeps_the_subject_of_the_letter_it_answers() -> None:
    bureau = Bureau()
    bureau.open(3)
    for written, kept in (
        ("Re: [imp-1] Turn 1 · Italy", "Re: [imp-1] Turn 1 · Italy"),
        ("AW: Re: [imp-1] Turn 1: Italy", "Re: [imp-1] Turn 1: Italy"),
        ("a question about [imp-1]", "Re: [imp-1] a question about"),
        ("Re: [imp-1]", "[imp-1] Your letter: done"),
    ):
        bureau.write("bert", "status", subject=written)
        assert bureau.answers("bert")[-1].subject == kept
    bureau.write("zoe", "hello", subject="Buy now!")
    assert "Buy" not in bureau.answers("zoe")[-1].subject


def test_a_reminder_stands_in_the_conversation_of_the_letter_that_asked(post: Post) -> None:
    """Also in programs that thread by subject: whatever is told of one question keeps its subject."""
    reminders = 0
    for who in NAMES[:3]:
        before: set[str] = set()
        for message in post.boxes[who]:
            if ".reminder." in message["Message-ID"]:
                reminders += 1
                assert message["Subject"] in before
            before.add(str(message["Subject"]))
    assert reminders


@pytest.mark.slow
def test_every_letter_of_a_game_tells_programs_what_it_is(post: Post) -> None:
    ours = [message for message in post.all if message["Auto-Submitted"]]
    for message in ours:
        assert message["X-Auto-Response-Suppress"] == "All"
        assert (message["List-Id"], message["List-Post"]) == ("<imp-1.pbem.test>", "NO")
        assert message["List-Help"].startswith("<mailto:")
        assert message["List-Unsubscribe"].startswith("<mailto:")
        assert message["Date"]
        assert message["Reply-To"].startswith("pbem+imp-1.")
    assert len({message["Message-ID"] for message in ours}) == len(ours)


def test_what_is_about_no_game_is_no_list() -> None:
    post = Post()
    post.bureau.write("zoe", "hello", subject="hello")
    (mail,) = post.bureau.postman.to(address("zoe"))
    message = _read(compose(mail, FromAddress(address=HOST), 0))
    assert message["Auto-Submitted"] == "auto-replied"
    assert message["List-Id"] is None
    assert message["References"] == message["In-Reply-To"]


def test_who_leaves_the_list_gets_only_what_he_is_asked() -> None:
    """The letter that his mail program writes for him is understood."""
    fresh = Post()
    fresh.bureau.open(3)
    fresh.collect()
    ((seat, _, _),) = fresh.bureau.awaited
    other = next(name for name in NAMES[:3] if name != seat)
    link = urlsplit(str(fresh.boxes[other][-1]["List-Unsubscribe"]).strip("<>"))
    words = parse_qs(link.query)
    fresh.write(other, words["body"][0], subject=words["subject"][0], to=unquote(link.path))
    assert fresh.bureau.outcomes(other) == [("set", None)]
    assert fresh.boxes[other][-1]["Auto-Submitted"] == "auto-replied"
    with fresh.bureau.store.transaction() as repository:
        game = repository.game("imp-1")
    assert game is not None
    assert {member.seat: member.reports for member in game.members}[other] == "mine"
