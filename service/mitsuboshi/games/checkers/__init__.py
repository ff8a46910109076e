"""American checkers (English draughts): men, kings and compulsory captures on 32 squares."""

from mitsuboshi.games.checkers.game import CHECKERS

__all__ = ["CHECKERS"]
