"""Backgammon for two: single games, without a doubling cube."""

from mitsuboshi.games.backgammon.game import BACKGAMMON

__all__ = ["BACKGAMMON"]
