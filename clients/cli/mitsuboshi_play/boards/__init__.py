"""What differs from game to game in a terminal: the board's picture, the names of its places, its words."""
