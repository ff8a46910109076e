"""The service keeps to its own description: requests made from it, answers checked against it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import httpx

from tests.processes import Service
from tests.rest import create

LONGEST_S = 240
CONFIG = """
[checks]
enabled = true

[parameters]
"path.room_id" = "{room}"
"path.game" = "diamond"

# What a body may say depends on the game's rules and on the room, which no schema tells.
[[operations]]
include-method = "POST"
[operations.checks.positive_data_acceptance]
enabled = false
"""


def test_the_service_keeps_to_its_description(running: Service, http: httpx.Client, tmp_path: Path) -> None:
    """With every check of the tool, for every endpoint but the one that would end the room."""
    device = create(http, seats={"red": "me", "yellow": "me", "green": "me"}, undo="free")
    config = tmp_path / "schemathesis.toml"
    config.write_text(CONFIG.format(room=device.room))
    program = Path(sys.executable).with_name("st")
    told = subprocess.run(
        [
            *(program, "--config-file", config, "run", f"{running.urls[0]}/openapi.json"),
            *("--header", f"Authorization: Bearer {device.token}"),
            *(
                "--exclude-operation-id",
                "closeRoom",
                "--max-examples",
                "5",
                "--phases",
                "coverage,fuzzing",
                "--seed",
                "20261129",
            ),
            *("--generation-database", "none", "--no-color"),
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=LONGEST_S,
        check=False,
    )
    assert told.returncode == 0, told.stdout[-6000:] + told.stderr[-2000:]
    assert device.see()["id"] == device.room
    assert "Traceback" not in running.logs()
