"""The players that the engine is measured by, with a sanitizer's checks in them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from mitsuboshi.ai.arena import Match, opening
from mitsuboshi.ai.contestants import Pace, Turn, contestant
from mitsuboshi.games.diamond import DIAMOND
from mitsuboshi.games.game import complete_options
from tests.engine.boards import MAN_ON_APEX
from tests.engine.test_sanitized import ENGINE, build

OPTIONS = complete_options(DIAMOND.options, {})


@pytest.fixture(scope="module")
def rivals(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program that plays as each of them."""
    own = str(ENGINE / "train" / "rivals.c")
    folder = tmp_path_factory.mktemp("rivals")
    return build(folder / "rivals", own, without=frozenset({"module.c", "cli.c"}))


def conversation(program: Path, name: str, *lines: str) -> list[str]:
    """What a rival answers to the lines; it must end well."""
    text = "\n".join([*lines, "quit", ""])
    done = subprocess.run(
        [program, name], input=text, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.splitlines()


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("name", ["greedy", "two-ply", "paranoid", "maxn", "best-reply", "mcts"])
def test_the_rivals_play_legal_moves_by_the_protocol(rivals: Path, name: str, players: int) -> None:
    """Within nodes and time, and to a win that is there to be taken."""
    match = Match("diamond", players, OPTIONS, (f"cmd:{rivals} {name}", "beginner"), Pace(nodes=300), 4, 1)
    player = contestant(match.names[0], "diamond", match.pace)
    position = opening(DIAMOND, match, 0)
    text, moves = DIAMOND.write(position), list[str]()
    for ply in range(9):
        turn = Turn("diamond", players, OPTIONS, text, moves, DIAMOND.save(position), ply)
        move, depth = player.move(turn)
        assert depth >= 1
        move, position = DIAMOND.play(position, move)
        moves.append(move)
    player.close()
    lines = ["game diamond 2", f"position {MAN_ON_APEX}", "moves 120-118 56-47", "go movetime_ms 300"]
    assert conversation(rivals, name, *lines)[-1].startswith("best 94-120 score 1000 ")


def test_a_rival_refuses_what_makes_no_sense(rivals: Path) -> None:
    """Each such line is answered by an error, and the game goes on."""
    nonsense = ["go nodes 5", "game ludo 2", "game backgammon 2", "game diamond", "game diamond 9", "x"]
    then = ["position x", "moves 0-1", "option colour red", "go", "go nodes", "go fast 3", "moves", ""]
    told = conversation(rivals, "maxn", *nonsense, "game diamond 2", *then, "go plies 1")
    assert [line.split()[0] for line in told] == [*["error"] * 6, "ready", *["error"] * 6, "error", "best"]
    over = "position 1/2/3/4/8yyyyY/8yyyy/8yyy/8yy/8y/2r7/11/4r7/4rr1r5/rrrr/rrr/rr/R r 2 152 0"
    assert conversation(rivals, "mcts", "game diamond 2", over, "go nodes 5")[-1] == "best none"


def test_a_rival_of_no_name_says_which_there_are(rivals: Path) -> None:
    """Exit code 2 and a line."""
    done = subprocess.run([rivals, "nobody"], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert "best-reply" in done.stderr
