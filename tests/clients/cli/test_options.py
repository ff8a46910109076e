"""The command line says who plays; what makes no sense is refused before any request."""

import io
from typing import Any

import pytest

from mitsuboshi_play.options import BadUsage, Settings, colourful, read_seats, read_settings

SEATS = ["red", "yellow", "green"]


def settings(*arguments: str, **environ: str) -> Settings:
    return read_settings(arguments, environ, io.StringIO())


@pytest.mark.parametrize(
    ("text", "players", "seats"),
    [
        (None, None, {"red": "me", "yellow": {"ai": "intermediate"}}),
        (None, 3, {"red": "me", "yellow": {"ai": "intermediate"}, "green": {"ai": "intermediate"}}),
        ("me,ai:advanced", None, {"red": "me", "yellow": {"ai": "advanced"}}),
        ("me, me ,open", 3, {"red": "me", "yellow": "me", "green": "open"}),
        ("ai,me", None, {"red": {"ai": "intermediate"}, "yellow": "me"}),
        ("yellow=me,red=ai:master", 2, {"yellow": "me", "red": {"ai": "master"}}),
    ],
)
def test_seats_are_read(text: str | None, players: int | None, seats: dict[str, Any]) -> None:
    assert read_seats(text, players, SEATS) == seats


@pytest.mark.parametrize(
    ("text", "players"),
    [
        ("me,me,me,me", None),
        ("me,you", None),
        ("me,ai:", None),
        ("me,red=ai", None),
        ("me,ai", 3),
        ("", None),
    ],
)
def test_seats_that_make_no_sense_are_refused(text: str, players: int | None) -> None:
    with pytest.raises(BadUsage):
        read_seats(text, players, SEATS)


def test_rule_options_have_the_types_of_their_values() -> None:
    given = settings("--option", "places=all", "--option", "border_stop=false", "--option", "king_min_run=2")
    assert given.options == {"places": "all", "border_stop": False, "king_min_run": 2}


def test_the_server_comes_from_the_command_line_then_the_environment() -> None:
    assert settings().server == "http://127.0.0.1:8000"
    assert settings(MITSUBOSHI_SERVER="https://play.example/").server == "https://play.example"
    assert settings("--server", "http://a:1/", MITSUBOSHI_SERVER="http://b:2").server == "http://a:1"


@pytest.mark.parametrize(
    "arguments",
    [
        ["--server", "play.example"],
        ["--seat", "red"],
        ["--join", "k7Qm2wXzP4sD", "--players", "2"],
        ["--join", "k7Qm2wXzP4sD", "--position", "x"],
        ["--option", "places"],
        ["--players", "4"],
        ["chess"],
        ["checkers", "--game", "backgammon"],
        ["checkers", "--join", "k7Qm2wXzP4sD"],
        ["--clock", "soon"],
        ["--clock", "0"],
    ],
)
def test_wrong_usage_exits_with_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        settings(*arguments)
    assert ended.value.code == 2
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("environ", "terminal", "colour"),
    [
        ({"TERM": "xterm"}, True, True),
        ({"TERM": "xterm"}, False, False),
        ({"TERM": "xterm", "NO_COLOR": "1"}, True, False),
        ({"TERM": "xterm", "NO_COLOR": ""}, True, True),
        ({"TERM": "dumb"}, True, False),
        ({}, True, False),
    ],
)
def test_colours_only_on_a_terminal_that_wants_them(
    environ: dict[str, str], terminal: bool, colour: bool
) -> None:
    assert colourful(environ, terminal) is colour


def test_the_game_comes_first_or_by_its_option() -> None:
    assert settings().game == "diamond"
    assert settings("checkers").game == "checkers"
    assert settings("--game", "backgammon", "--seats", "me,open").game == "backgammon"


def test_a_clock_is_a_number_of_seconds_or_off() -> None:
    assert [settings().clock, settings("--clock", "30").clock, settings("--clock", "off").clock] == [
        None,
        30,
        0,
    ]
