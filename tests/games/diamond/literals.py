"""Positions as tests write them: ``pieces("R120 r60 y61")``, or a case of ``positions.json``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from mitsuboshi.games.diamond import DIAMOND
from mitsuboshi.games.diamond.position import Position, Rules
from mitsuboshi.games.game import Options, complete_options

CASES: list[dict[str, Any]] = json.loads(Path(__file__).with_name("positions.json").read_text("utf-8"))


def options(**given: object) -> Options:
    """Complete options with some of them given."""
    return complete_options(DIAMOND.options, given)


def pieces(text: str, to_move: str = "red", players: int = 2, **more: Any) -> Position:
    """A position with the pieces named, be they ever so few; ``more`` are further fields and rule options."""
    board = ["."] * 121
    for piece in text.split():
        board[int(piece[1:])] = piece[0]
    fields = {name: more.pop(name) for name in ("ply", "passes", "finished") if name in more}
    return Position("".join(board), to_move, players, **fields, rules=Rules(**more))


def case(name: str, **more: Any) -> Position:
    """The position of the named case of ``positions.json``."""
    return position_of(next(case for case in CASES if case["name"] == name), **more)


def position_of(case: dict[str, Any], **more: Any) -> Position:
    """The position that a case describes, once written and read, so that every case is a valid text too."""
    board = ["."] * 121
    for seat, points in case["pieces"].items():
        for point in points:
            board[point] = seat[0]
        board[case["kings"][seat]] = seat[0].upper()
    fields = {"ply": case["ply"], "passes": case["passes"]}
    fields |= {name: more.pop(name) for name in ("ply", "passes", "finished") if name in more}
    position = Position("".join(board), case["to_move"], case["players"], **fields, rules=Rules(**more))
    return DIAMOND.read(DIAMOND.write(position), options(**more))


def destinations(position: Position, origin: int) -> dict[int, int]:
    """Where the piece on ``origin`` may go, with the number of jumps."""
    moves = [move for move in DIAMOND.legal_moves(position) if move.startswith(f"{origin}-")]
    return {int(move.partition("-")[2]): DIAMOND.details(position, move)["jumps"] for move in moves}


def after(position: Position, *moves: str) -> Position:
    """The position after some moves."""
    for move in moves:
        position = DIAMOND.play(position, move)[1]
    return position
