"""The cost of a grammar itself: compiling it, and masks and commits along given texts, for several backends."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.table import Table

from guided.grammars.bitset import allocate_bitmask
from guided.grammars.errors import GuidedError, InvalidInputError
from guided.grammars.protocol import CompiledGrammar
from guided.grammars.vocabulary import Vocabulary

from ..compile import compile_grammar


@dataclass(frozen=True)
class MaskResult:
    """The result of one backend.

    compile_ms: milliseconds until the first mask.
    first_us, again_us: mean time in microseconds for a token's mask and commit, when texts are read for the first and
        for the second time.
    num_tokens: tokens of the texts.
    problem: why there are no figures; None if there are.
    """

    backend: str
    compile_ms: float = 0.0
    first_us: float = 0.0
    again_us: float = 0.0
    num_tokens: int = 0
    problem: str | None = None


def measure_masks(
    backend: str,
    vocabulary: Vocabulary,
    grammar: Mapping[str, Any],
    texts: Sequence[Sequence[int]],
    rounds: Iterable[Any],
) -> MaskResult:
    """Measure one backend; the result has the medians of several rounds. If the backend refuses the grammar, the result
    has the problem.

    grammar: arguments of `guided.compile_grammar`.
    texts: token ids of texts that the grammar allows.
    rounds: one round is measured for each item.
    """
    try:
        results = [_measure(backend, vocabulary, grammar, texts) for _ in rounds]
    except GuidedError as error:
        return MaskResult(backend, problem=str(error).splitlines()[0])
    names = ("compile_ms", "first_us", "again_us")
    medians = {name: statistics.median(getattr(one, name) for one in results) for name in names}
    return MaskResult(backend, num_tokens=results[0].num_tokens, **medians)


def _measure(
    backend: str, vocabulary: Vocabulary, grammar: Mapping[str, Any], texts: Sequence[Sequence[int]]
) -> MaskResult:
    bitmask = allocate_bitmask(1, vocabulary.size)
    start = time.perf_counter()
    compiled = compile_grammar(vocabulary, **grammar, backend=backend, cache=None)
    compiled.matcher().fill_bitmask(bitmask)
    compile_ms = 1e3 * (time.perf_counter() - start)
    num_tokens = sum(map(len, texts))
    first_us, again_us = (1e6 * _read(compiled, texts) / max(num_tokens, 1) for _ in range(2))
    return MaskResult(backend, compile_ms, first_us, again_us, num_tokens)


def _read(compiled: CompiledGrammar, texts: Sequence[Sequence[int]]) -> float:
    """Seconds for the mask and the commit of every token. Raises InvalidInputError if a token is not allowed."""
    bitmask = allocate_bitmask(1, compiled.vocabulary.size)
    start = time.perf_counter()
    for token_ids in texts:
        matcher = compiled.matcher()
        for token_id in token_ids:
            matcher.fill_bitmask(bitmask)
            if not matcher.accept_token(token_id):
                raise InvalidInputError(f"refuses token {token_id} of a text that was written under the grammar")
    return time.perf_counter() - start


def mask_table(results: Sequence[MaskResult]) -> Table:
    """A table with a row for each backend."""
    table = Table("backend", "compile +\nfirst mask, ms", "mask +\ncommit, us", "again,\nus", "tokens")
    for one in results:
        if one.problem is not None:
            table.add_row(one.backend, one.problem)
        else:
            numbers = (f"{one.compile_ms:.2f}", f"{one.first_us:.1f}", f"{one.again_us:.1f}")
            table.add_row(one.backend, *numbers, str(one.num_tokens))
    return table
