"""The settings of a server: the template, the defaults, the reference, and what is said about a wrong one.

`PBEM_GOLDEN=write pytest tests/test_settings.py` writes the tables of docs/operate/settings.md anew.
"""

from __future__ import annotations

import ast
import inspect
import json
import os
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_origin

import pytest
from pydantic.fields import FieldInfo
from sqlalchemy import make_url

from pbem.adapters.providers import settings_for
from pbem.files import ConfigError, StrictModel
from pbem.settings import Mailbox, OAuth, Settings, Smtp

REFERENCE = Path(__file__).parent.parent / "docs" / "operate" / "settings.md"
BOUNDS = (("ge", "from"), ("le", "to"))
KINDS = {bool: "`true`, `false`", int: "a number", str: "text", Path: "a path", dict: "sections", tuple: "a list"}

SHORT = """\
mailbox: {host: imap.example.org, user: pbem, password_env: IMAP}
smtp: {host: localhost, security: none, from: pbem@example.org}
operator: me@example.org
"""


@pytest.fixture(autouse=True)
def _passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("IMAP", "PBEM_IMAP_PASSWORD", "PBEM_SMTP_PASSWORD"):
        monkeypatch.setenv(name, f"sesame {name}")


def load(folder: Path, text: str) -> Settings:
    (folder / "pbem.yaml").write_text(text, "utf-8")
    return Settings.load(folder / "pbem.yaml")


def problems(folder: Path, text: str) -> list[str]:
    with pytest.raises(ConfigError) as refused:
        load(folder, text)
    return [problem.removeprefix(f"{folder}/pbem.yaml:") for problem in refused.value.problems]


def test_the_template_can_be_loaded(tmp_path: Path) -> None:
    settings = load(tmp_path, settings_for(None))
    assert settings.mailbox.password is not None
    assert settings.mailbox.password.get_secret_value() == "sesame PBEM_IMAP_PASSWORD"


def test_the_template_shows_the_defaults(tmp_path: Path) -> None:
    names = "security|port|poll_seconds|size_cap_kb|inbox|done|kept|name|domain_per_minute|gather_seconds|bounces|database|archive"
    optional = rf"^ *({names}|slot_hours|remind_hours):.*\n"
    bare = re.sub(optional, "", settings_for(None), flags=re.MULTILINE)
    bare = re.sub(r"^ *(folders|clock):.*\n", "", bare, flags=re.MULTILINE)
    assert load(tmp_path, bare) == load(tmp_path, settings_for(None))


def test_the_template_explains_every_key() -> None:
    def keys(sheet: type[StrictModel]) -> set[str]:
        return {field.alias or name for name, field in sheet.model_fields.items()}

    written = set(re.findall(r"^ *(?:# *)?([a-z_]+):", settings_for(None), flags=re.MULTILINE))
    assert keys(Settings) | keys(Mailbox) | keys(Smtp) | keys(OAuth) <= written | {
        "password",
        "client_secret_file",
        "refresh_token_env",
    }


def test_defaults_stand_beside_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir("/")
    settings = load(tmp_path, SHORT)
    assert settings.database == f"sqlite:///{tmp_path}/pbem.sqlite"
    assert settings.archive == tmp_path / "archive"
    assert (settings.mailbox.port, settings.smtp.port, settings.smtp.password) == (993, 25, None)
    assert (settings.clock.slot_hours, settings.clock.remind_hours) == (24, (12, 6, 1))
    assert settings.mailbox.folders.done == "pbem-done"


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("games.db", "sqlite:///{folder}/games.db"),
        ("/srv/games.db", "sqlite:////srv/games.db"),
        ("sqlite:///games.db", "sqlite:///{folder}/games.db"),
        ("sqlite:////srv/games.db", "sqlite:////srv/games.db"),
        ("postgresql+psycopg://pbem@db:5432/pbem", "postgresql+psycopg://pbem@db:5432/pbem"),
    ],
)
def test_a_database_is_a_path_or_a_url(tmp_path: Path, written: str, meant: str) -> None:
    settings = load(tmp_path, f"{SHORT}database: {written}\n")
    assert settings.database == meant.format(folder=tmp_path)
    url = make_url(settings.database)
    assert str(settings.database_file) == (url.database if url.drivername == "sqlite" else "None")


def test_a_password_may_stand_in_a_file_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("open sesame \n")
    account = load(tmp_path, SHORT.replace("password_env: IMAP", "password_file: secret")).mailbox
    assert account.password is not None
    assert account.password.get_secret_value() == "open sesame "


def test_no_password_is_ever_shown(tmp_path: Path) -> None:
    settings = load(tmp_path, SHORT)
    shown = f"{settings} {settings!r} {settings.mailbox.password!r} {settings.model_dump()}"
    assert "sesame" not in shown


@pytest.mark.parametrize(
    ("account", "told"),
    [
        ("password: sesame", "1:57: mailbox.password: no password in this file, please: keep it in"),
        ("password: 123", "1:57: mailbox.password: no password in this file, please: keep it in"),
        ("pasword: sesame", "1:47: mailbox.pasword: is not known here; did you mean password"),
        (
            "password_env: sesame",
            "1:61: mailbox.password_env: the environment variable of this name is not set",
        ),
        ("password_file: sesame", "1:62: mailbox.password_file: this file can't be read: No such file"),
        ("password_file: .", "1:62: mailbox.password_file: this file can't be read: Is a directory"),
        ("password_file: void", "1:62: mailbox.password_file: this file is empty"),
        ("password_env: IMAP, password_file: void", "1:82: mailbox.password_file: can't stand beside"),
        ("poll_seconds: 60", "1:1: mailbox.password_file: is missing, and so is password_env"),
    ],
)
def test_a_password_in_the_wrong_place_is_refused_and_not_shown(tmp_path: Path, account: str, told: str) -> None:
    (tmp_path / "void").touch()
    found = problems(tmp_path, SHORT.replace("password_env: IMAP", account))
    assert any(problem.startswith(told) for problem in found), found
    assert "sesame" not in "".join(found)


def test_a_password_in_the_database_url_is_refused(tmp_path: Path) -> None:
    (told,) = problems(tmp_path, f"{SHORT}database: postgresql://pbem:sesame@db/pbem\n")
    assert told == "4:11: database: no password in this file, please: PGPASSWORD or a .pgpass file can hold it"


def test_all_mistakes_are_told_at_once(tmp_path: Path) -> None:
    text = """\
mailbox:
  host: imap.example.org
  port: 70000
  security: ssl
  password_env: NOT_SET
smtp:
  host: smtp.example.org
  from: Ann <ann@example.org>
operator: nobody
clock: {slot_hours: 24, remind_hours: [36]}
"""
    hours = "should be hours before the deadline, more than 0 and less than slot_hours"
    assert problems(tmp_path, text) == [
        "1:1: mailbox.user: is missing",
        "3:9: mailbox.port: should be at most 65535, but is 70000",
        "4:13: mailbox.security: should be 'tls', 'starttls' or 'none', but is the text \"ssl\"",
        "5:17: mailbox.password_env: the environment variable of this name is not set, or it is empty",
        "8:9: smtp.from: should be a bare e-mail address, such as anna@example.org",
        "9:11: operator: should be a bare e-mail address, such as anna@example.org",
        f"10:39: clock.remind_hours: {hours}",
    ]


OAUTH = "oauth: {token_url: https://a.test/t, client_id: pbem, refresh_token_env: IMAP}"


def test_tokens_may_take_the_place_of_a_password(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("sesame\n")
    text = OAUTH.replace("refresh_token_env: IMAP", "refresh_token_env: IMAP, client_secret_file: secret")
    settings = load(tmp_path, SHORT.replace("password_env: IMAP", text))
    oauth = settings.mailbox.oauth
    assert oauth is not None
    assert (oauth.token_url, settings.mailbox.password) == ("https://a.test/t", None)
    assert oauth.refresh_token is not None
    assert oauth.refresh_token.get_secret_value() == "sesame IMAP"
    assert oauth.client_secret is not None
    assert oauth.client_secret.get_secret_value() == "sesame"
    assert "sesame" not in f"{settings!r} {settings.model_dump()}"


@pytest.mark.parametrize(
    ("written", "told"),
    [
        (f"{OAUTH}, password_env: IMAP", "mailbox.password_file: can't stand beside oauth"),
        (f"{OAUTH}, password_file: secret", "mailbox.password_file: can't stand beside oauth"),
        (OAUTH.replace("https:", "http:"), "mailbox.oauth.token_url: should begin with https://"),
        (
            OAUTH.replace(", refresh_token_env: IMAP", ""),
            "mailbox.oauth.refresh_token_file: is missing, and so is refresh_token_env",
        ),
        (
            OAUTH.replace("IMAP", "IMAP, refresh_token_file: secret"),
            "mailbox.oauth.refresh_token_file: can't stand beside refresh_token_env",
        ),
        (OAUTH.replace("IMAP", "NOWHERE"), "mailbox.oauth.refresh_token_env: the environment variable of this name"),
    ],
)
def test_tokens_in_the_wrong_place_are_refused(tmp_path: Path, written: str, told: str) -> None:
    (tmp_path / "secret").write_text("sesame\n")
    found = problems(tmp_path, SHORT.replace("password_env: IMAP", written))
    assert any(told in problem for problem in found), found


def test_addresses_are_in_ascii(tmp_path: Path) -> None:
    (told,) = problems(tmp_path, SHORT.replace("me@example.org", "müller@example.org"))
    assert told == "3:11: operator: should be in plain ASCII: many mail servers take no other address"


def test_a_file_of_authorities_must_be_there(tmp_path: Path) -> None:
    (told,) = problems(tmp_path, SHORT.replace("password_env: IMAP", "password_env: IMAP, ca_file: ca.pem"))
    assert told.startswith("1:76: mailbox.ca_file: this file can't be read: No such file")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="there is no such file"):
        Settings.load(tmp_path / "pbem.yaml")


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "pbem.yaml").write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match="can't be read"):
        Settings.load(tmp_path / "pbem.yaml")


def test_a_policy_that_nobody_could_meet_is_refused(tmp_path: Path) -> None:
    (told,) = problems(tmp_path, SHORT + "identity: {policy: dkim}\n")
    assert "needs the authserv_id of the mailbox" in told
    box = SHORT.replace("user: pbem", "user: pbem, authserv_id: mx.example.org")
    assert load(tmp_path, box + "identity: {policy: dkim}\n").identity.policy == "dkim"


def test_the_key_lies_beside_the_settings(tmp_path: Path) -> None:
    assert load(tmp_path, SHORT).identity.key_file == tmp_path / "pbem.key"


# -- the reference ---


def test_the_reference_is_what_the_model_says() -> None:
    page = REFERENCE.read_text("utf-8")
    head, end_of_head, _ = page.partition(" writes what follows -->\n")
    written = head + end_of_head + "".join(tables(Settings))
    if os.environ.get("PBEM_GOLDEN") == "write":
        REFERENCE.write_text(written, "utf-8")
        page = written
    assert page == written, f"{REFERENCE} differs"


def tables(sheet: type[StrictModel], *way: str) -> Iterator[str]:
    """A table of each section, in Markdown, the outer ones first."""
    yield f"\n## {'.'.join(way) or 'At the top'}\n\n{sheet.__doc__}\n\n"
    yield "| key | takes | without it | what it does |\n|---|---|---|---|\n"
    fields = {field.alias or name: field for name, field in sheet.model_fields.items()}
    explained = docstrings(sheet)
    told = {field.alias or name: explained[name] for name, field in sheet.model_fields.items() if name in explained}
    kinds = {key: bare(field.annotation) for key, field in fields.items()}
    for key, field in fields.items():
        if kinds[key] is not NoneType:  # a key that is always refused
            assert key in told, f"{sheet.__name__}.{key} is not explained"
            yield f"| `{key}` | {takes(kinds[key], field)} | {default(kinds[key], field)} | {told[key]} |\n"
    for key, kind in kinds.items():
        if is_section(kind):
            yield from tables(kind, *way, key)


def docstrings(sheet: type[StrictModel]) -> dict[str, str]:
    """What stands below each field; a program that runs has no use for it, and reading it takes a tenth of its start."""
    above = [base for base in sheet.__mro__[1:] if issubclass(base, StrictModel) and base is not StrictModel]
    (class_,) = ast.parse(inspect.getsource(sheet)).body
    assert isinstance(class_, ast.ClassDef)
    return {text: told for base in above for text, told in docstrings(base).items()} | {
        ast.unparse(field.target): " ".join(str(told.value.value).split())
        for field, told in pairwise(class_.body)
        if isinstance(field, ast.AnnAssign) and isinstance(told, ast.Expr) and isinstance(told.value, ast.Constant)
    }


def bare(kind: Any) -> Any:
    """The type of the value that may be given: neither None nor with what is asked of it."""
    kind = next((each for each in get_args(kind) if each is not NoneType), kind) if NoneType in get_args(kind) else kind
    return get_args(kind)[0] if get_origin(kind) is Annotated else kind


def is_section(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, StrictModel)


def takes(kind: Any, field: FieldInfo) -> str:
    if get_origin(kind) is Literal:
        return ", ".join(f"`{each}`" for each in get_args(kind))
    if is_section(kind):
        return "a section"
    bounds = [
        f"{word} {getattr(each, name)}" for each in field.metadata for name, word in BOUNDS if hasattr(each, name)
    ]
    return " ".join([KINDS[get_origin(kind) or kind], *bounds])


def default(kind: Any, field: FieldInfo) -> str:
    if field.is_required():
        return "is needed"
    if field.default_factory:
        ports = {security: field.default_factory({"security": security}) for security in ("tls", "starttls", "none")}
        return ", ".join(f"`{port}` for {security}" for security, port in ports.items())
    if is_section(kind) or field.default in (None, "", {}):
        return ""
    return f"`{json.dumps(field.default, default=str)}`".replace('"', "")
