"""What an answer proposes, and a yes that plays it: once, while it stands, and nothing else."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from pbem.core.seat import Setup
from pbem.host.messages.replies import Proposal
from pbem.host.ports import Mail
from pbem.host.session.identity import Identity
from tests.service.bureau import HOST, HOUR, IDENTITY, NAMES, Bureau, address
from tests.service.test_moderation import MODERATOR, acts, appoint

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


def test_words_that_say_nothing_are_answered(bureau: Bureau) -> None:
    for text in ("A", "Ich", "eine", "I'd", "please", "und", "grazie"):
        bureau.write("anton", text)
        assert bureau.replies("anton")[-1].problem != "letter.fault", text
        assert proposed(bureau) is None, text


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


@pytest.mark.parametrize("text", ["ok maybe do it", "yes\nbut only if Italy does not mind", "yes but wait"])
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


# -- what is not played at once ---


@pytest.mark.parametrize(
    ("text", "proposal", "outcome"),
    [
        ("preview\nadvance italy: investor", "advance italy: investor", "filed"),
        ("advance ital: invstor", "advance italy: investor", "filed"),
        ("advnce austria: investor", "advance austria_hungary: investor", "filed"),
        ("vorab Österreich: Investr", "advance austria_hungary: investor", "filed"),
        ("standing fihgt", "standing fight", "filed"),
        ("standing invst italy 12", "standing invest italy 12", "filed"),
        ("preview\nstanding peace", "standing peace", "filed"),
        ("petiton change Slower clock", "petition change Slower clock", "posted"),
        ("petition chnage Slower clock", "petition change Slower clock", "posted"),
        ("Antarg Änderung Langsamer", "Antrag Änderung Langsamer", "posted"),
        ("preview\npetition clarify May fleets pass?", "petition clarify May fleets pass?", "posted"),
    ],
)
def test_what_is_kept_or_posted_is_proposed_too(bureau: Bureau, text: str, proposal: str, outcome: str) -> None:
    (sent,) = bureau.write("anton", text)
    assert proposed(bureau) == proposal
    assert "and it is done" in sent.text
    bureau.write("bert", "status")
    answered(bureau, "yes", sent)
    assert bureau.outcomes("anton") == [(outcome, None)]
    answered(bureau, "yes", sent)
    assert bureau.outcomes("anton") == [("refused", "proposal.over")]


def test_what_is_kept_stands_when_others_have_moved(bureau: Bureau) -> None:
    bureau.write("anton", "austria: taxation")
    (sent,) = bureau.write("anton", "preview\nadvance austria: investor")
    bureau.write("bert", "italy: taxation")
    answered(bureau, "yes", sent)
    assert bureau.outcomes("anton") == [("filed", None)]


def test_a_vote_is_proposed(bureau: Bureau) -> None:
    bureau.write("bert", "petition clarify May fleets pass?")
    for text, proposal in (("agianst P-1", "against P-1"), ("dafürr P-1", "dafür P-1"), ("contrp P-1", "contro P-1")):
        bureau.write("anton", text)
        assert proposed(bureau) == proposal, text
    bureau.write("anton", "agianst P-1")
    bureau.write("anton", "yes")
    assert bureau.outcomes("anton") == [("voted", None)]


def test_where_orders_wait_for_a_roll_out_a_yes_puts_them_on_file(desk: Bureau) -> None:
    desk.open(setup=Setup(options={"finality": "on_rollout"}))
    desk.write("anton", "import lemberg")
    assert proposed(desk) == ARMY
    desk.write("anton", "yes")
    assert desk.outcomes("anton") == [("drafted", None)]
    desk.write("anton", "rollout")
    assert desk.outcomes("anton") == [("played", None)]


def test_what_a_yes_plays_may_be_taken_back_for_a_while(desk: Bureau) -> None:
    desk.open(hold_minutes=5)
    (sent,) = desk.write("anton", PREVIEW)
    for text, outcome in (("yes", "binds"), ("undo", "undone")):
        answered(desk, text, sent)
        assert desk.outcomes("anton") == [(outcome, None)]
    answered(desk, "yes", sent)
    assert desk.outcomes("anton") == [("refused", "proposal.over")]
    desk.write("anton", PREVIEW)
    desk.write("anton", "yes")
    desk.tick(6 * 60)
    assert desk.document["nations"]["austria_hungary"]["armies"] == {"lemberg": 1}


def test_a_deputy_s_yes_plays_for_the_seat(bureau: Bureau) -> None:
    with_deputy(bureau)
    bureau.write("bert", "as anton:\nimport lemberg")
    assert proposed(bureau, "bert") == ARMY
    assert bureau.awaited == [("anton", "turn", "austria_hungary")]
    bureau.write("bert", "as anton: yes")
    assert bureau.outcomes("bert") == [("played", None)]


def with_deputy(bureau: Bureau) -> None:
    """Bert writes for Anton, who is away."""
    bureau.write("anton", "away until tomorrow deputy bert")


@pytest.mark.parametrize("identity", [IDENTITY, Identity(key=IDENTITY.key, address=HOST, tags=False)])
@pytest.mark.parametrize("anonymous", ["no", "always"])
def test_whatever_proves_who_writes(lots: None, identity: Identity, anonymous: str) -> None:
    made = Bureau(identity=identity)
    made.invite(6, anonymous=anonymous)
    made.tick()

    def say(name: str, text: str, mail: Mail) -> None:
        made.write(name, text, to=mail.reply_to or HOST, subject=f"Re: {mail.subject}")

    for name in NAMES:
        say(name, "join", made.postman.to(address(name))[-1])
    (seat,) = (seat for seat, _, nation in made.awaited if nation == "austria_hungary")
    name = next(each.person.address.partition("@")[0] for each in made.game.members if each.seat == seat)
    say(name, PREVIEW, made.postman.to(address(name))[-1])
    say(name, "Yes!\n\n> austria: taxation", made.answers(name)[-1])
    assert made.outcomes(name) == [("played", None)]


SIGNED = "Ja, gerne!\n\nViele Grüße\nAnton\n\nAm 03.04.2026 um 10:11 schrieb PBEM <pbem@pbem.test>:\n> Steuer\n> yes"


@pytest.mark.parametrize(
    "yes",
    [
        *(
            "yes please",
            "ja gerne",
            "Si, grazie",
            "Ok, thanks!",
            "Yes, yes",
            "👍",
            "👍🏽",
            "ok 👍",
            "Ja 🙂",
            "YES.",
            "yep",
        ),
        *(
            "ok do it",
            "Yes, please do that!",
            "ok go ahead 👍",
            "Ja, mach das",
            "ja bitte mach's",
            "Sì, fallo",
            "ok, vai",
        ),
        *("Sì\u00a0grazie", "Yes\n\nThanks, Anton", "Ja\n\nLG Anton", "sì\nCiao", SIGNED),
    ],
)
def test_a_yes_as_people_write_it(bureau: Bureau, yes: str) -> None:
    (sent,) = bureau.write("anton", PREVIEW)
    answered(bureau, yes, sent)
    assert ("played", None) in bureau.outcomes("anton"), bureau.outcomes("anton")
    assert bureau.document["nations"]["austria_hungary"]["armies"] == {"lemberg": 1}


@pytest.mark.parametrize(
    "no",
    [
        "no",
        "yes?",
        "yes but later",
        "👎",
        "yes no",
        "not yes",
        "yes 👎",
        "yes if Italy agrees",
        "ok don't do it",
        "no, do it",
    ],
)
def test_what_is_no_yes_plays_nothing(bureau: Bureau, no: str) -> None:
    (sent,) = bureau.write("anton", PREVIEW)
    answered(bureau, no, sent)
    assert bureau.awaited == [("anton", "turn", "austria_hungary")]


def test_what_can_t_be_read_beside_a_yes_is_told_with_what_would_do(bureau: Bureau) -> None:
    (sent,) = bureau.write("anton", PREVIEW)
    (sent,) = answered(bureau, "ok maybe do it", sent)
    said = " ".join(sent.text.split())
    assert "I can’t read “ok maybe do it”" in said
    assert "To play what you previewed, write: Austria-Hungary: import A Lemberg" in said


# -- what somebody writes who leads the game ---

BOT = "bot bert: he is silent"


@pytest.fixture
def led(bureau: Bureau) -> Bureau:
    appoint(bureau, MODERATOR)
    return bureau


@pytest.mark.parametrize(
    ("text", "proposal"),
    [
        ("bot betr: he is silent", BOT),
        ("preview\nbot bert: he is silent", BOT),
        ("anounce: Merry Christmas", "announce: Merry Christmas"),
        ("anounce: Merry Christmas\nand a happy new year", "announce: Merry Christmas\nand a happy new year"),
        ("deadlin anton 24.12.2030 18:00: Christmas", "deadline anton 24.12.2030 18:00: Christmas"),
        ("bot xyz: he is silent", None),
        ("bot bert", None),
        ("close turn 7: c", None),
        ("Dear all", None),
        ("anounce: one\nanounce: two", None),
        ("announce: one\nbot betr: two", None),
        ("clos turn 7: c\n" * 7 + "anounce: one", "announce: one"),
        ("clos turn 7: c\n" * 8 + "anounce: one", None),  # more slips than are tried
    ],
)
def test_a_power_that_is_misspelt_is_proposed(led: Bureau, text: str, proposal: str | None) -> None:
    led.write(MODERATOR, text)
    assert proposed(led, MODERATOR) == proposal


def test_a_yes_of_whoever_leads_uses_the_power_once(led: Bureau) -> None:
    (sent,) = led.write(MODERATOR, "bot betr: he is silent")
    assert "Reply “yes”, and it is done" in sent.text
    led.write(MODERATOR, "ok maybe do it")
    assert led.outcomes(MODERATOR) == [("refused", "proposal.noted")]
    answered(led, "yes please", sent, MODERATOR)
    assert led.outcomes(MODERATOR) == [("done", None)]
    assert [act["type"] for act in acts(led)] == ["bot_seated"]
    answered(led, "yes", sent, MODERATOR)
    assert led.outcomes(MODERATOR) == [("refused", "proposal.over")]
    assert len(acts(led)) == 1


def test_nobody_else_s_yes_uses_it(led: Bureau) -> None:
    (sent,) = led.write(MODERATOR, "bot betr: he is silent")
    for name in ("anton", "bert"):
        answered(led, "yes", sent, name)
        led.write(name, "yes")
    assert acts(led) == []


def test_nor_one_who_leads_no_more(led: Bureau) -> None:
    (sent,) = led.write(MODERATOR, "bot betr: he is silent")
    with led.server.games.work() as desk:
        desk.repository.save_game(replace(desk.game("imp-1"), moderators=()))
    answered(led, "yes", sent, MODERATOR)
    assert acts(led) == []


def test_nor_a_yes_when_the_game_has_moved_on(led: Bureau) -> None:
    (sent,) = led.write(MODERATOR, "preview\nclose turn 1: too long")
    assert proposed(led, MODERATOR) == "close turn 1: too long"
    led.write("anton", "austria: taxation")
    answered(led, "yes", sent, MODERATOR)
    assert led.outcomes(MODERATOR) == [("refused", "proposal.over")]


def test_one_who_plays_too_says_yes_as_they_like(bureau: Bureau) -> None:
    appoint(bureau, address("anton"))
    for yes in ("yes", "moderator: yes", "moderator\nyes"):
        (sent,) = bureau.write("anton", "moderator: anounce: Have fun")
        assert proposed(bureau) == "moderator:\nannounce: Have fun"
        answered(bureau, yes, sent)
        assert bureau.outcomes("anton") == [("done", None)], yes
    bureau.write("anton", "import lemberg")
    bureau.write("anton", "yes")
    assert bureau.outcomes("anton") == [("played", None)]


def test_the_fences_stand_as_if_it_had_been_typed(bureau: Bureau) -> None:
    appoint(bureau, address("anton"))
    bureau.write("anton", "moderator: deadlin anton 24.12.2030 18:00: for myself")
    assert proposed(bureau) is None


# -- where else an order may stand, and what is no order ---


def test_an_order_in_the_subject_is_proposed(bureau: Bureau) -> None:
    for language, said in (
        ("en", "I do not read the subject. Put into the text: Austria-Hungary: import A Lemberg"),
        ("de", "Den Betreff lese ich nicht. Schreib in den Text: Österreich-Ungarn: Import A Lemberg"),
        ("it", "Non leggo l’oggetto. Scrivi nel testo: Austria-Ungheria: importazione A Leopoli"),
    ):
        bureau.write("anton", f"language {language}")
        (sent,) = bureau.write("anton", "", subject="Re: [imp-1] Austria: import A Lemberg")
        assert said.lower() in " ".join(sent.text.split()).lower()
        assert proposed(bureau) == ARMY
    bureau.write("anton", "yes")
    assert bureau.outcomes("anton") == [("played", None)]


@pytest.mark.parametrize(
    "subject", ["[imp-1] hello", "Re: [imp-1] your turn", "[imp-1] import A Paris", "[imp-1] status"]
)
def test_nothing_else_in_a_subject_is(bureau: Bureau, subject: str) -> None:
    bureau.write("anton", "", subject=subject)
    assert bureau.replies("anton")[-1].problem == "letter.empty"
    assert proposed(bureau) is None


def test_our_own_subjects_are_no_orders(bureau: Bureau) -> None:
    bureau.write("anton", "austria: taxation")
    for mail in [mail for name in NAMES for mail in bureau.postman.to(address(name))]:
        name = mail.to.partition("@")[0]
        answered(bureau, "", mail, name)
        assert proposed(bureau, name) is None, mail.subject


def test_a_reply_to_press_is_told_how_to_write_press(bureau: Bureau) -> None:
    for language, to, said in (
        ("en", "anton", "To send this to bert, begin with “press to bert:”"),
        ("de", "anton", "Um das an bert zu schicken, beginne mit „Presse an bert:“"),
        ("it", "all", "Per mandarlo a tutti, comincia con “stampa a tutti:”"),
    ):
        bureau.write("anton", f"language {language}")
        (press,) = [mail for mail in bureau.write("bert", f"press to {to}: Peace?") if mail.to == address("anton")]
        (sent,) = answered(bureau, "Sure, but leave Trieste alone", press)
        assert said in " ".join(sent.text.split())
    answered(bureau, "austria: taxation", press)
    assert "begin with" not in bureau.answers("anton")[-1].text
