"""Events and turns as they lie in Redis: msgpack, deflated with a dictionary of what nearly all of them hold.

Each is short, so without the dictionary there would be little to gain; with it, one takes half. Its first
byte is the dictionary's number, which begins no map and no array: what is not deflated is read as it is.
"""

from __future__ import annotations

import zlib

from mitsuboshi.host.ports import Unreadable

WINDOW_BITS, MEMORY_LEVEL = -11, 4
"""No header, a window that reaches over the dictionary, and little memory to clear for each value."""
_NUMBER = b"\x01"
# Names of fields and kinds, positions of all games: what is matched most often stands last. It must stay
# as it is: a better one is another, with the next number.
_DICTIONARY = (
    b"\xacroom_created\xaaseat_taken\xacgame_started\xa5seats\xa4kind\xa6person\xa4name\xa5level\xa4ope"
    b"n\xa2ai\xa7renamed\xa6passed\xa6undone\xa5plies\xaalast_moves\xa5offer\xaaoffer_made\xaeoffer_ans"
    b"wered\xadclock_expired\xabseat_absent\xb0seat_substituted\xadseat_returned\xadrematch_voted\xa6ac"
    b"cept\xaagame_ended\xa6result\xa6winner\xa6reason\xa6points\xa4goal\xabresignation\xa4left\xabturn"
    b"_due_ms\xa8fallbackW:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12 XGID=-b----"
    b"E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:101/2/3/4/8yyY2/5r2y1y1/4rry4/5y2yy/2yy1rr2/1y1ry5/3Ryr2r2/"
    b"7r4/3y1rrrr4/r3/3/2/1 r 2 62 01/2/3/4/1g1G4y1yyY/1ggggg1yyyy1/3gr1ry1y1/gg1gr2y2/1ry1gg3/1y3g4/4y"
    b"rg4/4ryr5/5rrrr4/2r1/1r1/1r/R y 3 103 01/2/3/1r2/4rrg2Y3/5yg1yy2/1g2rr1y3/Gg1gyrg1y1/y1yrgggg1/2g"
    b"1yry3/3yyy2g2/2y1r2gg3/6rr5/Rr1r/r2/2/1 y 3 70 01/r1/rrr/2rr/4rrrrr4/4r1rrR3/11/10/1yy6/yy8/y1y8/"
    b"yyyy8/1yyyyY7/4/3/2/1 y 2 7 01/2/rr1/2r1/3Grrr6/7y4/4r1gy3/2rrr2y1Y/2yygr1g1/yy1grg2g1/1yy1yygg1g"
    b"1/3ygg4g1/2y1y1rg2g2/2rR/3/2/1 g 3 41 01/2/3/4/10yyY/6r1yyyy/6y2yy/6y1yy/3y1r3/6y3/5r5/7r4/5rrr5/"
    b"r1r1/rrr/rr/R y 2 119 0\x8a\xa4type\xabmove_played\xa4seat\xa6yellow\xa4move\xa598-47\xa7details"
    b"\x83\xa4path\x92\x1a\x18\xa5jumps\x01\xa4rows\x02\xa2id\xa0\xa7version\x00\xa5at_ms\xcf\x00\x00"
    b"\x01\xa2\xa7to_move\xa3red\xa3ply\xa6yellow\xa5green"
)


def packed(data: bytes) -> bytes:
    """The value, in about half of its size."""
    deflate = zlib.compressobj(
        zlib.Z_DEFAULT_COMPRESSION,
        zlib.DEFLATED,
        WINDOW_BITS,
        MEMORY_LEVEL,
        zlib.Z_DEFAULT_STRATEGY,
        _DICTIONARY,
    )
    return _NUMBER + deflate.compress(data) + deflate.flush()


def unpacked(data: bytes) -> bytes:
    """The value as it was before it was packed, if it was; Unreadable if not with our dictionary."""
    if not data.startswith(_NUMBER):
        return data
    inflate = zlib.decompressobj(WINDOW_BITS, _DICTIONARY)
    try:
        return inflate.decompress(data[1:])
    except zlib.error as fault:
        raise Unreadable(f"what is stored cannot be unpacked: {fault}") from fault
