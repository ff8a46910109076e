"""What the pages show of the service is what it does: exchanges by curl, and the engine's conversation."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ServiceFactory
from tests.tidy.tree import ROOT, text

SERVER = "http://127.0.0.1:8000"
MARK = "=== the next block ==="
BLOCK = re.compile(r"^```sh\n(.*?)^```\n+^```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CONVERSATION = re.compile(r"^```engine\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LEFT_OUT = "…"


@pytest.mark.parametrize(("page", "least"), [("README.md", 6), ("docs/PROTOCOL.md", 13)])
def test_every_command_answers_as_the_page_says(
    page: str, least: int, service: ServiceFactory, tmp_path: Path
) -> None:
    """Each block of commands gives what stands below it, in that order, where the answer is not cut out."""
    blocks = BLOCK.findall(text(Path(page)) or "")
    assert len(blocks) >= least
    script = f"\necho\necho '{MARK}'\n".join(commands for commands, _ in blocks)
    assert SERVER in script
    said = run(script.replace(SERVER, service().urls[0]), tmp_path).split(f"{MARK}\n")
    assert len(said) == len(blocks)
    for (commands, answer), output in zip(blocks, said, strict=True):
        missing = first_missing(answer, output)
        assert missing is None, f"{commands}\nanswers\n{output}\nwhich lacks: {missing}"


def test_the_engine_converses_as_the_page_says() -> None:
    """Each line to the engine is followed by the lines that the page shows, and by no others."""
    (conversation,) = CONVERSATION.findall(text(Path("docs/PROTOCOL.md")) or "")
    command = [sys.executable, "-m", "mitsuboshi", "engine"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as engine:
        assert engine.stdin
        assert engine.stdout
        for line in conversation.splitlines():
            if line.startswith("> "):
                engine.stdin.write(f"{line[2:]}\n")
                engine.stdin.flush()
            else:
                said = engine.stdout.readline()
                assert first_missing(line[2:], said) is None, f"{said} instead of {line}"
        assert engine.stdout.read() == ""
        assert engine.wait(10) == 0


def test_an_answer_that_differs_is_found() -> None:
    """A comparison that forgives everything would let the pages rot."""
    assert first_missing('{"a":1,…"c":3}\n', '{"a":1,"b":2,"c":3}') is None
    assert first_missing('{…"c":3…"a":1\n', '{"a":1,"b":2,"c":3}') == '"a":1'


def test_the_pages_name_no_other_port() -> None:
    """Who copies a command from any page reaches the server that `make run` starts."""
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    ports = {port for page in pages for port in re.findall(r"127\.0\.0\.1:(\d+)", page.read_text())}
    assert ports == {"8000"}


def run(script: str, folder: Path) -> str:
    """What the commands print when one shell runs them in that folder."""
    command = ["bash", "-euo", "pipefail", "-c", script]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def first_missing(answer: str, output: str) -> str | None:
    """The first part of the shortened answer that does not follow in the output, or None."""
    at = 0
    for part in (part for line in answer.splitlines() for part in line.split(LEFT_OUT)):
        at = output.find(part, at)
        if at < 0:
            return part
        at += len(part)
    return None
