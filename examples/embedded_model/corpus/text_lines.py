"""The lines of the texts in `texts.zip` (`scenes.py` says how to read them), which are held out, and their words."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from zipfile import ZipFile

TEXTS = Path(__file__).with_name("texts.zip")
HELD_OUT_EVERY = 30  # every 30th line of a kind is held out
HELD_OUT_OFFSET = 4
LANGUAGES = ("en", "de", "fr")

_SLOT = re.compile(r"\{[^{}]*\}|<\w+:")
_WORD = re.compile(r"[^\W\d_]{4,}")


@cache
def read_table(name: str) -> str:
    """A file of the texts: `en.tsv`, `de.tsv`, `fr.tsv`, `entries.tsv` or `talk.txt`."""
    with ZipFile(TEXTS) as archive:
        return archive.read(name).decode("utf-8")


@cache
def read_lines(language: str) -> dict[str, list[str]]:
    """Kind of text -> its lines."""
    lines: dict[str, list[str]] = {}
    for line in read_table(f"{language}.tsv").splitlines():
        kind, text = line.split("\t")
        lines.setdefault(kind, []).append(text)
    return lines


@cache
def scene_lines(language: str, kind: str, held_out: bool) -> list[str]:
    """The lines of a kind that training uses, or those held out."""
    lines = read_lines(language)[kind]
    return [line for i, line in enumerate(lines) if (i % HELD_OUT_EVERY == HELD_OUT_OFFSET) == held_out]


@cache
def training_words() -> frozenset[str]:
    """Every word of four letters or more in the lines that training uses, in lower case."""
    lines = (
        line for language in LANGUAGES for kind in read_lines(language) for line in scene_lines(language, kind, False)
    )
    return frozenset(word.lower() for line in lines for word in _WORD.findall(_SLOT.sub(" ", line)))
