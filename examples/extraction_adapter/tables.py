"""Tasks on wide tables: several columns hold alike values, and a task asks for some of them.

A table may have a total below it, lines of remarks, its head a second time, or cells that run into each other.
"""

from __future__ import annotations

import random
import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from .layouts import OPEN, Layout, Row

SHAPES = ["bars", "bars", "padded bars", "separated", "separated", "aligned", "aligned", "spaced", "pairs"]
TOTALS = "Total|Sum|Mean / Summe|Mittel / Total|Moyenne / Total|Media"
REMARKS = """
# units as in the head|(no entries after midnight)|checked twice|* see the back|-- end of list --|source: own count
 / # Einheiten siehe Kopf|(Rest folgt)|zweimal geprüft|-- Ende der Liste --
 / # unités : voir titre|(suite plus tard)|vérifié deux fois|-- fin de liste --
 / # unidades en el título|(sigue más tarde)|revisado dos veces|-- fin de lista --"""
DECOY_SHARE = 0.3  # of the tables: each kind of line that is no item


@cache
def themes() -> dict[str, Any]:
    """What tables are about, in the form of the kinds of documents."""
    return tomllib.loads(Path(__file__).with_name("columns.toml").read_text(encoding="utf-8"))


def random_theme(rng: random.Random) -> tuple[str, dict[str, Any]]:
    """A theme with 3 to 9 of its columns, mostly in their order, and its name."""
    name = rng.choice([*themes()])
    theme = themes()[name]
    known = theme["items"]["columns"]
    chosen = rng.sample([*known], min(len(known), rng.randint(3, 9)))
    if rng.random() < 0.7:
        chosen = [column for column in known if column in chosen]
    return name, {**theme, "items": {**theme["items"], "columns": {column: known[column] for column in chosen}}}


class TableLayout(Layout):
    """A document whose list is a table."""

    def _rows(self, items: dict[str, Any], rows: Sequence[Row]) -> str:
        names = [*rows[0]]
        labels = [self._one_of(items["columns"][name]["label"]) for name in names]
        empty = self.rng.choice(["", "", "-", "n/a"])
        cells = [[empty if row[name] is None else self._mark(row[name]) for name in names] for row in rows]
        shape = self.rng.choice(SHAPES)
        if shape == "spaced" and not all(cell for line in cells for cell in line):
            shape = "separated"
        if self._happens():
            cells.append([self._one_of(TOTALS), *self._sums(rows, names)])
        lines = self._lines(shape, labels, cells)
        if self._happens() and shape not in ("bars", "padded bars") and len(lines) > 4:
            lines.insert(len(lines) // 2 + 1, lines[0] if shape != "pairs" else "")
        if self._happens():
            lines.insert(self.rng.choice([0, len(lines)]), self._one_of(REMARKS))
        return "\n".join(lines)

    def _happens(self) -> bool:
        return self.rng.random() < DECOY_SHARE

    def _sums(self, rows: Sequence[Row], names: Sequence[str]) -> list[str]:
        """A sum below each column of numbers but the first column."""
        found = []
        for name in names[1:]:
            data = [value.data for row in rows if (value := row[name]) is not None]
            is_number = bool(data) and all(isinstance(one, int | float) and not isinstance(one, bool) for one in data)
            found.append(self.values._written(f"{sum(data):.2f}".rstrip("0").rstrip(".")) if is_number else "")
        return found

    def _lines(self, shape: str, labels: list[str], cells: list[list[str]]) -> list[str]:
        lines = [labels, *cells]
        if shape in ("bars", "padded bars"):
            widths = [max(map(_width, column)) if shape != "bars" else 0 for column in zip(*lines, strict=True)]
            texts = ["| " + " | ".join(map(_padded, line, widths)) + " |" for line in lines]
            return [texts[0], "|" + "|".join("-" * (width + 2 or 3) for width in widths) + "|", *texts[1:]]
        if shape == "aligned":
            widths = [max(map(_width, column)) + 2 for column in zip(*lines, strict=True)]
            is_right = self.rng.random() < 0.5
            return [
                "".join(_padded(*one, is_right=is_right) for one in zip(line, widths, strict=True)).rstrip()
                for line in lines
            ]
        if shape == "pairs":
            joint = self.rng.choice(["; ", ", ", " "])
            told = [[f"{label}={cell}" for label, cell in zip(labels, line, strict=True) if cell] for line in cells]
            return [joint.join(line) for line in told]
        marks = [";", "\t", "|", " | ", *([] if self.values.comma else [","])]
        mark = " " if shape == "spaced" else self.rng.choice(marks)
        return [mark.join(f'"{cell}"' if mark.strip() and mark in cell else cell for cell in line) for line in lines]


def _width(cell: str) -> int:
    return len(cell) - 2 * (OPEN in cell)


def _padded(cell: str, width: int, *, is_right: bool = False) -> str:
    spaces = " " * (width - _width(cell))
    return spaces + cell if is_right else cell + spaces
