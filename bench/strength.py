"""Plays the matches that docs/BENCHMARKS.md quotes: hours of them, each saved when it is done.

``python -m bench.strength FOLDER`` goes on where it was ended: a match whose file is in the folder is not
played again. A folder belongs to one state of the engine; another state gets a folder of its own.
"""

from __future__ import annotations

import argparse
import shlex
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from mitsuboshi.ai.levels import LEVELS

ENGINE = Path(__file__).parents[1] / "service" / "engine"
FLAGS = (
    *("-std=c11", "-O3", "-march=native", "-fno-strict-aliasing", f"-I{ENGINE}"),
    *("-Wall", "-Wextra", "-Wno-stringop-overflow"),
)
"""As in train/README.md, which says why one warning is left out."""
RIVALS = ("greedy", "two-ply", "paranoid", "maxn", "best-reply", "mcts")
BUILT = {
    "rivals": ("rivals.c",),
    "player.so": ("player.c", "-shared", "-fPIC"),
    "match": ("match.c", "-ldl"),
}
"""By program, its source in the engine's folder ``train`` and what its making needs beside."""


@dataclass(frozen=True, slots=True)
class Row:
    """One match: the commands that play it, at the same time, as typed in the folder."""

    name: str
    commands: Sequence[str]


def rows(quick: bool) -> Iterator[Row]:
    """All matches, those that decide most first; ``quick`` are as short ones as prove that they run.

    Only ``master`` uses up its time, and two of its games at a time would take days. Against levels that
    are bounded by their depth it has few positions a move, or plays many games at once and gets a share of
    its time in each."""

    def arena(name: str, words: str, games: int, pace: str) -> Row:
        least = 3 if "--seats" in words else 2
        size = f"--games {least} --movetime-ms 2" if quick else f"--games {games} {pace}"
        return Row(name, [f"mitsuboshi arena diamond {words} {size}"])

    def itself(name: str, words: str, games: int) -> Row:
        size = "games 2 nodes 100" if quick else f"games {games // 2} nodes 2000"
        command = f"./match ./player.so ./player.so {words}{size} seatings 1"
        return Row(name, [f"{command} seed {seed}" for seed in (1, 2)])

    levels = tuple(LEVELS)
    pairs = list(zip(levels[1:], levels, strict=False))
    rivals = " ".join(f"'cmd:./rivals {name}'" for name in RIVALS)
    tenth, full, equal = "--time-scale 0.1", "--time-scale 1", "--movetime-ms 10"
    few, crowded = "--nodes 100000", f"{full} --processes 40"
    for a, b in pairs[:2]:
        yield arena(f"{a}-{b}", f"--a {a} --b {b}", 400, tenth)
    for a, b in pairs[:2]:
        yield arena(f"{a}-{b}-three", f"--players 3 --seats one --a {a} --b {b}", 120, tenth)
    yield arena("advanced-greedy", "--a advanced --b greedy", 200, tenth)
    yield arena("beginner-greedy", "--a beginner --b greedy", 200, full)
    yield arena("beginner-itself", "--a beginner --b beginner", 200, full)
    for players in (2, 3):
        words = f"--players {players} --opening-plies 0 --a intermediate --b intermediate"
        yield arena(f"intermediate-itself-{players}", words, 1000, full)
        yield itself(f"2000-nodes-itself-{players}", f"players {players} ", 10_000)
    yield arena("master-advanced-three", "--players 3 --seats one --a master --b advanced", 120, few)
    yield arena("round-robin", f"--all {' '.join(levels)} {rivals}", 20, equal)
    yield arena("round-robin-three", f"--players 3 --all master {rivals}", 12, equal)
    yield arena("master-advanced", "--a master --b advanced", 400, few)
    for a, b in pairs:
        yield arena(f"{a}-{b}-full", f"--a {a} --b {b}", 40, crowded if a == "master" else full)
    for players, games in ((2, 40), (3, 21)):
        words = f"--players {players} --opening-plies 0 --a master --b master"
        yield arena(f"master-itself-{players}", words, games, "--movetime-ms 50")


def build(folder: Path) -> None:
    """Make the programs in C in the folder, from the engine as it is now."""
    engine = [str(path) for path in sorted(ENGINE.glob("*.c")) if path.name not in {"cli.c", "module.c"}]
    for program, (source, *more) in BUILT.items():
        own = str(ENGINE / "train" / source)
        command = ["cc", *FLAGS, "-o", str(folder / program), *engine, own, *more, "-lm"]
        subprocess.run(command, check=True)


def play(row: Row, folder: Path) -> str:
    """Play a row's match and answer the commands with what they print; CalledProcessError where one fails."""
    ours = {"mitsuboshi": [sys.executable, "-m", "mitsuboshi"]}
    running = []
    for command in row.commands:
        first, *words = shlex.split(command)
        words = [*ours.get(first, [first]), *words]
        running.append(subprocess.Popen(words, cwd=folder, stdout=subprocess.PIPE, text=True))
    told = [program.communicate()[0] for program in running]
    for program in running:
        if program.returncode:
            raise subprocess.CalledProcessError(program.returncode, program.args)
    return "".join(f"$ {command}\n{text}" for command, text in zip(row.commands, told, strict=True))


def main() -> int:
    """Play what is not there yet, and print everything."""
    parser = argparse.ArgumentParser(prog="bench.strength", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folder", type=Path, help="where each match is saved, and the programs are made")
    parser.add_argument("names", nargs="*", metavar="NAME", help="matches to play; without any, all")
    parser.add_argument("--quick", action="store_true", help="only prove that they run")
    arguments = parser.parse_args()
    wanted = list(rows(arguments.quick))
    unknown = sorted(set(arguments.names) - {row.name for row in wanted})
    if unknown:
        parser.error(f"there is no match {unknown[0]!r}, only: {', '.join(row.name for row in wanted)}")
    arguments.folder.mkdir(parents=True, exist_ok=True)
    folder = arguments.folder.resolve()
    wanted = [row for row in wanted if row.name in (arguments.names or [row.name])]
    missing = [row for row in wanted if not (folder / f"{row.name}.txt").exists()]
    if any("./" in command for row in missing for command in row.commands):
        build(folder)
    for row in wanted:
        saved = folder / f"{row.name}.txt"
        if not saved.exists():
            text = play(row, folder)
            unfinished = saved.with_suffix(".part")
            unfinished.write_text(text)
            unfinished.rename(saved)
        print(f"\n## {row.name}\n\n{saved.read_text()}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
