"""Texts of two or three parties. Each has an address, a mail or a phone of its own, or lacks it.

What one party has, another one may lack, so that null stands beside values of the same kind.
"""

from __future__ import annotations

import random
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from .layouts import Layout
from .values import Value

TITLES = "Note for the file|Two addresses|About the handover|Message / Notiz|Übergabe / Note|Remise / Nota|Entrega"


@cache
def parties() -> dict[str, Any]:
    """texts: labels of the parties of a text, by role; details: what it may say of one."""
    return tomllib.loads(Path(__file__).with_name("parties.toml").read_text(encoding="utf-8"))


def random_parties(rng: random.Random) -> tuple[str, dict[str, Any]]:
    """A kind of text in the form of kinds.toml, with a group of fields for each party and some of the details."""
    roles = [*rng.choice(parties()["texts"]).items()]
    if rng.random() < 0.5:
        rng.shuffle(roles)
    details = {name: spec for name, spec in parties()["details"].items() if name == "name" or rng.random() < 0.55}
    fields = {f"{role}.{name}": {**spec, "label": labels} for role, labels in roles for name, spec in details.items()}
    return "contacts", {"titles": TITLES, "fields": fields}


class PartyLayout(Layout):
    """Writes each party in a block, a line or a sentence. Other parts of the text are as those of other documents."""

    def _fields(self, told: Sequence[tuple[dict[str, Any], Value | None]]) -> str:
        parties: dict[str, list[tuple[dict[str, Any], Value]]] = {}
        for spec, value in told:
            if value is not None:
                parties.setdefault(spec["label"], []).append((spec, value))
        shape = self.rng.choice(["block", "block", "line", "line", "sentence", "table"])
        if shape == "table":
            return self._table(parties)
        joint = self.rng.choice([", ", ", ", " | ", "; ", " - "])
        return self.rng.choice(["\n", "\n\n"]).join(
            self._party(shape, joint, self._one_of(labels), facts) for labels, facts in parties.items()
        )

    def _party(self, shape: str, joint: str, label: str, facts: list[tuple[dict[str, Any], Value]]) -> str:
        words = [self._one_of(spec["says"]).replace("{}", self._mark(value)) for spec, value in facts]
        if shape == "block":
            return "\n".join([f"{label}:", *words])
        if shape == "line":
            return f"{label}: {joint.join(words)}"
        return f"{label}: {words[0]} ({', '.join(words[1:])})." if len(words) > 1 else f"{label}: {words[0]}."

    def _table(self, parties: Mapping[str, list[tuple[dict[str, Any], Value]]]) -> str:
        """A line for each party, a column for each detail."""
        columns = dict.fromkeys(spec["as"].split()[0] for facts in parties.values() for spec, _ in facts)
        lines = [["", *columns], ["---"] * (1 + len(columns))]
        for labels, facts in parties.items():
            known = {spec["as"].split()[0]: self._mark(value) for spec, value in facts}
            lines.append([self._one_of(labels), *(known.get(column, "") for column in columns)])
        return "\n".join("| " + " | ".join(line) + " |" for line in lines)
