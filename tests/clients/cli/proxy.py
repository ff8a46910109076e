"""A TCP proxy between the client and a server, for what networks do to requests and answers."""

from __future__ import annotations

import contextlib
import socket
import threading
from urllib.parse import urlsplit

CHUNK_BYTES = 65536
REST_S = 0.3
"""How long after its last piece a dropped answer counts as whole."""


class Proxy:
    """Passes bytes both ways to ``target``; ``drops`` and ``holds`` name requests by bytes that they contain.

    A dropped request reaches the server, whose answer is then thrown away with the connection; each entry of
    ``drops`` works once. A held request never reaches it, for as long as its entry stands.
    """

    def __init__(self, target: str) -> None:
        self.target = target
        self.drops: list[bytes] = []
        self.dropped: list[bytes] = []
        """The pieces of the answers that were thrown away."""
        self.holds: list[bytes] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        """Take no more connections."""
        self._listener.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        address = urlsplit(self.target)
        with client, contextlib.suppress(OSError):
            server = socket.create_connection((address.hostname, address.port))
            with server:
                dropped = threading.Event()
                threading.Thread(target=self._answers, args=(server, client, dropped), daemon=True).start()
                self._requests(client, server, dropped)

    def _requests(self, client: socket.socket, server: socket.socket, dropped: threading.Event) -> None:
        while chunk := client.recv(CHUNK_BYTES):
            drop = next((entry for entry in self.drops if entry in chunk), None)
            if drop is not None:
                self.drops.remove(drop)
                dropped.set()
            if not any(entry in chunk for entry in self.holds):
                server.sendall(chunk)

    def _answers(self, server: socket.socket, client: socket.socket, dropped: threading.Event) -> None:
        with contextlib.suppress(OSError):
            while chunk := server.recv(CHUNK_BYTES):
                if dropped.is_set():
                    self.dropped.append(chunk)
                    server.settimeout(REST_S)
                else:
                    client.sendall(chunk)
        with contextlib.suppress(OSError):
            client.shutdown(socket.SHUT_RDWR)
