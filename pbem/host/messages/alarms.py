"""All that the operator is told by mail, in one place: docs/operate/runbook.md says of each what to do."""

from __future__ import annotations

from enum import StrEnum
from typing import NewType

Sentence = NewType("Sentence", str)  # a sentence of these


class _Sentences(StrEnum):
    def say(self, **facts: object) -> Sentence:
        """The sentence, with what differs each time."""
        return Sentence(self.format(**facts))


class Trouble(_Sentences):
    """Something needs a person."""

    mailbox = "The mailbox can't be used: no letter is read, and the clock closes no turn."
    shelves = "Letters that have been dealt with can't be moved out of the inbox. None is dealt with twice."
    post = "No mail goes out: letters wait, and no new time begins to run."
    database = "The database can't be written: letters wait in the mailbox, and no mail goes out."
    slow = "The mail server takes long over each letter: mail goes out late, a few letters a round."
    poll = "The mailbox has not been read through since {since}: no turn is closed."
    delivery = "The outbox has not been gone through since {since}: letters of ours may wait."
    clock_back = "The computer's clock was put back. No time counts in any game until it is right again."
    clock_ahead = (
        "The computer's clock has leapt ahead, and nothing else says so. No time counts in any game meanwhile."
    )
    closing = "Time has run out in {game}, and a fault of ours keeps the turn open."
    season = "The season {season} can't go on by itself."
    bot = "A bot could not answer for {seat} in {game}, so time ran out there."
    letter = "A letter from {sender} met a fault of ours."
    flood = "More letters come from strangers, or without proof, than are answered; the others are passed over."
    surplus = "More letters without a sender come than are kept."
    hearsay = "Letters are said to have come back, but the reports do not show that they were ours; nothing changed."
    returned = "A letter about a game has come back; the player's clock runs on."
    complaint = "A letter about a game was called spam; the player's clock runs on."
    dead = "A letter to {to} can't be delivered."
    waiting = "A letter to {to} has waited for hours; others to {domain} may have, too."
    unwritten = "A letter to {to} can't be written: a fault of ours."
    unnoted = "A letter to {to} went out, and a fault of ours keeps time from beginning with it."
    archive = "The archive could not be brought up: {what}."
    removed = "In {game} the players have removed the last moderator: it is yours to lead."
    objection = "In {game}, which has no moderator, {by} objects to the report R-{turn} ({name})."
    ruling = "{game} waits for a ruling, and nobody who leads it may give that."
    league_objection = "In {season} somebody objects ({name}), and nobody who leads it may decide on that."
    unanswered = "In {season} an objection ({name}) is open for two weeks: entrants are asked who should lead it."
    empty_seat = "Nobody has played {seat} in {game}{since}."


class Relief(_Sentences):
    """What they were told of is over."""

    mailbox = "The mailbox can be used again: letters are read, and turns are closed."
    shelves = "Letters that have been dealt with are moved out of the inbox again."
    post = "Mail goes out again."
    database = "The database can be written again."
    slow = "The mail server takes letters fast again."
    rounds = "The daemon goes its rounds again."
    clock = "The computer's clock is believed again, and games go on."
