"""The mail servers of the settings, as the adapters want to be told of them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from pbem.adapters.checks.mail import MailCheck
from pbem.adapters.clock import SystemClock
from pbem.adapters.composing import FromAddress
from pbem.adapters.imap.mailbox import ImapMailbox, ImapSettings
from pbem.adapters.login import OAuthSettings
from pbem.adapters.smtp import SmtpSettings
from pbem.settings import Mailbox, OAuth, Settings, Smtp


def imap_settings(settings: Settings) -> ImapSettings:
    box = settings.mailbox
    return ImapSettings(
        **_account(box),
        folder=box.folders.inbox,
        done=box.folders.done,
        kept=box.folders.kept,
        poll=float(box.poll_seconds),
        longest=box.size_cap_kb * 1024,
    )


def smtp_settings(settings: Settings) -> SmtpSettings:
    smtp = settings.smtp
    sender = FromAddress(address=smtp.sender, name=smtp.name)
    return SmtpSettings(**_account(smtp), sender=sender, bounces=smtp.bounces)


def secrets_of(settings: Settings) -> list[str]:
    """What must never stand in a log."""
    accounts = (settings.mailbox, settings.smtp)
    found = [account.password for account in accounts]
    for oauth in (account.oauth for account in accounts if account.oauth):
        found += [oauth.client_secret, oauth.refresh_token]
    return [secret.get_secret_value() for secret in found if secret]


def erase_from_mailbox(settings: Settings, addresses: Sequence[str]) -> int:
    """Delete what came from there out of the folders of letters that are dealt with. Raises `MailboxDown`."""
    with closing(ImapMailbox(imap_settings(settings))) as mailbox:
        return sum(mailbox.erase(address) for address in addresses)


def drop_from_mailbox(settings: Settings, letters: Sequence[str]) -> int:
    """Delete the letters with these ids out of the folder of those kept for a person. Raises `MailboxDown`."""
    if not letters:
        return 0
    with closing(ImapMailbox(imap_settings(settings))) as mailbox:
        return mailbox.drop(letters)


def mail_check(settings: Settings) -> MailCheck:
    """Looks at the mail servers of these settings."""
    imap, smtp = imap_settings(settings), smtp_settings(settings)
    return MailCheck(imap=imap, smtp=smtp, clock=SystemClock(), tags=settings.mailbox.tags)


def _account(account: Mailbox | Smtp) -> dict[str, Any]:
    """The fields of `login.Account`."""
    same = ("host", "port", "user", "security", "ca_file")
    oauth = _oauth_settings(account.oauth, account.ca_file) if account.oauth else None
    return {name: getattr(account, name) for name in same} | {"password": _told(account.password), "oauth": oauth}


def _oauth_settings(oauth: OAuth, ca_file: Path | None) -> OAuthSettings:
    return OAuthSettings(
        token_url=oauth.token_url,
        client_id=oauth.client_id,
        client_secret=_told(oauth.client_secret),
        refresh_token=_told(oauth.refresh_token) or "",
        scope=oauth.scope,
        keep_in=oauth.refresh_token_file,
        ca_file=ca_file,
    )


def _told(secret: SecretStr | None) -> str | None:
    return secret.get_secret_value() if secret else None
