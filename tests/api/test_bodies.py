"""Bodies that are no JSON, or not the JSON that is wanted: refused in one schema, and nothing has changed."""

from __future__ import annotations

import gzip
import json
from typing import Any

import httpx
import pytest

from tests.rest import Guest, create, ok, refused, send

JSON = {"Content-Type": "application/json"}
BODY = b'{"game":"diamond"}'
HUGE = "1" + "0" * 400
NO_JSON = {
    "nothing": b"",
    "half an object": b'{"game":"diamond"',
    "a byte order mark": b"\xef\xbb\xbf" + BODY,
    "two values": BODY + BODY,
    "a comment": b'{"game":"diamond"} // x',
    "single quotes": b"{'game':'diamond'}",
    "a trailing comma": b'{"game":"diamond",}',
    "UTF-16": BODY.decode().encode("utf-16"),
    "bytes that are no UTF-8": b'{"game":"diamond","name":"\xff\xfe"}',
    "an overlong encoding": b'{"game":"diamond","name":"\xc0\xaf"}',
    "a raw surrogate": b'{"game":"diamond","name":"\xed\xa0\x80"}',
    "an escaped lone surrogate": b'{"game":"diamond","name":"\\ud800"}',
    "a lone surrogate as a key": b'{"game":"diamond","metadata":{"\\udfff":1}}',
    "a NUL byte": b'{"game":"diamond","name":"a\0b"}',
    "not a number": b'{"game":"diamond","metadata":{"a":NaN}}',
    "infinity": b'{"game":"diamond","metadata":{"a":-Infinity}}',
    "a form": b"game=diamond",
    "deep nesting": b'{"game":"diamond","metadata":{"a":' + b"[" * 30_000,
    "deep objects": b'{"game":"diamond","metadata":' + b'{"a":' * 10_000,
}
WRONG: list[tuple[str, str, str | None]] = [
    ("null", "invalid_body", None),
    ("true", "invalid_body", None),
    ("17", "invalid_body", None),
    ('"diamond"', "invalid_body", None),
    ("[]", "invalid_body", None),
    ('[{"game":"diamond"}]', "invalid_body", None),
    ("{}", "invalid_body", "game"),
    ('{"game":null}', "invalid_body", "game"),
    ('{"game":["diamond"]}', "invalid_body", "game"),
    ('{"game":""}', "invalid_body", "game"),
    ('{"Game":"diamond"}', "invalid_body", "Game"),
    ('{"game":"diamond","nope":1}', "invalid_body", "nope"),
    ('{"game":"diamond","seats":[]}', "invalid_body", "seats"),
    ('{"game":"diamond","seats":{"red":1}}', "invalid_body", "seats.red"),
    ('{"game":"diamond","seats":{"red":"me","yellow":"you"}}', "invalid_body", "seats.yellow"),
    ('{"game":"diamond","seats":{"red":{"ai":"god"}}}', "invalid_body", "seats.red.ai"),
    ('{"game":"diamond","seats":{"red":{}}}', "invalid_body", "seats.red"),
    ('{"game":"diamond","seats":{"blue":"me"}}', "invalid_body", "seats.blue"),
    ('{"game":"diamond","options":{"nope":1}}', "invalid_option", "options.nope"),
    ('{"game":"diamond","options":{"king_min_run":3}}', "invalid_option", "options.king_min_run"),
    ('{"game":"diamond","options":{"king_min_run":true}}', "invalid_option", "options.king_min_run"),
    ('{"game":"diamond","options":{"border_stop":1}}', "invalid_option", "options.border_stop"),
    (
        '{"game":"diamond","options":{"places":"all","king_min_run":1.0}}',
        "invalid_body",
        "options.king_min_run",
    ),
    ('{"game":"diamond","options":{"king_min_run":' + HUGE + "}}", "invalid_option", "options.king_min_run"),
    ('{"game":"diamond","visibility":"secret"}', "invalid_body", "visibility"),
    ('{"game":"diamond","undo":"twice"}', "invalid_body", "undo"),
    ('{"game":"diamond","name":7}', "invalid_body", "name"),
    ('{"game":"diamond","name":""}', "invalid_body", "name"),
    ('{"game":"diamond","name":"   "}', "invalid_body", "name"),
    ('{"game":"diamond","name":"a\\u0000b"}', "invalid_body", "name"),
    ('{"game":"diamond","name":"a\\u202eb"}', "invalid_body", "name"),
    ('{"game":"diamond","name":"%s"}' % ("a" * 25), "invalid_body", "name"),
    ('{"game":"diamond","name":"%s"}' % ("a" * 60_000), "invalid_body", "name"),
    ('{"game":"diamond","position":"R/rr"}', "invalid_position", "position"),
    ('{"game":"diamond","position":"%s"}' % ("1/" * 250), "invalid_body", "position"),
    ('{"game":"diamond","position":"\\u0000"}', "invalid_position", "position"),
    ('{"game":"diamond","metadata":[]}', "invalid_body", "metadata"),
    ('{"game":"diamond","metadata":{"a":"%s"}}' % ("b" * 1100), "invalid_body", "metadata"),
    ('{"game":"diamond","metadata":{"a":' + HUGE + "}}", "invalid_body", "metadata"),
    ('{"game":"diamond","metadata":{"a":18446744073709551616}}', "invalid_body", "metadata"),
    ('{"game":"diamond","metadata":{"a":1e999}}', "invalid_body", "metadata.a"),
    ('{"game":"chess"}', "game_not_found", "game"),
    ('{"game":"diamond","game":"chess"}', "game_not_found", "game"),
    ('{"game":"%s"}' % ("a" * 33), "invalid_body", "game"),
    ('{"game":"diamond","%s":1}' % ("a" * 60_000), "invalid_body", None),
    ('{"game":"diamond","seats":{"%s":"me"}}' % ("a" * 9_000), "invalid_body", "seats." + "a" * 94),
]
ACTIONS: list[tuple[str, str, str | None]] = [
    ("{}", "invalid_body", "type"),
    ('{"type":7}', "invalid_body", "type"),
    ('{"type":"fly"}', "unknown_action", "type"),
    ('{"type":"Move","move":"14-26"}', "unknown_action", "type"),
    ('{"type":"move"}', "invalid_body", "move"),
    ('{"type":"move","move":7}', "invalid_body", "move"),
    ('{"type":"move","move":["14-26"]}', "invalid_body", "move"),
    ('{"type":"move","move":""}', "invalid_body", "move"),
    ('{"type":"move","move":"14-26","step":"x"}', "invalid_body", "step"),
    ('{"type":"move","move":"14-26","version":"3"}', "invalid_body", "version"),
    ('{"type":"move","move":"14-26","version":-1}', "invalid_body", "version"),
    ('{"type":"move","move":"14-26","version":1.5}', "invalid_body", "version"),
    ('{"type":"move","move":"14-26","version":1e999}', "invalid_body", "version"),
    ('{"type":"move","move":"14-26","seat":7}', "invalid_body", "seat"),
    ('{"type":"answer","to":"rematch"}', "invalid_body", "accept"),
    ('{"type":"answer","to":"tea","accept":true}', "invalid_body", "to"),
    ('{"type":"start","fill":"god"}', "invalid_body", "fill"),
    ('{"type":"rename","name":"\\u200b"}', "invalid_body", "name"),
    ("[]", "invalid_body", None),
]


@pytest.mark.parametrize(
    ("text", "choices"),
    [
        ('{"game":"diamond","visibility":"secret"}', "private, public, unlisted"),
        ('{"game":"diamond","seats":{"red":"you"}}', "me, open"),
        ('{"game":"diamond","seats":{"red":{"ai":"god"}}}', "advanced, beginner, intermediate, master"),
        ('{"game":"diamond","absence":{"then":"cry"}}', "ask, lose, substitute, wait"),
        ('{"game":"diamond","undo":"%s"}' % ("x" * 9_000), "default, free, off, request"),
    ],
)
def test_a_choice_that_there_is_not_is_told_those_that_there_are(
    http: httpx.Client, text: str, choices: str
) -> None:
    """Nobody need look them up."""
    answer = send(http, "POST", "/v1/rooms", content=text, headers=JSON)
    assert answer.json()["detail"].endswith(f": it must be one of {choices}")
    assert send(http, "POST", "/v1/rooms", content=text, headers=JSON).status_code == 422


@pytest.mark.parametrize("name", NO_JSON)
def test_what_is_no_json_is_refused(http: httpx.Client, name: str) -> None:
    """With or without an object around it that could be guessed at."""
    answer = send(http, "POST", "/v1/rooms", content=NO_JSON[name], headers=JSON)
    assert answer.status_code == 422, answer.text
    refused(answer, 422, "invalid_body", answer.json().get("field"))


@pytest.mark.parametrize(("text", "code", "field"), WRONG, ids=range(len(WRONG)))
def test_a_creation_that_makes_no_sense_is_refused_by_field(
    http: httpx.Client, text: str, code: str, field: str | None
) -> None:
    """The code and the field's path are for programs."""
    answer = send(http, "POST", "/v1/rooms", content=text.encode(), headers=JSON)
    refused(answer, 404 if code == "game_not_found" else 422, code, field)


@pytest.fixture(scope="module")
def device(http: httpx.Client) -> Guest:
    """One person on both seats of a game that nothing in this module changes."""
    return create(http, seats={"red": "me", "yellow": "me"})


@pytest.mark.parametrize(("text", "code", "field"), ACTIONS, ids=range(len(ACTIONS)))
def test_an_action_that_makes_no_sense_is_refused_by_field(
    device: Guest, text: str, code: str, field: str | None
) -> None:
    """And the room stays as it is."""
    before = device.see()["version"]
    path = f"{device.path}/actions"
    answer = send(device.http, "POST", path, device.token, content=text.encode(), headers=JSON)
    refused(answer, 422, code, field)
    assert device.see()["version"] == before


@pytest.mark.parametrize(
    "move",
    [
        "0-120x",
        "14_26",
        "14-26-28",
        "-14-26",
        "014-26",
        "\uff11\uff14-26",
        "14-26\0",
        "\u202e14-26",
        "9" * 200,
        " 14-26",
    ],
)
def test_a_move_that_cannot_be_read_is_refused(device: Guest, move: str) -> None:
    """Digits of other scripts and characters that cannot be seen are no digits."""
    refused(device.act("move", move=move), 422, "invalid_move", "move")


@pytest.mark.parametrize("move", ["14-14", "0-120", "26-37", "56-57", "14-15"])
def test_a_move_that_the_rules_forbid_is_refused(device: Guest, move: str) -> None:
    """Readable, but not legal here."""
    refused(device.act("move", move=move), 422, "illegal_move", "move")


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Content-Type": ""},
        {"Content-Type": "text/plain"},
        {"Content-Type": "application/x-www-form-urlencoded"},
        {"Content-Type": "multipart/form-data; boundary=x"},
        {"Content-Type": "application/jsonx"},
        {"Content-Type": "text/json"},
        {"Content-Type": "application/json, text/plain"},
        {"Content-Type": '";;;=='},
    ],
)
def test_a_body_must_be_declared_as_json(http: httpx.Client, headers: dict[str, str]) -> None:
    """Also where it is JSON."""
    refused(send(http, "POST", "/v1/rooms", content=BODY, headers=headers), 415, "unsupported_media_type")


def test_a_compressed_body_is_an_unsupported_type(http: httpx.Client) -> None:
    """It is neither unpacked nor taken for broken JSON."""
    headers = {**JSON, "Content-Encoding": "gzip"}
    answer = send(http, "POST", "/v1/rooms", content=gzip.compress(BODY), headers=headers)
    refused(answer, 415, "unsupported_media_type")


@pytest.mark.parametrize(
    "declared", ["application/json;charset=utf-8", "APPLICATION/JSON", "application/json ;x"]
)
def test_parameters_and_case_of_the_type_do_not_matter(http: httpx.Client, declared: str) -> None:
    """As the standard has it."""
    ok(send(http, "POST", "/v1/rooms", content=BODY, headers={"Content-Type": declared}), 201)


def test_a_body_over_the_limit_is_too_large(http: httpx.Client) -> None:
    """Whether its length is told beforehand or not."""
    large = b'{"game":"diamond","name":"' + b"a" * 1_000_000 + b'"}'
    refused(send(http, "POST", "/v1/rooms", content=large, headers=JSON), 413, "too_large")
    chunks = iter([large[at : at + 8192] for at in range(0, 100_000, 8192)])
    refused(send(http, "POST", "/v1/rooms", content=chunks, headers=JSON), 413, "too_large")
    padded = BODY + b" " * (65_536 - len(BODY))
    ok(send(http, "POST", "/v1/rooms", content=padded, headers=JSON), 201)
    refused(send(http, "POST", "/v1/rooms", content=padded + b" ", headers=JSON), 413, "too_large")


@pytest.mark.parametrize("value", [1.5, -(2**63), 2**64 - 1, "\u0000\u202e😀", [{}], None, True, 1e308])
def test_metadata_comes_back_as_it_went_in(http: httpx.Client, value: Any) -> None:
    """Whatever can be stored is given back the same."""
    room = create(http, metadata={"ref": value}).see()
    assert json.loads(json.dumps(room["metadata"])) == {"ref": value}
