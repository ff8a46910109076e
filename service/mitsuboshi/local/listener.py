"""Takes the port that a program listens on, before anything else is started."""

from __future__ import annotations

import errno
import socket

from mitsuboshi.local.failure import CannotStart

BACKLOG = 1024
UNSENT_BYTES_MAX = 65_536
"""How much the system takes for a peer that does not read; what is on its way does not count."""
STALLED_MS = 60_000
"""How long what was sent may wait for a peer that takes nothing; then its connection is dropped."""


def listen(host: str, port: int) -> socket.socket:
    """A listening socket on the first address of ``host``; CannotStart says why there is none."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (socket.gaierror, UnicodeError) as error:
        raise CannotStart(f"MITSUBOSHI_HOST {host!r} is no address of this machine: {error}.") from error
    listener = socket.socket(family, kind, protocol)
    try:
        # A port whose last user has just ended is free; one with a listener on it is not.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        _bound_slow_peers(listener)
        listener.bind(address)
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        raise CannotStart(_sentence(host, port, error)) from error
    return listener


def _bound_slow_peers(listener: socket.socket) -> None:
    """What connections inherit: a peer that never reads holds none for ever, nor fills much memory."""
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, STALLED_MS)
    if hasattr(socket, "TCP_NOTSENT_LOWAT"):
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, UNSENT_BYTES_MAX)


def local_url(host: str, port: int) -> str:
    """The address at which this machine itself reaches a listener on ``host``."""
    reached = {"0.0.0.0": "127.0.0.1", "": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 not bound here
    return f"http://[{reached}]:{port}" if ":" in reached else f"http://{reached}:{port}"


def _sentence(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return (
            f"Port {port} on {host} is in use by another program: end that one, or choose a port by "
            "MITSUBOSHI_PORT."
        )
    if error.errno == errno.EACCES:
        return f"Port {port} may not be opened by this user: choose one from 1024 on by MITSUBOSHI_PORT."
    return f"Port {port} on {host} cannot be opened: {error.strerror}."
