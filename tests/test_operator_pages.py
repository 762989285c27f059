"""The pages for operators: what they say of the program is so."""

from __future__ import annotations

import pwd
import re
import shlex
import textwrap
import tomllib
from collections.abc import Iterator
from functools import reduce
from pathlib import Path

import pytest
import yaml

from pbem.adapters.metrics import metrics
from pbem.adapters.providers import settings_for
from pbem.adapters.store.schema import metadata
from pbem.cli.serving import PROVIDERS
from pbem.demo import HOST, PASSWORD
from pbem.host.messages.alarms import Relief, Trouble
from pbem.host.ports import Vitals
from pbem.settings import Settings
from tests import servers
from tests.test_check import check, folder, write
from tests.test_documents import check_command

__all__ = ["folder"]

CHECKOUT = Path(__file__).parent.parent
PAGES = CHECKOUT / "docs" / "operate"
RUNBOOK = (PAGES / "runbook.md").read_text("utf-8")
LOGGED = re.compile(r'log\.(?:warning|error|exception)\(\s*"(.*?)"')


def sections(page: str) -> dict[str, str]:
    """The text under each heading, by the heading's anchor."""
    parts = re.split(r"^#+ (.+)$", page, flags=re.MULTILINE)[1:]
    return {
        name.lower().replace(" ", "-").replace("'", ""): text for name, text in zip(*[iter(parts)] * 2, strict=True)
    }


def blanked(sentence: str) -> str:
    """With … for what differs each time."""
    return re.sub(r"\{\w+\}|%s", "…", sentence)


# -- the runbook ---


def test_every_alarm_has_a_section_and_every_relief_is_told() -> None:
    found = sections(RUNBOOK)
    for one in Trouble:
        sentence = blanked(one).replace("……", "…")
        assert f"\n> {sentence}\n" in found.get(one.name, ""), f"{one.name}: {sentence}"
    assert [one for one in Relief if f"\n> {one}\n" not in RUNBOOK] == []


def test_every_warning_of_the_log_is_told() -> None:
    logged = {
        blanked(said) for file in (CHECKOUT / "pbem").rglob("*.py") for said in LOGGED.findall(file.read_text("utf-8"))
    }
    assert len(logged) > 10
    assert [said for said in sorted(logged) if f"| `{said}` |" not in RUNBOOK] == []


# -- the alert rules ---


def alerts() -> Iterator[dict[str, object]]:
    for group in yaml.safe_load((PAGES / "alerts.yml").read_text("utf-8"))["groups"]:
        yield from group["rules"]


def test_every_metric_of_an_alert_is_one_that_is_written() -> None:
    every = Vitals(
        games={},
        awaited=0,
        next_deadline=1,
        queued=0,
        oldest=1,
        dead=0,
        kept=0,
        polled=1,
        delivered=1,
        letters={},
        down={"mailbox": 1},
    )
    written = {line.split()[2] for line in metrics(every, 1) if line.startswith("# TYPE")}
    for rule in alerts():
        named = set(re.findall(r"pbem_\w+", str(rule["expr"])))
        assert named, rule
        assert named <= written, rule


def test_every_alert_leads_to_a_section_of_the_runbook() -> None:
    for rule in alerts():
        page, _, section = rule["annotations"]["runbook"].partition("#")  # type: ignore[index]
        assert (page, section in sections(RUNBOOK)) == ("docs/operate/runbook.md", True), rule


# -- the providers ---


PROVIDERS_PAGE = (PAGES / "providers.md").read_text("utf-8")
OWN = PROVIDERS_PAGE.partition("## An own Dovecot and Postfix")[2]


def test_the_settings_for_each_provider_can_be_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PBEM_IMAP_PASSWORD", "PBEM_SMTP_PASSWORD"):
        monkeypatch.setenv(name, "sesame")
    for name in ("imap-token", "smtp-token"):
        (tmp_path / name).write_text("token")
    given = re.findall(r"^```yaml\n(.*?)^```", PROVIDERS_PAGE, re.DOTALL | re.MULTILINE)
    for provider, text in zip(PROVIDERS, given, strict=True):
        there, written = tmp_path / "there.yaml", tmp_path / "written.yaml"
        there.write_text(text)
        written.write_text(settings_for(provider))
        ours, theirs = Settings.load(there), Settings.load(written)
        for mine, its in ((ours.mailbox, theirs.mailbox), (ours.smtp, theirs.smtp)):
            assert (mine.host, mine.port, mine.security) == (its.host, its.port, its.security), provider
            assert (mine.oauth is None) == (its.oauth is None), provider


@pytest.mark.dovecot
@pytest.mark.mta
def test_a_server_by_the_recipe_has_all_that_is_wanted(folder: Path) -> None:
    """But for what needs a domain in the DNS: certificates and signatures."""
    main_cf, local_conf = (
        textwrap.dedent(block) for block in re.findall(r"^   ```\n(.*?)^   ```", OWN, re.DOTALL | re.MULTILINE)[1:]
    )
    plain = re.sub(
        r"^(non_)?smtpd?_(tls|milters).*\n", "", main_cf.replace("example.net", "pbem.test"), flags=re.MULTILINE
    )
    owner = pwd.getpwnam("nobody")
    with servers.postfix(recipe=lambda home: plain.replace("/etc/postfix/mailboxes", f"{home}/accounts")) as smtp:

        def mailboxes(home: Path) -> str:
            ours = {"/etc/dovecot/mailboxes": f"{home}/users", "/var/vmail": f"{home}/mail", "vmail": owner.pw_name}
            ours |= {"/var/spool/postfix": f"{smtp.home}/queue", "gid=nobody": f"gid={owner.pw_gid}"}
            return reduce(lambda text, name: text.replace(name, ours[name]), ours, local_conf)

        with servers.dovecot(recipe=mailboxes) as imap:
            for server in (smtp, imap):
                server.open_account(HOST, PASSWORD)
            write(folder, imap.imap_port, smtp.smtp_port, **{"from": "bounces: tagged"})
            found = check("--letter")
    assert found.broken == ""
    assert any("takes letters to pbem+check@pbem.test" in line for line in found.lines("good"))


# -- commands ---

BLOCK = re.compile(r"^```sh\n(.*?)^```", re.DOTALL | re.MULTILINE)
CALLED = re.compile(r"(?<![\w/.-])pbem (?!pbem\b)([a-z][^`\n|;&>#)]*)")


def test_every_command_can_be_called() -> None:
    for page in sorted(PAGES.glob("*.md")):
        for block in BLOCK.findall(page.read_text("utf-8")):
            for words in CALLED.findall(block):
                check_command(shlex.split(words))


# -- privacy ---


def test_of_every_table_is_told_what_of_people_is_in_it() -> None:
    page = (PAGES / "privacy.md").read_text("utf-8")
    assert [name for name in metadata.tables if f"`{name}`" not in page] == []


# -- the container ---


def test_the_container_has_all_that_the_program_needs() -> None:
    """Each folder that goes into the wheel, and the command that is run."""
    text = (PAGES / "Containerfile").read_text("utf-8")
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    needed = {
        *wheel["packages"],
        *wheel["force-include"],
        project["project"]["readme"],
        *project["project"]["license-files"],
    }
    copied = {word for line in re.findall(r"^COPY (?!--)(.*) \S+$", text, re.MULTILINE) for word in line.split()}
    assert needed | {"pyproject.toml"} == copied
    assert re.findall(r'^ENTRYPOINT \["(\w+)"\]$', text, re.MULTILINE) == [*project["project"]["scripts"]]
