"""Names of people: what is accepted, how it is cleaned, and when two are the same."""

from __future__ import annotations

import unicodedata

from mitsuboshi.rooms.refused import Refused

NAME_MAX = 24
"""Length of a cleaned name in Unicode code points."""

# Control, format, surrogate, private-use and unassigned characters, line and paragraph separators: all can
# hide, reorder or break what is around them.
_REFUSED_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
# Cyrillic, Armenian and Greek letters that are taken for Latin ones, over what they look like.
_LOOKALIKES = str.maketrans(
    "аеорсухіјѕһԁԛԝҽɡαοερνικτυ",
    "aeopcyxijshdqwegaoepviktu",
)


def clean_name(text: str) -> str:
    """The name trimmed, in NFC, its inner white space single; Refused where not safe to show."""
    if len(text) > 8 * NAME_MAX:
        raise Refused("invalid_body", f"a name has at most {NAME_MAX} characters", "name")
    name = unicodedata.normalize("NFC", text).strip()
    if any(unicodedata.category(character) in _REFUSED_CATEGORIES for character in name):
        raise Refused("invalid_body", "a name holds no control or invisible characters", "name")
    name = " ".join(name.split())
    if not name:
        raise Refused("invalid_body", "a name holds at least one visible character", "name")
    if len(name) > NAME_MAX:
        raise Refused("invalid_body", f"a name has at most {NAME_MAX} characters", "name")
    return name


def folded(name: str) -> str:
    """The form under which two names count as the same: compatibility forms, case and look-alikes folded."""
    return unicodedata.normalize("NFKC", name).casefold().translate(_LOOKALIKES)
