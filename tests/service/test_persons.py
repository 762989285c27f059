"""What is held about a person: told in full, forgotten on request, his tokens made new."""

from __future__ import annotations

import json

import pytest

from tests.service.bureau import Bureau, address

IMPORT = "austria: import A lemberg"
ANTON = address("anton")


def test_all_that_is_held_about_a_person_is_told(bureau: Bureau) -> None:
    bureau.write("anton", f"{IMPORT}\n\npress to bert: psst")
    bureau.write("bert", "show")
    told = json.loads(json.dumps(bureau.server.people.export(f"<{ANTON.upper()}>")))
    assert told["person"]["address"] == ANTON
    assert [each["address"] for each in told["addresses"]] == [ANTON]
    (game,) = told["games"]
    assert ([seat["seat"] for seat in game["seats"]], [press["text"] for press in game["press"]]) == (
        ["anton"],
        ["psst"],
    )
    assert IMPORT in told["letters_to_us"][-1]["raw"]
    assert {row["id"].rpartition(".")[2] for row in told["letters_to_him"] if row["kind"] == "report"} == {"anton"}
    assert "bert@players.test" not in json.dumps([told["letters_to_us"], told["addresses"]])


def test_somebody_at_a_table_must_be_replaced_before_he_is_forgotten(bureau: Bureau) -> None:
    with pytest.raises(ValueError, match="imp-1: a substitute"):
        bureau.server.people.erase(ANTON)
    assert bureau.game.members[0].person.address == ANTON


def test_a_forgotten_person_leaves_the_game_and_nothing_else(bureau: Bureau) -> None:
    bureau.write("anton", "press to all: I am Anton Meier", id_="<mine@players.test>")
    bureau.finish()
    assert bureau.game.status == "finished"
    entries = bureau.entries
    assert bureau.server.people.erase(ANTON) == ["imp-1"]
    with bureau.server.games.work() as desk:
        for what in (desk.repository.letters_from(ANTON), desk.repository.mail_to(ANTON)):
            assert what == []
        assert desk.repository.raw("<mine@players.test>") is None
        assert desk.repository.fate("<mine@players.test>") == "answered"
        assert [press.seat for press in desk.repository.press("imp-1")] == ["anton"]
    with pytest.raises(LookupError, match="Nobody here"):
        bureau.server.people.show(ANTON)
    assert bureau.entries == entries
    member = next(m for m in bureau.game.members if m.seat == "anton")
    assert (member.person.name, member.person.address.endswith("@invalid")) == ("", True)
    bureau.postman.sent.clear()
    bureau.tick(86_400)
    assert [mail.to for mail in bureau.postman.sent if "anton" in mail.to] == []


def test_new_tokens_make_old_letters_worthless(bureau: Bureau) -> None:
    old = bureau.way_back("anton")
    bureau.server.people.renew_tokens(ANTON)
    before = bureau.entries
    (told,) = bureau.write("anton", IMPORT, to=old)
    assert bureau.entries == before
    assert told.to == ANTON
    assert told.reply_to not in (None, old)
    bureau.write("anton", IMPORT, to=str(told.reply_to))
    assert len(bureau.entries) == len(before) + 1
