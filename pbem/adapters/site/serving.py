"""The archive on a port of this machine, to look at: any web server does as well."""

from __future__ import annotations

import logging
import sys
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

log = logging.getLogger("pbem")


class _Visitor(SimpleHTTPRequestHandler):
    """Somebody who reads the archive: what lies in its folder, and nothing that a link in it leads to."""

    extensions_map = {  # noqa: RUF012 - never changed
        **SimpleHTTPRequestHandler.extensions_map,
        ".html": "text/html; charset=utf-8",
        ".xml": "application/atom+xml",
        ".jsonl": "application/jsonl",
        ".play": "text/plain; charset=utf-8",
        ".mbox": "application/mbox",
        ".svg": "image/svg+xml",
    }

    def send_head(self) -> Any:
        root = Path(self.directory).resolve()
        if not Path(self.translate_path(self.path)).resolve().is_relative_to(root):
            self.send_error(HTTPStatus.NOT_FOUND)
            return None
        return super().send_head()

    def list_directory(self, path: Any) -> None:
        """Pages lead to all there is; a folder without one is none of them."""
        self.send_error(HTTPStatus.NOT_FOUND)

    def log_message(self, format: str, *args: Any) -> None:
        log.info(format, *args)


class _Web(ThreadingHTTPServer):
    """Each visitor in a thread of its own."""

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Visitors who go away in the middle are nobody's fault."""
        fault = sys.exception()
        if isinstance(fault, ConnectionError):
            log.info("a visitor has gone: %s", fault)
        else:
            log.exception("a visitor met a fault of ours")


def web_server(root: Path, host: str, port: int) -> ThreadingHTTPServer:
    """A server for the folder, to be run with `serve_forever`; port 0 takes a free one. Raises `OSError`."""
    return _Web((host, port), partial(_Visitor, directory=str(root)))
