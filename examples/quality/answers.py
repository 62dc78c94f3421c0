"""Answers on disk: for each model and way of asking a compressed file of JSON lines, so that a run can go on later."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

RESULTS = Path(__file__).parent / "results"


@dataclass(frozen=True)
class Answer:
    """What a model wrote for one text.

    case: name of the text.
    num_tokens: tokens written, in all attempts. num_prompt_tokens: tokens read.
    cpu_s: processor time, a share of that of the batch.
    """

    case: str
    text: str
    num_tokens: int
    num_prompt_tokens: int
    cpu_s: float


def answers_file(folder: Path, model: str, row: str) -> Path:
    """Where the answers of a model to one way of asking lie."""
    return folder / model / f"{row}.jsonl.gz"


def read_answers(path: Path) -> dict[str, Answer]:
    """The answers so far, by text. A later answer to a text replaces an earlier one."""
    if not path.exists():
        return {}
    lines = gzip.decompress(path.read_bytes()).decode().split("\n")[:-1]  # texts may hold other line ends
    return {one.case: one for one in (Answer(**json.loads(line)) for line in lines)}


def write_answers(path: Path, answers: Iterable[Answer]) -> None:
    """Write a file anew, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = "".join(json.dumps(asdict(one), ensure_ascii=False) + "\n" for one in answers)
    part = path.with_suffix(".part")
    part.write_bytes(gzip.compress(lines.encode(), mtime=0))
    part.replace(path)
