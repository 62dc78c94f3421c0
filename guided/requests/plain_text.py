"""`plain_text`: a text with the line ends and spaces that models know. Places in the text are never told in it."""

from __future__ import annotations

_LINE_ENDS = "\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
_SPACES = "\x1f\xa0\u1680\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
_UNSEEN = "\u00ad\u200b\u2060\ufeff"  # soft hyphen, zero width space, word joiner, byte order mark
_REPLACEMENTS = str.maketrans(
    dict.fromkeys(_LINE_ENDS, "\n") | dict.fromkeys(_SPACES, " ") | dict.fromkeys(_UNSEEN, "")
)


def plain_text(text: str) -> str:
    """The text as small models read it best: each line end is "\\n", each space but the tab is " ", unseen marks go.

    Unseen marks are soft hyphens, zero width spaces, word joiners and byte order marks. A model that was trained
    without all these reads "Oslo.\\r\\nDelivery" as one word.
    """
    return text.replace("\r\n", "\n").translate(_REPLACEMENTS)
