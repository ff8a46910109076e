"""The port: taken at once, or one sentence on why not."""

from __future__ import annotations

import pytest

from mitsuboshi.local.failure import CannotStart
from mitsuboshi.local.listener import listen, local_url
from tests.processes import free_port


def test_a_free_port_is_taken() -> None:
    """Port and address are those asked for."""
    port = free_port()
    with listen("127.0.0.1", port) as listener:
        assert listener.getsockname() == ("127.0.0.1", port)


def test_a_port_in_use_is_named() -> None:
    """Two programs cannot listen on one port, not even one just started."""
    with listen("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        with pytest.raises(
            CannotStart, match=f"Port {port} on 127.0.0.1 is in use by another program: .*MITSUBOSHI_PORT"
        ):
            listen("127.0.0.1", port)


def test_a_host_of_nowhere_is_named() -> None:
    """A slip in the host is told as one."""
    with pytest.raises(CannotStart, match="MITSUBOSHI_HOST 'no such host' is no address of this machine"):
        listen("no such host", 8000)


def test_an_address_of_another_machine_is_named() -> None:
    """The sentence has the system's own reason."""
    with pytest.raises(CannotStart, match=r"Port 8000 on 192\.0\.2\.1 cannot be opened: "):
        listen("192.0.2.1", 8000)


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("127.0.0.1", "http://127.0.0.1:8000"),
        ("0.0.0.0", "http://127.0.0.1:8000"),  # noqa: S104 nothing is bound
        ("::", "http://[::1]:8000"),
        ("example.org", "http://example.org:8000"),
    ],
)
def test_the_url_for_this_machine_can_be_reached(host: str, url: str) -> None:
    """`every interface` is no address to connect to."""
    assert local_url(host, 8000) == url
