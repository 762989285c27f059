"""The settings of a server: what its `pbem.yaml` says, checked."""

from __future__ import annotations

import os
import re
from functools import partial
from pathlib import Path
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    PlainValidator,
    SecretStr,
    ValidationInfo,
    model_validator,
)
from pydantic_core import PydanticKnownError

from pbem.core.languages import Language
from pbem.files import ConfigError, StrictModel, load_as

Security = Literal["tls", "starttls", "none"]
_PORTS = {
    "imap": {"tls": 993, "starttls": 143, "none": 143},
    "smtp": {"tls": 465, "starttls": 587, "none": 25},
}


def _beside(given: object, info: ValidationInfo) -> Path:
    if not isinstance(given, str | Path):
        raise PydanticKnownError("string_type")
    folder: Path = (info.context or {}).get("folder", Path())
    return folder.absolute() / Path(given).expanduser()


def _address(text: str) -> str:
    if not re.fullmatch(r"[^@\s<>]+@[^@\s<>]+", text):
        raise ValueError("should be a bare e-mail address, such as anna@example.org")
    if not text.isascii():
        raise ValueError("should be in plain ASCII: many mail servers take no other address")
    return text


def _url(text: str) -> str:
    if text and not re.fullmatch(r"https?://[^\s/?#]+(/[^\s?#]*)?", text):
        raise ValueError("should be where people find the archive, such as https://example.org/games/")
    return text if text.endswith("/") or not text else f"{text}/"


_SQLITE = "sqlite:///"


def _database(text: str, info: ValidationInfo) -> str:
    file = text.removeprefix(_SQLITE)
    if "://" not in file:
        return f"{_SQLITE}{_beside(file, info)}"
    if not re.match(r"postgres(ql)?(\+psycopg)?://", text):
        raise ValueError("should be a file, such as pbem.sqlite, or begin with postgresql://")
    if re.match(r"[^:]+://[^/@]*:[^/]*@", text):
        raise ValueError("no password in this file, please: PGPASSWORD or a .pgpass file can hold it")
    return text


def _refuse(password: object) -> None:
    if password is not None:
        raise ValueError(
            "no password in this file, please: keep it in an environment variable and give its name "
            "as password_env, or in a file of its own and give its path as password_file"
        )


Address = Annotated[str, AfterValidator(_address)]
Beside = Annotated[Path, PlainValidator(_beside)]  # relative paths start where the settings file is
Name = Annotated[str, Field(min_length=1)]


def _token_url(text: str) -> str:
    url = urlsplit(text)
    if url.scheme != "https" and (url.scheme, url.hostname) not in {("http", "localhost"), ("http", "127.0.0.1")}:
        raise ValueError("should begin with https://")
    return text


def _one_of_two(env: str, path: Path | None, info: ValidationInfo, *, needed: bool = False) -> Path | None:
    """A secret may be in the variable or in the file."""
    named = info.data.get(env, env)
    if path is None and needed and not named:
        raise ValueError(f"is missing, and so is {env}: one of the two is needed")
    if path is not None and named:
        raise ValueError(f"can't stand beside {env}: one of the two is enough")
    return _readable(path, info)


def _password(path: Path | None, info: ValidationInfo) -> Path | None:
    """What was written is never shown: it may be the password itself, in the wrong place."""
    if info.data.get("oauth", "unreadable"):
        if path is not None or info.data.get("password_env"):
            raise ValueError("can't stand beside oauth: one of the two is enough")
        return path
    needed = bool(info.data.get("user", "unreadable")) and info.data.get("no_password", "wrong") is None
    return _one_of_two("password_env", path, info, needed=needed)


def _readable(path: Path | None, info: ValidationInfo) -> Path | None:
    """What only the mail servers are told is looked for only by those who talk to them."""
    if path is not None and _talks(info):
        _check_file(path)
    return path


def _check_variable(name: str | None, info: ValidationInfo) -> str | None:
    if name is not None and _talks(info) and not os.environ.get(name):
        raise ValueError("the environment variable of this name is not set, or it is empty")
    return name


def _talks(info: ValidationInfo) -> bool:
    return bool((info.context or {}).get("mail", True))


Variable = Annotated[Name, AfterValidator(_check_variable)]
Readable = Annotated[Beside | None, AfterValidator(_readable)]


class OAuth(StrictModel):
    """How to come by tokens for a login (RFC 6749 section 6)."""

    token_url: Annotated[str, AfterValidator(_token_url)]
    """Where access tokens are asked for; https, or http on this machine."""
    client_id: Name
    """What the provider calls the application that you have registered there."""
    scope: Name | None = None
    """What the tokens are to be good for, in the provider's words."""
    client_secret_env: Variable | None = None
    """The environment variable that holds the application's secret, where it has one."""
    client_secret_file: Annotated[Beside | None, AfterValidator(partial(_one_of_two, "client_secret_env"))] = None
    """The file that holds it, instead."""
    refresh_token_env: Variable | None = None
    """The environment variable that holds the account's refresh token."""
    refresh_token_file: Annotated[
        Beside | None, AfterValidator(partial(_one_of_two, "refresh_token_env", needed=True))
    ] = Field(default=None, validate_default=True)
    """The file that holds it, instead; a new one that the server gives is kept there."""

    @property
    def client_secret(self) -> SecretStr | None:
        """Fetched anew each time, as passwords are."""
        return _fetched(self.client_secret_env, self.client_secret_file)

    @property
    def refresh_token(self) -> SecretStr | None:
        """Fetched anew each time; None never comes out of settings that were loaded."""
        return _fetched(self.refresh_token_env, self.refresh_token_file)


class Account(StrictModel):
    """A server that we log in to."""

    host: Name
    """The server's name, as its certificate has it."""
    security: Security = "tls"
    """tls from the first byte on, starttls, or none: only on your own machine, for the password is sent in clear."""
    ca_file: Readable = None
    """The authorities whose certificates are taken, instead of the system's."""
    user: Name | None = None
    """The name to log in with."""
    oauth: OAuth | None = None
    """How to come by tokens, for a server that wants them instead of a password."""
    no_password: Annotated[None, BeforeValidator(_refuse)] = Field(default=None, alias="password", repr=False)
    """Never: a password does not stand in this file."""
    password_env: Variable | None = None
    """The environment variable that holds the password."""
    password_file: Annotated[Beside | None, AfterValidator(_password)] = Field(default=None, validate_default=True)
    """The file that holds it, instead. Either is read when the server starts."""

    @property
    def password(self) -> SecretStr | None:
        """Fetched anew each time: no settings object ever holds it."""
        return _fetched(self.password_env, self.password_file)


def _fetched(variable: str | None, path: Path | None) -> SecretStr | None:
    if variable is not None:
        return SecretStr(os.environ[variable])
    return None if path is None else SecretStr(_secret(path))


def _secret(path: Path) -> str:
    return path.read_text("utf-8").strip("\r\n")


def _check_file(path: Path) -> None:
    try:
        found = _secret(path)
    except (OSError, UnicodeDecodeError) as trouble:
        why = getattr(trouble, "strerror", None) or "not text"
        raise ValueError(f"this file can't be read: {why}") from None
    if not found:
        raise ValueError("this file is empty")


class Folders(StrictModel):
    """The mailbox's folders, as its server names them."""

    inbox: Name = "INBOX"
    """Where letters arrive."""
    done: Name = "pbem-done"
    """Where those go that are dealt with; it is made when it is missing. What else lies there is left alone."""
    kept: Name = "pbem-kept"
    """Where those go that a person should look at; it is made when it is missing."""


class Mailbox(Account):
    """Where the players' letters arrive (IMAP)."""

    user: Name
    """The name to log in with."""
    port: int = Field(default_factory=lambda known: _PORTS["imap"][known["security"]], ge=1, le=65535)
    """The server's port."""
    folders: Folders = Folders()
    """The mailbox's folders, as its server names them."""
    poll_seconds: int = Field(default=60, ge=5, le=3600)
    """Look for letters at least this often, even if the server announces nothing new."""
    size_cap_kb: int = Field(default=1024, ge=16, le=100_000)
    """Of a longer letter only the header is read, and its writer is told."""
    tags: bool = True
    """Do letters to user+tag@domain arrive here, too? Answers to our letters bring their token in the address then, and
    with false in the subject."""
    authserv_id: Name | None = None
    """The first word after Authentication-Results: in letters that arrive here, or the end that all share (RFC 8601);
    then its checks of senders are believed."""


class Smtp(Account):
    """Who carries our letters; without a user we do not log in."""

    port: int = Field(default_factory=lambda known: _PORTS["smtp"][known["security"]], ge=1, le=65535)
    """The server's port."""
    sender: Address = Field(alias="from")
    """The address that players write to."""
    name: Name = "PBEM"
    """The name beside it."""
    retry_seconds: int = Field(default=300, ge=1, le=3600)
    """A letter whose sending was cut short, as by a power cut, is sent again after so long."""
    domain_per_minute: int = Field(default=60, ge=1)
    """No more letters than so many a minute go to all addresses of one domain."""
    connections: int = Field(default=1, ge=1, le=10)
    """So many letters may be under way at once, each to another domain; a server that is far away sees more of them in
    a minute then. One on PostgreSQL, where each worker has its own."""
    gather_seconds: int = Field(default=60, ge=0, le=3600)
    """What happens in a game waits so long, so that what follows at once is told in the same letter; the answer to a
    letter never waits. 0: nothing does. `pbem tick` waits for nothing, either."""
    bounces: Literal["from", "nowhere", "tagged"] = "from"
    """Where undeliverable mail comes back to: from, that address; nowhere, the same, but not answers; tagged,
    user+bounce.…@domain, for mailboxes that take addresses with a +."""


def _inside(hours: tuple[int, ...], info: ValidationInfo) -> tuple[int, ...]:
    slot = info.data.get("slot_hours", max(hours, default=0) + 1)
    if not all(0 < hour < slot for hour in hours):
        raise ValueError("should be hours before the deadline, more than 0 and less than slot_hours")
    return tuple(sorted(set(hours), reverse=True))


class Clock(StrictModel):
    """What a new game gets when it asks for nothing else."""

    slot_hours: int = Field(default=24, ge=1, le=24 * 365)
    """Hours for a decision."""
    remind_hours: Annotated[tuple[int, ...], AfterValidator(_inside)] = (12, 6, 1)
    """Reminders, in hours before the deadline; each less than slot_hours."""


class Identity(StrictModel):
    """How players prove who they are."""

    policy: Literal["token", "dkim", "token_and_dkim"] = "token"
    """token: by what only our letters to them hold; dkim: by authserv_id's word; token_and_dkim: both."""
    key_file: Beside = Field(default=Path("pbem.key"), validate_default=True)
    """The secret that tokens are made with. It is made at the first start; keep it with the database."""


Templates = dict[str, dict[str, str | int]]


def _of_terms(templates: Templates) -> Templates:
    from pbem.core.seat import Setup
    from pbem.host.session.terms import terms_of  # few servers have templates, and all commands read settings

    for name, options in templates.items():
        try:
            terms_of(Setup(options={key: str(value) for key, value in options.items()}))
        except ValueError as problem:
            raise ValueError(f"{name}: {problem}") from None
    return templates


class Settings(StrictModel):
    """All that a server must be told."""

    mailbox: Mailbox
    """Where the players' letters arrive (IMAP)."""
    smtp: Smtp
    """Who carries our letters."""
    operator: Address
    """Who is told when something goes wrong."""
    database: Annotated[str, AfterValidator(_database)] = Field(default="pbem.sqlite", validate_default=True)
    """A file, or a URL such as postgresql+psycopg://pbem@localhost/pbem."""
    keep_letters_days: int = Field(default=30, ge=0, le=3660)
    """How long letters to us are kept as they came, here and in the mailbox's folder done; ours 90 at least."""
    log_format: Literal["text", "json"] = "text"
    """text: what needs somebody, for people; json: every event, for programs."""
    health_file: Beside | None = None
    """Written after each round, as JSON: the last poll, the last delivery, how much waits."""
    metrics_file: Beside | None = None
    """The same for Prometheus (textfile collector of node_exporter)."""
    archive: Beside = Field(default=Path("archive"), validate_default=True)
    """The folder of the games' pages, for any web server to serve."""
    archive_language: Language = "en"
    """The language of these pages."""
    archive_url: Annotated[str, AfterValidator(_url)] = ""
    """Where people find them; letters and feeds lead there then."""
    archive_notes: bool = True
    """On the pages of games that are over: where a turn has lost most. It is reckoned bit by bit, half a minute of a
    core for a game; false: no more of it."""
    pictures: bool = True
    """The board and small charts in the reports, some 65 kB a letter; false: only text and HTML."""
    clock: Clock = Clock()
    """What a new game gets when it asks for nothing else."""
    templates: Annotated[Templates, AfterValidator(_of_terms)] = Field(default={})
    """Games that differ from it, by name: options and their values."""
    open_to: Literal["anyone", "known", "nobody"] = "known"
    """Who may start games by mail and join those that gather: anyone; known, whoever has played or been invited here;
    nobody."""
    identity: Identity = Field(default={}, validate_default=True)
    """How players prove who they are."""

    @property
    def database_file(self) -> Path | None:
        """The file that the books are in; None where a server has them."""
        file = self.database.removeprefix(_SQLITE)
        return None if file == self.database else Path(file)

    @model_validator(mode="after")
    def _can_be_proved(self) -> Self:
        if self.identity.policy != "token" and self.mailbox.authserv_id is None:
            raise ValueError(f"identity: policy {self.identity.policy} needs the authserv_id of the mailbox")
        return self

    @classmethod
    def load(cls, path: Path, *, mail: bool = True) -> Self:
        """The settings in that file; raises `ConfigError` with all that is wrong.

        Without `mail` nobody talks to the mail servers by them, and the passwords need not be at hand.
        """
        return load_as(cls, _text(path), str(path), {"folder": path.absolute().parent, "mail": mail})


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except FileNotFoundError:
        raise ConfigError((f"{path}: there is no such file",)) from None
    except (OSError, UnicodeDecodeError) as trouble:
        raise ConfigError((f"{path}: can't be read: {trouble}",)) from None
