"""Who is there, as the others see it, over REST alone."""

from __future__ import annotations

import httpx

from tests.conftest import ServiceFactory
from tests.rest import connect, create, join


def test_a_refused_request_shows_that_its_sender_is_there(service: ServiceFactory) -> None:
    """As does any other: absence is silence, not bad luck."""
    url = service(workers=0, MITSUBOSHI_PRESENCE_S="5").urls[0]
    with connect(url) as http:
        _a_refused_request_shows(http)


def _a_refused_request_shows(http: httpx.Client) -> None:
    red = create(http, seats={"red": "me", "yellow": "open"}, absence={"then": "wait"})
    yellow = join(red)
    red.wait_for(lambda room: not room["seats"][1]["present"], "yellow is not there")
    assert yellow.act("move", move="6-26").status_code == 409
    assert red.see()["seats"][1]["present"]
