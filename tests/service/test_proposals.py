"""What an answer proposes, and a yes that plays it: once, while it stands, and nothing else."""

from __future__ import annotations

import pytest

from pbem.host.messages.replies import Proposal
from pbem.host.ports import Mail
from tests.service.bureau import HOUR, Bureau, address

ARMY = "austria_hungary: import A lemberg"
PREVIEW = "preview\naustria: import A lemberg"


def proposed(bureau: Bureau, name: str = "anton") -> str | None:
    proposal = bureau.replies(name)[-1].proposal
    assert proposal is None or isinstance(proposal, Proposal)
    return proposal.text if proposal else None


def answered(bureau: Bureau, text: str, mail: Mail, name: str = "anton", **more: str) -> list[Mail]:
    """A reply to that letter, as mail programs write one."""
    to = mail.reply_to or ""
    return bureau.write(name, text, to=to, subject=f"Re: {mail.subject}", In_Reply_To=mail.message_id, **more)


@pytest.mark.parametrize(
    ("text", "proposal"),
    [
        (PREVIEW, ARMY),
        ("preview\nimport 2 A lemberg", "austria_hungary: import 2 A lemberg"),
        ("import lemberg", ARMY),
        ("A lemberg", ARMY),
        ("austia: import A Lemburg", ARMY),
        ("österreich: import A Lemburg; gib auch Russland 1", f"{ARMY}\ngive russia 1"),
        ("österreich: importazione A leopoly", ARMY),
        ("import A lemberg, F vienna", ARMY),
        ("austria: import", None),
        ("austria: factory paris", None),
        ("austria: import A nowhere", None),
        ("italy: import A rome", None),
        ("status", None),
        ("preview\nfactory paris", None),
        ("inv", "austria_hungary: investor"),
        ("import F lemberg", None),
        ("production_1 at paris", None),
    ],
)
def test_what_is_certain_is_proposed(bureau: Bureau, text: str, proposal: str | None) -> None:
    bureau.write("anton", text)
    assert proposed(bureau) == proposal
    assert bureau.awaited == [("anton", "turn", "austria_hungary")]


@pytest.mark.parametrize("yes", ["yes", "Yes!", "ok", "OK.", "ja", "sì", "si", "ja bitte", "va bene"])
def test_a_yes_plays_it_once(bureau: Bureau, yes: str) -> None:
    (sent,) = bureau.write("anton", PREVIEW)
    answered(bureau, f"{yes}\n\n> austria: taxation", sent)
    assert bureau.outcomes("anton") == [("played", None)]
    assert bureau.document["nations"]["austria_hungary"]["armies"] == {"lemberg": 1}
    before = bureau.entries
    answered(bureau, yes, sent)
    assert bureau.outcomes("anton") == [("refused", "proposal.over")]
    assert bureau.entries == before


def test_a_gift_is_given_once(bureau: Bureau) -> None:
    bureau.write("anton", "preview\ngive austria 1")
    for outcome in ("played", "refused"):
        bureau.write("anton", "yes")
        assert [outcome for outcome, _ in bureau.outcomes("anton")] == [outcome]


def test_a_letter_delivered_twice_plays_nothing_twice(bureau: Bureau) -> None:
    (sent,) = bureau.write("anton", PREVIEW)
    answered(bureau, "yes", sent, id_="<twice@players.test>")
    before = bureau.entries
    answered(bureau, "yes", sent, id_="<twice@players.test>")
    assert bureau.entries == before


def test_it_is_shown_in_the_reader_s_words(bureau: Bureau) -> None:
    for language, line, yes in (
        ("de", "Österreich-Ungarn: Import A Lemberg", "Antworte „ja“"),
        ("it", "Austria-Ungheria: Importazione A Leopoli", "Rispondi “sì”"),
        ("en", "Austria-Hungary: import A Lemberg", "Reply “yes”"),
    ):
        bureau.write("anton", f"language {language}")
        (sent,) = bureau.write("anton", "import lemberg")
        assert line.lower() in sent.text.lower()
        assert yes in sent.text
        assert "mailto:" in (sent.html or "").partition(yes)[0]


def test_it_stands_while_its_question_is_open(bureau: Bureau) -> None:
    bureau.write("anton", PREVIEW)
    bureau.tick(25 * HOUR)
    (sent, *_) = [mail for mail in bureau.write("anton", "yes") if mail.answers]
    assert bureau.outcomes("anton") == [("refused", "proposal.over")]
    assert "turn 1 was played" in " ".join(sent.text.split())


def test_the_letter_that_is_answered_says_which(bureau: Bureau) -> None:
    (first,) = bureau.write("anton", PREVIEW)
    bureau.write("anton", "preview\naustria: taxation")
    answered(bureau, "yes", first)
    assert bureau.document["nations"]["austria_hungary"]["rondel"] == "import"


def test_what_was_asked_between_changes_nothing_but_another_trial_does(bureau: Bureau) -> None:
    bureau.write("anton", PREVIEW)
    bureau.write("anton", "status")
    bureau.write("anton", "austria: factory paris")
    bureau.write("anton", "yes")
    assert bureau.outcomes("anton") == [("refused", "yes.unclear")]
    bureau.write("anton", PREVIEW)
    bureau.write("anton", "status")
    bureau.write("anton", "yes")
    assert bureau.outcomes("anton") == [("played", None)]


@pytest.mark.parametrize("text", ["ok do it", "yes\nbut only if Italy does not mind", "yes but wait"])
def test_a_yes_with_more_around_it_is_a_note(bureau: Bureau, text: str) -> None:
    bureau.write("anton", PREVIEW)
    bureau.write("anton", text)
    assert ("refused", "proposal.noted") in bureau.outcomes("anton")
    assert proposed(bureau) == ARMY
    bureau.write("anton", "yes")
    assert bureau.outcomes("anton") == [("played", None)]


def test_with_other_orders_nobody_guesses(bureau: Bureau) -> None:
    bureau.write("anton", PREVIEW)
    bureau.write("anton", "yes\naustria: taxation")
    assert bureau.outcomes("anton") == [("refused", "proposal.noted"), ("held", None)]


def test_nobody_else_plays_it(bureau: Bureau) -> None:
    bureau.write("anton", PREVIEW)
    bureau.write("bert", "yes")
    assert bureau.outcomes("bert") == [("refused", "yes.unclear")]


def test_a_petition_that_is_answered_comes_first(bureau: Bureau) -> None:
    notices = bureau.write("bert", "petition clarify May fleets pass?")
    (asked,) = [mail for mail in notices if mail.to == address("anton")]
    (sent,) = bureau.write("anton", PREVIEW)
    answered(bureau, "yes", asked)
    assert bureau.outcomes("anton") == [("voted", None)]
    bureau.write("anton", "yes", to=asked.reply_to or "")
    assert bureau.outcomes("anton") == [("refused", "proposal.or_vote")]
    answered(bureau, "yes", sent)
    assert bureau.outcomes("anton") == [("played", None)]
