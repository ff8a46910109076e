"""The terminal, or a pipe in its place: whole messages, and a prompt that no other message tears."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import TextIO

from mitsuboshi_play.boards.board import ASCII, DISCS, DOTS, Glyphs
from mitsuboshi_play.paint import Line, Span, ansi, plain


class Screen:
    """Writes to ``out``; ``prompts`` is false where nobody reads them, as in a pipe."""

    def __init__(self, out: TextIO, colour: bool, prompts: bool) -> None:
        self._out = out
        self._colour = colour
        self._prompts = prompts
        self._prompt = ""
        self._lock = threading.Lock()

    def show(self, lines: Iterable[Line]) -> None:
        """Print the lines; a prompt that stood there is printed again below them."""
        text = "".join(f"{ansi(line) if self._colour else plain(line)}\n" for line in lines)
        with self._lock:
            self._write(("\n" if self._prompt else "") + text + self._prompt)

    def say(self, text: str) -> None:
        """Print one message of one or more lines."""
        self.show([[Span(line)] for line in text.split("\n")])

    def ask(self, prompt: str) -> None:
        """Print the prompt and keep it until ``typed``."""
        with self._lock:
            if self._prompts and prompt != self._prompt:
                self._write(("\n" if self._prompt else "") + prompt)
                self._prompt = prompt

    def typed(self) -> None:
        """The prompt has its answer."""
        with self._lock:
            self._prompt = ""

    def end_prompt(self) -> None:
        """Leave a prompt that got no answer, so that what follows begins a line."""
        with self._lock:
            if self._prompt:
                self._write("\n")
            self._prompt = ""

    def _write(self, text: str) -> None:
        self._out.write(text)
        self._out.flush()


def glyphs_for(out: TextIO, colour: bool, ascii_only: bool) -> Glyphs:
    """Discs where colours tell the seats apart, else letters; ASCII where the output holds nothing else."""
    wanted = DISCS if colour else DOTS
    try:
        "●★·◎○∘⊗…".encode(out.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return ASCII
    return ASCII if ascii_only else wanted
