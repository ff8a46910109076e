"""What a program says when it cannot start."""

from __future__ import annotations


class CannotStart(Exception):
    """A program cannot start or go on; the message is one sentence for a person, with what to do about it."""
