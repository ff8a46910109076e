"""The command line, read once into a frozen struct."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TextIO

from mitsuboshi_play.boards.registry import BOARDS

DEFAULT_GAME = "diamond"
DEFAULT_SERVER = "http://127.0.0.1:8000"
DEFAULT_AI = "ai:intermediate"
EPILOG = """exit codes: 0 done; 1 a command from a pipe was refused; 2 wrong usage; 3 no answer;
4 the server refused the room; 5 the room is closed or gone; 130 interrupted"""


class BadUsage(Exception):
    """An argument that no server could make sense of; the message is for its user."""


@dataclass(frozen=True, slots=True)
class Settings:
    server: str
    game: str
    seats: str | None
    players: int | None
    join: str | None
    seat: str | None
    watch: bool
    invite: str | None
    token_file: Path | None
    options: Mapping[str, str | int | bool]
    name: str | None
    position: str | None
    visibility: str | None
    undo: str | None
    clock: int | None
    """Seconds for each move, 0 for no clock, None for the game's own."""
    view: str | None
    color: bool
    ascii: bool
    patience_s: float


def read_settings(arguments: Sequence[str], environ: Mapping[str, str], out: TextIO) -> Settings:
    """The settings by arguments, environment and kind of output; exits with 2 on bad usage."""
    parser = _parser(environ)
    given = parser.parse_args(arguments)
    if not given.server.startswith(("http://", "https://")):
        parser.error("--server must begin with http:// or https://")
    if given.join is None and (given.seat or given.watch or given.invite):
        parser.error("--seat, --watch and --invite go with --join")
    if given.game and given.game_option and given.game != given.game_option:
        parser.error("two games are named")
    made = (given.game, given.game_option, given.seats, given.players, given.position, given.clock)
    if given.join is not None and (given.option or any(value is not None for value in made)):
        parser.error(
            "a game, --seats, --players, --option, --position and --clock make a room: "
            "they do not go with --join"
        )
    return Settings(
        server=given.server.rstrip("/"),
        game=given.game or given.game_option or DEFAULT_GAME,
        seats=given.seats,
        players=given.players,
        join=given.join,
        seat=given.seat,
        watch=given.watch,
        invite=given.invite,
        token_file=given.token_file,
        options=dict(given.option),
        name=given.name,
        position=given.position,
        visibility=given.visibility,
        undo=given.undo,
        clock=given.clock,
        view=given.view,
        color=not given.no_color and colourful(environ, out.isatty()),
        ascii=given.ascii,
        patience_s=given.patience,
    )


def colourful(environ: Mapping[str, str], terminal: bool) -> bool:
    """Whether to colour: only on a terminal that can, and never under NO_COLOR (https://no-color.org)."""
    return terminal and not environ.get("NO_COLOR") and environ.get("TERM", "") not in ("", "dumb")


def read_seats(
    text: str | None, players: int | None, names: Sequence[str]
) -> dict[str, str | dict[str, str]]:
    """The seats of a creation: ``me``, ``open`` or an AI each, in turn order or by name; or BadUsage.

    >>> read_seats("me,ai:master", None, ["red", "yellow", "green"])
    {'red': 'me', 'yellow': {'ai': 'master'}}
    """
    if text is None:
        text = ",".join(["me", *[DEFAULT_AI] * ((players or 2) - 1)])
    seats: dict[str, str | dict[str, str]] = {}
    for number, part in enumerate(text.split(",")):
        before, equals, holder = part.strip().rpartition("=")
        if not equals and number >= len(names):
            raise BadUsage(f"there are only {len(names)} seats: {', '.join(names)}")
        seat = before if equals else names[number]
        if seat in seats:
            raise BadUsage(f"seat {seat} is given twice")
        seats[seat] = _holder(holder)
    if players is not None and len(seats) != players:
        raise BadUsage(f"--seats names {len(seats)} seats, --players asks for {players}")
    return seats


def _holder(text: str) -> str | dict[str, str]:
    if text in ("me", "open"):
        return text
    kind, _, level = (text if text != "ai" else DEFAULT_AI).partition(":")
    if kind != "ai" or not level:
        raise BadUsage(f"a seat is me, open or ai:LEVEL, not {text!r}")
    return {"ai": level}


def _option(text: str) -> tuple[str, str | int | bool]:
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise argparse.ArgumentTypeError("must be NAME=VALUE")
    if value in ("true", "false"):
        return name, value == "true"
    return name, int(value) if value.isascii() and value.isdigit() else value


def _clock(text: str) -> int:
    if text == "off":
        return 0
    if not (text.isascii() and text.isdigit()) or not int(text):
        raise argparse.ArgumentTypeError("must be a number of seconds, or off")
    return int(text)


def _parser(environ: Mapping[str, str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="mitsuboshi-play",
        description="Play the Diamond Game, checkers or backgammon in a terminal. "
        "mitsuboshi-play verify checks the dice of a finished game: see mitsuboshi-play verify --help.",
        epilog=EPILOG,
    )
    add = parser.add_argument
    add("--version", action="version", version=f"mitsuboshi-play {version('mitsuboshi-play')}")
    games = ", ".join(BOARDS)
    add("game", metavar="GAME", nargs="?", choices=tuple(BOARDS), help=f"{games} (default: {DEFAULT_GAME})")
    add("--game", metavar="GAME", dest="game_option", choices=tuple(BOARDS), help="the same")
    add("--server", metavar="URL", default=environ.get("MITSUBOSHI_SERVER", DEFAULT_SERVER))
    add("--seats", metavar="me,ai:advanced", help="who sits where, in turn order: me, open, ai:LEVEL")
    add("--players", type=int, choices=(2, 3), help="default: as many as --seats names, else 2")
    add("--option", metavar="NAME=VALUE", type=_option, action="append", default=[], help="a rule option")
    add("--position", metavar="TEXT", help="begin from this position")
    add("--visibility", choices=("public", "unlisted", "private"))
    add("--clock", metavar="SECONDS|off", type=_clock, help="time for each move (default: the game's own)")
    add("--undo", choices=("default", "off", "request", "free"))
    add("--join", metavar="ROOM", help="join a room, or come back to it with its token file")
    add("--seat", metavar="SEAT", help="the seat to take (default: any open one)")
    add("--watch", action="store_true", help="watch without a seat")
    add("--invite", metavar="TEXT", help="the invitation to a private room")
    add("--token-file", metavar="FILE", type=Path, help="where this room's token is kept")
    add("--name", metavar="NAME", help="what others see you as")
    add("--view", metavar="SEAT", help="look from this seat (default: yours that is to move)")
    add("--no-color", action="store_true", help="letters instead of colours, as under NO_COLOR")
    add("--ascii", action="store_true", help="draw with ASCII characters alone")
    add(
        "--patience",
        metavar="SECONDS",
        type=float,
        default=120.0,
        help="how long the server may stay silent (120)",
    )
    return parser
