"""Counts move sequences: by the engine in C, or by the Python rules that it has to agree with."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

from mitsuboshi.ai import _engine
from mitsuboshi.games.game import PASS, Game, InvalidOption, Options, complete_options
from mitsuboshi.games.registry import GAMES


def python_perft(game: Game[Any], position: Any, depth: int) -> int:
    """The number of move sequences of ``depth`` plies; a forced pass is a ply, an ended game has none.

    Chance is no ply: every different position that it may bring is counted, each once."""
    if depth == 0:
        return 1
    if game.outcome(position) is not None:
        return 0
    if results := game.chance(position):
        brought = {game.save(after): after for after in (game.after_chance(position, one) for one in results)}
        return sum(python_perft(game, after, depth) for after in brought.values())
    moves = game.legal_moves(position) or [PASS]
    if depth == 1:
        return len(moves)
    return sum(python_perft(game, game.play(position, move)[1], depth - 1) for move in moves)


def counts(
    game: Game[Any], position: Any, options: Options, depth: int, *, python: bool
) -> Iterator[tuple[int, int]]:
    """Depth and number of move sequences, from depth 1 on."""
    text = game.save(position)
    for plies in range(1, depth + 1):
        if python:
            yield plies, python_perft(game, position, plies)
        else:
            yield plies, _engine.perft(game.key, text, options, plies)


def options_from(game: Game[Any], texts: list[str]) -> Options:
    """Complete options from ``NAME=VALUE`` texts; InvalidOption where one does not fit."""
    declared = {option.name: option for option in game.options}
    given: dict[str, object] = {}
    for text in texts:
        name, _, value = text.partition("=")
        given[name] = declared[name].from_text(value) if name in declared else value
    return complete_options(game.options, given)


def add_game_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments that name a game, its number of players and its options."""
    parser.add_argument("game", choices=tuple(GAMES), help="the game")
    parser.add_argument("--players", type=int, default=2, metavar="N", help="seats in play (2)")
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a rule option, any number of times",
    )


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add_game_arguments(parser)
    parser.add_argument("--position", metavar="TEXT", help="begin here instead of at the start")
    parser.add_argument("--depth", type=int, default=4, metavar="D", help="plies to count; 4")
    parser.add_argument("--python", action="store_true", help="count by the Python rules")
    parser.set_defaults(parser=parser)


def run(arguments: argparse.Namespace) -> int:
    """Print ``depth nodes``, a line for each depth from 1 on."""
    game = GAMES[arguments.game]
    try:
        options = options_from(game, arguments.option)
        if arguments.position is None:
            position = game.start(arguments.players, options)
        else:
            position = game.read(arguments.position, options)
    except (InvalidOption, ValueError) as fault:
        arguments.parser.error(str(fault))
    if not 1 <= arguments.depth <= _engine.PERFT_PLIES_MAX:
        arguments.parser.error(f"--depth must be within 1 and {_engine.PERFT_PLIES_MAX}")
    for plies, nodes in counts(game, position, options, arguments.depth, python=arguments.python):
        print(plies, nodes, flush=True)
    return 0
