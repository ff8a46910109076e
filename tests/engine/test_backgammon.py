"""The engine's backgammon: the rules of the Python authority, an exact end, sensible play."""

from __future__ import annotations

import random
import shutil
import subprocess
import threading
from pathlib import Path

import pytest

from mitsuboshi.ai import _engine
from mitsuboshi.ai._engine import Engine, Line, Stop
from mitsuboshi.ai.perft import python_perft
from mitsuboshi.games.backgammon import BACKGAMMON
from mitsuboshi.games.game import complete_options
from tests.engine.searches import answer_of, answers_side_by_side, told
from tests.engine.test_sanitized import ENGINE, FLAGS

OPTIONS = complete_options(BACKGAMMON.options, {})
START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10|0|opening"
OPENING_31 = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"


def xgid(dice: str, white: dict[int, int], black: dict[int, int], turn: int = 1) -> str:
    """A position with the checkers of each side by its own places; 25 is the bar."""
    cells = ["-"] * 26
    for place, count in white.items():
        cells[place] = chr(ord("A") + count - 1)
    for place, count in black.items():
        cells[25 - place] = chr(ord("a") + count - 1)
    return f"XGID={''.join(cells)}:0:0:{turn}:{dice}:0:0:0:0:10"


def turned(text: str) -> str:
    """The same position with the sides exchanged."""
    board, *fields = text.removeprefix("XGID=").split(":")
    fields[2] = "-1" if fields[2] == "1" else "1"
    return ":".join(["XGID=" + board[::-1].swapcase(), *fields])


BEARING_OFF = xgid("32", {1: 2, 2: 2, 3: 3, 4: 3, 5: 2, 6: 2}, {1: 4, 2: 3, 3: 3, 6: 2})
MIDDLE = "XGID=-B-aBBBBB---dC---d-bc-a---:0:0:-1:63:0:0:0:0:10|24"
POSITIONS = [
    OPENING_31,
    MIDDLE,
    BEARING_OFF,
    xgid("22", {24: 2, 13: 5, 8: 3, 6: 5}, {24: 2, 13: 5, 8: 3, 6: 5}),
    xgid("64", {25: 1, 24: 1, 13: 5, 8: 3, 6: 5}, {24: 2, 13: 4, 8: 3, 6: 4, 4: 1, 7: 1}),
]


@pytest.fixture(scope="module")
def engine() -> Engine:
    """One context, as a worker has it."""
    return Engine(1)


@pytest.mark.parametrize("number", range(10))
def test_random_games_agree_with_the_python_rules(number: int) -> None:
    """Throws, plays, texts, passes and the end, turn by turn."""
    lot = random.Random(number)
    position, text = BACKGAMMON.start(2, OPTIONS), _engine.start("backgammon", 2, OPTIONS)
    assert text == START
    while BACKGAMMON.outcome(position) is None:
        throw = lot.choice(BACKGAMMON.chance(position))
        assert _engine.legal_moves("backgammon", text, OPTIONS) == []
        position = BACKGAMMON.after_chance(position, throw)
        text = _engine.throw("backgammon", text, OPTIONS, throw)
        assert text == BACKGAMMON.save(position)
        moves = BACKGAMMON.legal_moves(position)
        assert sorted(_engine.legal_moves("backgammon", text, OPTIONS)) == sorted(moves)
        move = lot.choice(moves) if moves else "pass"
        _, position = BACKGAMMON.play(position, move)
        text = _engine.play("backgammon", text, OPTIONS, move)
        assert text == BACKGAMMON.save(position)
    assert _engine.perft("backgammon", text, OPTIONS, 1) == 0


def random_sides(lot: random.Random) -> tuple[dict[int, int], dict[int, int]]:
    """Checkers anywhere, few enough that contact, bars and bear-offs come often."""
    white, black = dict[int, int](), dict[int, int]()
    reach = lot.choice((6, 9, 24, 25))
    for _ in range(lot.randrange(1, 16)):
        place = lot.randrange(1, reach + 1)
        white[place] = white.get(place, 0) + 1
    for _ in range(lot.randrange(1, 16)):
        place = lot.randrange(1, 26)
        if place == 25 or 25 - place not in white:
            black[place] = black.get(place, 0) + 1
    return white, black


def test_random_positions_agree_with_the_python_rules() -> None:
    """Those too that games hardly come to: full bars, few checkers, ways with blots on them."""
    lot, read = random.Random(5), 0
    for number in range(3000):
        white, black = random_sides(lot)
        dice = f"{lot.randrange(1, 7)}{lot.randrange(1, 7)}"
        text = xgid("".join(sorted(dice, reverse=True)), white, black, lot.choice((1, -1)))
        try:
            position = BACKGAMMON.load(text, OPTIONS)
        except ValueError:
            with pytest.raises(ValueError, match=r"."):
                _engine.legal_moves("backgammon", text, OPTIONS)
            continue
        read += 1
        found = _engine.legal_moves("backgammon", text, OPTIONS)
        assert sorted(found) == sorted(BACKGAMMON.legal_moves(position)), (number, text)
    assert read > 2000


@pytest.mark.parametrize(("text", "depth"), [(START, 1), (OPENING_31, 2), (MIDDLE, 2), (BEARING_OFF, 2)])
def test_perft_agrees_with_the_python_rules(text: str, depth: int) -> None:
    """Every different throw once; the opening's are 30."""
    count = python_perft(BACKGAMMON, BACKGAMMON.load(text, OPTIONS), depth)
    assert _engine.perft("backgammon", text, {}, depth) == count


def test_a_damaged_position_is_refused_by_the_rules_too_and_never_read_otherwise() -> None:
    """What the engine reads the Python rules load as the same; they read more spellings than it needs."""
    lot, read = random.Random(4), 0
    letters = "abcdeABCDE-0123456:|"
    for _ in range(4000):
        text = list(lot.choice((START, OPENING_31, MIDDLE, BEARING_OFF)))
        for _ in range(lot.choice((1, 1, 2))):
            at = lot.randrange(len(text))
            text[at : at + lot.choice((0, 1, 1))] = lot.choice((lot.choice(letters), "", text[at - 1]))
        damaged = "".join(text)
        try:
            legal = _engine.legal_moves("backgammon", damaged, {})
        except ValueError:
            continue
        read += 1
        position = BACKGAMMON.load(damaged, OPTIONS)
        assert sorted(legal) == sorted(BACKGAMMON.legal_moves(position))
    assert read > 300


def test_throws_are_put_up_only_where_they_are_waited_for() -> None:
    """And only such as there are; an opening is no double."""
    for position, throw in ((OPENING_31, "31"), (START, "44"), (START, "70"), (START, "3"), (START, "312")):
        with pytest.raises(ValueError, match="throw"):
            _engine.throw("backgammon", position, {}, throw)
    with pytest.raises(ValueError, match="throw"):
        _engine.throw("diamond", _engine.start("diamond", 2, {}), {}, "31")
    assert _engine.throw("backgammon", START, {}, "13").split(":")[3:5] == ["-1", "31"]


def test_a_position_that_waits_for_a_throw_is_not_searched(engine: Engine) -> None:
    """Nobody knows the throw beforehand."""
    with pytest.raises(ValueError, match="thrown"):
        engine.search("backgammon", START, {}, plies=1)


BEAROFF_PROGRAM = """
#include <stdio.h>
#include <stdlib.h>
#include "backgammon_bearoff.h"
int main(void)
{
    static const uint8_t sides[][7] = {{0, 15}, {0, 0, 0, 0, 5, 5, 5}, {0, 1}, {0, 0, 0, 0, 0, 0, 1}};
    struct bearoff *bearoff = malloc(sizeof *bearoff);
    bearoff_make(bearoff);
    for (int n = 0; n < 4; n++)
        printf("%.6f ", bearoff->mean[bearoff_number(bearoff, sides[n])]);
    double worst = 0;
    for (int n = 0; n < BEAROFF_POSITIONS; n++) {
        double mean = 0;
        for (int throws = 0; throws < BEAROFF_THROWS; throws++)
            mean += throws * (double)bearoff->exactly[n][throws];
        double missed = mean > bearoff->mean[n] ? mean - bearoff->mean[n] : bearoff->mean[n] - mean;
        worst = missed > worst ? missed : worst;
    }
    printf("%.6f", worst);
    free(bearoff);
}
"""


def test_the_bear_off_table_is_exact(tmp_path: Path) -> None:
    """Expected throws of known positions, to six digits; the distributions have the same means."""
    compiler = shutil.which("cc")
    assert compiler, "a C compiler is needed"
    source, program = tmp_path / "bearoff.c", tmp_path / "bearoff"
    source.write_text(BEAROFF_PROGRAM)
    needed = [str(source), str(ENGINE / "backgammon_bearoff.c")]
    subprocess.run([compiler, *FLAGS, f"-I{ENGINE}", "-o", str(program), *needed], check=True)
    out = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    *means, worst = map(float, out.split())
    # A single checker on the 6 is off at once by 27 of 36 throws, else surely by the second.
    assert means == [6.979592, 10.073759, 1.0, 1.25]
    assert worst < 0.0001


@pytest.mark.parametrize(
    ("black", "score"),
    [({1: 1}, 1000), ({1: 10, 2: 5}, 2000), ({1: 14, 22: 1}, 3000), ({1: 14, 25: 1}, 3000)],
)
def test_a_play_that_ends_the_game_is_found_and_counts_its_points(
    engine: Engine, black: dict[int, int], score: int
) -> None:
    """A single game, a gammon, a backgammon; at every depth."""
    for plies in (1, 2, 3):
        (line,) = engine.search("backgammon", xgid("51", {5: 1, 1: 1}, black), {}, plies=plies)
        assert (line.move, line.score) == ("5/off 1/off", score)
    over = _engine.play("backgammon", xgid("51", {5: 1, 1: 1}, black), {}, "5/off 1/off")
    assert engine.search("backgammon", over, {}, plies=2) == []


def test_a_gammon_is_saved_where_it_can_be(engine: Engine) -> None:
    """The one play that bears a checker off loses single; all others lose a gammon."""
    text = xgid("21", {8: 1, 4: 5, 3: 5, 2: 3, 1: 1}, {1: 1})
    best, *rest = engine.search("backgammon", text, {}, plies=2, lines=500)
    assert (best.move, best.score) == ("8/6 1/off", -1000)
    assert {line.score for line in rest} == {-2000}


def test_chances_in_the_bear_off_are_exact(engine: Engine) -> None:
    """White leaves a checker on its 3; black's only one, on its 6, stays for 9 of 36 throws."""
    text = xgid("31", {6: 1, 1: 1}, {6: 1})
    for plies in (1, 2, 3):
        assert engine.search("backgammon", text, {}, plies=plies)[0].score in {-500, -499, -501}


@pytest.mark.parametrize("text", POSITIONS)
def test_both_sides_are_treated_alike(engine: Engine, text: str) -> None:
    """The sides exchanged, the same plays with the same scores."""
    lines = engine.search("backgammon", text, {}, plies=2, lines=5)
    assert told(engine.search("backgammon", turned(text), {}, plies=2, lines=5)) == told(lines)


@pytest.mark.parametrize("text", POSITIONS)
def test_lines_are_different_plays_best_first(engine: Engine, text: str) -> None:
    """All of them looked at as deep; the first is what is told when only one is asked for."""
    lines = engine.search("backgammon", text, {}, plies=2, lines=4)
    assert len({line.move for line in lines}) == len(lines) == 4
    assert [line.score for line in lines] == sorted((line.score for line in lines), reverse=True)
    assert {line.depth for line in lines} == {2}
    assert all(line.pv == [line.move] for line in lines)
    assert engine.search("backgammon", text, {}, plies=2)[0].move == lines[0].move
    everything = engine.search("backgammon", text, {}, plies=1, lines=500)
    assert sorted(line.move for line in everything) == sorted(_engine.legal_moves("backgammon", text, {}))


@pytest.mark.parametrize("text", POSITIONS)
def test_a_search_limited_by_nodes_repeats_itself(engine: Engine, text: str) -> None:
    """The same answer from a new context, and after other searches."""
    first = told(engine.search("backgammon", text, {}, nodes=20_000))
    engine.search("backgammon", MIDDLE, {}, nodes=5_000)
    assert told(engine.search("backgammon", text, {}, nodes=20_000)) == first
    assert told(Engine(1).search("backgammon", text, {}, nodes=20_000)) == first
    assert first[0][3] <= 20_000


def test_a_look_ahead_takes_a_throw_to_pass_into_account(engine: Engine) -> None:
    """Black is closed out: whatever it throws it passes, and looking deeper finds white ahead."""
    closed = {6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 2, 9: 1, 10: 1, 11: 1}
    text = xgid("21", closed, {25: 1, 1: 3, 2: 3, 3: 3, 4: 5})
    line = engine.search("backgammon", text, {}, plies=3)[0]
    assert line.depth == 3
    assert line.score > 0


def test_a_stop_ends_a_search_without_an_end(engine: Engine) -> None:
    """With the best moves so far; set beforehand it still brings one."""
    stop, found = Stop(), list[Line]()

    def think() -> None:
        found.extend(engine.search("backgammon", MIDDLE, {}, lines=2, stop=stop))

    thread = threading.Thread(target=think)
    thread.start()
    thread.join(0.05)
    stop.set()
    thread.join(60)
    again = engine.search("backgammon", MIDDLE, {}, stop=stop)
    legal = _engine.legal_moves("backgammon", MIDDLE, {})
    assert {found[0].move, again[0].move} <= set(legal)
    assert again[0].nodes <= len(legal) + 513


def test_a_move_time_is_kept(engine: Engine) -> None:
    """While two plays are to be told, no depth ends the search; a busy machine may add seconds."""
    assert 55 <= engine.search("backgammon", MIDDLE, {}, movetime_ms=60, lines=2)[0].time_ms < 20_000


def test_noise_varies_by_seed_and_repeats_with_it(engine: Engine) -> None:
    """A weak level does not play the same game twice; a seed does."""
    found = [
        engine.search("backgammon", OPENING_31, {}, plies=1, noise=400, seed=seed)[0].move
        for seed in (*range(12), 7)
    ]
    assert len(set(found)) > 2
    assert found[-1] == found[7]


def test_two_threads_search_side_by_side_on_the_same_tables() -> None:
    """Both get the answers that they get alone."""
    alone = [answer_of("backgammon", text, 40_000) for text in POSITIONS[:2]]
    assert answers_side_by_side("backgammon", POSITIONS[:2], 40_000) == alone


def test_the_nets_can_be_trained_anew(tmp_path: Path) -> None:
    """A training of a few games, with sanitizers, writes weights of the shape of those that are kept."""
    compiler = shutil.which("cc")
    assert compiler, "a C compiler is needed"
    program = tmp_path / "train"
    sources = [str(path) for path in ENGINE.glob("*.c") if path.name not in {"cli.c", "module.c"}]
    sources.append(str(ENGINE / "train" / "backgammon.c"))
    subprocess.run([compiler, *FLAGS, f"-I{ENGINE}", "-o", str(program), *sources, "-lm"], check=True)
    made = subprocess.run([program, "3", "1"], capture_output=True, text=True, check=True).stdout
    kept = (ENGINE / "backgammon_weights.c").read_text()
    assert [len(part.split(",")) for part in made.split("{")] == [
        len(part.split(",")) for part in kept.split("{")
    ]
    assert made != kept
    assert max(map(len, made.splitlines())) <= 110
