"""Writes the descriptions that the repository holds: of the API, and of the messages of sockets."""

from __future__ import annotations

import argparse
import json
import sys
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

from mitsuboshi.api import messages
from mitsuboshi.api.app import create_app
from mitsuboshi.api.openapi import description
from mitsuboshi.api.service import Service


def _never_opened() -> AbstractAsyncContextManager[Service]:
    raise RuntimeError("this application only describes itself")


def openapi_text() -> str:
    """The API's description as its file holds it."""
    app = create_app(_never_opened, max_body_bytes=0)
    return _json(description(app))


def messages_text() -> str:
    """The messages' description as its file holds it."""
    return _json(messages.schema())


def _json(schema: dict[str, Any]) -> str:
    return json.dumps(schema, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what ``mitsuboshi openapi`` takes."""
    parser.add_argument("--folder", type=Path, help="where to write the files; without it to standard output")


def run(arguments: argparse.Namespace) -> int:
    """Write the descriptions of the API, and of the messages of its sockets and streams."""
    files = {"openapi.json": openapi_text(), "messages.json": messages_text()}
    for name, content in files.items():
        if arguments.folder is None:
            sys.stdout.write(content)
        else:
            (arguments.folder / name).write_text(content, encoding="utf-8")
    return 0
