"""docs/PROTOCOL.md has every code, action, event and field that the service has, and no other."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, get_args

import msgspec

from mitsuboshi.api.errors import CODES
from mitsuboshi.api.problems import STATUS, HttpCode
from mitsuboshi.rooms import commands as c
from mitsuboshi.rooms import events as e
from mitsuboshi.rooms.event_views import HIDDEN
from mitsuboshi.rooms.views import Snapshot
from tests.tidy.tree import text

WORD = re.compile(r"`(\w+)`")
OTHER_STATUS = {"unsupported_media_type": 415, "internal_error": 500}
EVERY_ACTION = {"type", "version", "seat"}
EVERY_EVENT = {"id", "version", "at_ms"}


def rows(heading: str) -> list[list[str]]:
    """The cells of the tables below a heading, their heads left out."""
    page = text(Path("docs/PROTOCOL.md")) or ""
    section = page.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    lines = re.findall(r"^\| (`.*) \|$", section, re.MULTILINE)
    return [
        [cell.strip() for cell in re.split(r" \|(?: |$)", line)] for line in lines if line[:6] != "`type`"
    ]


def name(cell: str) -> str:
    """The one word of a cell."""
    (word,) = WORD.findall(cell)
    return str(word)


def fields(kind: Any) -> set[str]:
    """The names under which a struct's fields are sent."""
    return {field.encode_name for field in msgspec.structs.fields(kind)}


def tag(kind: Any) -> str:
    """The ``type`` of a tagged struct."""
    return str(kind.__struct_config__.tag)


def test_every_code_has_its_status() -> None:
    """A client finds each code that it can meet."""
    codes = {code: status for status, code in CODES.items()} | OTHER_STATUS
    assert set(codes) == set(get_args(HttpCode))
    assert {name(row[0]): int(row[1]) for row in rows("Errors")} == STATUS | codes


def test_codes_are_told_by_status() -> None:
    """Codes of one status stand together."""
    statuses = [int(row[1]) for row in rows("Errors")]
    assert statuses == sorted(statuses)


def test_every_action_has_its_fields() -> None:
    """Each type of action is there, with what it may carry."""
    told = {name(row[0]): row[1] for row in rows("Actions")}
    assert set(told) == {tag(kind) for kind in get_args(c.AnyAction)}
    for kind in get_args(c.AnyAction):
        assert fields(kind) - EVERY_ACTION <= set(WORD.findall(told[tag(kind)])), kind


def test_every_event_has_its_fields() -> None:
    """Each type of event is there, with all that a viewer sees of it."""
    told = {name(row[0]): set(WORD.findall(row[1])) for row in rows("Events")}
    assert set(told) == {tag(kind) for kind in get_args(e.AnyEvent)}
    for kind in get_args(e.AnyEvent):
        seen = fields(kind) - EVERY_EVENT - HIDDEN - {"details"}
        assert seen <= told[tag(kind)], kind
        assert told[tag(kind)] - {"owner", "time"} <= seen | {"room"}, kind


def test_every_field_of_the_snapshot_is_told() -> None:
    """Nothing in a snapshot is left for the reader to guess."""
    told = [word for row in rows("Snapshot") for word in WORD.findall(row[0])]
    assert sorted(told) == sorted(fields(Snapshot))
