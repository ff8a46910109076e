"""The committed description of the API is the one that the code gives."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

from mitsuboshi.api import openapi
from mitsuboshi.api.problems import STATUS, HttpCode
from mitsuboshi.rooms.refused import Code

COMMITTED = Path(__file__).parents[2] / "openapi" / "openapi.json"


def test_the_committed_description_is_current() -> None:
    """`make openapi` writes it anew."""
    assert COMMITTED.read_text(encoding="utf-8") == openapi.text()


def test_every_code_has_a_status_and_stands_in_the_description() -> None:
    """A client can rely on the list."""
    described = json.loads(openapi.text())["components"]["schemas"]["Problem"]["properties"]["code"]
    assert set(STATUS) == set(get_args(Code))
    assert set(_values(described)) == {*get_args(Code), *get_args(HttpCode)}


def test_every_endpoint_describes_its_refusals() -> None:
    """Every refusal is a problem document."""
    for methods in json.loads(openapi.text())["paths"].values():
        for operation in methods.values():
            refusals = {status: answer for status, answer in operation["responses"].items() if status > "399"}
            assert {"422", "500", "503"} <= refusals.keys()
            assert all("application/problem+json" in answer["content"] for answer in refusals.values())


def _values(schema: dict[str, Any]) -> list[str]:
    if "enum" in schema:
        return list(schema["enum"])
    parts = schema.get("oneOf", []) + schema.get("anyOf", [])
    return [schema["const"]] if "const" in schema else [v for part in parts for v in _values(part)]
