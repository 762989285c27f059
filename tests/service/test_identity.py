"""Who is writing: tokens, what the mailbox's server says of a letter, several addresses, and letters about old turns."""

from __future__ import annotations

from email import message_from_bytes, policy
from itertools import product

import pytest
from msgspec.structs import replace

from pbem.adapters.composing import FromAddress as Letterbox
from pbem.adapters.mime import letter_reader
from pbem.adapters.smtp import compose
from pbem.host.ports import Mail, Person
from pbem.host.session.identity import Identity, Place
from tests.service.bureau import DAY, HOST, IDENTITY, Bureau, address

AUSTRIA = "austria: taxation"


def last(bureau: Bureau, who: str) -> Mail:
    return bureau.postman.to(address(who))[-1]


def way_back(mail: Mail) -> str:
    return mail.reply_to or HOST


# -- tokens ---


def test_a_letter_without_the_token_changes_nothing_and_the_owner_hears_of_it(bureau: Bureau) -> None:
    (told,) = bureau.write("anton", AUSTRIA, to=HOST)
    assert bureau.awaited == [("anton", "turn", "austria_hungary")]
    assert (told.to, bureau.replies("anton")[-1].problem) == (address("anton"), "identity.no_token")
    assert AUSTRIA in told.text
    bureau.write("anton", AUSTRIA, to=way_back(told))
    assert bureau.replies("anton")[-1].problem is None


def test_somebody_elses_token_is_none(bureau: Bureau) -> None:
    (told,) = bureau.write("anton", AUSTRIA, to=bureau.way_back("bert"))
    assert bureau.awaited == [("anton", "turn", "austria_hungary")]
    assert (told.to, bureau.replies("anton")[-1].problem) == (address("anton"), "identity.wrong_token")


def test_a_token_from_an_unknown_address_is_told_to_its_owner_only(bureau: Bureau) -> None:
    (told,) = bureau.write("thief@elsewhere.test", AUSTRIA, to=bureau.way_back("anton"))
    assert told.to == address("anton")
    assert "thief@elsewhere.test" in told.text
    assert bureau.awaited == [("anton", "turn", "austria_hungary")]


def test_a_token_counts_in_its_game_only_and_until_it_is_changed(bureau: Bureau) -> None:
    with bureau.store.transaction() as repository:
        anton, bert = repository.person_at(address("anton")), repository.person_at(address("bert"))
    assert anton is not None
    assert bert is not None
    made = {bureau.identity.ticket(about, person, issued=1) for about in ("imp-1", "imp-2") for person in (anton, bert)}
    assert len({ticket.rpartition(".")[2] for ticket in made}) == 4
    with bureau.store.transaction() as repository:
        repository.save_person(type(anton)(id=anton.id, name=anton.name, address=anton.address, keys=anton.keys + 1))
    bureau.write(
        "anton", AUSTRIA, to=bureau.identity.reply_to(bureau.identity.ticket("imp-1", anton, issued=bureau.clock.now()))
    )
    assert bureau.replies("anton")[-1].problem == "identity.wrong_token"


def test_an_answer_to_any_letter_of_ours_is_proof(begun: Bureau) -> None:
    for mail in (*begun.postman.to(address("anton")), *begun.write("anton", "status")):
        assert mail.reply_to is not None
        assert mail.reply_to.startswith("pbem+imp-1.")
        assert HOST not in mail.reply_to
        begun.write("anton", "status", to=mail.reply_to)
        assert begun.replies("anton")[-1].problem is None


def test_where_the_mailbox_takes_no_tags_the_subject_carries_the_ticket(lots: None) -> None:
    bureau = Bureau(identity=Identity(key=b"another", address=HOST, tags=False))
    bureau.invite(2)
    for who in ("anton", "bert"):
        bureau.tick()
        invitation = last(bureau, who)
        assert invitation.reply_to == HOST
        bureau.write(who, "join", subject=f"Re: {invitation.subject}")
    assert bureau.game.status == "running"
    bureau.write("anton", AUSTRIA, subject="Re: [imp-1] no ticket")
    assert bureau.replies("anton")[-1].problem == "identity.no_token"
    notice = next(mail for mail in bureau.postman.to(address("anton")) if "Turn 1" in mail.subject)
    bureau.write("anton", AUSTRIA, subject=f"AW: {notice.subject}")
    assert bureau.outcomes("anton") == [("played", None)]


def test_the_header_of_the_answer_leads_back(begun: Bureau) -> None:
    mail = last(begun, "anton")
    read = message_from_bytes(compose(mail, Letterbox(address=HOST), 0), policy=policy.default)
    assert read["Reply-To"] == mail.reply_to
    assert read["From"].addresses[0].addr_spec == HOST


def test_a_ticket_reads_back() -> None:
    bureau = Bureau()
    bureau.invite(2)
    with bureau.store.transaction() as repository:
        anton = repository.person_at(address("anton"))
    assert anton is not None
    place = Place(turn=3, seq=17, serial=12)
    ticket = IDENTITY.ticket("imp-1", anton, issued=1_700_000_000, place=place)
    for fields in ({"to": IDENTITY.reply_to(ticket)}, {"subject": f"Re: [{ticket}] your move", "to": HOST}):
        read = IDENTITY.ticket_of(bureau.server.read(bureau.letter("anton", "hello", **fields)))
        assert read is not None
        assert (read.about, read.number, read.serial, read.issued) == ("imp-1", 17, 12, 1_700_000_000)
        assert IDENTITY.holds(read, anton)


# -- what the mailbox's own server says ---

SIGNED = "mx.pbem.test; dkim=pass header.d=players.test; dmarc=pass header.from=players.test"


@pytest.mark.parametrize(
    ("policy_", "token", "signed", "done"),
    [
        ("dkim", False, True, True),
        ("dkim", True, False, False),
        ("token_and_dkim", True, True, True),
        ("token_and_dkim", True, False, False),
        ("token_and_dkim", False, True, False),
        ("token", True, False, True),
    ],
)
def test_what_proves_a_writer_is_the_servers_policy(
    bureau: Bureau, policy_: str, token: bool, signed: bool, done: bool
) -> None:
    bureau.identity = replace(bureau.identity, policy=policy_)
    bureau.restart()
    bureau.server.read = letter_reader("mx.pbem.test")
    bureau.daemon = type(bureau.daemon)(bureau.server, bureau.mailbox, bureau.postman, 60.0)
    fields = {"Authentication-Results": SIGNED} if signed else {}
    told = bureau.write("anton", AUSTRIA, to="" if token else HOST, **fields)
    assert (bureau.awaited != [("anton", "turn", "austria_hungary")]) == done
    assert done or {mail.to for mail in told} == {address("anton")}


# -- letters about old turns ---


def test_an_order_that_answers_an_older_turn_is_refused_kindly(begun: Bureau) -> None:
    first = last(begun, "anton")
    begun.tick(DAY + 1)  # Austria-Hungary is skipped
    (told,) = begun.write("bert", "italy: taxation", to=way_back(begun.postman.to(address("bert"))[-2]))
    assert begun.outcomes("bert") == [("refused", "turn.past")]
    assert "That was for turn 1; it is turn 2 now." in told.text.replace("\n", " ").replace("  ", " ")
    assert begun.papers == []
    begun.write("bert", "italy: taxation", to=way_back(last(begun, "bert")))
    assert ("bert", "turn", "italy") not in begun.awaited
    begun.write("anton", "status", to=way_back(first))
    assert begun.outcomes("anton") == [("shown", None)]
    words = "advance austria: taxation\nstanding peace"
    (told,) = begun.write("anton", words, to=way_back(first))
    assert begun.replies("anton")[-1].problem == "identity.old_ticket"
    assert "about turn 1; it is turn 3 now" in " ".join(told.text.split())
    begun.write("anton", words, to=way_back(told))
    assert begun.outcomes("anton") == [("filed", None), ("filed", None)]


def test_a_report_stays_good_for_what_it_asked(begun: Bureau) -> None:
    notice = last(begun, "anton")
    begun.write("bert", "give italy 1")
    begun.write("anton", "draft\naustria: taxation", to=way_back(notice))
    begun.write("anton", AUSTRIA, to=way_back(notice))
    assert begun.outcomes("anton") == [("played", None)]


def test_turns_are_numbered_in_subjects(begun: Bureau) -> None:
    assert last(begun, "anton").subject.startswith("[imp-1] Turn 1 · ")
    mails = begun.write("anton", AUSTRIA)
    assert {m.subject.partition(" · ")[0] for m in mails if not m.answers} == {"[imp-1] Turn 1", "[imp-1] Turn 2"}


# -- what a ticket is worth ---


def test_no_ticket_is_taken_for_another() -> None:
    """For one person, purpose, seat, moment, instant, address and renewal it holds, and for no other."""
    people = [None, *(Person(id=id_, name="", address="a@b.test", keys=keys) for id_ in (1, 2) for keys in (0, 1))]
    matters = product(
        ("imp-1", "imp-2", "imp-1.p3", "confirm-1", "ask-0"),
        people,
        (1_700_000_000, 1_700_000_001),
        (None, Place(turn=1, seq=5, serial=None), Place(turn=1, seq=5, serial=7), Place(turn=1, seq=6, serial=7)),
        (None, 1),
        (0, 1),
        ("", "a@b.test", "c@b.test"),
    )
    made: dict[str, set[str]] = {}
    for about, person, issued, place, stead, renewed, sender in matters:
        facts = {"issued": issued, "place": place, "stead": stead, "renewed": renewed, "address": sender}
        made.setdefault(IDENTITY.ticket(about, person, **facts).rpartition(".")[2], set()).add(
            repr((about, person, facts))
        )  # type: ignore[arg-type]
    assert all(len(meant) == 1 for meant in made.values())
    anton = Person(id=1, name="", address="a@b.test")
    returned = IDENTITY.returns("imp-1", anton, 1_700_000_000).rpartition(".")[2]
    assert returned not in made


def test_a_ticket_counts_at_our_own_address_only(bureau: Bureau) -> None:
    elsewhere = bureau.way_back("anton").replace("pbem.test", "evil.test")
    other = bureau.way_back("anton").replace("pbem+", "spam+")
    for to in (elsewhere, other, f"{HOST}, {elsewhere}"):
        bureau.write("anton", AUSTRIA, to=to)
        assert bureau.replies("anton")[-1].problem == "identity.no_token"
    bureau.write("anton", AUSTRIA, to=bureau.way_back("anton").replace("pbem", "PBEM"))
    assert bureau.outcomes("anton") == [("played", None)]


def test_a_report_that_somebody_else_has_is_worth_nothing_after_the_next_turn(begun: Bureau) -> None:
    leaked = last(begun, "anton")
    begun.write("anton", AUSTRIA, to=way_back(leaked))
    for who, nation in (("bert", "italy"), ("claudia", "france")):
        begun.write(who, f"{nation}: taxation")
        begun.tick()
    ticket = leaked.reply_to or ""
    forged = ticket.replace(ticket.split(".")[1], str(len(begun.entries) - 1), 1)
    for way in (ticket, forged):
        for words in ("press: I am a thief\nstanding none", "address thief@evil.test"):
            sent = begun.write("anton", words, to=way)
            assert [mail.to for mail in sent] == [address("anton")]
            assert (begun.replies("anton")[-1].problem or "").startswith("identity.")
    sent = begun.write("anton", "status", to=ticket)
    assert (begun.outcomes("anton"), [mail.to for mail in sent]) == ([("shown", None)], [address("anton")])


def test_whoever_gets_few_reports_may_answer_the_last_one(begun: Bureau) -> None:
    begun.write("emil", "reports mine")
    mine = last(begun, "emil")
    for who, nation in (("anton", "austria"), ("bert", "italy"), ("claudia", "france")):
        begun.write(who, f"{nation}: taxation")
        begun.tick()
    assert begun.postman.to(address("emil"))[-1] is mine
    begun.write("emil", "press: Hello", to=way_back(mine))
    assert begun.replies("emil")[-1].problem is None


def test_a_ticket_ends_after_a_month(begun: Bureau) -> None:
    notice = last(begun, "anton")
    begun.server.app.moderate("imp-1", ["pause 40 days: summer"])
    begun.tick(31 * DAY)
    (told,) = begun.write("anton", AUSTRIA, to=way_back(notice))
    assert begun.replies("anton")[-1].problem == "identity.old_ticket"
    begun.write("anton", AUSTRIA, to=way_back(told))
    assert begun.outcomes("anton") == [("played", None)]


def test_copies_to_others_renew_the_ticket_and_the_answer_says_so(begun: Bureau) -> None:
    notice = last(begun, "anton")
    sent = begun.write("anton", "press: Hello", to=way_back(notice), Cc=f"Bert <{address('bert')}>, x@elsewhere.test")
    told = next(mail for mail in sent if mail.answers)
    assert "You have sent your letter to others as well" in " ".join(told.text.split())
    (again,) = begun.write("anton", AUSTRIA, to=way_back(notice))
    assert begun.replies("anton")[-1].problem == "identity.old_ticket"
    assert (again.to, AUSTRIA in again.text) == (address("anton"), True)
    begun.write("anton", "status", to=way_back(told))
    assert not begun.replies("anton")[-1].copied
    begun.write("anton", AUSTRIA, to=way_back(again))
    assert begun.outcomes("anton") == [("played", None)]


@pytest.mark.parametrize("to", ["{}", "anton@players.test, {}", "PBEM <{}>"])
def test_who_copies_nobody_else_keeps_the_ticket(begun: Bureau, to: str) -> None:
    notice = last(begun, "anton")
    for _ in range(2):
        begun.write("anton", "press: Hello", to=to.format(way_back(notice)), Cc=address("anton"))
        assert (begun.replies("anton")[-1].problem, begun.replies("anton")[-1].copied) == (None, False)


def test_tickets_of_the_program_before_count_for_two_weeks(begun: Bureau) -> None:
    """Made as 0.3.0 made them: of a game and a person, with the moment beside."""
    with begun.store.transaction() as repository:
        anton = repository.person_at(address("anton"))
        assert anton is not None
        token = IDENTITY._signed(f"imp-1|{anton.id}|{anton.keys}")
        seq = len(repository.entries("imp-1")) - 1
    ways = [IDENTITY.reply_to(f"imp-1{moment}.{token}") for moment in ("", f".{seq}.1")]
    begun.write("anton", "press: Hello", to=ways[0])
    assert begun.replies("anton")[-1].problem == "identity.old_ticket"
    with begun.store.transaction() as repository:
        repository.set_mark("tickets", begun.clock.now())
    for way in ways:
        begun.write("anton", "press: Hello", to=way)
        assert begun.replies("anton")[-1].problem is None
    begun.clock.advance(15 * DAY)
    begun.write("anton", "press: Hello", to=ways[0])
    assert begun.replies("anton")[-1].problem == "identity.old_ticket"
