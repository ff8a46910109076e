"""The engine plays checkers by the rules of the page and of the Python authority, and finds moves in it."""

from __future__ import annotations

import random
from typing import Any

import pytest

from mitsuboshi.ai import _engine, perft
from mitsuboshi.ai._engine import Engine
from mitsuboshi.ai.arena import Match, play_games
from mitsuboshi.ai.contestants import Pace
from mitsuboshi.ai.protocol import Protocol
from mitsuboshi.games.checkers import CHECKERS
from tests.engine.test_arena import called

START = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"
ALL_KINGS = "W:WK21,K22,K23,K24,K25,K26,K27,K28,K29,K30,K31,K32:BK1,K2,K3,K4,K5,K6,K7,K8,K9,K10,K11,K12"
TWO_KINGS_EACH = "B:WK29,K32:BK1,K4"


@pytest.fixture(scope="module")
def engine() -> Engine:
    """One context, as a worker has it."""
    return Engine(16)


@pytest.mark.parametrize(
    ("position", "counts"),
    [
        (START, [7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963680, 18391564]),
        (ALL_KINGS, [7, 49, 340, 1983, 12914, 84049]),
        ("W:WK31:B17,18,19,26,27,10,11", [8, 60, 184, 1267, 3529, 22595]),
        ("B:W26,27,18,19,30:B22,14,1", [2, 2, 5, 28, 120, 619, 2402]),
    ],
)
def test_perft_gives_the_figures_of_the_rules_page(position: str, counts: list[int]) -> None:
    """A capture is one move, and each way of a capture a move of its own."""
    found = [_engine.perft("checkers", position, {}, depth) for depth in range(1, len(counts) + 1)]
    assert found == counts


def test_perft_counts_checkers_from_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    """By the engine and by the Python rules alike."""
    assert called(perft, "checkers", "--depth", "10") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == "10 18391564"
    assert called(perft, "checkers", "--depth", "5", "--python") == 0
    assert capsys.readouterr().out.splitlines() == lines[:5]


def random_kings(lot: random.Random) -> str:
    """A position with a few pieces, most of them kings."""
    squares = lot.sample(range(1, 33), lot.randrange(2, 15))
    sides: dict[str, list[str]] = {"W": [], "B": []}
    for number, square in enumerate(squares):
        side = "WB"[number % 2]
        crowned = square in (range(1, 5) if side == "W" else range(29, 33)) or lot.random() < 0.7
        sides[side].append(f"{'K' if crowned else ''}{square}")
    text = f"{lot.choice('WB')}:W{','.join(sides['W'])}:B{','.join(sides['B'])}"
    return CHECKERS.write(CHECKERS.read(text, {}))


@pytest.mark.parametrize("number", range(60))
def test_random_games_agree_with_the_python_rules(number: int) -> None:
    """Moves, saved positions and the end, ply by ply, from the start and from positions with many kings."""
    lot = random.Random(number)
    text = START if number < 20 else random_kings(lot)
    play_both(CHECKERS.load(text, {}), text, lot)


def play_both(position: Any, text: str, lot: random.Random) -> None:
    """One game, the same in Python and in C; kings move to and fro so that positions repeat."""
    last = ""
    while True:
        assert text == CHECKERS.save(position)
        moves = CHECKERS.legal_moves(position)
        assert sorted(_engine.legal_moves("checkers", text, {})) == sorted(moves)
        assert (CHECKERS.outcome(position) is None) == bool(moves)
        if not moves:
            return
        back = "-".join(reversed(last.split("-")))
        move = back if back in moves and lot.random() < 0.4 else lot.choice(moves)
        last = move if lot.random() < 0.5 else last
        _, position = CHECKERS.play(position, move)
        text = _engine.play("checkers", text, {}, move)


def test_random_games_end_in_every_way() -> None:
    """So the games above have seen each end; a shuffled king comes to the limit of forty moves."""
    reasons = set()
    for number in range(300):
        lot = random.Random(number)
        position = CHECKERS.load(random_kings(lot), {})
        while (outcome := CHECKERS.outcome(position)) is None:
            _, position = CHECKERS.play(position, lot.choice(CHECKERS.legal_moves(position)))
        reasons.add(outcome.reason)
    assert reasons == {"no_moves", "repetition", "forty_moves"}


def ends(text: str, moves: str) -> list[bool]:
    """After each of the moves, whether the game is over for the engine."""
    found = []
    for move in moves.split():
        text = _engine.play("checkers", text, {}, move)
        found.append(not _engine.legal_moves("checkers", text, {}))
    return found


def test_the_third_appearance_ends_the_game_and_is_remembered_in_the_text() -> None:
    """Each call reads the text anew: what was before stands in it."""
    circle = "1-6 29-25 6-1 25-29 "
    assert ends(TWO_KINGS_EACH, circle * 2) == [False] * 7 + [True]
    text = TWO_KINGS_EACH
    for move in circle.split():
        text = _engine.play("checkers", text, {}, move)
    assert text == f"{TWO_KINGS_EACH}|4|05so50os"
    assert ends(text.partition("|")[0], circle) == [False] * 4


def test_a_text_is_refused_by_both_rules_or_by_neither() -> None:
    """Thousands of damaged texts, as saved ones are: without ranges of men, which only Python reads."""
    lot = random.Random(4)
    letters = "0123456789KWB:,|vos"
    texts = (START, TWO_KINGS_EACH + "|4|05so50os", "W:WK14,21:BK1,2,K32|7|", "B:W:B1|1|")
    for number in range(4000):
        text = list(lot.choice(texts))
        for _ in range(lot.choice((1, 1, 2))):
            at = lot.randrange(len(text))
            text[at : at + lot.choice((0, 1, 1))] = lot.choice((lot.choice(letters), "", text[at - 1]))
        whole = "".join(text)
        assert read_by_c(whole) == read_by_python(whole), (number, whole)


def read_by_c(text: str) -> list[str] | None:
    """The legal moves in a position that the engine reads."""
    try:
        return sorted(_engine.legal_moves("checkers", text, {}))
    except ValueError:
        return None


def read_by_python(text: str) -> list[str] | None:
    """Those in a position that the rules in Python read."""
    try:
        return sorted(CHECKERS.legal_moves(CHECKERS.load(text, {})))
    except ValueError:
        return None


def test_a_side_without_moves_has_lost_and_a_search_sees_it_coming(engine: Engine) -> None:
    """No pass: red takes or blocks the last man and wins at once."""
    assert _engine.legal_moves("checkers", "W:W21:B14,17", {}) == []
    line = engine.search("checkers", "B:W21:B9,K17", {}, plies=3)[0]
    assert line.score == 1000
    line = engine.search("checkers", "B:W18:B14", {}, plies=1)[0]
    assert (line.move, line.score) == ("14x23", 1000)


def test_captures_are_searched_to_their_end(engine: Engine) -> None:
    """One ply deep the engine sees a man given away, and one given for another; a quiet move ends there."""
    lines = engine.search("checkers", "B:W18,32:B1,11", {}, plies=1, lines=9)
    plays = {line.move: line for line in lines}
    assert plays["11-15"].pv == ["11-15", "18x11"]
    assert plays["11-15"].score < -300 < plays["11-16"].score
    assert plays["11-16"].pv == ["11-16"]
    exchange = engine.search("checkers", "B:W18,32:B1,4,8,11", {}, plies=1, lines=9)
    assert next(line.pv for line in exchange if line.move == "11-15") == ["11-15", "18x11", "8x15"]


def test_a_search_limited_by_nodes_repeats_itself(engine: Engine) -> None:
    """The same answer from a new context, and after other searches."""
    first = engine.search("checkers", START, {}, nodes=20_000)[0]
    engine.search("checkers", ALL_KINGS, {}, nodes=5_000)
    for again in (engine, Engine(16)):
        line = again.search("checkers", START, {}, nodes=20_000)[0]
        assert (line.move, line.score, line.depth, line.pv) == (
            first.move,
            first.score,
            first.depth,
            first.pv,
        )
    assert first.nodes == 20_000
    position = START
    for move in first.pv:
        position = _engine.play("checkers", position, {}, move)


def test_a_repetition_is_sought_by_the_side_behind_and_shunned_by_the_one_ahead(engine: Engine) -> None:
    """In a search a position that has been there is a draw already."""
    position = "B:WK32:BK1,K4,K12"
    for move in ("1-6", "32-28", "6-1", "28-32", "1-6", "32-28"):
        position = _engine.play("checkers", position, {}, move)
    lines = engine.search("checkers", position, {}, plies=2, lines=9)
    assert lines[0].score > 100
    assert next(line.score for line in lines if line.move == "6-1") == 0
    behind = engine.search("checkers", _engine.play("checkers", position, {}, "6-1"), {}, plies=1)[0]
    assert (behind.move, behind.score) == ("28-32", 0)


def test_the_engine_protocol_remembers_earlier_positions() -> None:
    """What stands in no FEN: the position has been there three times, so the game is over."""
    said: list[str] = []
    protocol = Protocol(said.append, Engine(1))
    circle = "1-6 29-25 6-1 25-29"
    for line in ("game checkers 2", f"position {TWO_KINGS_EACH}", f"moves {circle} {circle}", "go plies 1"):
        assert protocol.hear(line)
    protocol.end(at_once=False)
    assert said == ["ready", "best none"]


@pytest.mark.parametrize(
    ("stronger", "weaker"), [("advanced", "greedy"), ("intermediate", "beginner"), ("beginner", "greedy")]
)
def test_the_stronger_player_wins(stronger: str, weaker: str) -> None:
    """By few nodes; what holds a weak level back holds it back here too."""
    match = Match("checkers", 2, {}, (stronger, weaker), Pace(nodes=1000), 6, 1)
    played = play_games(match, range(8))
    assert sum(one.points for one in played) >= 6
