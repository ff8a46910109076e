"""The C code does nothing that a sanitizer objects to."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
from pathlib import Path

import pytest

from mitsuboshi.ai import _engine
from mitsuboshi.games.diamond.board import START, TARGET
from tests.engine.boards import START_2, START_3

ENGINE = Path(__file__).parents[2] / "service" / "engine"
FLAGS = [
    "-std=c11",
    "-g",
    "-O1",
    "-fno-strict-aliasing",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
]


def build(built: Path, *more: str, without: frozenset[str]) -> Path:
    """The engine with address, leak and undefined behaviour checks in it, as a program."""
    compiler = shutil.which("cc")
    assert compiler, "a C compiler is needed"
    sources = [str(path) for path in ENGINE.glob("*.c") if path.name not in without]
    subprocess.run([compiler, *FLAGS, f"-I{ENGINE}", "-o", str(built), *sources, *more, "-lm"], check=True)
    return built


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The engine's own program."""
    return build(tmp_path_factory.mktemp("sanitized") / "engine", without=frozenset({"module.c"}))


@pytest.fixture(scope="module")
def edges(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program that looks at the edges of a search from within."""
    own = str(Path(__file__).parent / "edges.c")
    folder = tmp_path_factory.mktemp("edges")
    return build(folder / "edges", own, "-Wl,--wrap=malloc", without=frozenset({"module.c", "cli.c"}))


def output(program: Path, *words: str) -> str:
    """What the program prints; it must end well."""
    done = subprocess.run(
        [program, *words], capture_output=True, text=True, timeout=300, env=os.environ, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def test_perft_is_sound(program: Path) -> None:
    """And right."""
    assert output(program, "perft", "diamond", "2", "4").split()[-1] == "395128"
    assert output(program, "perft", "diamond", "3", "4").split()[-1] == "251480"
    assert output(program, "perft", "backgammon", "2", "2").split()[-1] == "178306"
    assert output(program, "perft", "checkers", "2", "8").split()[-1] == "845931"


def test_bench_is_sound_and_repeats_itself(program: Path) -> None:
    """Its signature is the same again: the search depends on nothing but its position."""
    signatures = {output(program, "bench").split()[-1] for _ in range(2)}
    assert len(signatures) == 1


def test_damaged_texts_and_random_games_are_sound(program: Path) -> None:
    """Under random options, with two and with three players, with random throws."""
    for game in ("diamond", "backgammon", "checkers"):
        assert output(program, "fuzz", game, "1", "40").startswith("40 games")


def test_the_way_home_alone_is_told(program: Path) -> None:
    """Move by move: at the end the fifteen stand in the target, the king on its apex."""
    told, play = output(program, "alone", "diamond", "32").splitlines()
    words, moves = told.split(), play.split()
    assert words[::2] == ["moves", "least", "positions", "seconds"]
    assert int(words[1]) == len(moves) <= 50
    pieces, king = set(START["red"].points), START["red"].apex
    for origin, end in (map(int, move.split("-")) for move in moves):
        assert origin in pieces
        assert end not in pieces
        pieces = (pieces - {origin}) | {end}
        king = end if king == origin else king
    assert (pieces, king) == (set(TARGET["red"].points), TARGET["red"].apex)


def test_the_speed_of_moves_is_measured(program: Path) -> None:
    """Without and with an evaluation of each position that they lead to."""
    words = output(program, "rate", "backgammon", "20").split()
    assert words[::2] == ["positions/s", "evaluations/s"]
    assert all(int(number) > 0 for number in words[1::2])


def test_depth_and_speed_are_told_through_a_game(program: Path) -> None:
    """In positions some plies apart, until it is over."""
    for game, players in (("diamond", "2"), ("diamond", "3"), ("checkers", "2"), ("backgammon", "2")):
        lines = [line.split() for line in output(program, "think", game, players, "2").splitlines()]
        assert [words[::2] for words in lines] == [["ply", "depth", "nodes/s"]] * len(lines)
        assert [int(words[1]) for words in lines] == [0, 16, 32, 48, 64][: len(lines)]
        assert all(int(words[3]) > 0 and int(words[5]) > 0 for words in lines)


@pytest.mark.parametrize(
    "words",
    [(), ("perft",), ("perft", "ludo", "2", "1"), ("best", "diamond", "1", "x"), ("alone", "checkers", "8")],
)
def test_a_wrong_call_ends_with_a_complaint(program: Path, words: tuple[str, ...]) -> None:
    """Exit code 2 and a line."""
    done = subprocess.run([program, *words], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert "engine:" in done.stderr


def test_the_best_move_is_told_or_that_there_is_none(program: Path) -> None:
    """None before a throw and after the end of a game, and then nothing else."""
    board = "XGID=-b----E-C---eE---c-e----B-:0:0:1"
    found = output(program, "best", "checkers", "10", "W:WK1:BK32").split()
    assert found[1::2] == ["score", "depth", "nodes"]
    assert output(program, "best", "backgammon", "10", f"{board}:00:0:0:0:0:10") == "none\n"
    assert output(program, "best", "checkers", "10", "B:WK1:B") == "none\n"


def test_a_capture_due_on_the_last_ply_is_no_draw(edges: Path) -> None:
    """Where a search has no room to play it, the position counts for what it is worth by itself."""
    itself, found = output(edges, "horizon", "checkers", "B:WK18,27,28,31:B15,3").split()
    assert found == itself != "0"


@pytest.mark.parametrize(
    ("game", "position"),
    [
        ("diamond", START_2),
        ("checkers", "B:W18,27:B15,3"),
        ("backgammon", "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"),
    ],
)
def test_a_search_without_memory_says_so(edges: Path, game: str, position: str) -> None:
    """An answer of its own, not that of a game that is over."""
    assert output(edges, "memory", game, position).split() == ["1", "-1"]


def test_a_tree_that_fills_its_memory_is_searched_to_the_limit(edges: Path) -> None:
    """With one megabyte, and positions enough for many times as much."""
    given, taken = output(edges, "crowded", "diamond", START_3).split()
    assert given == taken


@pytest.mark.parametrize("seed", range(8))
def test_what_a_move_leads_to_is_told_without_playing_it(edges: Path, seed: int) -> None:
    """The same as the evaluation after the move, for each of three in its turn."""
    lot, position = random.Random(seed), START_3
    for _ in range(31 * seed):
        position = _engine.play(
            "diamond", position, {}, lot.choice(_engine.legal_moves("diamond", position, {}))
        )
    tried, right = output(edges, "after", "diamond", position).split()
    assert int(tried) > 1
    assert right == tried


@pytest.mark.parametrize("ply", [1000, 3900])
def test_a_very_late_game_is_searched_soundly(edges: Path, ply: int) -> None:
    """A man of red's may go 13 rows ahead at once, and the later the more that counts."""
    rows = "R/rr/rr1/r1rr/4r1rr5/4r2r4/3r2r4/3y6/1yy6/1y8/1yyy7/yyyy8/Yyy1y8/4/3/2/1"
    depth, score = map(int, output(edges, "late", "diamond", f"{rows} r 2 {ply} 0").split())
    assert depth == 3
    assert abs(score) < 1000
