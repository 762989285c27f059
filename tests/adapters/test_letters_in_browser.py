"""Letters in a real browser, as wide as a phone."""

from __future__ import annotations

import base64
from itertools import cycle
from pathlib import Path

import pytest

from pbem.adapters.mail_renderer import MailRenderer
from pbem.core.languages import LANGUAGES
from pbem.games import GAMES
from pbem.mail.mail_writer import Envelope
from tests.adapters.letter_samples import samples
from tests.browser import Browser

pytestmark = pytest.mark.browser

SCREEN = 844  # px, of a phone 390 px across
ASKED = "opening", "report_awaited", "report_move", "question_battle", "question_invest", "question_swiss", "substitute"
BOARD = """(() => {
  const top = what => document.querySelector(what)?.getBoundingClientRect().top + scrollY;
  return [top('.picture img') - top('.todo, h1'), document.documentElement.scrollWidth];
})()"""


@pytest.mark.slow
def test_the_board_begins_soon_after_the_question_on_a_phone(chromium: Browser, tmp_path: Path) -> None:
    letters = samples()
    page = chromium.page(width=390, height=SCREEN)
    for name, language in zip(ASKED, cycle(LANGUAGES), strict=False):
        renderer = MailRenderer(GAMES["imperial"].presenter, language, pictures=True, archive="https://x.example/")
        mail = renderer.mail(letters[name], Envelope(message_id="<1@x.org>", to="a@b.org", tag="imp-1"))
        board = mail.attachments[0]
        data = f"data:image/png;base64,{base64.b64encode(board.data).decode()}"
        (tmp_path / "letter.html").write_text((mail.html or "").replace(f"cid:{board.cid}", data), "utf-8")
        page.go((tmp_path / "letter.html").as_uri())
        below, wide = page.value(BOARD)
        assert 0 < below < 1.5 * SCREEN, (name, language)
        assert wide == 390, (name, language)
