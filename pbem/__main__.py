"""`python3 -m pbem`: from a checkout it first gets itself what it needs."""

import sys

if sys.version_info < (3, 11):  # noqa: UP036  a checkout may meet any Python; this much runs on 3.8
    sys.exit(f"PBEM needs Python 3.11 or later; this is Python {sys.version.split()[0]}.")

from pbem import firstrun

if __name__ == "__main__":
    firstrun.ensure("test" if sys.argv[1:2] == ["selftest"] else "core")
    from pbem.cli.main import start

    start("python3 -m pbem")
