"""The Diamond Game (ダイヤモンドゲーム · 钻石跳棋): the star-board race for two or three."""

from mitsuboshi.games.diamond.game import DIAMOND

__all__ = ["DIAMOND"]
