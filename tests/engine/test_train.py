"""The programs that made the engine's numbers still run: self-play, fits, calibration, matches."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from bench import strength
from tests.engine.test_sanitized import ENGINE, FLAGS, output
from tests.tidy.tree import ROOT

TRAIN = ENGINE / "train"
GAMES, NODES, NOISE = 15, 20, 200


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the programs that make a net, with a sanitizer's checks in them."""
    folder = tmp_path_factory.mktemp("train")
    engine = [str(path) for path in ENGINE.glob("*.c") if path.name not in {"module.c", "cli.c"}]
    compiler = ["cc", *FLAGS, f"-I{ENGINE}"]
    subprocess.run([*compiler, "-c", *engine, str(TRAIN / "sample.c")], cwd=folder, check=True)
    made = [str(path) for path in folder.glob("*.o")]
    for name in ("selfplay", "fit", "calibrate"):
        own = [str(TRAIN / f"{name}.c"), *made, "-lm"]
        subprocess.run([*compiler, "-o", name, *own], cwd=folder, check=True)
    return folder


@pytest.mark.parametrize(("players", "name"), [(2, "two"), (3, "three")])
def test_a_net_is_made_from_a_few_games(programs: Path, tmp_path: Path, players: int, name: str) -> None:
    """Self-play repeats itself, and a fit to it writes numbers of the shape of those that are kept."""
    games, again = tmp_path / "games", tmp_path / "again"
    for file in (games, again):
        words = (players, GAMES, NODES, NOISE, 1, file)
        assert output(programs / "selfplay", *map(str, words)) == ""
    assert games.read_bytes() == again.read_bytes()
    words = (players, 1, 0.6, 0.95, 1, 7, games)
    made = output(programs / "fit", *map(str, words))
    kept = (ENGINE / f"diamond_weights_{name}.c").read_text()
    assert re.findall(r"const int16_t .*", made) == re.findall(r"const int16_t .*", kept)
    assert made.count(",") == kept.count(",")
    assert made != kept
    told = output(programs / "calibrate", str(players), str(games))
    assert re.search(r"best \d\.\d+ by near \d+, knee \d+, more \d+, even ", told)
    assert "chance told" in told
    assert "margin in moves" in told


@pytest.mark.parametrize(("players", "name"), [(2, "two"), (3, "three")])
def test_a_net_is_made_from_nothing(tmp_path: Path, players: int, name: str) -> None:
    """By rounds of self-play and fits, one without a fit among them. Ended, it is taken up where it was."""
    rounds = "60 20 60 0.98 1\n 40 20 800 - -\n 60 20 60 0.9 2"
    command = ["sh", TRAIN / "make_net.sh", str(players), tmp_path]

    def make() -> str:
        environ = {**os.environ, "ROUNDS": rounds}
        done = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, check=True)
        return done.stderr

    assert make().count("games of the rounds from") == 2
    net = (tmp_path / "net.c").read_bytes()
    assert net == (tmp_path / "net-3.c").read_bytes()
    kept = (ENGINE / f"diamond_weights_{name}.c").read_bytes()
    assert re.findall(rb"const int16_t .*", net) == re.findall(rb"const int16_t .*", kept)
    for file in ("games-3-2.bin", "net-3.c"):
        (tmp_path / file).unlink()
    assert make().count("games of the rounds from") == 1
    assert (tmp_path / "net.c").read_bytes() == net


@pytest.mark.parametrize("program", ["fit", "calibrate"])
def test_too_few_samples_are_refused(programs: Path, tmp_path: Path, program: str) -> None:
    """Calibrate ran for ever on a file with none of so many players; both tell why, as of a missing file."""
    games = tmp_path / "games"
    output(programs / "selfplay", "2", "1", "20", "0", "1", str(games))
    words = ["2", "1", "0.6", "0.95", "1", "7"] if program == "fit" else ["3"]
    for file, why in ((games, "too few samples"), (tmp_path / "none", "No such file")):
        command = [programs / program, *words, file]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 2
        assert why in done.stderr


def test_results_that_one_number_tells_apart_are_calibrated_in_time(programs: Path, tmp_path: Path) -> None:
    """The loss then falls without end as the factor grows."""
    games, sure = tmp_path / "games", tmp_path / "sure"
    output(programs / "selfplay", "2", "1", "20", "0", "1", str(games))
    record = 52
    samples = [games.read_bytes()[n : n + record] for n in range(0, games.stat().st_size, record)]
    sides = [(sample, 100 if sample[46] == sample[47] else -100) for sample in samples]
    game = b"".join(one[:48] + score.to_bytes(2, "little", signed=True) + one[50:] for one, score in sides)
    sure.write_bytes(game * (1000 // len(samples) + 1))
    assert output(programs / "calibrate", "2", str(sure)).startswith("loss 0.")


def test_the_programs_compile_as_their_page_says(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Each without a warning; those of the matches that the benchmarks' page quotes are made whole."""
    for source in TRAIN.glob("*.c"):
        command = ["cc", *strength.FLAGS, "-c", "-o", str(tmp_path / "one.o"), str(source)]
        subprocess.run(command, timeout=300, check=True)
    strength.build(tmp_path)
    assert capfd.readouterr() == ("", "")
    command = [tmp_path / "match", *["./player.so"] * 2, "games", "2", "nodes", "30", "seatings", "1"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=True)
    assert "points" in done.stdout


def test_the_page_has_the_flags_that_the_matches_are_built_with() -> None:
    """One list of flags, which the tests compile with."""
    page = (TRAIN / "README.md").read_text()
    found = re.search(r'FLAGS="(.*?)"', page, re.DOTALL)
    assert found
    flags = [flag for flag in strength.FLAGS if not flag.startswith("-I")]
    assert found[1].replace("\\\n", " ").split() == [*flags, "-Iservice/engine"]
