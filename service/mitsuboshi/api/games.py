"""The games of the house over REST: what they are, what is legal in a position, what is best."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, get_args

import msgspec
from litestar import get, post
from litestar.params import PathParameter
from msgspec import Meta, Struct

from mitsuboshi.api.auth import random_id
from mitsuboshi.api.bodies import read_body
from mitsuboshi.api.problems import documented
from mitsuboshi.api.service import AnyRequest, service_of
from mitsuboshi.games.game import Game, Option
from mitsuboshi.games.registry import GAMES
from mitsuboshi.host.ports import AnalysisJob, AnalysisLine
from mitsuboshi.rooms.commands import Level, PositionText
from mitsuboshi.rooms.create import find_game, read_options, read_position
from mitsuboshi.rooms.refused import Refused
from mitsuboshi.rooms.state import Result, Room

MOVETIME_MS_MAX = 10_000
NODES_MAX = 50_000_000
LINES_MAX = 20
QUEUE_S = 10
"""How much longer than its own budget an analysis may take."""

GameKey = Annotated[str, PathParameter(description="The game's key.")]


class GameView(Struct, frozen=True):
    """A game: its seats in turn order, how many can play, options with defaults, AI levels, notations.

    Each option has ``values``, or is a whole number from ``least`` to ``most``."""

    game: str
    seats: tuple[str, ...]
    player_counts: tuple[int, ...]
    options: list[dict[str, Any]]
    levels: tuple[str, ...]
    notations: dict[str, str]
    records: tuple[str, ...]
    """Formats of a game's record."""


class GameWithBoard(GameView, frozen=True, kw_only=True):
    """A game and the geometry of its board, enough to draw it."""

    geometry: dict[str, Any]


class GameList(Struct, frozen=True):
    """The games of the house."""

    items: list[GameView]
    next_cursor: str | None


class PositionQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """A position, and the rule options where they are not the defaults."""

    position: PositionText
    options: dict[str, str | int | bool] = {}


class MovePart(Struct, frozen=True):
    """One checker's way by one number, as the mover counts: from 25, the bar, to 0, off."""

    origin: int = msgspec.field(name="from")
    target: int = msgspec.field(name="to")
    hit: bool


class LegalMove(Struct, frozen=True, omit_defaults=True):
    """A move as text, with what the game tells of it.

    Its path; Diamond also jumps and rows gained, checkers the squares of the pieces that are taken;
    backgammon, instead of a path, the throw, and the play checker by checker."""

    move: str
    path: list[int] = []
    jumps: int | None = None
    rows: int | None = None
    captures: list[int] | None = None
    dice: list[int] = []
    parts: list[MovePart] = []


class LegalMoves(Struct, frozen=True):
    """The moves of the side to move; ``to_move`` is null once ``outcome`` is there."""

    to_move: str | None
    legal_moves: list[LegalMove]
    must_pass: bool
    outcome: Result | None


class AnalysisQuery(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A position to analyse within one budget: a level's, or a time, or a number of nodes."""

    position: PositionText
    options: dict[str, str | int | bool] = {}
    level: Level | None = None
    movetime_ms: Annotated[int, Meta(ge=1, le=MOVETIME_MS_MAX)] | None = None
    nodes: Annotated[int, Meta(ge=1, le=NODES_MAX)] | None = None
    lines: Annotated[int, Meta(ge=1, le=LINES_MAX)] = 1


class AnalysedLine(AnalysisLine, frozen=True, kw_only=True):
    """One line, best first; ``expected`` is the expected result in points for the side to move."""

    expected: float


class Analysis(Struct, frozen=True):
    """The best lines of a position, none once its game is over."""

    to_move: str | None
    lines: list[AnalysedLine]
    outcome: Result | None


_decode_position = msgspec.json.Decoder(PositionQuery)
_decode_analysis = msgspec.json.Decoder(AnalysisQuery)


@get("/v1/games", responses=documented(), operation_id="listGames")
async def list_games() -> GameList:
    """The games of the house."""
    return GameList([GameView(**_described(game)) for game in GAMES.values()], None)


@get("/v1/games/{game:str}", responses=documented(404), operation_id="getGame")
async def get_game(game: GameKey) -> GameWithBoard:
    """A game, with its board."""
    found = find_game(game)
    return GameWithBoard(**_described(found), geometry=found.geometry())


def _described(game: Game[Any]) -> dict[str, Any]:
    return {
        "game": game.key,
        "seats": game.seats,
        "player_counts": game.player_counts,
        "options": [_option(option) for option in game.options],
        "levels": get_args(Level),
        "notations": dict(game.notations),
        "records": ("json", "text", *game.transcripts),
    }


def _option(option: Option) -> dict[str, Any]:
    bounds = {"values": option.values} if option.values else {"least": option.least, "most": option.most}
    return {"name": option.name, "default": option.default, **bounds}


@post(
    "/v1/games/{game:str}/legal-moves",
    status_code=200,
    opt={"body": PositionQuery},
    responses=documented(404, 413, 415),
    operation_id="legalMoves",
)
async def legal_moves(request: AnyRequest, game: GameKey) -> LegalMoves:
    """The legal moves in any position. Nothing is kept."""
    found = find_game(game)
    query = await read_body(request, _decode_position)
    return _legal_moves(found, read_position(found, query.position, read_options(found, query.options)))


def legal_moves_of(room: Room) -> LegalMoves:
    """The legal moves of the side to move; none once the game is over, however it ended."""
    game = GAMES[room.game]
    if room.result is not None:
        return LegalMoves(None, [], must_pass=False, outcome=room.result)
    return _legal_moves(game, game.load(room.position, room.options))


def _legal_moves(game: Game[Any], position: Any) -> LegalMoves:
    outcome = _result(game, position)
    moves = [] if outcome else game.legal_moves(position)
    return LegalMoves(
        to_move=None if outcome else game.to_move(position),
        legal_moves=[LegalMove(move, **game.details(position, move)) for move in moves],
        must_pass=game.must_pass(position),
        outcome=outcome,
    )


def _result(game: Game[Any], position: Any) -> Result | None:
    outcome = game.outcome(position)
    return Result(outcome.winner, outcome.reason, outcome.points, outcome.places) if outcome else None


@post(
    "/v1/games/{game:str}/analysis",
    status_code=200,
    opt={"body": AnalysisQuery},
    responses=documented(404, 413, 415),
    operation_id="analyse",
)
async def analyse(request: AnyRequest, game: GameKey) -> Analysis:
    """The best lines of any position, searched by the AI workers behind the moves that wait for them."""
    found = find_game(game)
    query = await read_body(request, _decode_analysis)
    budgets = {"level": query.level, "movetime_ms": query.movetime_ms, "nodes": query.nodes}
    if sum(budget is not None for budget in budgets.values()) != 1:
        raise Refused("invalid_body", f"exactly one of {', '.join(budgets)} is needed")
    options = read_options(found, query.options)
    position = read_position(found, query.position, options)
    if (outcome := _result(found, position)) is not None:
        return Analysis(None, [], outcome)
    if found.chance(position):
        raise Refused("invalid_position", "the position waits for a throw: give it with its dice", "position")
    job = AnalysisJob(
        random_id(),
        found.key,
        dict(options),
        found.write(position),
        query.level or "",
        query.movetime_ms or 0,
        query.nodes or 0,
        query.lines,
    )
    service = service_of(request)
    budget_ms = query.movetime_ms or MOVETIME_MS_MAX
    asking = asyncio.create_task(service.analyst.ask(job, (budget_ms + service.lease_ms) / 1000 + QUEUE_S))
    try:
        answer = await service.unless_stopping(asking)
    finally:
        asking.cancel()
    if not answer:
        # No lines: every try of the workers has failed.
        raise Refused("pool_unavailable", "no AI worker has found an answer in time")
    return Analysis(found.to_move(position), [_analysed(line) for line in answer], None)


def _analysed(line: AnalysisLine) -> AnalysedLine:
    fields = {name: getattr(line, name) for name in line.__struct_fields__}
    return AnalysedLine(**fields, expected=line.score / 1000)


ROUTES = [list_games, get_game, legal_moves, analyse]
