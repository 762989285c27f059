"""V1, V2 and V6: what was left out of the log, settings, votes, and who plays."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.league import acts
from pbem.league.changes import LATER, NEVER, SECTIONS_LATER, UPWARDS
from pbem.league.council import name, open_petitions, result
from pbem.league.due import entered
from pbem.league.log import Entry
from pbem.league.lots import digest
from pbem.league.proof.evidence import Fault, Trial


def file(trial: Trial) -> Iterator[Fault]:
    told, own = trial.published.settings, trial.season.settings
    if told is not None and told != own:
        wrong = next(key for key in own.__struct_fields__ if getattr(told, key) != getattr(own, key))
        yield Fault("V2", wrong, "the log was founded with other settings than the file has")


def setting(trial: Trial, entry: Entry) -> Iterator[Fault]:
    act = entry.act
    if not isinstance(act, acts.Set):
        return
    is_open = act.key in LATER or act.key.partition(".")[0] in SECTIONS_LATER
    if act.key in NEVER or (trial.season.is_drawn and not (is_open and act.consent)):
        yield Fault("V2", act.key, "it was changed when it could not be any more")
    elif trial.season.is_drawn and act.key in UPWARDS and act.value and act.value < act.was:
        yield Fault("V2", act.key, "it was changed downwards")


def withholding(trial: Trial, entry: Entry) -> Iterator[Fault]:
    if not isinstance(entry.act, acts.Withheld):
        return
    if not _may_withhold(trial):
        yield Fault("V1", f"A-{entry.seq}", "it is left out though no petition was open and no draw sealed")
    trial.withheld = entry.seq


def _may_withhold(trial: Trial) -> bool:
    return bool(open_petitions(trial.season) or _sealed(trial))


def _sealed(trial: Trial) -> list[str]:
    return [f"D-{number}" for number, draw in trial.season.draws.items() if draw.is_sealed]


def left_out(trial: Trial) -> Iterator[Fault]:
    """Votes are told when their petitions are over, and drawings when their tables are."""
    if trial.withheld is not None and not _may_withhold(trial):
        yield Fault("V1", f"A-{trial.withheld}", "it is left out still though all petitions and draws are over")
    if trial.withheld is not None and open_petitions(trial.season):
        trial.given.append("votes are taken as given till their petitions are decided")
    if _sealed(trial):
        trial.given.append(f"sealed: {', '.join(_sealed(trial))}")


def decision(trial: Trial, entry: Entry) -> Iterator[Fault]:
    act = entry.act
    if isinstance(act, acts.Decided) and act.number in trial.season.petitions:
        petition = trial.season.petitions[act.number]
        at_the_end = result(petition, petition.asked.closes) if trial.season.phase == "deciding" else None
        passed = result(petition, entry.at)
        if act.passed is not (at_the_end if passed is None else passed):
            yield Fault("V1", f"A-{entry.seq}", f"{name(act.number)} was decided otherwise than the votes say")


def closing(trial: Trial, entry: Entry) -> Iterator[Fault]:
    act = entry.act
    if not isinstance(act, acts.Closed):
        return
    plays, left_out = entered(trial.season)
    people = [each.person for each in act.entrants]
    if people != plays or [*act.left_out] != left_out:
        wrong = sorted({*people} ^ {*plays} | {*act.left_out} ^ {*left_out}) or people
        yield Fault("V6", f"player {wrong[0]}", "who plays is not who entered and said so")
    for each in act.entrants:
        told = trial.season.people[each.person].luck if each.person in trial.season.people else ""
        if (digest(each.luck) if each.luck else "") != told:
            yield Fault("V6", f"player {each.person}", "the luck word is not what was entered")
