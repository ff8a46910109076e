"""The command ``mitsuboshi-play verify``: checks the dice of a finished game from its record alone."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TextIO
from urllib.parse import parse_qs, unquote, urlsplit

import httpx

from mitsuboshi_play.api import Api, Away, Link, Refused
from mitsuboshi_play.boards.xgid import SEATS
from mitsuboshi_play.snapshot import Json
from mitsuboshi_play.texts import Texts
from mitsuboshi_play.throws import faults
from mitsuboshi_play.tokens import BadTokenFile, default_file, read_token

RIGHT, WRONG, USAGE, NO_SERVER, NO_ROOM = 0, 1, 2, 3, 4
EPILOG = "exit codes: 0 right; 1 wrong; 2 wrong usage; 3 no answer of the server; 4 no such room for you"


class Unread(Exception):
    """There is no record to check: a sentence and the code to exit with."""

    def __init__(self, code: int, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


def verify(
    arguments: Sequence[str],
    environ: Mapping[str, str],
    out: TextIO,
    read: Callable[[], str],
    transport: httpx.BaseTransport | None = None,
) -> int:
    """Check the record that the arguments name and print what is found; the exit code."""
    given = _parser().parse_args(arguments)
    texts = Texts()
    try:
        record = _record(given, environ, texts, read, transport)
    except Unread as unread:
        print(unread, file=out)
        return unread.code
    right, lines = report(record, texts)
    print("\n".join(lines), file=out)
    return RIGHT if right else WRONG


def report(record: Json, texts: Texts) -> tuple[bool, list[str]]:
    """Whether all throws of a record are right, and the lines that say so, or what is wrong, turn by turn."""
    found = faults(record)
    lines = [texts(fault.key, **fault.values) for fault in found]
    if found:
        return False, [*lines, texts("wrong_once" if len(found) == 1 else "wrong", count=len(found))]
    nonces = record["nonces"]
    told = [
        texts("nonce_of", seat=seat, nonce=nonces[seat]) if seat in nonces else texts("no_nonce", seat=seat)
        for seat in SEATS
    ]
    return True, [
        texts(
            "verified_game", game=record["game_number"], room=record.get("room"), seats=_seats(record, texts)
        ),
        texts("commitment", commitment=record["commitment"]),
        texts("verified_nonces", nonces=", ".join(told)),
        *([] if nonces else [texts("without_nonces")]),
        texts("verified", count=len(record["moves"])),
    ]


def _seats(record: Json, texts: Texts) -> str:
    seats = record.get("seats")
    known = [seat for seat in seats if isinstance(seat, dict)] if isinstance(seats, list) else []
    return ", ".join(
        texts(
            "verified_seat",
            seat=seat.get("seat"),
            holder=seat.get("name") or seat.get("level") or texts("unnamed"),
        )
        for seat in known
    )


def _record(
    given: argparse.Namespace,
    environ: Mapping[str, str],
    texts: Texts,
    read: Callable[[], str],
    transport: httpx.BaseTransport | None,
) -> Json:
    source: str = given.record
    if source.startswith(("http://", "https://")):
        text = _fetched(given, environ, texts, transport)
    else:
        try:
            text = read() if source == "-" else Path(source).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as fault:
            reason = fault.strerror if isinstance(fault, OSError) else "it is no UTF-8"
            raise Unread(USAGE, texts("no_file", file=source, reason=reason)) from None
    try:
        record = json.loads(text)
    except (ValueError, RecursionError):
        record = None
    if not isinstance(record, dict):
        raise Unread(USAGE, texts("no_json", file=source))
    return record


def _fetched(
    given: argparse.Namespace,
    environ: Mapping[str, str],
    texts: Texts,
    transport: httpx.BaseTransport | None,
) -> str:
    """The record of the room of that address, with the room's token if there is one."""
    server, room, game = _address(given.record)
    if not room:
        raise Unread(USAGE, texts("not_a_room", url=given.record))
    api = Api(server, Link(lambda *_: None, lambda: None), given.patience, transport, time.sleep)
    try:
        api.token = read_token(given.token_file or default_file(environ, room))
        return api.record(room, "json", given.game or game)
    except BadTokenFile as fault:
        raise Unread(USAGE, texts("bad_token_file", file=fault.file, reason=fault.reason)) from None
    except Refused as no:
        raise Unread(NO_ROOM, texts("refused", detail=no.detail)) from None
    except Away as away:
        raise Unread(NO_SERVER, texts("away", server=server, seconds=away.seconds)) from None


def _address(url: str) -> tuple[str, str, int | None]:
    """Server, room and game number of ``http://host/v1/rooms/ROOM/record?game=2`` and shorter ones."""
    parts = urlsplit(url)
    before, _, after = parts.path.partition("/rooms/")
    number = parse_qs(parts.query).get("game", [""])[0]
    server = f"{parts.scheme}://{parts.netloc}{before.removesuffix('/v1')}"
    return server, unquote(after.partition("/")[0]), int(number) if number.isdecimal() else None


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="mitsuboshi-play verify",
        description="Checks the dice of a finished game with verifiable dice, from its record alone.",
        epilog=EPILOG,
    )
    parser.add_argument(
        "record",
        metavar="FILE|-|ROOM-URL",
        help="the record as JSON: a file, - for the input, or http://HOST/v1/rooms/ROOM",
    )
    parser.add_argument("--game", type=int, metavar="N", help="of a room: which of its games (the last)")
    parser.add_argument(
        "--token-file", metavar="FILE", type=Path, help="of a private room: where your token is kept"
    )
    parser.add_argument(
        "--patience",
        metavar="SECONDS",
        type=float,
        default=30.0,
        help="how long the server may be silent (30)",
    )
    return parser
