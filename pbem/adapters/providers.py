"""The settings file to fill in, as large providers of mail have it: hosts, ports, and how one logs in there."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.settings import template

_IMAP, _SMTP = "imap.example.org", "smtp.example.org"
_OFFICE_LOGIN = """\
  oauth:  # no password is taken: register an application, and let it keep this account's refresh token in the file
    token_url: https://login.microsoftonline.com/common/oauth2/v2.0/token
    client_id: the-application-s-id
    refresh_token_file: {what}-token
    scope: https://outlook.office.com/{scope} offline_access
"""
_POSTFIX = "localhost  # Postfix on this machine, with recipient_delimiter = +"
_APP_LOGIN = "PBEM_IMAP_PASSWORD  # an app password, not the account's own; see {where}\n"
_TLS, _STARTTLS = (
    f"  security: {security}\n  # ca_file: our-ca.pem\n  port: {port}"
    for security, port in (("tls", 465), ("starttls", 587))
)

# By provider: a piece of the template, and what stands there instead.
_DIFFERENT: Mapping[str, Mapping[str, str]] = {
    "gmail": {
        _IMAP: "imap.gmail.com",
        _SMTP: "smtp.gmail.com",
        "PBEM_IMAP_PASSWORD\n": _APP_LOGIN.format(where="myaccount.google.com/apppasswords"),
    },
    "fastmail": {
        _IMAP: "imap.fastmail.com",
        _SMTP: "smtp.fastmail.com",
        "PBEM_IMAP_PASSWORD\n": _APP_LOGIN.format(where="Settings, Privacy & Security, App passwords"),
    },
    "outlook": {
        _IMAP: "outlook.office365.com",
        _SMTP: "smtp.office365.com",
        "  password_env: PBEM_IMAP_PASSWORD\n": _OFFICE_LOGIN.format(what="imap", scope="IMAP.AccessAsUser.All"),
        "  password_env: PBEM_SMTP_PASSWORD\n": _OFFICE_LOGIN.format(what="smtp", scope="SMTP.Send"),
        _TLS: _STARTTLS,
    },
    "own": {
        f"  host: {_IMAP}\n  security: tls": "  host: localhost  # Dovecot on this machine\n  security: none",
        "  port: 993": "  port: 143",
        f"  host: {_SMTP}\n  security: tls": f"  host: {_POSTFIX}\n  security: none",
        "  port: 465": "  port: 25",
        "  user: pbem@example.org  # user and": "  # user: pbem@example.org  # user and",
        "  password_env: PBEM_SMTP_PASSWORD": "  # password_env: PBEM_SMTP_PASSWORD",
    },
}


def settings_for(provider: str | None) -> str:
    """The settings file that `pbem init` writes; None: as any other has it."""
    text = template()
    for piece, instead in _DIFFERENT.get(provider or "", {}).items():
        text = text.replace(piece, instead)
    return text
