"""Whole games by the client's pipes against a real server, moves chosen from nothing but what it prints."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from mitsuboshi.games.diamond.board import RAYS, START, TARGET
from mitsuboshi_play.boards.diamond_points import Geometry

from .conftest import Play
from .program import Client

OVER_OR_MINE = r"^(Turn: \w+ \(you\)|Result: )"
MOVE = re.compile(r"^  (\d+-\d+) +([\d.]+-[\d.]+) +(?:step|\d+ jumps?) +([+-]\d+) rows?$", re.MULTILINE)


def position(pieces: dict[int, str], rest: str) -> str:
    """The position text of these pieces."""
    widths = [1, 2, 3, 4, 13, 12, 11, 10, 9, 10, 11, 12, 13, 4, 3, 2, 1]
    rows, first = [], 0
    for width in widths:
        row = "".join(pieces.get(point, " ") for point in range(first, first + width))
        rows.append(re.sub(r" +", lambda empties: str(len(empties[0])), row))
        first += width
    return f"{'/'.join(rows)} {rest}"


def king_before_apex() -> tuple[str, str]:
    """Red's men at home, its king behind a row of them that ends before the apex; and its move there."""
    apex = TARGET["red"].apex
    king = RAYS[apex][0][5]
    pieces = {point: "r" for point in TARGET["red"].points if point != apex} | {king: "R"}
    pieces |= {point: "y" for point in START["yellow"].points if point not in pieces}
    pieces |= {START["yellow"].apex: "Y"}
    missing = 14 - sum(piece == "y" for piece in pieces.values())
    pieces |= dict.fromkeys([60, 61, 62][:missing], "y")
    return position(pieces, "r 2 40 0"), f"{king}-{apex}"


def moves_of(client: Client) -> list[tuple[str, str, int]]:
    """The legal moves that the client prints: id, rows and numbers, rows gained."""
    client.type("moves")
    printed = client.until(r"^Legal moves: \d+$")
    moves = [(move, places, int(rows)) for move, places, rows in MOVE.findall(printed)]
    assert f"Legal moves: {len(moves)}\n" in printed
    return moves


def play_on(client: Client, chance: random.Random) -> str:
    """Play for whoever is to move, forwards where possible, until the result; the line that tells it."""
    while True:
        status = client.until(OVER_OR_MINE)
        if "\nResult: " in status:
            return status.strip().split("\n")[-1]
        moves = moves_of(client)
        best = max(rows for _, _, rows in moves)
        move, places, _ = chance.choice([m for m in moves if m[2] >= min(best, 2)])
        client.type(move if chance.random() < 0.5 else places)


def test_both_sides_play_a_whole_game_on_one_device(play: Play) -> None:
    client = play("--seats", "me,me", "--option", "draw_plies_per_seat=50")
    result = play_on(client, random.Random(5))
    assert re.fullmatch(r"Result: (no winner \(draw limit\)|(red|yellow) wins \(goal\))\.", result)
    assert client.end() == 0, client.said
    assert "Refused" not in client.said


@pytest.mark.parametrize("seats", ["ai:beginner,me", "me,ai:beginner,ai:beginner"])
def test_a_whole_game_against_beginners(play: Play, seats: str) -> None:
    client = play("--seats", seats)
    result = play_on(client, random.Random(7))
    assert re.fullmatch(r"Result: (no winner \(draw limit\)|\w+ wins \(goal\))\.", result)
    assert client.end() == 0, client.said
    assert "Refused" not in client.said


def test_three_play_on_one_device_each_from_its_own_side(play: Play) -> None:
    client = play("--seats", "me,me,me", "--option", "draw_plies_per_seat=50", "--option", "places=all")
    for seat in ("red", "yellow", "green"):
        client.until(rf"^Turn: {seat} \(you\)")
        places = {places for _, places, _ in moves_of(client)}
        assert "5.5-6.5" in places, "every seat's start looks the same from its own side"
        client.type("5.5-6.5")
    assert client.end() == 0


def test_a_king_goes_home_then_a_rematch_begins(play: Play) -> None:
    text, winning = king_before_apex()
    client = play("--seats", "me,me", "--position", text)
    client.until(OVER_OR_MINE)
    client.type(winning)
    assert client.until(r"^Type rematch").endswith(
        "Result: red wins (goal).\nType rematch for another game, or quit.\n"
    )
    client.type("undo")
    assert "Refused: " in client.until(r"^Type rematch|^Refused")
    client.type("rematch")
    client.until("^Room .*, game 2, ply 40,")
    assert client.end() == 1, "the undo was refused"


def test_the_first_to_move_has_nothing_to_undo_and_then_its_own_move(play: Play) -> None:
    """U4, U12: the AI moved first; one move of one's own is taken back to before it, and the AI plays on."""
    client = play("--seats", "ai:beginner,me")
    client.until(OVER_OR_MINE)
    client.type("undo")
    assert "Refused: no seat of yours has made a move" in client.until("^Refused")
    client.type(moves_of(client)[0][0])
    client.until(OVER_OR_MINE)
    client.type("undo")
    assert ", ply 1," in client.until(OVER_OR_MINE)
    client.type(moves_of(client)[0][0])
    assert ", ply 3," in client.until(OVER_OR_MINE), "the AI moved again"
    assert client.end() == 1


def test_a_piece_shows_where_it_may_go_and_a_number_plays_it(play: Play, geometry: Geometry) -> None:
    client = play("--seats", "me,me")
    client.type("4.1")
    shown = client.until("^Type a number")
    assert "Piece 4.1 (point 6) may go to:" in shown
    assert "[1]" in shown
    client.type("back", "4.1", "2")
    ends = [str(geometry.place("yellow", point)) for point in (6, 28)]
    assert f"Last: red {'-'.join(ends)}\n" in client.until("^Turn: yellow"), "as yellow, to move now, sees it"
    assert client.end() == 0


def test_resigning_twice_shows_the_same_result(play: Play) -> None:
    """M9."""
    client = play("--seats", "me,ai:beginner")
    client.type("resign", "yes")
    client.until(r"^Result: yellow wins \(resignation\)")
    client.type("resign yes")
    assert "Result: yellow wins (resignation)." in client.until("^Type rematch") + client.until(
        "^Type rematch"
    )
    assert client.end() == 1
    assert client.said.count("Refused: ") == 1


def test_wrong_input_is_refused_in_one_sentence_each(play: Play) -> None:
    client = play("--seats", "me,me")
    client.type(
        "0-120", "98-87", "14-14", "121-3", "5.5", "9", "back", "x" * 1000, "\x1b[2J", "start expert", "pass"
    )
    assert client.end() == 1
    assert "Traceback" not in client.said
    assert "\x1b" not in client.said
    assert len(re.findall(r"^Refused: \S.*$", client.said, re.MULTILINE)) == 5


def test_a_name_that_steers_the_terminal_is_neither_taken_nor_printed(play: Play) -> None:
    """S11."""
    client = play("--name", "a\u202eb\x1b[31m")
    assert client.wait() == 4
    assert client.said.startswith("Refused: ")
    assert "\u202e" not in client.said
    assert "\x1b" not in client.said


def test_a_hint_comes_from_the_engine(play: Play) -> None:
    client = play("--seats", "me,me")
    client.type("hint beginner")
    printed = client.until(r"nodes$|^Refused|no line")
    assert re.search(
        r"^  \d+-\d+ +[\d.]+-[\d.]+ .*  score -?\d+, (ahead|behind) by about \d+\.\d moves, "
        r"depth \d+, \d+ nodes$",
        printed,
        re.MULTILINE,
    )
    assert client.end() == 0


def test_a_record_is_written(play: Play, tmp_path: Path) -> None:
    client = play("--seats", "me,me")
    client.type("14-26", f"record {tmp_path / 'game.txt'}")
    client.until("^Saved as ")
    assert "14-26" in (tmp_path / "game.txt").read_text()
    assert client.end() == 0
