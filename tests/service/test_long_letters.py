"""Letters that are longer than we read: the mailbox hands over their headers alone."""

from __future__ import annotations

from pbem.host.ports import MailFolder
from tests.service.bureau import Bureau, prefix

CAP = 64 * 1024
LONG = "austria: import A lemberg\n" + "x" * (CAP + 10_000)


def write_long(bureau: Bureau, who: str, **more: str) -> list[str]:
    """Who got mail."""
    bureau.mailbox.add(bureau.letter(who, LONG, **more), bureau.clock.now(), cut=CAP)
    return prefix(bureau.tick())


def test_a_player_is_told_what_is_too_long_and_nothing_is_read(bureau: Bureau) -> None:
    assert write_long(bureau, "anton") == ["anton"]
    (reply,) = bureau.replies("anton")[-1:]
    assert (reply.problem, reply.game, reply.seat) == ("letter.too_long", "imp-1", "anton")
    assert (reply.facts["limit"], reply.facts["size"] > 64) == (64, True)
    assert bureau.awaited == [("anton", "turn", "austria_hungary")]
    (mail,) = bureau.answers("anton")[-1:]
    assert "none of more than 64 kB" in mail.text


def test_it_may_come_without_a_tag_and_from_another_table(bureau: Bureau) -> None:
    bureau.server.new_game(bureau.terms(), ["gerda@players.test", "hans@players.test"])
    bureau.tick()
    assert write_long(bureau, "gerda") == ["gerda"]
    assert bureau.replies("gerda")[-1].seat is None
    assert write_long(bureau, "hans", subject="hello") == ["hans"]
    assert bureau.replies("hans")[-1].game == "imp-2"


def test_a_stranger_gets_no_answer(bureau: Bureau) -> None:
    assert write_long(bureau, "zoe") == []
    assert len(bureau.mailbox.on(MailFolder.kept)) == 1


def test_a_machine_gets_no_answer(bureau: Bureau) -> None:
    assert write_long(bureau, "anton", Auto_Submitted="auto-replied") == []


def test_the_same_letter_again_is_not_answered_again(bureau: Bureau) -> None:
    assert write_long(bureau, "anton", id_="<long@players.test>") == ["anton"]
    assert write_long(bureau, "anton", id_="<long@players.test>") == []


def test_a_letter_that_was_to_be_kept_is_kept_also_after_a_death_before_that(bureau: Bureau) -> None:
    raw = bureau.mailbox.add(bureau.letter("anton", LONG), bureau.clock.now(), cut=CAP)
    assert [bureau.server.inbox().take(raw) for _ in range(2)] == [MailFolder.kept] * 2
    whole = bureau.mailbox.add(bureau.letter("anton", "status"), bureau.clock.now())
    assert [bureau.server.inbox().take(whole) for _ in range(2)] == [MailFolder.done] * 2
