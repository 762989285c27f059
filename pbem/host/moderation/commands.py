"""All powers of a moderator, each with its words and what it does. A new one is an entry here."""

from __future__ import annotations

import re

from pbem.host.moderation.impartial import of_objection, of_petition, of_time
from pbem.host.moderation.moderation import GamePower
from pbem.host.moderation.seats import PeoplePower, Seats
from pbem.language.moderators import WITHOUT, ModeratorCommands, number_in

_PARTS = re.compile(r"\s*;\s*")

MODERATOR_COMMANDS = ModeratorCommands(
    (
        GamePower(
            name="close",
            forms=(
                "close turn {turn}",
                "schließe|schliesse Zug {turn}",
                "chiudi il turno {turn}",
                "chiudi turno {turn}",
            ),
            do=lambda m, p: m.in_place.close(int(p.fields["turn"]), p.why),
        ),
        GamePower(
            name="pause",
            forms=(
                "pause|pausa {length}",
                "pausiere {length}",
                "pause|pausiere|pausa {length} from|ab|von|da|dal|dalle {start}",
                "pause|pausiere|pausa from|von|vom|ab|da|dal|dalle {start} to|until|till|bis|a|al|alle {until}",
                "pause|pausiere until|till|bis {until}",
                "pausa fino a|al|alle {until}",
                "pause|pausiere|pausa",
            ),
            begins_prose=True,
            do=lambda m, p: m.time.pause(
                p.fields.get("length", ""), p.why, p.fields.get("start", ""), p.fields.get("until", "")
            ),
        ),
        GamePower(
            name="resume", forms=("resume|weiter|riprendi",), begins_prose=True, do=lambda m, p: m.time.resume(p.why)
        ),
        GamePower(
            name="extend",
            forms=("extend {seat} {length}", "verlängere|verlaengere {seat} {length}", "prolunga {seat} {length}"),
            do=lambda m, p: m.time.extend(m.seats(p), p.fields["length"], p.why),
            parties=of_time,
        ),
        GamePower(
            name="deadline",
            forms=("deadline {seat} {time}", "Frist {seat} {time}", "scadenza {seat} {time}"),
            do=lambda m, p: m.time.set_deadline(m.seats(p), p.fields["time"], p.why),
            parties=of_time,
        ),
        GamePower(
            name="strike",
            forms=("strike {seat} {turn}", "streiche {seat} {turn}", "cancella {seat} {turn}"),
            do=lambda m, p: m.in_place.strike(m.seat(p), int(p.fields["turn"]), p.why),
            parties=of_time,
        ),
        GamePower(
            name="act_for",
            forms=("act for {seat}", "handle|ziehe für|fuer {seat}", "agisci per {seat}"),
            gives="orders",
            explained=False,
            do=lambda m, p: m.in_place.act_for(m.seat(p), p.says, p.fields.get("reason", "")),
        ),
        GamePower(
            name="announce",
            forms=("announce", "Ansage", "annuncio"),
            gives="text",
            explained=False,
            anytime=True,
            do=lambda m, p: m.announce("\n".join(p.says)),
        ),
        GamePower(
            name="rewind",
            forms=("rewind to turn {turn}", "zurück|zurueck zu|auf Zug {turn}", "torna al turno {turn}"),
            do=lambda m, p: m.course.rewind(int(p.fields["turn"]), p.why),
        ),
        GamePower(
            name="forward", forms=("roll forward", "wieder vor", "ripristina"), do=lambda m, p: m.course.forward(p.why)
        ),
        GamePower(
            name="correct",
            forms=("correct {given}", "korrigiere {given}", "correggi {given}"),
            do=lambda m, p: m.course.correct(_PARTS.split(p.fields["given"]), p.why),
        ),
        GamePower(
            name="option",
            forms=(
                "option {key} = {value} with consent of {consent}",
                "Option {key} = {value} mit Zustimmung von {consent}",
                "opzione {key} = {value} con il consenso di {consent}",
                "option|opzione {key} = {value}",
            ),
            do=lambda m, p: m.course.set_option(p.fields["key"], p.fields["value"], p.why, p.fields.get("consent", "")),
        ),
        PeoplePower(
            name="invite",
            forms=(
                "invite|invita {address} as|come {name}",
                "invite|invita {address}",
                "lade {address} ein als {name}",
                "lade {address} ein",
            ),
            explained=False,
            when=("inviting",),
            openers=True,
            do=lambda seats, p: seats.invite(p, joined=False),
        ),
        PeoplePower(
            name="seat",
            forms=("seat|setze|siedi {name} {address}",),
            begins_prose=True,
            explained=False,
            when=("inviting",),
            do=lambda seats, p: seats.invite(p, joined=True),
        ),
        PeoplePower(
            name="start",
            forms=("start|starte", "avvia"),
            begins_prose=True,
            explained=False,
            when=("inviting",),
            openers=True,
            do=Seats.start,
        ),
        PeoplePower(
            name="cancel",
            forms=("cancel the game", "sage die Partie ab", "annulla la partita"),
            begins_prose=True,
            when=("inviting",),
            openers=True,
            do=Seats.cancel,
        ),
        PeoplePower(
            name="eject", forms=("eject {seat}", "entferne {seat}", "espelli {seat}"), when=("running",), do=Seats.eject
        ),
        PeoplePower(
            name="offer",
            forms=(
                "offer {seat} to {whom}",
                "biete {seat} {whom} an",
                "offri {seat} a|ad {whom}",
                "offri {seat} {whom}",
            ),
            explained=False,
            when=("running",),
            do=Seats.offer,
        ),
        GamePower(
            name="bot",
            forms=("bot {seat}", "Bot für|fuer {seat}", "bot per {seat}"),
            do=lambda m, p: m.in_place.seat_bot(m.seat(p), p.why),
        ),
        GamePower(
            name="no_bot",
            forms=(
                "no bot {seat}",
                "bot {seat} off",
                "kein|keinen Bot für|fuer {seat}",
                "niente|nessun bot per {seat}",
            ),
            begins_prose=True,
            do=lambda m, p: m.in_place.dismiss_bot(m.seat(p), p.why),
        ),
        PeoplePower(
            name="replace",
            forms=(
                "replace {seat} by|with {address}",
                "ersetze {seat} durch {address}",
                "sostituisci {seat} con {address}",
            ),
            when=("running",),
            do=Seats.replace,
        ),
        GamePower(
            name="reject",
            forms=("reject {petition}", "weise {petition} zurück", "weise {petition} zurueck", "respingi {petition}"),
            do=lambda m, p: m.petitions.reject(number_in(p.fields["petition"]), p.why),
            parties=of_petition,
        ),
        GamePower(
            name="validate",
            forms=("validate {petition}", "bestätige|bestaetige {petition}", "convalida {petition}"),
            explained=False,
            do=lambda m, p: m.petitions.validate(number_in(p.fields["petition"])),
            parties=of_petition,
        ),
        GamePower(
            name="uphold",
            forms=("uphold {objection}", "gib {objection} statt", "accogli {objection}"),
            do=lambda m, p: m.petitions.rule(number_in(p.fields["objection"]), p.why, upheld=True),
            parties=of_objection,
        ),
        GamePower(
            name="dismiss",
            forms=("dismiss {objection}", "weise {objection} ab", "rigetta {objection}"),
            do=lambda m, p: m.petitions.rule(number_in(p.fields["objection"]), p.why, upheld=False),
            parties=of_objection,
        ),
        PeoplePower(
            name="promote",
            forms=("promote {who}", "ernenne {who}", "nomina {who}"),
            explained=False,
            do=lambda seats, p: seats.leaders.promote(p),
        ),
        PeoplePower(
            name="hand_over",
            forms=("hand over to {who}", "übergib|uebergib an {who}", "cedi a|ad {who}"),
            explained=False,
            do=lambda seats, p: seats.leaders.hand_over(p),
        ),
        GamePower(
            name="end",
            forms=("end", "end|beende|termina {scoring}", "beende", "termina"),
            begins_prose=True,
            do=lambda m, p: m.course.end(p.why, scored=not p.fields.get("scoring", "").lower().startswith(WITHOUT)),
        ),
    )
)
