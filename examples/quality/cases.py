"""The texts of the measurement with their answers, and which half of them is held out from all tuning.

Two sets: "short", the 200 realistic texts of the embedded model's test, with flat answers; "documents", 60 documents in
`documents/`, five of a kind, most of them with nested answers. In a file of documents each begins with a line
`=== Type`, and its answer follows the line's `---`.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from examples.embedded_model.corpus.documents import Document
from examples.embedded_model.corpus.tasks import Task
from examples.embedded_model.evaluate import leaves, read_tasks
from guided.schemas.python_types import to_json_schema

from .types import TYPES

DOCUMENTS = Path(__file__).parent / "documents"
SHORT_TEXTS = Path(__file__).parents[2] / "tests" / "cases" / "realistic_texts.jsonl"
Half = Literal["tuning", "held-out"]
_BEGIN = re.compile(r"^=== (\w+)\n", re.MULTILINE)


@dataclass(frozen=True)
class Case:
    """A text with its type and its answer. name: of the set and the text, such as "documents/german-3"."""

    name: str
    half: Half
    task: Task


def read_cases(name: str) -> list[Case]:
    """All texts of a set. Every second one, the second, the fourth and so on, is held out."""
    if name == "short":
        named = [(str(i), task) for i, task in enumerate(read_tasks(SHORT_TEXTS), start=1)]
    else:
        named = [one for path in sorted(DOCUMENTS.glob("*.txt")) for one in _documents(path)]
    halves: tuple[Half, Half] = ("tuning", "held-out")
    return [Case(f"{name}/{label}", halves[i % 2], task) for i, (label, task) in enumerate(named)]


def _documents(path: Path) -> list[tuple[str, Task]]:
    _, *parts = _BEGIN.split(path.read_text(encoding="utf-8"))
    return [
        (f"{path.stem}-{i}", _task(kind, content))
        for i, (kind, content) in enumerate(zip(parts[::2], parts[1::2], strict=True), start=1)
    ]


def _task(kind: str, content: str) -> Task:
    text, _, answer = content.rpartition("\n--- ")
    schema = to_json_schema(TYPES[kind])
    assert isinstance(schema, dict)
    fields = {path: path for path in leaves(json.loads(answer))}
    return Task([{"role": "user", "content": text}], schema, answer.strip(), fields, Document(kind, text, {}))
