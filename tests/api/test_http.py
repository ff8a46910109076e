"""Methods, paths, queries and headers, sensible and not; and requests that are hardly HTTP."""

from __future__ import annotations

import re
import socket
from typing import Any

import httpx
import pytest
from redis import Redis

from tests.processes import Service, wait_until
from tests.rest import Guest, create, ok, problem_of, refused, send

METHODS = {
    "/v1/games": {"GET"},
    "/v1/games/diamond": {"GET"},
    "/v1/games/diamond/legal-moves": {"POST"},
    "/v1/games/diamond/analysis": {"POST"},
    "/v1/rooms/ROOM": {"GET", "DELETE"},
    "/v1/rooms/ROOM/seats": {"POST"},
    "/v1/rooms/ROOM/actions": {"POST"},
    "/v1/rooms/ROOM/legal-moves": {"GET"},
    "/v1/rooms/ROOM/events": {"GET"},
    "/v1/rooms/ROOM/record": {"GET"},
    "/health/live": {"GET"},
    "/health/ready": {"GET"},
    "/openapi.json": {"GET"},
}
NOWHERE = [
    "/v1",
    "/v1/nope",
    "/v2/rooms",
    "/v1/games/diamond/nope",
    "/v1/rooms/ROOM/nope",
    "/v1/rooms/ROOM/actions/1",
    "/v1/rooms/ROOM/a%2Fb",
    "/openapi",
    "/openapi/openapi.json",
    "/openapi/nope",
    "/schema",
    "/favicon.ico",
    "/.env",
    "/etc/passwd",
]
STRANGE_IDS = [
    "x",
    "a" * 8000,
    "%00",
    "%00%ff",
    "%F0%9F%98%80",
    "%ed%a0%80",
    "%zz",
    "..",
    "{p0}:due",
    "*",
    "null",
    "-1",
    "a%0d%0aSet-Cookie:x",
    "a:b:key:c",
]
STRANGE_NUMBERS = [
    "-1",
    "x",
    "",
    "1.5",
    "1e999",
    "nan",
    "inf",
    "9" * 400,
    "1_0",
    "%D9%A3",
    "0x1",
    "true",
    "%00",
]


@pytest.fixture(scope="module")
def device(http: httpx.Client) -> Guest:
    """One person on both seats of a game that nothing in this module changes."""
    return create(http, seats={"red": "me", "yellow": "me"})


@pytest.mark.parametrize("path", METHODS)
def test_a_wrong_method_is_told_the_right_ones(device: Guest, path: str) -> None:
    """405 and OPTIONS name every method of the path."""
    path, allowed = path.replace("ROOM", device.room), METHODS[path] | {"OPTIONS"}
    for method in {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"} - allowed:
        answer = send(device.http, method, path, device.token)
        assert answer.status_code == 405, method
        assert set(answer.headers["allow"].split(", ")) == allowed
        if method != "HEAD":
            refused(answer, 405, "method_not_allowed")
    options = device.http.options(path)
    assert options.status_code == 204
    assert set(options.headers["allow"].split(", ")) == allowed
    assert options.content == b""


@pytest.mark.parametrize("path", NOWHERE)
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
def test_an_unknown_path_is_not_found(device: Guest, method: str, path: str) -> None:
    """In the one schema of all refusals, whatever the method."""
    answer = device.http.request(method, path.replace("ROOM", device.room))
    if path.startswith("/openapi") and method != "GET":
        refused(answer, 405, "method_not_allowed")
    else:
        refused(answer, 404, "not_found")


@pytest.mark.parametrize("room_id", STRANGE_IDS)
def test_a_room_id_that_nobody_gave_out_is_not_found(http: httpx.Client, device: Guest, room_id: str) -> None:
    """Whatever it is made of, for reading and for acting, with a good token and without."""
    for token in (None, device.token):
        for part in ("", "/events", "/record", "/legal-moves"):
            answer = send(http, "GET", f"/v1/rooms/{room_id}{part}", token)
            assert problem_of(answer)["status"] == 404
    path = f"/v1/rooms/{room_id}"
    assert problem_of(send(http, "POST", f"{path}/seats", json={}))["status"] == 404
    action = {"type": "move", "move": "14-26"}
    assert problem_of(send(http, "POST", f"{path}/actions", device.token, json=action))["status"] == 404
    assert send(http, "DELETE", path, device.token).status_code in {404, 405}


def test_unknown_rooms_leave_no_trace(running: Service, http: httpx.Client, device: Guest) -> None:
    """Asking for a room does not make one, nor any key."""
    redis = Redis.from_url(running.redis_url, protocol=2)
    before = set(redis.scan_iter(count=10_000))
    for number in range(300):
        ghost = Guest(http, f"ghost{number:08}", device.token)
        refused(ghost.get(), 404, "room_not_found")
        refused(ghost.act("move", move="14-26", key=f"a-key-of-ghost-{number:08}"), 404, "room_not_found")
    made = set(redis.scan_iter(count=10_000)) - before
    # Who visited the rooms of other tests may be written down meanwhile.
    assert [key for key in made if b"ghost" in key or not key.endswith(b":present")] == []
    redis.close()


@pytest.mark.parametrize("value", STRANGE_NUMBERS)
@pytest.mark.parametrize("query", ["after=", "wait_s=", "events after=", "events limit=", "record game="])
def test_a_query_that_makes_no_sense_is_refused_by_name(device: Guest, query: str, value: str) -> None:
    """Never taken for another number, never an endless wait."""
    part, _, name = query.rpartition(" ")
    path = f"{device.path}/{part}".rstrip("/") + f"?{name}{value}"
    if (query, value) == ("wait_s=", "1.5"):
        ok(device.http.get(path))
        return
    answer = device.http.get(path)
    if (query, value) == ("record game=", "9" * 400):
        refused(answer, 404, "game_not_found", "game")
    else:
        refused(answer, 422, "invalid_query", name.rstrip("="))


def test_a_choice_that_does_not_exist_is_refused_by_name(device: Guest) -> None:
    """The field is the parameter as it is written in the URL."""
    refused(device.get("/record", params={"format": "pdn"}), 409, "not_in_this_game", "format")
    for text in ("xml", "", "JSON"):
        answer = device.get("/record", params={"format": text})
        refused(answer, 422, "invalid_query", "format")
    refused(device.get(params={"after": 1, "wait_s": 61}), 422, "invalid_query", "wait_s")
    refused(device.get("/events", params={"limit": 501}), 422, "invalid_query", "limit")
    refused(device.get("/record", params={"game": 2}), 404, "game_not_found", "game")


@pytest.mark.parametrize(
    "header",
    [
        "",
        "Bearer",
        "Bearer x",
        "Bearer .",
        "Basic TOKEN",
        "TOKEN",
        "Bearer TOKENx",
        "Bearer TOKEN TOKEN",
        "Bearer é",
    ],
)
def test_what_is_no_token_is_unknown(device: Guest, header: str) -> None:
    """Reading needs no token, but a wrong one is a mistake that is told."""
    value = header.replace("TOKEN", device.token or "").encode("latin-1")
    answer = device.http.get(device.path, headers={"Authorization": value})
    refused(answer, 401, "unknown_token")


def test_a_token_is_read_whatever_the_case_of_its_scheme(device: Guest) -> None:
    """As the standard has it."""
    answer = device.http.get(device.path, headers={"Authorization": f"bEARER  {device.token}"})
    assert ok(answer)["you"] == ["red", "yellow"]


@pytest.mark.parametrize("key", ["", "x", "x" * 15, "x" * 65, "x" * 8000, "with some spaces in", "é" * 20])
def test_a_key_of_the_wrong_length_or_letters_is_refused(device: Guest, key: str) -> None:
    """On every POST that takes one."""
    headers = {"Idempotency-Key": key.encode("latin-1")}
    bodies: dict[str, Any] = {
        "/v1/rooms": {"game": "diamond"},
        f"{device.path}/seats": {},
        f"{device.path}/actions": {"type": "move", "move": "14-26"},
    }
    for path, body in bodies.items():
        answer = send(device.http, "POST", path, device.token, json=body, headers=headers)
        refused(answer, 422, "invalid_query", "Idempotency-Key")


@pytest.mark.parametrize("tag", ["x", "", "-1", '"4', 'W/"4"', '"4", "5"', "4.0", "9" * 16, "\u00e9"])
def test_an_if_match_that_is_no_version_is_refused(device: Guest, tag: str) -> None:
    """A condition that cannot be read must not be taken for none."""
    headers = {"If-Match": tag.encode("latin-1")}
    refused(device.act("move", move="14-26", headers=headers), 422, "invalid_query", "If-Match")


def test_if_match_makes_an_action_conditional(http: httpx.Client) -> None:
    """As a version in the action does; two different ones contradict each other."""
    device = create(http, seats={"red": "me", "yellow": "me"})
    version = device.see()["version"]
    conflict = device.act("move", move="14-26", version=version, headers={"If-Match": f'"{version + 1}"'})
    refused(conflict, 422, "invalid_query", "If-Match")
    stale = device.act("move", move="14-26", headers={"If-Match": f'"{version - 1}"'})
    refused(stale, 409, "stale_version", "version")
    for tag, move in ((f'"{version}"', "14-26"), (str(version + 1), None), ("*", None)):
        ok(device.act("move", move=move or device.see()["legal_moves"][0], headers={"If-Match": tag}))


RAW = {
    "no HTTP": b"NONSENSE\r\n\r\n",
    "an unknown method": b"FOO /v1/games HTTP/1.1\r\nHost: x\r\n\r\n",
    "a length that is no number": b"POST /v1/rooms HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n{}",
    "a negative length": b"POST /v1/rooms HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n{}",
    "two lengths": b"POST /v1/rooms HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
    "a path of raw UTF-8": "GET /v1/rooms/日本 HTTP/1.1\r\nHost: x\r\n\r\n".encode(),
    "a header of a megabyte": b"GET /v1/games HTTP/1.1\r\nHost: x\r\nX: " + b"a" * 2**20 + b"\r\n\r\n",
    "a head that is a little too long": b"GET /v1/games HTTP/1.1\r\nHost: x\r\nX: "
    + b"a" * 65_600
    + b"\r\n\r\n",
    "headers without end": b"GET /v1/games HTTP/1.1\r\n" + b"X-Y: z\r\n" * 200_000,
    "a path beyond every limit": b"GET /v1/rooms/" + b"a" * 100_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
}


@pytest.mark.parametrize("name", RAW)
def test_what_is_hardly_http_is_a_bad_request(running: Service, http: httpx.Client, name: str) -> None:
    """The connection is closed, and the process serves on."""
    assert exchange(running, RAW[name]).startswith(b"HTTP/1.1 400 ")
    assert http.get("/health/ready").status_code == 200


def test_a_head_may_be_long_and_a_body_longer(running: Service, device: Guest) -> None:
    """The bound of the head counts no byte of the body, nor of the request before."""
    head = b"GET /v1/games HTTP/1.1\r\nHost: x\r\nX: " + b"a" * 60_000 + b"\r\n"
    asked = head + b"\r\n" + head + b"Connection: close\r\n\r\n"
    assert exchange(running, asked).count(b"HTTP/1.1 200 ") == 2
    body = b'{"type":"rename","name":"Aya"' + b" " * 65_000 + b"}"
    post = (
        f"POST {device.path}/actions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        f"Authorization: Bearer {device.token}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    ).encode()
    assert exchange(running, post + body).startswith(b"HTTP/1.1 200 ")


def test_a_client_that_hangs_up_in_mid_body_changes_nothing(running: Service, device: Guest) -> None:
    """Nothing is played, and nothing is logged as a failure."""
    before = device.see()["version"]
    body = b'{"type":"move","move":"14-26"}'
    head = (
        f"POST {device.path}/actions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        f"Authorization: Bearer {device.token}\r\nContent-Length: {len(body)}\r\n\r\n"
    ).encode()
    for cut in (0, 1, len(body) - 1):
        with connection(running) as client:
            client.sendall(head + body[:cut])
            client.shutdown(socket.SHUT_WR)
            client.settimeout(5)
            assert not re.match(rb"HTTP/1.1 [25]", client.recv(65536))
    wait_until(lambda: device.see()["version"] == before, "the room is as it was")
    assert "error" not in running.apis[0].said()


def connection(running: Service) -> socket.socket:
    """A plain connection to the first API process."""
    host, _, port = running.urls[0].removeprefix("http://").partition(":")
    return socket.create_connection((host, int(port)), timeout=10)


def exchange(running: Service, request: bytes) -> bytes:
    """What the first API process answers to these bytes, up to the end of the connection."""
    with connection(running) as client:
        client.sendall(request)
        answer = b""
        try:
            while part := client.recv(65536):
                answer += part
        except ConnectionResetError:
            assert answer, "the connection was reset without an answer"
        return answer
