"""What the games share: options, and the promises that every game of the registry keeps."""

from __future__ import annotations

from typing import Any

import pytest

from mitsuboshi.games.game import Game, InvalidOption, InvalidText, Option, complete_options, notation_of
from mitsuboshi.games.registry import GAMES

CHOICE = Option("mode", "plain", values=("plain", "fancy"))
NUMBER = Option("plies", 40, least=10, most=50)
SWITCH = Option("leave", True, values=(True, False))
RUN = Option("run", 1, values=(1, 2))
DECLARED = (CHOICE, NUMBER, SWITCH, RUN)

EVERY_START = [
    pytest.param(game, players, id=f"{game.key}-{players}")
    for game in GAMES.values()
    for players in game.player_counts
]


@pytest.mark.parametrize(
    ("option", "value"), [(CHOICE, "fancy"), (NUMBER, 10), (NUMBER, 50), (SWITCH, False), (RUN, 2)]
)
def test_an_option_accepts_the_values_of_its_range(option: Option, value: object) -> None:
    """The value comes back as it was given."""
    assert option.accept(value) is value


@pytest.mark.parametrize(
    ("option", "value"),
    [
        (CHOICE, "neat"),
        (CHOICE, None),
        (CHOICE, ["plain"]),
        (NUMBER, 9),
        (NUMBER, 51),
        (NUMBER, "40"),
        (NUMBER, 40.0),
        (SWITCH, 1),
        (SWITCH, "true"),
        (RUN, True),
        (RUN, 3),
    ],
)
def test_an_option_refuses_everything_else_by_its_name(option: Option, value: object) -> None:
    """Values of other types too, also where Python takes them for equal."""
    with pytest.raises(InvalidOption, match=f"^{option.name} must be one of: ") as refused:
        option.accept(value)
    assert refused.value.name == option.name


@pytest.mark.parametrize(
    ("option", "text", "value"),
    [(CHOICE, "fancy", "fancy"), (NUMBER, "12", 12), (SWITCH, "false", False), (RUN, "2", 2)],
)
def test_an_option_is_read_from_a_command_line(option: Option, text: str, value: object) -> None:
    """Words, numbers, true and false."""
    assert option.from_text(text) is value


@pytest.mark.parametrize(
    ("option", "text"),
    [
        (CHOICE, ""),
        (NUMBER, "+12"),
        (NUMBER, "\u0661\u0662"),
        (NUMBER, "9" * 99),
        (SWITCH, "False"),
        (RUN, ""),
    ],
)
def test_an_option_that_a_command_line_misspells_is_refused(option: Option, text: str) -> None:
    """Never another exception."""
    with pytest.raises(InvalidOption):
        option.from_text(text)


def test_options_are_completed_with_their_defaults() -> None:
    """Every declared option is there, in the order of the declaration."""
    complete = complete_options(DECLARED, {"plies": 20})
    assert list(complete.items()) == [("mode", "plain"), ("plies", 20), ("leave", True), ("run", 1)]


def test_an_unknown_option_is_refused_by_its_name() -> None:
    """Not ignored: a misspelt option would silently play by other rules."""
    with pytest.raises(InvalidOption, match="there is no option 'pliess'") as refused:
        complete_options(DECLARED, {"pliess": 20})
    assert refused.value.name == "pliess"


@pytest.mark.parametrize("key", GAMES)
def test_a_game_is_registered_under_its_key(key: str) -> None:
    """And is for some number of its seats."""
    game = GAMES[key]
    assert game.key == key
    assert all(1 < players <= len(game.seats) for players in game.player_counts)
    assert game.policy.leave.keys() == set(game.player_counts)
    assert game.policy.resign_alone.keys() == set(game.player_counts)
    assert game.policy.winner_when_left.keys() == set(game.player_counts)


@pytest.mark.parametrize("key", GAMES)
def test_the_default_of_an_option_is_one_of_its_values(key: str) -> None:
    """Options left out mean the same as their defaults given."""
    for option in GAMES[key].options:
        assert option.accept(option.default) is option.default


@pytest.mark.parametrize(("game", "players"), EVERY_START)
def test_the_start_is_the_same_once_saved_and_loaded(game: Game[Any], players: int) -> None:
    """What is saved is the canonical text and perhaps more, and the position can be looked up by it."""
    options = complete_options(game.options, {})
    start = game.start(players, options)
    text = game.write(start)
    assert game.write(game.read(text, options)) == text
    assert notation_of(game.save(start)) == text
    assert game.load(game.save(start), options) == start
    assert len({start, game.load(game.save(start), options)}) == 1
    assert game.players(start) == players
    assert game.to_move(start) in game.seats
    assert game.ply(start) == 0
    assert game.outcome(start) is None


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("text", ["", "x", "\u0000", "1" * 100_000, "/" * 1000, " \n"])
def test_a_text_that_is_no_position_is_refused(key: str, text: str) -> None:
    """With the one exception that callers expect, however long it is."""
    game = GAMES[key]
    with pytest.raises(InvalidText):
        game.read(text, complete_options(game.options, {}))
