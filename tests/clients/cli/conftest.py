"""A board as the server describes it, and snapshots made by hand."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from mitsuboshi.games.diamond import DIAMOND
from mitsuboshi.games.game import complete_options
from mitsuboshi.games.registry import GAMES
from mitsuboshi_play.boards.board import ASCII, Board, Glyphs
from mitsuboshi_play.boards.diamond_points import Geometry, read_geometry
from mitsuboshi_play.boards.registry import BOARDS
from mitsuboshi_play.texts import Texts
from tests.conftest import ServiceFactory

from .program import Client

Play = Callable[..., Client]
PAGE: dict[str, Any] = json.loads(
    json.dumps({"game": "diamond", "seats": list(DIAMOND.seats), "geometry": DIAMOND.geometry()})
)
START = DIAMOND.write(DIAMOND.start(2, complete_options(DIAMOND.options, {})))


@pytest.fixture(scope="session")
def geometry() -> Geometry:
    return read_geometry(PAGE["geometry"])


def board_of(game: str, glyphs: Glyphs = ASCII) -> Board:
    """The board of a game as the server describes it."""
    page = json.loads(json.dumps(GAMES[game].geometry()))
    return BOARDS[game](page, Texts(), glyphs)


@pytest.fixture(scope="session")
def board() -> Board:
    """The Diamond Game's."""
    return board_of("diamond")


@pytest.fixture
def texts() -> Texts:
    return Texts()


def snapshot_json(**changes: Any) -> dict[str, Any]:
    """A room of two players after its start, red being the caller's."""
    return {
        "id": "k7Qm2wXzP4sD",
        "game": "diamond",
        "status": "playing",
        "version": 3,
        "options": {"king_min_run": 1},
        "game_number": 1,
        "seats": [
            {"seat": "red", "kind": "person", "name": "Ayumi", "level": None, "present": True},
            {"seat": "yellow", "kind": "ai", "name": None, "level": "advanced"},
        ],
        "you": ["red"],
        "may": ["move", "resign", "leave", "rename"],
        "rematch": [],
        "position": START,
        "to_move": "red",
        "ply": 0,
        "must_pass": False,
        "last_moves": [],
        "clock": None,
        "offer": None,
        "draw_limit": {"plies": 800, "left": 800},
        "facts": {"in_target": {"red": 0, "yellow": 0}, "king_to_apex": []},
        "result": None,
    } | changes


@pytest.fixture(scope="session")
def server_url(service: ServiceFactory) -> str:
    """A real server with one AI worker, shared by the tests that need nothing of their own."""
    return service().urls[0]


@pytest.fixture
def play(server_url: str, tmp_path: Path) -> Iterator[Play]:
    """Starts clients, of the shared server unless told otherwise, and ends them all."""
    clients: list[Client] = []

    def start(*arguments: str, server: str = server_url, folder: str = "") -> Client:
        clients.append(Client(server, tmp_path / folder, *arguments))
        return clients[-1]

    yield start
    for client in clients:
        client.close()
