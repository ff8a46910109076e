"""The fast rules and the slow ones of ``naive.py`` see the same moves and ends, whatever the options."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from mitsuboshi.games.diamond import DIAMOND
from mitsuboshi.games.diamond.board import CLOSED, NEIGHBOURS, SEATS, TARGET
from mitsuboshi.games.diamond.position import Position, Rules
from mitsuboshi.games.diamond.rules import start
from tests.games.diamond.naive import POINTS, Naive, complete

RULES = st.builds(
    Rules,
    king_min_run=st.sampled_from([1, 2]),
    border_stop=st.booleans(),
    first_seat=st.sampled_from(["red", "green"]),
    places=st.sampled_from(["first", "all"]),
    leave_target=st.booleans(),
    draw_plies_per_seat=st.sampled_from([50, 400]),
)


NEAR_TARGETS = {
    neighbour for seat in SEATS for point in TARGET[seat].border for neighbour in NEIGHBOURS[point]
}


def nearly_home(rnd: random.Random, players: int, rules: Rules) -> Position:
    """A position late in a game: targets full but for a point or two, the other pieces near one."""
    board = ["."] * 121
    for seat in rnd.sample(SEATS[:players], players):
        target = TARGET[seat]
        border = rnd.sample(sorted(target.border), 5)
        home = [point for point in (target.apex, *target.outer[::-1], *border) if board[point] == "."]
        away = [point for point in range(121) if board[point] == "." and point not in CLOSED[seat]]
        near = [point for point in away if point in NEAR_TARGETS]
        strays = rnd.sample(near, rnd.choice([0, 1, 1, 1, 2, 2, 3]))
        nearest = dict.fromkeys(strays + home + rnd.sample(away, 15))
        own = list(nearest)[:15]
        for point in own:
            board[point] = seat[0]
        king = target.apex if target.apex in own and rnd.random() < 0.8 else rnd.choice(own)
        board[king] = seat[0].upper()
    return Position("".join(board), rnd.choice(SEATS[:players]), players, rules=rules)


def check(position: Position) -> list[str]:
    """The legal moves, once both rule books agree on them."""
    others = [seat for seat in position.in_play if seat != position.to_move]
    naive = Naive(
        position.board,
        position.to_move,
        others,
        king_min_run=position.rules.king_min_run,
        border_stop=position.rules.border_stop,
        leave_target=position.rules.leave_target,
    )
    expected = sorted(naive.moves())
    moves = DIAMOND.legal_moves(position)
    assert moves == [f"{origin}-{end}" for origin, end in expected]
    assert DIAMOND.must_pass(position) == (not expected)
    return moves


def play_on(position: Position, rnd: random.Random, plies: int) -> None:
    """Random play with a bent for going forward, checked at every ply."""
    for _ in range(plies):
        if DIAMOND.outcome(position) is not None:
            assert DIAMOND.legal_moves(position) == []
            return
        moves = check(position) or ["pass"]
        move = boldest(position, rnd.sample(moves, min(3, len(moves))))
        following = DIAMOND.play(position, move)[1]
        check_turn(position, move, following)
        position = following


def boldest(position: Position, moves: list[str]) -> str:
    """The move that gains most rows."""
    return max(moves, key=lambda move: DIAMOND.details(position, move)["rows"])


def check_turn(before: Position, move: str, after: Position) -> None:
    """The counters, the turn and the goal after a move, and that the position is a text that can be read."""
    assert after.ply == before.ply + 1
    assert after.passes == (before.passes + 1 if move == "pass" else 0)
    reached = move != "pass" and complete(dict(zip(POINTS, after.board, strict=True)), before.to_move)
    outcome = DIAMOND.outcome(after)
    if before.rules.places == "first":
        assert (outcome is not None and outcome.reason == "goal") == reached
        assert outcome is None or not reached or outcome.winner == before.to_move
    else:
        assert after.finished == before.finished + ((before.to_move,) if reached else ())
    assert after.to_move not in after.finished
    options = {name: getattr(after.rules, name) for name in after.rules.__slots__}
    assert DIAMOND.read(DIAMOND.write(after), options) == after


@settings(max_examples=40, deadline=None, derandomize=True)
@given(RULES, st.sampled_from([2, 3]), st.randoms(use_true_random=False))
def test_games_from_the_start_agree(rules: Rules, players: int, rnd: random.Random) -> None:
    """The first 40 plies of random games."""
    play_on(start(players, rules), random.Random(rnd.random()), plies=40)


@settings(max_examples=250, deadline=None, derandomize=True)
@given(RULES, st.sampled_from([2, 3]), st.integers(0, 2**32))
def test_endings_agree(rules: Rules, players: int, seed: int) -> None:
    """Where targets fill up: bans, goals and passes."""
    rnd = random.Random(seed)
    position = nearly_home(rnd, players, rules)
    if DIAMOND.outcome(position) is None and not _unfinished_goal(position):
        play_on(position, rnd, plies=12)


def _unfinished_goal(position: Position) -> bool:
    board = dict(zip(POINTS, position.board, strict=True))
    return any(complete(board, seat) for seat in position.seats)


def unbanned(position: Position) -> set[tuple[int, int]]:
    """The moves there would be if one could complete another's target."""
    naive = Naive(position.board, position.to_move, [], king_min_run=1, border_stop=True, leave_target=True)
    return naive.moves()


def test_the_endings_above_are_worth_agreeing_on() -> None:
    """Among such positions there are bans and goals within a move in plenty."""
    bans = goals = 0
    for seed in range(500):
        position = nearly_home(random.Random(seed), 3, Rules())
        if DIAMOND.outcome(position) is None:
            moves = DIAMOND.legal_moves(position)
            bans += len(unbanned(position)) > len(moves)
            goals += any(DIAMOND.outcome(DIAMOND.play(position, move)[1]) for move in moves)
    assert bans >= 10
    assert goals >= 5
