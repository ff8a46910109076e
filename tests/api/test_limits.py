"""What guards the service: rates, the API key, origins, headers; and who is taken for whom behind a proxy."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator

import httpx
import pytest

from mitsuboshi.api.limits import BURST_S
from tests.conftest import ServiceFactory
from tests.processes import Service
from tests.rest import Guest, connect, create, ok, problem_of, refused, send
from tests.sockets import wired

TOKEN_S, ADDRESS_S = 3, 5
API_KEY = "the-key-of-this-service"
ORIGIN = "https://games.example"
HEADERS = "authorization,content-type,idempotency-key,if-match,if-none-match,last-event-id,x-api-key"
ADDRESSES = itertools.count(1)
CREATION = {"game": "diamond"}


@pytest.fixture(scope="module")
def limited(service: ServiceFactory) -> Service:
    """Behind a proxy of this machine, with room for a few requests of each."""
    return service(
        apis=1,
        workers=0,
        MITSUBOSHI_REQUESTS_PER_TOKEN_S=str(TOKEN_S),
        MITSUBOSHI_REQUESTS_PER_ADDRESS_S=str(ADDRESS_S),
        MITSUBOSHI_TRUSTED_PROXIES="127.0.0.1",
    )


@pytest.fixture
def client(limited: Service) -> Iterator[httpx.Client]:
    """A client with an address of its own."""
    with connect(limited.urls[0]) as http:
        http.headers["X-Forwarded-For"] = new_address()
        yield http


def new_address() -> str:
    """An address that nobody else comes from."""
    return f"198.51.100.{next(ADDRESSES)}"


@pytest.fixture(scope="module")
def guarded(service: ServiceFactory) -> Iterator[httpx.Client]:
    """A client of a service with a key and a friendly origin, which trusts no proxy."""
    running = service(
        apis=1,
        workers=0,
        MITSUBOSHI_API_KEY=API_KEY,
        MITSUBOSHI_CORS_ORIGINS=f"{ORIGIN},https://other.example",
        MITSUBOSHI_REQUESTS_PER_ADDRESS_S="40",
    )
    with connect(running.urls[0]) as http:
        yield http


def burst(http: httpx.Client, path: str, most: int, token: str | None = None) -> list[httpx.Response]:
    """The answers to requests one after the other, up to the first that is one too many."""
    answers = []
    while len(answers) < most:
        answers.append(send(http, "GET", path, token))
        if answers[-1].status_code == 429:
            break
    return answers


@pytest.mark.parametrize(
    "path", ["/v1/games", "/v1/rooms", "/v1/rooms/nowhere000000000", "/v1/games/diamond"]
)
def test_an_address_has_so_many_requests_a_second(client: httpx.Client, path: str) -> None:
    """A burst at first; then it is told which limit it was, and when to come again."""
    answers = burst(client, path, 20 * ADDRESS_S)
    document = refused(answers[-1], 429, "too_many_requests", "requests_per_address")
    assert str(ADDRESS_S) in document["detail"]
    assert len(answers) > BURST_S * ADDRESS_S
    assert answers[-1].headers["retry-after"] == "1"
    assert "www-authenticate" not in answers[-1].headers
    assert {answer.status_code for answer in answers[:-1]} <= {200, 404}


def test_who_waits_as_told_is_served_again(client: httpx.Client) -> None:
    """And others never had to wait."""
    refused(burst(client, "/v1/games", 100)[-1], 429, "too_many_requests", "requests_per_address")
    assert client.get("/v1/games", headers={"X-Forwarded-For": new_address()}).status_code == 200
    told = time.monotonic()
    while client.get("/v1/games").status_code == 429:
        assert time.monotonic() < told + 2
        time.sleep(0.05)


def test_a_token_has_so_many_requests_a_second(client: httpx.Client) -> None:
    """From whichever address it is sent; another token is another."""
    ann = create(client)
    answers = []
    while len(answers) < 100 and (not answers or answers[-1].status_code != 429):
        client.headers["X-Forwarded-For"] = new_address()
        answers.append(ann.get())
    refused(answers[-1], 429, "too_many_requests", "requests_per_token")
    assert BURST_S * TOKEN_S < len(answers) + 1 < 20 * TOKEN_S
    refused(ann.act("rename", name="Ann"), 429, "too_many_requests", "requests_per_token")
    assert create(client).get().status_code == 200
    assert ann.stranger().get().status_code == 200


def test_a_refused_request_changes_nothing(client: httpx.Client) -> None:
    """It was not even looked at."""
    ann = create(client)
    while ann.get().status_code != 429:
        client.headers["X-Forwarded-For"] = new_address()
    refused(ann.act("rename", name="Ann"), 429, "too_many_requests", "requests_per_token")
    assert ann.stranger().see()["seats"][0]["name"] is None


def test_a_new_socket_is_a_request_too(client: httpx.Client) -> None:
    """Of its address and of its token; it is closed with the code for too much."""
    ann = create(client)
    address = {"X-Forwarded-For": new_address()}
    codes = []
    for _ in range(100):
        with wired(ann.stranger(), additional_headers=address) as wire:
            codes.append(wire.begins_or_is_closed())
        if codes[-1] is not None:
            break
    assert codes[-1] == 1008
    assert len(codes) > BURST_S * ADDRESS_S
    codes = []
    for _ in range(100):
        with wired(ann, additional_headers={"X-Forwarded-For": new_address()}) as wire:
            codes.append(wire.begins_or_is_closed())
        if codes[-1] is not None:
            break
    assert codes[-1] == 1008


def test_only_a_trusted_proxy_says_where_a_request_comes_from(
    client: httpx.Client, guarded: httpx.Client
) -> None:
    """Of a chain the last address that is no proxy's; from anybody else the header is nothing."""
    for _ in range(100):
        chain = f"{new_address()}, 203.0.113.7"
        answer = client.get("/v1/games", headers={"X-Forwarded-For": chain})
    refused(answer, 429, "too_many_requests", "requests_per_address")
    statuses = set()
    for _ in range(40 * BURST_S + 200):
        answer = guarded.get("/v1/games", headers={"X-Forwarded-For": new_address()})
        statuses.add(answer.status_code)
        if answer.status_code == 429:
            break
    assert statuses == {200, 429}
    wait_for_calm(guarded)


def wait_for_calm(http: httpx.Client) -> None:
    """Return once the client may ask a good deal again."""
    deadline = time.monotonic() + 20
    calm = 0
    while calm < 20:
        assert time.monotonic() < deadline
        calm = calm + 1 if http.get("/v1/games").status_code == 200 else 0
        time.sleep(0.05)


def test_creating_rooms_needs_the_key_where_there_is_one(guarded: httpx.Client) -> None:
    """Nothing else does; and the key is never said back."""
    for headers in (
        {},
        {"X-API-Key": ""},
        {"X-API-Key": API_KEY[:-1]},
        {"Authorization": f"Bearer {API_KEY}"},
    ):
        answer = send(guarded, "POST", "/v1/rooms", json=CREATION, headers=headers)
        document = problem_of(answer)
        assert (document["status"], document["code"]) in ((401, "no_api_key"), (401, "unknown_token"))
        assert API_KEY not in answer.text
    strange = {"X-API-Key": b"\xff\xfe" + API_KEY.encode()}
    refused(guarded.post("/v1/rooms", json=CREATION, headers=strange), 401, "no_api_key")
    made = ok(send(guarded, "POST", "/v1/rooms", json=CREATION, headers={"X-API-Key": API_KEY}), 201)
    room = Guest(guarded, made["room"]["id"], made["token"])
    joined = ok(send(guarded, "POST", f"{room.path}/seats", json={}), 201)
    assert room.move("6-26")["ply"] == 1
    assert Guest(guarded, room.room, joined["token"]).see()["you"] == ["yellow"]
    assert guarded.get("/v1/rooms").status_code == 200
    with wired(room) as wire:
        assert wire.receive()["type"] == "snapshot"


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
def test_a_friendly_origin_may_ask(guarded: httpx.Client, method: str) -> None:
    """With the headers that the API knows, before and in the request itself."""
    asked = {
        "Origin": ORIGIN,
        "Access-Control-Request-Method": method,
        "Access-Control-Request-Headers": HEADERS,
    }
    before = guarded.options("/v1/rooms/some-room-or-other", headers=asked)
    assert before.status_code in (200, 204)
    assert before.headers["access-control-allow-origin"] == ORIGIN
    assert method in before.headers["access-control-allow-methods"]
    allowed = before.headers["access-control-allow-headers"].lower()
    assert all(name in allowed for name in HEADERS.split(","))
    assert "access-control-allow-credentials" not in before.headers
    answer = guarded.get("/v1/games", headers={"Origin": ORIGIN})
    assert answer.headers["access-control-allow-origin"] == ORIGIN
    assert "etag" in answer.headers["access-control-expose-headers"].lower()
    assert "Origin" in answer.headers["vary"]
    fault = guarded.get("/v1/rooms/nowhere000000000", headers={"Origin": ORIGIN})
    assert (fault.status_code, fault.headers["access-control-allow-origin"]) == (404, ORIGIN)


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", f"{ORIGIN}.evil.example", "http://games.example"]
)
def test_a_strange_origin_may_not(guarded: httpx.Client, client: httpx.Client, origin: str) -> None:
    """Nor any at all where the service names none."""
    asked = {"Origin": origin, "Access-Control-Request-Method": "GET"}
    for http, headers in ((guarded, asked), (client, asked), (client, asked | {"Origin": ORIGIN})):
        assert "access-control-allow-origin" not in http.options("/v1/games", headers=headers).headers
        assert "access-control-allow-origin" not in http.get("/v1/games", headers=headers).headers


@pytest.mark.parametrize("path", ["/v1/games", "/v1/rooms/nowhere000000000", "/", "/nowhere", "/health/live"])
def test_every_answer_guards_browsers(http: httpx.Client, path: str) -> None:
    """No guessing of types, no frames around it, no address passed on; and no word about the server."""
    headers = http.get(path).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "no-referrer"
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert "server" not in headers
