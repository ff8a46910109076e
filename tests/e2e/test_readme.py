"""The game that README.md plays by curl, played against a real service."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from tests.conftest import ServiceFactory
from tests.tidy.tree import ROOT, text

SERVER = "http://127.0.0.1:8000"
MARK = "=== the next block ==="
BLOCK = re.compile(r"^```sh\n(.*?)^```\n+^```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TOLD = "…"


def test_every_command_of_the_readme_answers_as_it_says(service: ServiceFactory, tmp_path: Path) -> None:
    """Each block of commands gives what stands below it, in that order, where the answer is not cut out."""
    blocks = BLOCK.findall(text(Path("README.md")) or "")
    assert len(blocks) >= 6
    script = f"\necho\necho '{MARK}'\n".join(commands for commands, _ in blocks)
    assert SERVER in script
    said = run(script.replace(SERVER, service().urls[0]), tmp_path).split(f"{MARK}\n")
    assert len(said) == len(blocks)
    for (commands, answer), output in zip(blocks, said, strict=True):
        missing = first_missing(answer, output)
        assert missing is None, f"{commands}\nanswers\n{output}\nwhich lacks: {missing}"


def test_an_answer_that_differs_is_found() -> None:
    """A comparison that forgives everything would let the page rot."""
    assert first_missing('{"a":1,…"c":3}\n', '{"a":1,"b":2,"c":3}') is None
    assert first_missing('{…"c":3…"a":1\n', '{"a":1,"b":2,"c":3}') == '"a":1'


def run(script: str, folder: Path) -> str:
    """What the commands print when one shell runs them in that folder."""
    command = ["bash", "-euo", "pipefail", "-c", script]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def first_missing(answer: str, output: str) -> str | None:
    """The first part of the shortened answer that does not follow in the output, or None."""
    at = 0
    for part in (part for line in answer.splitlines() for part in line.split(TOLD)):
        at = output.find(part, at)
        if at < 0:
            return part
        at += len(part)
    return None


def test_the_pages_name_no_other_port() -> None:
    """Who copies a command from any page reaches the server that `make run` starts."""
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    assert [
        page.name for page in pages if set(re.findall(r"127\.0\.0\.1:(\d+)", page.read_text())) - {"8000"}
    ] == []
