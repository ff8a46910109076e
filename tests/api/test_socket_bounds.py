"""How much a socket takes, and what is left behind when it ends: nothing."""

from __future__ import annotations

import time
from contextlib import ExitStack, suppress

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect as connect_socket

from mitsuboshi.api.connections import PER_TOKEN_MAX
from mitsuboshi.api.socket import FRAME_BYTES_MAX, MESSAGES_BURST
from tests.processes import Service
from tests.rest import Guest, Json, create, refused
from tests.sockets import Wire, address, hello, new_id, raw, wired
from tests.streams import no_stream, pair


def test_a_token_has_so_many_connections_and_no_more(http: httpx.Client) -> None:
    """One more is refused, and takes nothing from the others; one that ends makes room."""
    red, _ = pair(http)
    with ExitStack() as stack:
        wires = [stack.enter_context(wired(red)) for _ in range(PER_TOKEN_MAX)]
        for wire in wires:
            wire.receive()
        with wired(red) as ninth:
            assert ninth.close_code() == 1008
            assert ninth.events == []
        refused(no_stream(red), 429, "too_many_connections", "connections_per_token")
        with wired(red.stranger()) as stranger:
            assert stranger.receive()["type"] == "snapshot"
        version = wires[0].did("move", move="6-26")
        for wire in wires[1:]:
            wire.event(version)
        wires[0].connection.close()
        red.wait_for(lambda _: opens(red), "room for another connection")


def opens(guest: Guest) -> bool:
    """Whether the guest may open a socket now."""
    with wired(guest) as wire:
        return wire.begins_or_is_closed() != 1008


def test_both_connections_of_a_token_live(http: httpx.Client) -> None:
    """None replaces another, and neither is ever closed for the other's sake."""
    red, _ = pair(http)
    with wired(red) as one:
        one.receive()
        with wired(red) as two:
            two.receive()
            version = one.did("move", move="6-26")
            assert two.event(version)["move"] == "6-26"
        assert one.did("rename", name="Aya") == version + 1


def test_too_many_messages_close_it(http: httpx.Client) -> None:
    """A burst is allowed, a flood is not; each of the burst is answered."""
    red, _ = pair(http)
    with wired(red) as wire:
        wire.receive()
        with suppress(ConnectionClosed):
            for number in range(2 * MESSAGES_BURST):
                wire.send({"type": "pass", "id": f"{number:020}"})
        assert wire.close_code() == 1008
    assert red.see()["ply"] == 0


@pytest.mark.parametrize("first", [True, False], ids=["the hello", "an action"])
def test_a_frame_that_is_too_large_closes_it(http: httpx.Client, first: bool) -> None:
    """Before it is read as anything; the largest that is allowed is read."""
    red, _ = pair(http)
    with raw(red) as wire:
        if not first:
            wire.send(hello(red))
            wire.receive()
            largest = '{"type": "pass", "id": "0123456789abcdef"'.ljust(FRAME_BYTES_MAX - 1) + "}"
            wire.send(largest)
            assert wire.told("refused")["id"] == "0123456789abcdef"
        wire.send("{" + " " * FRAME_BYTES_MAX + "}")
        assert wire.close_code() == 1009


def test_nothing_is_served_where_there_is_no_socket(http: httpx.Client) -> None:
    """The handshake itself fails."""
    guest = create(http)
    for path in ("/v1/rooms", guest.path, "/v1/sockets", f"{guest.path}/socket/more"):
        url = address(guest).replace(f"{guest.path}/socket", path)
        with pytest.raises(Exception, match="HTTP"), connect_socket(url):
            pass
    assert http.get(f"{guest.path}/socket").status_code in (404, 405, 426)


def test_no_token_is_in_anything_that_a_socket_says(http: httpx.Client) -> None:
    """Neither the own one nor another's, in a snapshot, an event or a refusal."""
    red, yellow = pair(http, name="Aya")
    with wired(red) as one, wired(red.stranger()) as two:
        said: list[Json] = [one.receive(), two.receive()]
        one.did("move", move="6-26")
        said += [
            one.ask("move", new_id(), move="6-26"),
            one.ask("start", new_id()),
            two.ask("start", new_id()),
        ]
        yellow.did("leave")
        one.told("game_ended")
        two.told("game_ended")
    text = str([*said, *one.events, *two.events])
    for token in (red.token, yellow.token):
        assert token is not None
        assert token not in text
        assert token.partition(".")[0] not in text
        assert token.partition(".")[2] not in text


def present(guest: Guest) -> dict[str, bool]:
    """Whether each seat's person is there."""
    return {seat["seat"]: seat["present"] for seat in guest.see()["seats"]}


def test_who_has_a_socket_open_is_present_and_nobody_flickers(
    http: httpx.Client, other: httpx.Client
) -> None:
    """At both processes, much longer than one request would last; a second socket's end changes nothing."""
    red, yellow = pair(http)
    with wired(yellow.at(other)) as wire:
        wire.receive()
        with wired(yellow) as second:
            second.receive()
        seen = set()
        deadline = time.monotonic() + 8
        while time.monotonic() < deadline:
            seen.add((present(red)["yellow"], present(red.at(other))["yellow"]))
            time.sleep(0.1)
        assert seen == {(True, True)}
    assert {event["type"] for event in wire.events} == {"snapshot"}
    red.wait_for(lambda room: not room["seats"][1]["present"], "yellow's absence")


def test_a_socket_that_broke_off_is_no_event(http: httpx.Client) -> None:
    """Its end by the network is told to nobody: presence alone shows it."""
    red, yellow = pair(http)
    with wired(red) as watcher:
        watcher.receive()
        with raw(yellow) as wire:
            wire.send(hello(yellow))
            wire.receive()
            wire.connection.socket.shutdown(2)
        assert watcher.silent()
        version = watcher.did("move", move="6-26")
        with wired(yellow, after=version - 1) as again:
            assert again.receive()["version"] == version


def test_wires_end_without_a_word_in_the_log(running: Service, http: httpx.Client) -> None:
    """Clients vanish in every way while they are told things; nothing of it is an error."""
    red, yellow = pair(http)
    for number in range(20):
        wires: list[Wire] = []
        with ExitStack() as stack:
            wires = [stack.enter_context(wired(guest)) for guest in (red, yellow, red.stranger())]
            for wire in wires:
                if number % 2:
                    wire.receive()
                wire.connection.socket.shutdown(number % 3)
            red.did("rename", name=f"Aya {number}")
    red.wait_for(lambda _: opens(red), "all ended")
    logs = running.logs()
    for word in ("Traceback", "[error", "ERROR", "Exception in ASGI", "Task exception", "never retrieved"):
        assert word not in logs, logs[logs.index(word) - 500 : logs.index(word) + 3000]
