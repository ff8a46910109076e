"""HTTP as uvicorn speaks it, with a bound for a request's head, of which its parser would keep any amount."""

from __future__ import annotations

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEAD_BYTES_MAX = 65_536


class TooLong(Exception):
    """The head goes beyond the bound; the parser takes it for bad HTTP: the answer is 400."""


class BoundedHeads(HttpToolsProtocol):
    """Answers 400, and hangs up, where a request's line and headers are longer than that."""

    _in_head = True
    _received = 0
    """Bytes since the head began, as they come: of a header that never ends, nothing else is seen."""
    _parsed = 0
    """Bytes of the head's parts that are complete."""

    def data_received(self, data: bytes) -> None:
        """Feed the parser, unless too much has come already."""
        if self._in_head:
            self._received += len(data)
        super().data_received(data)
        if self._in_head and self._received > HEAD_BYTES_MAX and not self.transport.is_closing():
            self.send_400_response(f"The head of a request has at most {HEAD_BYTES_MAX} bytes.")

    def on_message_begin(self) -> None:
        """A head begins."""
        self._in_head, self._parsed = True, 0
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        """A part of the path."""
        self._count(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """One header, complete."""
        self._count(len(name) + len(value))
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """What comes now is the body, which has a bound of its own."""
        self._in_head, self._received = False, 0
        super().on_headers_complete()

    def _count(self, size: int) -> None:
        self._parsed += size
        if self._parsed > HEAD_BYTES_MAX:
            raise TooLong
