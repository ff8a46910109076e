"""What a room takes in Redis: value, log and line, while it is fresh, in mid-game and once its game is over.

The game is one of the engine against itself, played over REST with both seats in one hand.
"""

from __future__ import annotations

from typing import Any

import msgspec
import redis
import uvloop

from bench import stand
from bench.figures import number, table
from bench.load import open_lanes
from bench.script import GAME, OPTIONS
from bench.wire import Misbehaved, Wire, request
from mitsuboshi.ai._engine import Engine
from mitsuboshi.store.keys import Keys

NODES = 2000
NOISE = 60
MIDDLE_PLY = 50
NAMES = Keys()


def engine_game(plies: int) -> list[str]:
    """The moves of a game between weak engines, to its end or for so many plies."""
    engine, position, moves = Engine(16), GAME.start(2, OPTIONS), list[str]()
    while GAME.outcome(position) is None and len(moves) < plies:
        text = GAME.write(position)
        line = engine.search(
            GAME.key, text, OPTIONS, nodes=NODES, noise=NOISE, race_width=8, seed=len(moves)
        )[0]
        move, position = GAME.play(position, line.move)
        moves.append(move)
    return moves


class Scales:
    """Weighs one room."""

    def __init__(self, url: str, room: str) -> None:
        self._redis = redis.Redis.from_url(url)
        self._keys = {
            "value": NAMES.room(room),
            "log": NAMES.log(room),
            "line": NAMES.line(room, 1),
        }

    def row(self, name: str, ply: int, answer: bytes) -> tuple[str, ...]:
        """Bytes of each key as Redis counts them, their sum, and the snapshot's bytes as a client gets it."""
        sizes = {part: int(self._redis.memory_usage(key, samples=0) or 0) for part, key in self._keys.items()}
        value = number(self._redis.strlen(self._keys["value"]))
        cells = [*map(number, sizes.values()), number(sum(sizes.values())), value, number(len(answer))]
        return (name, str(ply), *cells)


async def measure(url: str, server: stand.Server, moves: list[str]) -> list[tuple[str, ...]]:
    """A row for each stage of the game."""
    wire: Wire = (await open_lanes(server, 1))[0].wire
    wish = {"game": "diamond", "seats": {"red": "me", "yellow": "me"}, "name": "Ayumi"}
    body = await wire.ask(request("POST", "/v1/rooms", wish), 201)
    made: dict[str, Any] = msgspec.json.decode(body)
    room, token = made["room"]["id"], made["token"]
    scales = Scales(url, room)
    rows = [scales.row("fresh", 0, msgspec.json.encode(made["room"]))]
    for ply, move in enumerate(moves, 1):
        action = {"type": "move", "move": move}
        body = await wire.ask(request("POST", f"/v1/rooms/{room}/actions", action, token))
        if ply == MIDDLE_PLY:
            rows.append(scales.row("mid-game", ply, body))
    if len(moves) > MIDDLE_PLY and msgspec.json.decode(body)["status"] != "finished":
        raise Misbehaved("the game is not over")
    rows.append(scales.row("finished" if len(moves) > MIDDLE_PLY else "begun", len(moves), body))
    wire.close()
    return rows


def run(quick: bool) -> str:
    """Measure, and answer the report."""
    moves = engine_game(3 if quick else 800)
    with stand.redis() as store, stand.server("service", store.url, stand.cores()[0]) as server:
        rows = uvloop.run(measure(store.url, server, moves))
    head = ("bytes", "ply", "value", "log", "line", "together", "value alone", "snapshot as JSON")
    return table(head, rows)
