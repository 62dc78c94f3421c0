"""`plain_text`: replaces unusual line ends and spaces of a text by usual ones. Positions never refer to its result."""

from __future__ import annotations

_LINE_ENDS = "\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
_SPACES = "\x1f\xa0\u1680\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
_UNSEEN = "\u00ad\u200b\u2060\ufeff"  # soft hyphen, zero width space, word joiner, byte order mark
_REPLACEMENTS = str.maketrans(
    dict.fromkeys(_LINE_ENDS, "\n") | dict.fromkeys(_SPACES, " ") | dict.fromkeys(_UNSEEN, "")
)


def plain_text(text: str) -> str:
    """The text as small models read it best: line ends become "\\n", spaces except tabs become " ", invisible marks are
    removed.

    Invisible marks are soft hyphens, zero width spaces, word joiners and byte order marks. A model trained without
    these characters reads "Oslo.\\r\\nDelivery" as one word.
    """
    return text.replace("\r\n", "\n").translate(_REPLACEMENTS)
