"""One schema of MaskBench's format on one engine: compile it, read its documents token by token, judge.

An instance is `{"id": ..., "schema": ..., "tests": [{"valid": true, "data": ...}, ...]}`. Times are of the processor,
in the thread that reads: the clock of a whole process is coarse where its time is limited.
"""

from __future__ import annotations

import gzip
import json
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from guided.grammars.json_schema.keyword_table import KEYWORDS

from .engines import Engine

Instance = dict[str, Any]
Row = dict[str, Any]
"""One line of results: `id`, `status`, `num_documents`, and what `judge` adds.

status: "pass"; "refused" when compiling, "failed" with an error while reading, "accepts_invalid", "rejects_valid" (the
worse one if both); "timeout" and "crash" come from `jsonschemabench`.
"""

_KNOWN_WORDS = frozenset(one.name for one in KEYWORDS) | frozenset(
    [
        "string",
        "number",
        "integer",
        "object",
        "array",
        "boolean",
        "null",
        "date",
        "time",
        "date-time",
        "email",
        "hostname",
        "ipv4",
        "ipv6",
        "uri",
        "regex",
    ]
)


def read_instances(source: Path) -> Iterator[Instance]:
    """The instances of a folder of JSON files, or of a file of JSON lines (`.gz` or not), in their order."""
    if source.is_dir():
        for path in sorted(source.glob("*.json")):
            yield {"id": path.stem, **json.loads(path.read_text(encoding="utf-8"))}
        return
    content = source.read_bytes()
    yield from map(json.loads, (gzip.decompress(content) if source.suffix == ".gz" else content).splitlines())


def judge(engine: Engine, tokenizer: Any, instance: Instance) -> Row:
    """Compile the schema and read all documents.

    compile_ms: to the first mask. num_tokens, mask_p50_us, mask_max_us: mask and commit of each token. whole_ms:
    compiling and the tokens of the valid documents. wrong: numbers of invalid documents accepted and valid ones
    rejected.
    """
    documents = [
        (tokenizer.encode(json.dumps(test["data"], ensure_ascii=False), add_special_tokens=False), test["valid"])
        for test in instance["tests"]
    ]
    engine.prepare_schema(instance["schema"])
    start = time.thread_time_ns()
    try:
        engine.compile()
    except BaseException as error:  # noqa: BLE001 - a panic of Rust is no Exception
        return {"id": instance["id"], "status": "refused", "reason": reason_of(error)}
    whole_ns = compile_ns = time.thread_time_ns() - start
    times: list[int] = []
    wrong = [0, 0]  # accepted though invalid, rejected though valid
    for token_ids, is_valid in documents:
        first = len(times)
        try:
            is_accepted = _read(engine, token_ids, times)
        except BaseException as error:  # noqa: BLE001 - as above
            return {"id": instance["id"], "status": "failed", "reason": reason_of(error)}
        whole_ns += sum(times[first:]) if is_valid else 0
        wrong[is_valid] += is_accepted != is_valid
    status = "accepts_invalid" if wrong[0] else "rejects_valid" if wrong[1] else "pass"
    row = {"id": instance["id"], "status": status, "compile_ms": compile_ns / 1e6, "num_tokens": len(times)}
    if times:
        row |= {
            "mask_p50_us": float(np.median(times)) / 1e3,
            "mask_max_us": max(times) / 1e3,
            "whole_ms": whole_ns / 1e6,
        }
    rounded = {key: float(f"{value:.3g}") if isinstance(value, float) else value for key, value in row.items()}
    return rounded | ({"wrong": wrong} if any(wrong) else {})


def _read(engine: Engine, token_ids: list[int], times: list[int]) -> bool:
    """True if the engine lets the whole text through and lets it end. Adds the time of each token."""
    step = engine.start()
    for token_id in token_ids:
        start = time.thread_time_ns()
        is_allowed = step(token_id)
        times.append(time.thread_time_ns() - start)
        if not is_allowed:
            return False
    return engine.is_complete()


def reason_of(error: BaseException) -> str:
    """Why an engine refuses, without texts of the schema: quoted words stay only if JSON Schema knows them."""
    keyword = getattr(error, "keyword", None)
    if keyword is not None:
        return f"{type(error).__name__}: {keyword if keyword in _KNOWN_WORDS else '...'}"
    line = str(error).strip().partition("\n")[0]
    line = re.sub(r"\[[^\[\]]*\]|\{.*\}?", lambda match: _keep(match[0]) or f"{match[0][0]}...", line)
    line = re.sub(r"\"(?:[^\"\\]|\\.)*\"|'[^']*'|`[^`]*`", lambda match: _keep(match[0]) or "...", line)
    line = re.sub(r"(#?/|https?:)\S+", "...", line)
    line = re.sub(r"\d+", "N", line)
    return f"{type(error).__name__}: {line[:70]}"


def _keep(quoted: str) -> str:
    """The text if all of its words are of JSON Schema; else empty."""
    words = re.findall(r"[^\s\"'`\[\]{},]+", quoted)
    return quoted if words and all(word in _KNOWN_WORDS for word in words) else ""
