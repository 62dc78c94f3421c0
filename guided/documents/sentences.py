"""Finds the ends of sentences, by Unicode's Annex 29 (TR29, section 5).

The rules depend on no language and know no abbreviations: "Mr. Holm" is split into two sentences. Therefore pieces that
are cut at sentences overlap.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import regex

# Names are those of the annex. Extend and Format after a character belong to that character (SB5).
_REST = r"[\p{SB=Extend}\p{SB=Format}]*+"
_PARA_SEP = r"(?:\r\n|[\p{SB=Sep}\p{SB=CR}\p{SB=LF}])"
_LETTER = r"[\p{SB=Upper}\p{SB=Lower}]"
_NOT_SB8 = r"[^\p{SB=OLetter}\p{SB=Upper}\p{SB=Lower}\p{SB=Sep}\p{SB=CR}\p{SB=LF}\p{SB=STerm}\p{SB=ATerm}]"
_PATTERN = rf"""
    (?: (?: \p{{SB=ATerm}} {_REST}
            (?! \p{{SB=Numeric}} )                                                           # SB6
            (?! (?<= {_LETTER} [\p{{SB=Extend}}\p{{SB=Format}}]* \p{{SB=ATerm}} [\p{{SB=Extend}}\p{{SB=Format}}]* )
                \p{{SB=Upper}} )                                                             # SB7
            (?: \p{{SB=Close}} {_REST} )*+ (?: \p{{SB=Sp}} {_REST} )*+
            (?! {_NOT_SB8}*+ \p{{SB=Lower}} )                                                # SB8
        |   \p{{SB=STerm}} {_REST} (?: \p{{SB=Close}} {_REST} )*+ (?: \p{{SB=Sp}} {_REST} )*+
        )
        (?! [\p{{SB=SContinue}}\p{{SB=STerm}}\p{{SB=ATerm}}] )                               # SB8a
        {_PARA_SEP}?                                                                         # SB9 to SB11
    |   {_PARA_SEP}                                                                          # SB4
    )
"""


@cache
def _ends() -> regex.Pattern[str]:
    return regex.compile(_PATTERN, regex.VERBOSE | regex.VERSION1)


def sentence_ends(text: str) -> Iterator[int]:
    """The positions after sentences, in order; the last one is the text's length."""
    end = 0
    for match in _ends().finditer(text):
        end = match.end()
        yield end
    if end < len(text):
        yield len(text)
