"""An answer stays short, whatever the letter was."""

from __future__ import annotations

from itertools import cycle

import pytest

from pbem.core.languages import LANGUAGES
from pbem.host.ports import Mail
from tests.service.bureau import OPERATOR, Bureau, address

ROOM = 64 * 1024  # bytes of text and HTML


def size(mail: Mail) -> int:
    return len(mail.text.encode()) + len((mail.html or "").encode())


def told(mail: Mail) -> str:
    return " ".join(mail.text.split())


BODIES = (
    "\n".join(f"austria: imprt {n} F triste, A lemburg" for n in range(190)),
    "austria: import " + "x" * 39_000,
    "austria: import " + "ä̈" * 9_000,
    "\n".join("ä̈" * 90 for _ in range(190)),
    "austria: maneuver\n" + "\n".join(f"  A vienn{n} - triste via ionan" for n in range(490)),
    "\n".join(f"zone Europe/Brlin{n}" for n in range(190)),
    "\n".join(f"standing invest italy 4 - 12 else france {n} else none" for n in range(190)),
    "invest " + " else ".join(f"italy {n}" for n in range(2_000)),
    "petition abort because " + "x" * 39_000,
    "\n".join(["board", "rules", "clock", "help press", *(f"help {n}" for n in range(9))]),
)


@pytest.mark.parametrize(("body", "language"), [*zip(BODIES, cycle(LANGUAGES), strict=False)])
def test_no_answer_is_long(bureau: Bureau, body: str, language: str) -> None:
    bureau.write("anton", f"language {language}")
    bureau.write("anton", body)
    assert size(bureau.answers("anton")[-1]) < ROOM


def test_the_first_lines_are_listed_and_the_others_counted(bureau: Bureau) -> None:
    lines = [f"zone Europe/Brlin{n}" for n in range(150)]
    bureau.write("anton", "\n".join([*lines, "standing fight", "board"]))
    (reply, mail) = bureau.replies("anton")[-1], bureau.answers("anton")[-1]
    assert [line.outcome for line in reply.lines[-2:]] == ["filed", "shown"], "what is new is told"
    assert reply.more
    assert (reply.more.count, reply.more.refused) == (152 - len(reply.lines), 152 - len(reply.lines))
    said = f"There are more lines like these, from “{reply.more.text}” on, for which this letter has no room: "
    assert f"{said}{reply.more.count}. Refused of them: {reply.more.count}." in told(mail)
    bureau.write("anton", "zone Europe/Brlin\nboard")
    assert "no room" not in told(bureau.answers("anton")[-1])


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "For the same reason as the line before."),
        ("de", "Aus demselben Grund wie die Zeile davor."),
        ("it", "Per lo stesso motivo della riga precedente."),
    ],
)
def test_a_reason_is_told_once_where_lines_follow_each_other(bureau: Bureau, language: str, said: str) -> None:
    bureau.write("anton", f"language {language}")
    bureau.write("anton", "\n".join(f"petition abort because {n}\nend petition" for n in range(5)))
    (reply, mail) = bureau.replies("anton")[-1], bureau.answers("anton")[-1]
    assert [line.outcome for line in reply.lines] == ["posted"] * 2 + ["refused"] * 3
    assert told(mail).count(said) == (mail.html or "").count(said) == 2


def test_another_reason_is_told_in_full(bureau: Bureau) -> None:
    bureau.write("anton", "zone Europe/Brlin\nzone Europe/Rme\nzone Europe/Rme")
    mail = bureau.answers("anton")[-1]
    assert (told(mail).count("Brlin"), told(mail).count("For the same reason")) == (2, 1)


def test_a_long_list_of_orders_on_file_is_cut_and_counted(bureau: Bureau) -> None:
    bureau.write("anton", "\n".join(f"standing fight {n} at {s}" for n in NATIONS for s in SEAS))
    bureau.write("anton", "show")
    assert size(bureau.answers("anton")[-1]) < ROOM


NATIONS = ("italy", "france", "britain", "germany", "russia")
SEAS = ("ionian", "baltic", "black sea", "western mediterranean", "north sea", "bay of biscay")


def test_a_leaders_answer_is_no_longer(bureau: Bureau) -> None:
    bureau.write(OPERATOR, "status")
    for line in ("act for anton: austria: taxation", "paus {n} days because: of", "extend anton 12h: {n}"):
        bureau.write(OPERATOR, "\n".join(line.replace("{n}", str(n)) for n in range(250)))
        assert size(bureau.postman.to(address(OPERATOR))[-1]) < ROOM
