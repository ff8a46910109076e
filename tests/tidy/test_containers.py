"""The image and the compose file, judged without a container engine: they run what the other tests run."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from mitsuboshi.__main__ import PROGRAMS
from mitsuboshi.local.redis_server import OPTIONS
from tests.tidy.tree import ROOT, text

# Where the embedded server differs on purpose: its socket and its being a child.
LOCAL_OPTIONS = {"--port", "--unixsocket", "--unixsocketperm", "--daemonize"}


@pytest.fixture(scope="module")
def compose() -> Any:
    """The compose file as data, merged keys resolved."""
    return yaml.safe_load(text(Path("compose.yaml")) or "")


@pytest.fixture(scope="module")
def instructions() -> list[tuple[str, str]]:
    """The Dockerfile's instructions: word and rest, continued lines joined, comments left out."""
    lines = re.sub(r"^\s*#.*\n", "", text(Path("Dockerfile")) or "", flags=re.MULTILINE).replace("\\\n", " ")
    return [(line.split()[0], line.partition(" ")[2].strip()) for line in lines.splitlines() if line.strip()]


def last_stage(instructions: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The instructions that make the image that runs."""
    begin = max(n for n, (word, _) in enumerate(instructions) if word == "FROM")
    return instructions[begin:]


def test_every_base_image_has_a_version(instructions: list[tuple[str, str]], compose: Any) -> None:
    """A build of next year gets what a build of today gets."""
    images = [rest.split()[0] for word, rest in instructions if word == "FROM"]
    images += [service["image"] for service in compose["services"].values()]
    assert [image for image in images if not re.search(r":v?\d", image)] == []


def test_the_compiler_stays_out_of_the_image(instructions: list[tuple[str, str]]) -> None:
    """The wheel is built in a stage of its own."""
    assert sum(word == "FROM" for word, _ in instructions) == 2
    assert not [rest for word, rest in last_stage(instructions) if word == "RUN" and "gcc" in rest]
    assert [
        rest for word, rest in last_stage(instructions) if word == "COPY" and rest.startswith("--from=build")
    ]


def test_the_image_runs_our_program_as_a_plain_user(instructions: list[tuple[str, str]]) -> None:
    """No program of the image is root, and there is a health check."""
    stage = dict(last_stage(instructions))
    assert stage["USER"] not in {"", "0", "root"}
    assert "/health/ready" in stage["HEALTHCHECK"]
    assert stage["ENTRYPOINT"] == '["mitsuboshi"]'
    assert yaml.safe_load(stage["CMD"])[0] in PROGRAMS


def test_the_image_listens_on_every_interface(instructions: list[tuple[str, str]]) -> None:
    """Inside a container the loopback address would be reached by nobody."""
    assert "MITSUBOSHI_HOST=0.0.0.0" in dict(last_stage(instructions))["ENV"]


def test_every_copied_file_is_let_in(instructions: list[tuple[str, str]]) -> None:
    """.dockerignore shuts everything out but what the Dockerfile copies, and that exists."""
    let_in = {line[1:] for line in (text(Path(".dockerignore")) or "").splitlines() if line.startswith("!")}
    copied = {
        name
        for word, rest in instructions
        if word == "COPY" and not rest.startswith("--from")
        for name in rest.split()[:-1]
    }
    assert copied == let_in
    assert [name for name in copied if not (ROOT / name).exists()] == []


def test_compose_runs_the_programs_that_the_tests_run(compose: Any) -> None:
    """One API and one worker service, by their commands, from one image."""
    services = compose["services"]
    assert services["api"]["command"] == ["serve"]
    assert services["worker"]["command"] == ["worker"]
    assert services["api"]["image"] == services["worker"]["image"]


def test_compose_gives_redis_the_options_of_the_embedded_one(compose: Any) -> None:
    """Both keep the same promises about what survives."""
    command = compose["services"]["redis"]["command"]
    assert command[0] == "redis-server"
    given = dict(zip(command[1::2], command[2::2], strict=True))
    embedded = dict(zip(OPTIONS[::2], OPTIONS[1::2], strict=True))
    assert given == {name: value for name, value in embedded.items() if name not in LOCAL_OPTIONS}


def test_compose_waits_restarts_and_keeps(compose: Any) -> None:
    """Programs start after a healthy Redis, come back after a fall, write nothing but to the volume."""
    services = compose["services"]
    for name in ("api", "worker"):
        assert services[name]["depends_on"]["redis"]["condition"] == "service_healthy"
        assert services[name]["environment"]["MITSUBOSHI_REDIS_URL"].startswith("redis://redis:")
        assert services[name]["cap_drop"] == ["ALL"]
    for service in services.values():
        assert service["restart"] == "unless-stopped"
        assert service["read_only"] is True
    assert services["redis"]["healthcheck"]["test"]
    assert services["redis"]["volumes"] == ["redis:/data"]
    assert "redis" in compose["volumes"]


def test_compose_opens_only_the_api(compose: Any) -> None:
    """Redis has no password there, so it has no port either."""
    assert [name for name, service in compose["services"].items() if "ports" in service] == ["api"]
