"""The games of the house: what they are, and what is legal and best in a position, without any room."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from mitsuboshi.games.diamond import DIAMOND
from tests.games.diamond.literals import case
from tests.rest import Json, ok, refused

START = "R/rr/rrr/rrrr/4rrrrr4/12/11/10/y8/yy8/yyy8/yyyy8/Yyyyy8/4/3/2/1 r 2 0 0"
WON = "1/2/3/4/9yyyy/10yy/10y/10/4r3y/10/y10/yy10/Yyy1yrrrr4/rrrr/rrr/rr/R y 2 1 0"


def legal_moves(http: httpx.Client, position: str, **options: Any) -> Json:
    """The answer for a position."""
    body = {"position": position, "options": options}
    return ok(http.post("/v1/games/diamond/legal-moves", json=body))


def analysis(http: httpx.Client, position: str, **asked: Any) -> Json:
    """The answer for a position."""
    return ok(http.post("/v1/games/diamond/analysis", json={"position": position, **asked}))


def test_the_list_tells_seats_options_levels_and_notations(http: httpx.Client) -> None:
    """Enough to offer a game."""
    games = {game["game"]: game for game in ok(http.get("/v1/games"))["items"]}
    assert (games["checkers"]["seats"], games["checkers"]["player_counts"]) == (["red", "white"], [2])
    assert games["backgammon"]["seats"] == ["white", "black"]
    assert games["backgammon"]["records"] == ["json", "text", "mat"]
    game = games["diamond"]
    assert (game["game"], game["seats"]) == ("diamond", ["red", "yellow", "green"])
    assert game["player_counts"] == [2, 3]
    assert game["levels"] == ["beginner", "intermediate", "advanced", "master"]
    assert set(game["notations"]) == {"position", "move"}
    options = {option.pop("name"): option for option in game["options"]}
    assert options["king_min_run"] == {"default": 1, "values": [1, 2]}
    assert options["draw_plies_per_seat"] == {"default": 400, "least": 50, "most": 2000}
    assert set(options) == {
        *("king_min_run", "border_stop", "first_seat", "places", "leave_target", "draw_plies_per_seat")
    }


def test_a_game_comes_with_a_board_that_can_be_drawn(http: httpx.Client) -> None:
    """Every point with its place, its neighbours, its camps, and its row and number for every seat."""
    game = ok(http.get("/v1/games/diamond"))
    points = game["geometry"]["points"]
    assert [point["id"] for point in points] == list(range(121))
    assert len({(point["x"], point["y"]) for point in points}) == 121
    for point in points:
        assert all(point["id"] in points[other]["neighbours"] for other in point["neighbours"])
    assert points[0]["seen_by"]["red"] == {"row": 1, "number": 1}
    assert (
        sum(camp["camp"] == "target" and camp["seat"] == "red" for p in points for camp in p["camps"]) == 15
    )
    refused(http.get("/v1/games/chess"), 404, "game_not_found", "game")


def test_the_start_has_twenty_moves(http: httpx.Client) -> None:
    """Each with its path, jumps and rows; a step has no jump."""
    answer = legal_moves(http, START)
    assert len(answer["legal_moves"]) == 20
    assert (answer["to_move"], answer["must_pass"], answer["outcome"]) == ("red", False, None)
    assert {"move": "6-26", "path": [6, 26], "jumps": 1, "rows": 2} in answer["legal_moves"]


def test_a_capture_comes_with_what_it_takes(http: httpx.Client) -> None:
    """Every square of its way, and those of the pieces; a simple move takes nothing."""
    asked = {"position": "W:W22,32:B11,18"}
    answer = ok(http.post("/v1/games/checkers/legal-moves", json=asked))
    assert answer["legal_moves"] == [{"move": "22x15x8", "path": [22, 15, 8], "captures": [18, 11]}]
    first = ok(http.post("/v1/games/checkers/legal-moves", json={"position": "B:W32:B1"}))["legal_moves"][0]
    assert first == {"move": "1-5", "path": [1, 5], "captures": []}


def test_an_option_changes_what_is_legal(http: httpx.Client) -> None:
    """A king that jumps runs of two or more alone has fewer moves."""
    position = DIAMOND.write(case("king_does_not_jump_over_its_own_origin"))
    usual, strict = (
        {move["move"] for move in legal_moves(http, position, king_min_run=run)["legal_moves"]}
        for run in (1, 2)
    )
    assert strict < usual
    body = {"position": position, "options": {"king_min_run": 3}}
    answer = http.post("/v1/games/diamond/legal-moves", json=body)
    refused(answer, 422, "invalid_option", "options.king_min_run")


def test_a_shut_in_side_must_pass(http: httpx.Client) -> None:
    """A pass is never among the legal moves."""
    answer = legal_moves(http, DIAMOND.write(case("pass_all_seats_draw_2p")))
    assert (answer["legal_moves"], answer["must_pass"], answer["to_move"]) == ([], True, "red")
    (line,) = analysis(http, DIAMOND.write(case("pass_all_seats_draw_2p")), nodes=100)["lines"]
    assert line["move"] == "pass"


def test_a_game_that_is_over_has_an_outcome_and_no_moves(http: httpx.Client) -> None:
    """For legal moves and for an analysis alike."""
    result = {"winner": "red", "reason": "goal", "points": 1}
    assert legal_moves(http, WON) == {
        **{"to_move": None, "legal_moves": [], "must_pass": False},
        "outcome": result,
    }
    assert analysis(http, WON, nodes=1000) == {"to_move": None, "lines": [], "outcome": result}


@pytest.mark.parametrize(
    "budget", [{"level": "beginner"}, {"level": "intermediate"}, {"movetime_ms": 50}, {"nodes": 5000}]
)
def test_an_analysis_gives_the_best_lines_within_a_budget(http: httpx.Client, budget: Json) -> None:
    """Best first, each with its score and moves that can be played."""
    answer = analysis(http, START, lines=3, **budget)
    lines = answer["lines"]
    assert (answer["to_move"], answer["outcome"], len(lines)) == ("red", None, 3)
    assert len({line["move"] for line in lines}) == 3
    # A budget may end in mid-depth: what was searched deeper then stands first.
    ranks = [(line["depth"], line["score"]) for line in lines]
    assert ranks[0] == max(ranks)
    for line in lines:
        assert line["move"] in {move["move"] for move in legal_moves(http, START)["legal_moves"]}
        assert line["pv"][0] == line["move"]
        assert -1 <= line["expected"] <= 1
        assert abs(line["margin"]) < 15
        assert line["margin"] * line["expected"] >= 0  # who is ahead is expected to win
        assert min(line["depth"], line["nodes"]) >= 1
        position = DIAMOND.read(START, {option.name: option.default for option in DIAMOND.options})
        for move in line["pv"]:
            position = DIAMOND.play(position, move)[1]


def test_a_gammon_that_is_certain_is_expected_to_give_two_points(http: httpx.Client) -> None:
    """Scores are thousandths of a point, in games that are won by several too."""
    asked = {"position": "XGID=-A------------------ccccc-:0:0:1:21:0:0:0:0:10", "nodes": 100}
    (line,) = ok(http.post("/v1/games/backgammon/analysis", json=asked))["lines"]
    assert (line["score"], line["expected"], line["margin"]) == (2000, 2.0, None)


def test_an_analysis_by_nodes_is_the_same_every_time(http: httpx.Client, other: httpx.Client) -> None:
    """What is not limited by time can be repeated."""
    first, second = (
        [
            (line["move"], line["score"], line["pv"])
            for line in analysis(c, START, nodes=20_000, lines=2)["lines"]
        ]
        for c in (http, other)
    )
    assert first == second


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({}, None),
        ({"level": "beginner", "nodes": 1}, None),
        ({"nodes": 0}, "nodes"),
        ({"nodes": 10**12}, "nodes"),
        ({"movetime_ms": 60_000}, "movetime_ms"),
        ({"movetime_ms": 1.5}, "movetime_ms"),
        ({"level": "god"}, "level"),
        ({"nodes": 1, "lines": 0}, "lines"),
        ({"nodes": 1, "lines": 1000}, "lines"),
        ({"nodes": 1, "depth": 3}, "depth"),
    ],
)
def test_an_analysis_needs_one_budget_within_the_limits(
    http: httpx.Client, asked: Json, field: str | None
) -> None:
    """More than one is as wrong as none."""
    answer = http.post("/v1/games/diamond/analysis", json={"position": START, **asked})
    refused(answer, 422, "invalid_body", field)


@pytest.mark.parametrize(
    "position", ["x", START + " x", START.replace(" r ", " g "), START.replace("R", "r")]
)
@pytest.mark.parametrize("what", ["legal-moves", "analysis"])
def test_a_position_that_cannot_be_is_refused(http: httpx.Client, what: str, position: str) -> None:
    """Before anything is searched."""
    body = {"position": position} | ({"nodes": 1} if what == "analysis" else {})
    refused(http.post(f"/v1/games/diamond/{what}", json=body), 422, "invalid_position", "position")
    refused(http.post(f"/v1/games/chess/{what}", json=body), 404, "game_not_found", "game")


def test_backgammon_plays_come_with_their_throw_checker_by_checker(http: httpx.Client) -> None:
    """The bar is 25 and off is 0; an XGID has the dice in it."""
    position = "XGID=--------------------a----A:0:0:1:51:0:0:0:0:10"
    answer = ok(http.post("/v1/games/backgammon/legal-moves", json={"position": position}))
    assert (answer["to_move"], answer["must_pass"], answer["outcome"]) == ("white", False, None)
    assert answer["legal_moves"] == [
        {
            "move": "bar/20*/19",
            "dice": [5, 1],
            "parts": [{"from": 25, "to": 20, "hit": True}, {"from": 20, "to": 19, "hit": False}],
        },
        {
            "move": "bar/24/19",
            "dice": [5, 1],
            "parts": [{"from": 25, "to": 24, "hit": False}, {"from": 24, "to": 19, "hit": False}],
        },
    ]


def test_a_side_that_has_yet_to_throw_has_no_moves_and_need_not_pass(http: httpx.Client) -> None:
    """The start's text is white's to throw; closed out with a throw it must pass."""
    start = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"
    answer = ok(http.post("/v1/games/backgammon/legal-moves", json={"position": start}))
    assert (answer["legal_moves"], answer["must_pass"], answer["to_move"]) == ([], False, "white")
    shut = "XGID=------C------------bbbbbbA:0:0:1:31:0:0:0:0:10"
    answer = ok(http.post("/v1/games/backgammon/legal-moves", json={"position": shut}))
    assert (answer["legal_moves"], answer["must_pass"]) == ([], True)


def test_an_analysis_of_backgammon_is_of_a_position_with_its_dice(http: httpx.Client) -> None:
    """Before the throw there is nothing to choose from."""
    xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:1:{}:0:0:0:0:10"
    asked = {"position": xgid.format("31"), "nodes": 3000, "lines": 2}
    lines = ok(http.post("/v1/games/backgammon/analysis", json=asked))["lines"]
    assert len({line["move"] for line in lines}) == 2
    assert all("/" in line["move"] and -3000 < line["score"] < 3000 for line in lines)
    answer = http.post("/v1/games/backgammon/analysis", json=asked | {"position": xgid.format("00")})
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_position")
