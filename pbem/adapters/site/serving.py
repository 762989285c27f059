"""The archive on a port of this machine, to look at: any web server does as well."""

from __future__ import annotations

import logging
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

log = logging.getLogger("pbem")


TYPES = {
    ".html": "text/html; charset=utf-8",
    ".xml": "application/atom+xml",
    ".jsonl": "application/jsonl",
    ".play": "text/plain; charset=utf-8",
    ".mbox": "application/mbox",
    ".svg": "image/svg+xml",
}


class _Visitor(SimpleHTTPRequestHandler):
    """Somebody who reads the archive."""

    def guess_type(self, path: Any) -> str:
        """The content type of a file."""
        return TYPES.get(Path(path).suffix) or str(super().guess_type(path))

    def log_message(self, format: str, *args: Any) -> None:
        log.info(format, *args)


def web_server(root: Path, host: str, port: int) -> ThreadingHTTPServer:
    """A server for the folder, to be run with `serve_forever`; port 0 takes a free one. Raises `OSError`."""
    return ThreadingHTTPServer((host, port), partial(_Visitor, directory=str(root)))
