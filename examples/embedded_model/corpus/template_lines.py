"""The lines of `templates.py` and `training_templates.py`, read, and which of them are held out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from .templates import LABELS

HELD_OUT_EVERY = 6  # every 6th template is held out, and the last label of each field
HELD_OUT_OFFSET = 4
SLOT = re.compile(r"\{(\w+)\}")

_CONDITION = re.compile(r"(\w+)=(\w+): ")


@dataclass(frozen=True)
class Template:
    """One line of `templates.py`. condition: (field, value) that must hold, and is stated, or None."""

    pattern: str
    condition: tuple[str, str] | None

    @property
    def fields(self) -> frozenset[str]:
        """Every field that some expansion states."""
        slots = {name for name in SLOT.findall(self.pattern) if name in LABELS}
        return frozenset(slots | ({self.condition[0]} if self.condition else set()))


@cache
def load_templates(source: str, held_out: bool) -> tuple[Template, ...]:
    """The training part or the held-out part of a block of templates."""
    lines = [line for line in source.strip().splitlines() if line]
    chosen = [line for i, line in enumerate(lines) if (i % HELD_OUT_EVERY == HELD_OUT_OFFSET) == held_out]
    return tuple(_parse(line) for line in chosen)


@cache
def load_training_templates(source: str) -> tuple[Template, ...]:
    """All lines of a block that is for training alone."""
    return tuple(_parse(line) for line in source.strip().splitlines())


def _parse(line: str) -> Template:
    match = _CONDITION.match(line)
    if match is None:
        return Template(line, None)
    return Template(line[match.end() :], (match[1], match[2]))
