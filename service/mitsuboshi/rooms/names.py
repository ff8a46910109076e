"""Names of people: what is accepted, how it is cleaned, and when two are the same."""

from __future__ import annotations

import unicodedata

from mitsuboshi.rooms.refused import Refused

NAME_MAX = 24
"""Length of a cleaned name in Unicode code points."""

# Control, format, surrogate, private-use and unassigned characters, line and paragraph separators: all can
# hide, reorder or break what is around them.
_REFUSED_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
# Letters, marks and symbols of other categories that show nothing: fillers, joiners, variation selectors.
_FILLERS = (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0)
_SELECTORS = (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))
_BLANKS = frozenset(map(chr, (*_FILLERS, *_SELECTORS)))
# Cyrillic, Armenian and Greek letters that small or capital look like Latin ones, over what they look like.
_LOOKALIKES = str.maketrans(
    "аеорсухіјѕһԁԛԝҽɡвнкмтαοερνικτυβζημχ",
    "aeopcyxijshdqwegbhkmtaoepviktubzhmx",
)


def clean_name(text: str) -> str:
    """The name trimmed, in NFC, its inner white space single; Refused where not safe to show."""
    if len(text) > 8 * NAME_MAX:
        raise Refused("invalid_body", f"a name has at most {NAME_MAX} characters", "name")
    name = unicodedata.normalize("NFC", text).strip()
    if any(map(_is_refused, name)):
        raise Refused("invalid_body", "a name holds no control or invisible characters", "name")
    name = " ".join(name.split())
    if not name:
        raise Refused("invalid_body", "a name holds at least one visible character", "name")
    if len(name) > NAME_MAX:
        raise Refused("invalid_body", f"a name has at most {NAME_MAX} characters", "name")
    return name


def _is_refused(character: str) -> bool:
    return character in _BLANKS or unicodedata.category(character) in _REFUSED_CATEGORIES


def folded(name: str) -> str:
    """The form under which two names count as the same: compatibility forms, case and look-alikes folded."""
    return unicodedata.normalize("NFKC", name).casefold().translate(_LOOKALIKES)
