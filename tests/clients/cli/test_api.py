"""A request is sent until it is answered, a POST under one key; any other answer is a value or a refusal."""

import httpx
import pytest

from mitsuboshi_play.api import Api, Away, Link, Refused
from mitsuboshi_play.snapshot import BadAnswer

from .conftest import snapshot_json
from .fake_server import Answer, FakeServer, problem

ROOM = "k7Qm2wXzP4sD"


class Told:
    def __init__(self) -> None:
        self.said: list[str] = []
        self.slept: list[float] = []
        self.link = Link(
            lambda key, detail: self.said.append(f"{key}: {detail}"), lambda: self.said.append("found")
        )


def api_of(server: FakeServer, told: Told, patience_s: float = 60) -> Api:
    return Api("http://test", told.link, patience_s, server.transport, told.slept.append)


def lost(request: str = "reset") -> Exception:
    return httpx.RemoteProtocolError(request)


def test_an_action_whose_answer_is_lost_is_sent_again_with_the_same_key_and_body() -> None:
    server, told = FakeServer(), Told()
    server.on["actions"] = [lost(), httpx.ReadTimeout("slow"), httpx.Response(504)]
    api_of(server, told).act(ROOM, {"type": "move", "move": "14-26", "version": 3})
    keys = server.keys("/actions")
    assert len(keys) == 4
    assert len(set(keys)) == 1
    assert 16 <= len(keys[0]) <= 64
    assert server.sent("/actions") == [{"type": "move", "move": "14-26", "version": 3}] * 4
    assert told.said[0] == "no_answer: reset"
    assert told.said[-1] == "found"


def test_each_action_has_a_key_of_its_own() -> None:
    server = FakeServer()
    api = api_of(server, Told())
    for _ in range(2):
        api.act(ROOM, {"type": "undo"})
    assert len(set(server.keys("/actions"))) == 2


@pytest.mark.parametrize(
    "answer",
    [
        httpx.Response(503, headers={"Retry-After": "3"}, json={"detail": "Redis is away"}),
        httpx.Response(429, headers={"Retry-After": "3"}, json={"detail": "Redis is away"}),
    ],
)
def test_retry_after_is_kept(answer: httpx.Response) -> None:
    server, told = FakeServer(), Told()
    server.on["actions"] = [answer]
    api_of(server, told).act(ROOM, {"type": "undo"})
    assert told.slept == [3.0]
    assert told.said == ["busy: Redis is away", "found"]


def test_a_wait_beyond_all_patience_is_a_refusal() -> None:
    server, told = FakeServer(), Told()
    server.on["actions"] = [httpx.Response(429, headers={"Retry-After": "3600"}, json={"detail": "too many"})]
    with pytest.raises(Refused) as refused:
        api_of(server, told).act(ROOM, {"type": "undo"})
    assert refused.value.detail == "too many"
    assert told.slept == []


def test_without_any_answer_the_client_gives_up_in_the_end() -> None:
    server, told = FakeServer(), Told()
    server.on[ROOM] = [httpx.ConnectError("refused") for _ in range(9)]
    with pytest.raises(Away):
        api_of(server, told, patience_s=0).room(ROOM)


def test_pauses_grow_and_stay_bounded() -> None:
    server, told = FakeServer(), Told()
    server.on[ROOM] = [httpx.ConnectError("refused") for _ in range(9)]
    api_of(server, told).room(ROOM)
    assert told.slept == [0.25, 0.5, 1, 2, 4, 5, 5, 5, 5]


def test_a_refusal_carries_code_detail_and_the_room() -> None:
    server = FakeServer()
    server.on["actions"] = [problem(409, "stale_version", "the room is at 4", room=snapshot_json(version=4))]
    with pytest.raises(Refused) as refused:
        api_of(server, Told()).act(ROOM, {"type": "undo"})
    assert (refused.value.status, refused.value.code) == (409, "stale_version")
    assert refused.value.detail == "the room is at 4"
    assert refused.value.room is not None
    assert refused.value.room.version == 4


@pytest.mark.parametrize(
    "answer", [httpx.Response(404, text="<html>"), httpx.Response(301, headers={"Location": "https://test"})]
)
def test_an_answer_from_something_else_is_refused_by_its_status(answer: Answer) -> None:
    server = FakeServer()
    server.on[ROOM] = [answer]
    with pytest.raises(Refused):
        api_of(server, Told()).room(ROOM)


@pytest.mark.parametrize("text", ["", "<html>", "[]", "{}"])
def test_a_good_status_without_a_room_is_a_bad_answer(text: str) -> None:
    server = FakeServer()
    server.on[ROOM] = [httpx.Response(200, text=text)]
    with pytest.raises(BadAnswer):
        api_of(server, Told()).room(ROOM)


def test_the_token_travels_in_its_header_alone() -> None:
    server = FakeServer()
    api = api_of(server, Told())
    api.token = "s3cret"  # noqa: S105 - not a real one
    api.room(ROOM)
    assert server.requests[-1].headers["Authorization"] == "Bearer s3cret"
    assert "s3cret" not in str(server.requests[-1].url)


def test_a_room_id_cannot_leave_its_place_in_the_path() -> None:
    server = FakeServer()
    api_of(server, Told()).room("../games/diamond?x")
    assert server.requests[-1].url.raw_path == b"/v1/rooms/..%2Fgames%2Fdiamond%3Fx"


def test_a_poll_that_fails_is_followed_by_a_question_that_is_answered_at_once() -> None:
    server, told = FakeServer(), Told()
    server.on["poll"] = [httpx.ReadError("reset")]
    assert api_of(server, told).wait(ROOM, after=3).version == 3
    assert [request.url.query for request in server.requests] == [b""]
    assert told.said == ["found"], "one poll that ends is no trouble yet"
