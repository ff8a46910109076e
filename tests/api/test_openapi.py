"""The committed description of the API is the one that the code gives."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

from mitsuboshi.api.describe import messages_text, openapi_text
from mitsuboshi.api.problems import STATUS, HttpCode
from mitsuboshi.rooms.refused import Code

FOLDER = Path(__file__).parents[2] / "openapi"


def test_the_committed_descriptions_are_current() -> None:
    """`make openapi` writes it anew."""
    assert (FOLDER / "openapi.json").read_text(encoding="utf-8") == openapi_text()
    assert (FOLDER / "messages.json").read_text(encoding="utf-8") == messages_text()


def test_every_code_has_a_status_and_stands_in_the_description() -> None:
    """A client can rely on the list."""
    described = json.loads(openapi_text())["components"]["schemas"]["Problem"]["properties"]["code"]
    assert set(STATUS) == set(get_args(Code))
    assert set(_values(described)) == {*get_args(Code), *get_args(HttpCode)}


def test_every_endpoint_describes_its_refusals() -> None:
    """Every refusal is a problem document."""
    for methods in json.loads(openapi_text())["paths"].values():
        for operation in methods.values():
            refusals = {status: answer for status, answer in operation["responses"].items() if status > "399"}
            assert {"422", "500", "503"} <= refusals.keys()
            assert all("application/problem+json" in answer["content"] for answer in refusals.values())


def _values(schema: dict[str, Any]) -> list[str]:
    if "enum" in schema:
        return list(schema["enum"])
    parts = schema.get("oneOf", []) + schema.get("anyOf", [])
    return [schema["const"]] if "const" in schema else [v for part in parts for v in _values(part)]
