"""The programs that made the engine's numbers still run: self-play, fits, calibration, matches."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from bench import strength
from tests.engine.test_sanitized import ENGINE, FLAGS, output
from tests.processes import processes_with, wait_until
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


ROUNDS = "60 20 60 0.98 1\n 40 20 800 - -\n 60 20 60 0.9 2"


def make_net(players: int, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run make_net.sh with few and short games."""
    command = ["sh", TRAIN / "make_net.sh", str(players), folder]
    environ = {**os.environ, "ROUNDS": ROUNDS}
    return subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("players", "name"), [(2, "two"), (3, "three")])
def test_a_net_is_made_from_nothing(tmp_path: Path, players: int, name: str) -> None:
    """By rounds of self-play and fits, one without a fit among them. Ended, it is taken up where it was."""
    folder = tmp_path / "a folder"
    told = make_net(players, folder).stderr
    assert told.count("games of the rounds from") == 2
    assert told.count("games, 0 that nobody won left out") == 6
    numbers = re.findall(r"(?m)^[{}\d,-]*\d.*$", (folder / "net-0.c").read_text())
    assert len(numbers) > 500
    assert not re.search("[1-9]", "".join(numbers)), "the first round is played by the tables alone"
    net = (folder / "net.c").read_bytes()
    assert net == (folder / "net-3.c").read_bytes()
    kept = (ENGINE / f"diamond_weights_{name}.c").read_bytes()
    assert re.findall(rb"const int16_t .*", net) == re.findall(rb"const int16_t .*", kept)

    games = folder / "games-3-2.bin"
    played = games.read_bytes()
    games.rename(folder / "games-3-2.bin.part")
    (folder / "net-3.c").unlink()
    told = make_net(players, folder).stderr
    assert told.count("games of the rounds from") == told.count("games, 0 that nobody won left out") == 1
    assert games.read_bytes() == played
    assert (folder / "net.c").read_bytes() == net


def test_what_cannot_make_a_net_is_refused(tmp_path: Path) -> None:
    """A folder of another net, one file too many in the way of a round, half a command line."""
    done = make_net(2, tmp_path / "two")
    assert done.returncode == 0, done.stderr
    other = make_net(3, tmp_path / "two")
    assert (other.returncode, "for other players" in other.stderr) == (2, True)
    (tmp_path / "two" / "games-2-1.bin").unlink()
    (tmp_path / "two" / "games-2-1.bin.part").mkdir()
    (tmp_path / "two" / "games-2-1.bin.part" / "full").touch()
    done = make_net(2, tmp_path / "two")
    assert done.returncode != 0
    assert "round 3" not in done.stderr
    command = ["sh", TRAIN / "make_net.sh", "2"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "make_net.sh PLAYERS FOLDER, for 2 or 3 players\n")


def test_a_net_that_is_ended_leaves_nothing_running(tmp_path: Path) -> None:
    """Neither by a signal to the script alone nor in its games."""
    command = ["sh", TRAIN / "make_net.sh", "2", tmp_path]
    environ = {**os.environ, "ROUNDS": "1000000 400 60 0.98 1"}
    with subprocess.Popen(command, cwd=ROOT, env=environ, stderr=subprocess.DEVNULL) as script:
        wait_until((tmp_path / "games-1-2.bin.part").exists, "both halves are played", 60)
        assert processes_with(f"{tmp_path}/selfplay")
        script.terminate()
        assert script.wait(10) == 1
    wait_until(lambda: not processes_with(f"{tmp_path}/selfplay"), "its games end", 10)
    assert not (tmp_path / "games-1-1.bin").exists()


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


@pytest.mark.parametrize(("file", "name"), [("README.md", "FLAGS"), ("make_net.sh", "flags")])
def test_the_flags_are_those_that_the_matches_are_built_with(file: str, name: str) -> None:
    """One list of flags, which the tests compile with."""
    found = re.search(rf'(?m)^ *{name}="(.*?)"', (TRAIN / file).read_text(), re.DOTALL)
    assert found
    flags = [flag for flag in strength.FLAGS if not flag.startswith("-I")]
    assert found[1].replace("\\\n", " ").split() == [*flags, "-Iservice/engine"]
