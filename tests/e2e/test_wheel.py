"""The wheel that the container image is made of, built from nothing but what the Dockerfile copies."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from tests.e2e.family import Start
from tests.processes import answers, free_port
from tests.tidy.tree import ROOT, files


def test_everything_runs_from_the_wheel(tmp_path: Path, data_dir: Path, start_program: Start) -> None:
    """Scripts, engine and types are in it: an installation needs no source tree."""
    wheel = build(copy_what_the_image_copies(tmp_path / "src"), tmp_path)
    assert re.fullmatch(r"mitsuboshi-[\d.]+-cp311-abi3-\w+\.whl", wheel.name)
    installed = tmp_path / "installed"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(installed)
    assert place_of_package(installed).is_relative_to(installed)
    port = free_port()
    program = start_program("up", port, PYTHONPATH=str(installed))
    program.wait_for_word("Play: ")
    assert answers(f"http://127.0.0.1:{port}/health/ready")
    assert program.stop() == 0


def place_of_package(installed: Path) -> Path:
    """Where Python finds our package when it is told of that folder."""
    command = [sys.executable, "-c", "import mitsuboshi; print(mitsuboshi.__file__)"]
    environ = {**os.environ, "PYTHONPATH": str(installed)}
    return Path(subprocess.run(command, env=environ, capture_output=True, text=True, check=True).stdout)


def copy_what_the_image_copies(target: Path) -> Path:
    """The files of the Dockerfile's first COPY instructions, as Git has them."""
    dockerfile = (ROOT / "Dockerfile").read_text()
    names = {
        name
        for line in re.findall(r"^COPY (?!--)(.+) \S+$", dockerfile, re.MULTILINE)
        for name in line.split()
    }
    for path in files():
        if path.parts[0] in names:
            (target / path.parent).mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, target / path)
    return target


def build(source: Path, target: Path) -> Path:
    """The wheel of the source tree."""
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--wheel-dir",
        str(target),
        str(source),
    ]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    (wheel,) = target.glob("*.whl")
    return wheel
