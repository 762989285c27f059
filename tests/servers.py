"""Real servers for the tests: Dovecot (IMAP, LMTP), Postfix (SMTP) and PostgreSQL, from Debian's packages.

Each server is a context manager that keeps its configuration, queue, mail and log in one short directory
under the system's temporary folder, listens on loopback ports the system had free, and takes all of it away
at the end. Dovecot and PostgreSQL run as anybody; Postfix only as root.
"""

from __future__ import annotations

import grp
import os
import pwd
import shutil
import signal
import smtplib
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

HOST = "127.0.0.1"
DOMAIN = "pbem.test"

_DOVECOT = """\
protocols = imap lmtp
listen = {host}
base_dir = {home}/run
state_dir = {home}/state
log_path = {home}/log
instance_name = {home.name}
default_internal_user = {inner}
default_internal_group = {inner_group}
default_login_user = {login}
first_valid_uid = 1
mail_uid = {mail}
mail_gid = {mail_group}
ssl = {ssl}
ssl_cert = <{home}/cert.pem
ssl_key = <{home}/key.pem
disable_plaintext_auth = no
auth_mechanisms = plain {mechanism}
auth_failure_delay = 0
mail_fsync = never
{capability}
{tokens}
namespace inbox {{
  inbox = yes
  separator = {separator}
  prefix = {prefix}
}}
service anvil {{
  chroot =
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service stats {{
  chroot =
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {imap_port}
  }}
  inet_listener imaps {{
    port = {imaps_port}
  }}
}}
service lmtp {{
  inet_listener lmtp {{
    port = {lmtp_port}
  }}
}}
"""

# Who has a mailbox, and where it is: what somebody who sets up such a server writes.
_DOVECOT_MAILBOXES = """\
auth_username_format = %Lu
mail_location = maildir:~/Maildir:LAYOUT=fs
passdb {{
  driver = passwd-file
  args = {home}/users
}}
userdb {{
  driver = static
  args = uid={mail} gid={mail_group} home={home}/mail/%Lu
}}
"""

_DOVECOT_TOKENS = """\
passdb {{
  driver = oauth2
  mechanisms = {mechanism}
  args = {home}/oauth2
}}
"""

_DOVECOT_OAUTH2 = """\
introspection_mode = get
introspection_url = {url}
username_attribute = email
"""

_POSTFIX_MAIN = """\
compatibility_level = 3.6
queue_directory = {home}/queue
data_directory = {home}/data
maillog_file = {home}/log
maillog_file_prefixes = {home}
mail_owner = postfix
setgid_group = postdrop
myhostname = mx.{domain}
mydestination =
inet_interfaces = {host}
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
smtpd_peername_lookup = no
smtpd_tls_security_level = {tls}
smtpd_tls_chain_files = {home}/key.pem, {home}/cert.pem
smtpd_tls_session_cache_database =
tls_random_source = dev:/dev/urandom
virtual_mailbox_domains = {domain}
virtual_mailbox_maps = texthash:{home}/accounts
virtual_mailbox_base = {home}/mail
virtual_uid_maps = static:{uid}
virtual_gid_maps = static:{gid}
virtual_transport = {transport}
alias_maps =
alias_database =
local_recipient_maps =
minimal_backoff_time = 1s
queue_run_delay = 1s
smtputf8_enable = no
recipient_delimiter = +
"""

# One smtpd per connection, so that an account opened later is known to the next one.
_POSTFIX_MASTER = """\
{host}:{smtp_port} inet n - n - - smtpd
  -o max_use=1
pickup    unix n - n 60 1 pickup
cleanup   unix n - n -  0 cleanup
qmgr      unix n - n 300 1 qmgr
tlsmgr    unix - - n 1000? 1 tlsmgr
rewrite   unix - - n -  - trivial-rewrite
bounce    unix - - n -  0 bounce
defer     unix - - n -  0 bounce
trace     unix - - n -  0 bounce
error     unix - - n -  - error
retry     unix - - n -  - error
virtual   unix - n n -  - virtual
lmtp      unix - - n -  - lmtp
anvil     unix - - n -  1 anvil
scache    unix - - n -  1 scache
postlog   unix-dgram n - n - 1 postlogd
"""


class Dovecot:
    """A running Dovecot; accounts may be opened while it runs."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.host = HOST
        self.imap_port, self.imaps_port, self.lmtp_port = free_ports(3)
        self.accounts: dict[str, str] = {}

    @property
    def certificate(self) -> Path:
        """The certificate of the port with TLS, made out to `localhost`."""
        return self.home / "cert.pem"

    def open_account(self, address: str, password: str) -> None:
        with (self.home / "users").open("a", encoding="utf-8") as users:
            users.write(f"{address.lower()}:{{PLAIN}}{password}::::::\n")
        self.accounts[address] = password

    def deliver(self, address: str, raw: bytes) -> None:
        """Hand a letter in by LMTP (RFC 2033), as a mail transfer agent does."""
        with smtplib.LMTP(self.host, self.lmtp_port, "localhost") as lmtp:
            lmtp.sendmail("anna@example.test", [address], raw)

    def forget_inbox(self, address: str) -> None:
        """Lose the letters and their numbers, so that UIDVALIDITY changes (RFC 3501 section 2.3.1.1)."""
        maildir = self.home / "mail" / address.lower() / "Maildir"
        for pattern in ("cur/*", "new/*", "dovecot-uidlist", "dovecot.index*"):
            for path in maildir.glob(pattern):
                path.unlink()


class Postfix:
    """A running Postfix that delivers to Maildirs, or to another server by LMTP."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.host = HOST
        (self.smtp_port,) = free_ports(1)
        self.accounts: dict[str, str] = {}

    @property
    def certificate(self) -> Path:
        """The certificate shown after STARTTLS, made out to `localhost`."""
        return self.home / "cert.pem"

    def open_account(self, address: str, password: str = "") -> None:
        with (self.home / "accounts").open("a") as accounts:
            accounts.write(f"{address.lower()} {address.lower()}/\n")
        _age(self.home / "accounts")
        self.accounts[address] = password

    def letters(self, address: str) -> list[bytes]:
        """What has been delivered to the address so far."""
        folder = self.home / "mail" / address.lower() / "new"
        return [letter.read_bytes() for letter in sorted(folder.glob("*"))]


class RealMail:
    """Postfix in front of Dovecot: what goes in by SMTP comes out by IMAP; the shape of a `EmbeddedMailServer`."""

    def __init__(self, postfix: Postfix, dovecot: Dovecot) -> None:
        self.host = HOST
        self.smtp_port = postfix.smtp_port
        self.imap_port = dovecot.imap_port
        self.accounts = dovecot.accounts
        self.postfix = postfix
        self._parts = (postfix, dovecot)

    def open_account(self, address: str, password: str) -> None:
        """Open a mailbox; the address must be one @pbem.test."""
        for part in self._parts:
            part.open_account(address, password)


@contextmanager
def dovecot(
    *,
    separator: str = "/",
    prefix: str = "",
    capability: str | None = None,
    tls: bool = False,
    oauth: tuple[str, str] | None = None,
    recipe: Callable[[Path], str] | None = None,
) -> Iterator[Dovecot]:
    """A Dovecot; `capability` is what it owns up to after login, by default all it can do.

    `oauth` is a mechanism for logins by token, and the address that is asked whose token it is. `recipe` writes
    another configuration of the mailboxes for a server that lives there.
    """
    require("dovecot", package="dovecot-imapd", also="/usr/lib/dovecot/lmtp")
    with _home() as home:
        server = Dovecot(home)
        mail = _mail_user()
        _room(home / "mail", mail.pw_name)
        (home / "users").touch()
        make_certificate(home)
        mechanism, url = oauth or ("", "")
        (home / "oauth2").write_text(_DOVECOT_OAUTH2.format(url=url))
        text = (_DOVECOT if recipe else _DOVECOT + _DOVECOT_MAILBOXES).format(
            mechanism=mechanism,
            tokens=_DOVECOT_TOKENS.format(home=home, mechanism=mechanism) if oauth else "",
            home=home,
            host=HOST,
            **_dovecot_users(),
            ssl="yes" if tls else "no",
            separator=separator,
            prefix=prefix,
            capability=f"imap_capability = {capability}" if capability else "",
            imap_port=server.imap_port,
            imaps_port=server.imaps_port if tls else 0,
            lmtp_port=server.lmtp_port,
        )
        (home / "dovecot.conf").write_text(text + recipe(home) if recipe else text)
        command = ["dovecot", "-F", "-c", str(home / "dovecot.conf")]
        with _running(command, home / "log"):
            _until(lambda: _listens(server.imap_port) and _listens(server.lmtp_port), home / "log")
            yield server


@contextmanager
def postfix(
    *, lmtp_port: int | None = None, tls: bool = False, recipe: Callable[[Path], str] = lambda home: ""
) -> Iterator[Postfix]:
    """A Postfix for pbem.test; with `lmtp_port` it hands letters on to that port, else it keeps Maildirs.

    What `recipe` writes for a server that lives there takes the place of what is set here.
    """
    require("postfix", package="postfix", root=True)
    with _home() as home:
        server = Postfix(home)
        mail = _mail_user()
        _lay_out_queue(home / "queue")
        _room(home / "data", "postfix")
        _room(home / "mail", mail.pw_name)
        (home / "accounts").touch()
        make_certificate(home)
        main = _POSTFIX_MAIN.format(
            home=home,
            host=HOST,
            domain=DOMAIN,
            uid=mail.pw_uid,
            gid=mail.pw_gid,
            tls="may" if tls else "none",
            transport=f"lmtp:inet:{HOST}:{lmtp_port}" if lmtp_port else "virtual",
        )
        (home / "main.cf").write_text(main + recipe(home))
        (home / "master.cf").write_text(_POSTFIX_MASTER.format(host=HOST, smtp_port=server.smtp_port))
        for name in ("main.cf", "master.cf", "accounts"):
            _age(home / name)
        with _running(["/usr/lib/postfix/sbin/master", "-s", "-c", str(home)], home / "out"):
            _until(lambda: _listens(server.smtp_port), home / "log")
            yield server


# Nothing of it outlives the tests, so that nothing need reach the disk.
_POSTGRES = "listen_addresses={host} unix_socket_directories="
_FLEETING = "fsync=off full_page_writes=off synchronous_commit=off"


@contextmanager
def postgres(*, durable: bool = False) -> Iterator[str]:
    """The url of an empty database in a PostgreSQL of our own; `durable`: it outlives a power cut, as in earnest."""
    require("initdb", package="postgresql")
    owner = _mail_user()  # it never starts as root
    with _home() as home:
        _room(home / "data", owner.pw_name)
        (port,) = free_ports(1)
        data = ["-D", str(home / "data")]
        subprocess.run(
            [_found("initdb"), *data, "-U", "pbem", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"],
            cwd=home,
            check=True,
            capture_output=True,
            timeout=600,
            **_as(owner),
        )
        wanted = _POSTGRES.format(host=HOST) + ("" if durable else f" {_FLEETING}")
        options = [word for each in wanted.split() for word in ("-c", each)]
        command = [_found("postgres"), *data, "-p", str(port), *options]
        # Its children leave the group; told to quit, it takes them and its shared memory along.
        with _running(command, home / "log", ending=signal.SIGQUIT, **_as(owner)):
            log = home / "log"  # it listens before it answers anybody
            _until(lambda: "ready to accept connections" in log.read_text("utf-8", "replace"), log)
            yield f"postgresql+psycopg://pbem@{HOST}:{port}/postgres"


class Wire:
    """A loopback port that passes everything on to another, until it is cut."""

    def __init__(self, port: int) -> None:
        self._far = (HOST, port)
        self._listener = socket.create_server((HOST, 0))
        self.port: int = self._listener.getsockname()[1]
        self._ends: list[socket.socket] = []
        self._threads = [threading.Thread(target=self._accept, daemon=True)]
        self._threads[0].start()

    def cut(self) -> None:
        """Break the connections there are; new ones get through."""
        while self._ends:
            with suppress(OSError):
                self._ends.pop().shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.cut()
        for thread in self._threads:
            thread.join()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                far = socket.create_connection(self._far)
                self._ends += [near, far]
                for source, sink in ((near, far), (far, near)):
                    source.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    thread = threading.Thread(target=_pass_on, args=(source, sink), daemon=True)
                    self._threads.append(thread)
                    thread.start()


@contextmanager
def wire(port: int) -> Iterator[Wire]:
    """A wire to the port, to be cut in the middle of things."""
    line = Wire(port)
    try:
        yield line
    finally:
        line.close()


@contextmanager
def real_mail() -> Iterator[RealMail]:
    """Postfix delivering by LMTP into the mailboxes that Dovecot serves."""
    with dovecot() as imap, postfix(lmtp_port=imap.lmtp_port) as smtp:
        yield RealMail(smtp, imap)


def require(program: str, *, package: str, also: str | None = None, root: bool = False) -> None:
    """Skip the test when the server can't run here; fail it when PBEM_REQUIRE_SERVERS=1."""
    if _found(program) is None or (also and not Path(also).exists()):
        _forgo(f"{program} isn't installed (Debian: apt-get install {package})")
    if root and os.geteuid() != 0:
        _forgo(f"{program} starts only as root")


def free_ports(count: int) -> list[int]:
    """Loopback ports nobody listens on now."""
    sockets = [socket.create_server((HOST, 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def make_certificate(home: Path) -> None:
    """Write `key.pem` and a self-signed `cert.pem` for localhost, good for a day."""
    if shutil.which("openssl") is None:
        _forgo("openssl isn't installed (Debian: apt-get install openssl)")
    options = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN=localhost"
    command = ["openssl", *options.split(), "-addext", "subjectAltName=DNS:localhost"]
    subprocess.run(
        [*command, "-keyout", "key.pem", "-out", "cert.pem"],
        cwd=home,
        check=True,
        capture_output=True,
        timeout=600,
    )


def _forgo(reason: str) -> None:
    if os.environ.get("PBEM_REQUIRE_SERVERS") == "1":
        pytest.fail(f"{reason}, and PBEM_REQUIRE_SERVERS=1 asks for it")
    pytest.skip(reason)


def _path() -> str:
    """Debian keeps PostgreSQL's programs apart by version; the newest goes first."""
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", *map(str, versions)])


def _found(program: str) -> Any:
    return shutil.which(program, path=_path())


def _as(user: pwd.struct_passwd) -> dict[str, Any]:
    """How a program is started as that user, which only root can, and only root need."""
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []} if os.geteuid() == 0 else {}


def _pass_on(source: socket.socket, sink: socket.socket) -> None:
    with source, suppress(OSError):
        while data := source.recv(65536):
            sink.sendall(data)
        sink.shutdown(socket.SHUT_RDWR)


@contextmanager
def _home() -> Iterator[Path]:
    # Not pytest's tmp_path: the servers' users can't enter it, and it is too long for a Unix socket's name.
    home = Path(tempfile.mkdtemp(prefix="pbem-", dir="/tmp"))
    home.chmod(0o755)
    try:
        yield home
    finally:
        shutil.rmtree(home, ignore_errors=True)


def _room(path: Path, owner: str, group: str | None = None, mode: int = 0o700) -> None:
    path.mkdir(mode=mode)
    shutil.chown(path, owner, group)
    path.chmod(mode)


def _age(path: Path) -> None:
    # Postfix sleeps before it reads a file changed within the last second.
    os.utime(path, (0, 0))


def _lay_out_queue(queue: Path) -> None:
    # What `postfix start` would make; its scripts take two seconds and leave the master to nobody.
    _room(queue, "root", mode=0o755)
    _room(queue / "pid", "root", mode=0o755)
    _room(queue / "public", "postfix", "postdrop", 0o710)
    _room(queue / "maildrop", "postfix", "postdrop", 0o730)
    own = "active bounce corrupt defer deferred flush hold incoming private saved trace"
    for name in own.split():
        _room(queue / name, "postfix")


def _mail_user() -> pwd.struct_passwd:
    return pwd.getpwnam("nobody") if os.geteuid() == 0 else pwd.getpwuid(os.geteuid())


def _dovecot_users() -> dict[str, str]:
    mail = _mail_user()
    group = grp.getgrgid(mail.pw_gid).gr_name
    if os.geteuid() == 0:
        roles = {"inner": "dovecot", "inner_group": "dovecot", "login": "dovenull"}
    else:
        roles = {"inner": mail.pw_name, "inner_group": group, "login": mail.pw_name}
    return {**roles, "mail": mail.pw_name, "mail_group": group}


@contextmanager
def _running(command: list[str], log: Path, *, ending: int = signal.SIGKILL, **whose: Any) -> Iterator[None]:
    environment = {**os.environ, "PATH": _path()}
    with log.open("ab") as out:
        process = subprocess.Popen(command, stdout=out, stderr=out, env=environment, start_new_session=True, **whose)
    try:
        yield
    finally:
        # The whole group and at once: asked politely, Dovecot takes up to six seconds.
        os.killpg(process.pid, ending)
        process.wait()


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex((HOST, port)) == 0


def _until(ready: Callable[[], bool], log: Path, patience: float = 300.0) -> None:
    end = time.monotonic() + patience
    while not ready():
        if time.monotonic() > end:
            said = log.read_text(errors="replace") if log.exists() else "nothing"
            pytest.fail(f"the server didn't come up within {patience:.0f} s; its log says:\n{said}")
        time.sleep(0.02)
