"""The engine's rules are those of the page and of the Python authority."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import pytest

from mitsuboshi.ai import _engine
from mitsuboshi.ai.perft import python_perft
from mitsuboshi.games.diamond import DIAMOND
from mitsuboshi.games.game import complete_options
from tests.engine.boards import START_2, START_3

OPTION_SETS = [
    {
        "king_min_run": run,
        "border_stop": stop,
        "first_seat": first,
        "places": places,
        "leave_target": leave,
        "draw_plies_per_seat": 60,
    }
    for run, stop, first, places, leave in product(
        (1, 2), (True, False), ("red", "green"), ("first", "all"), (True, False)
    )
]


@pytest.mark.parametrize(
    ("position", "counts"),
    [(START_2, [20, 400, 12567, 395128]), (START_3, [20, 400, 8000, 251480])],
)
def test_perft_gives_the_figures_of_the_rules_page(position: str, counts: list[int]) -> None:
    """Depth 1 to 4."""
    found = [_engine.perft("diamond", position, {}, depth) for depth in range(1, 5)]
    assert found == counts


@pytest.mark.parametrize("players", [2, 3])
def test_perft_agrees_with_the_python_rules(players: int) -> None:
    """Depth 3 under the options that change the most."""
    options = complete_options(DIAMOND.options, {"king_min_run": 2, "border_stop": False})
    position = DIAMOND.start(players, options)
    text = DIAMOND.write(position)
    assert _engine.perft("diamond", text, options, 3) == python_perft(DIAMOND, position, 3)


@pytest.mark.parametrize("number", range(len(OPTION_SETS)))
def test_random_games_agree_with_the_python_rules(number: int) -> None:
    """Moves, positions, passes and the end, ply by ply, under every set of options."""
    options = complete_options(DIAMOND.options, OPTION_SETS[number])
    for players in (2, 3):
        play_both(options, players, random.Random(f"{number} {players}"))


def play_both(options: Any, players: int, lot: random.Random) -> None:
    """One game, the same in Python and in C; half of them hurry towards the targets."""
    position = DIAMOND.start(players, options)
    text = _engine.start("diamond", players, options)
    hurry = lot.choice((0.0, 0.9))
    while DIAMOND.outcome(position) is None:
        moves = DIAMOND.legal_moves(position)
        assert text == DIAMOND.write(position)
        assert _engine.legal_moves("diamond", text, options) == moves
        move = "pass"
        if moves and lot.random() < hurry:
            move = max(moves, key=lambda one: (DIAMOND.details(position, one)["rows"], lot.random()))
        elif moves:
            move = lot.choice(moves)
        _, position = DIAMOND.play(position, move)
        text = _engine.play("diamond", text, options, move)
    assert text == DIAMOND.write(position)
    assert _engine.legal_moves("diamond", text, options) == []
    assert _engine.perft("diamond", text, options, 1) == 0


def test_a_text_is_refused_by_both_rules_or_by_neither() -> None:
    """Thousands of damaged positions: who reads one reads all that the other reads, and writes it alike."""
    lot, options = random.Random(4), complete_options(DIAMOND.options, {"places": "all"})
    letters = "rygRYG0123456789/ -"
    for number in range(4000):
        text = list(lot.choice((START_2, START_3)) + lot.choice(("", "", " g", " yr")))
        for _ in range(lot.choice((1, 1, 2))):
            at = lot.randrange(len(text))
            text[at : at + lot.choice((0, 1, 1))] = lot.choice((lot.choice(letters), "", text[at - 1]))
        assert read_by_c("".join(text), options) == read_by_python("".join(text), options), number


def read_by_c(text: str, options: Any) -> bool:
    """Whether the engine reads a position."""
    try:
        _engine.legal_moves("diamond", text, options)
    except ValueError:
        return False
    return True


def read_by_python(text: str, options: Any) -> bool:
    """Whether the rules in Python read a position."""
    try:
        DIAMOND.read(text, options)
    except ValueError:
        return False
    return True
