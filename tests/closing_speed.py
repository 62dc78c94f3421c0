"""What closing adds to a row's step in the plug-ins: `python -m tests.closing_speed --rounds 15`.

Two kinds of texts of two schemas are replayed. Documents have the tokens that the plug-in forces and the model's
tokenizer makes; their budget is far or near. Random texts are drawn under a budget of 8 to 38 tokens more than the
shortest text, which excludes tokens in a third of the steps; the seed is fixed. Times are processor time of a row's
mask and its token, in microseconds: medians of the rounds, with the budgets in turns. The states are warm. Needs
SmolLM2 in the cache: `guided model smollm2`.
"""

from __future__ import annotations

import argparse
import json
import statistics
from functools import cache
from random import Random
from time import thread_time_ns
from typing import Any

from transformers import AutoTokenizer

from guided.grammar_state.speller import TokenSpeller
from guided.grammars import CompiledGrammar, Vocabulary, allocate_bitmask, compile_grammar
from guided.grammars.bitset import allowed_token_ids
from guided.integrations.common.text_state import TextState
from guided.models.find import NamedModel

from .engines.bars import COMPLEX, SIMPLE

FAR = 1024
MORE = 8  # tokens of a near budget beyond the document's own
MORE_THAN_SHORTEST = range(8, 39, 6)  # the same of random texts, beyond those of the shortest text


@cache
def tokenizer() -> Any:
    """SmolLM2's."""
    return AutoTokenizer.from_pretrained(NamedModel("smollm2").found(dtype="float32").name)


def documents() -> dict[str, tuple[dict[str, Any], list[Any]]]:
    """Name -> a schema and documents of it."""
    home = {"street": "12 Long Street, behind the church", "zip": "90210"}
    simple = [{"name": f"Ann-Marie Müller {i}", "age": 30 + i, "city": "New York, in the state"} for i in range(6)]
    items = [{"sku": f"ab12c{i}", "count": i + 1, "price": 9.5 * i + 1, "tags": ["new", "sale"][:i]} for i in range(3)]
    complex_ = [
        {
            "id": f"AB-{12345 + i}",
            "kind": ["order", "offer", "invoice"][i % 3],
            "customer": {"name": f"John {i} Smith", "home": home, **({"work": home} if i % 2 else {})},
            "items": items[: i % 3 + 1],
            "paid": bool(i % 2),
            "note": None if i % 3 else "please deliver on Monday before noon",
        }
        for i in range(6)
    ]
    return {"simple": (SIMPLE, simple), "complex": (COMPLEX, complex_)}


def token_ids_of(grammar: CompiledGrammar, speller: TokenSpeller, document: Any) -> list[int]:
    """A document's tokens: those that the plug-in forces, and the tokenizer's elsewhere."""
    state, found = TextState(grammar, speller), list[int]()
    text = json.dumps(document, separators=(",", ":"), ensure_ascii=False)
    while text:
        forced = state.forced_token(None)
        token_id = tokenizer().encode(text, add_special_tokens=False)[0] if forced is None else forced
        state.take(token_id)
        found.append(token_id)
        text = text[len((grammar.vocabulary.tokens[token_id] or b"").decode()) :]
    return found


def random_text(grammar: CompiledGrammar, speller: TokenSpeller, budget: int, seed: int) -> list[int]:
    """A text's tokens before its end token, each drawn evenly among those that the mask allows within the budget."""
    state, random, found = TextState(grammar, speller, closes=True), Random(seed), list[int]()
    rows = allocate_bitmask(1, grammar.vocabulary.size)
    while True:
        state.fill(rows, 0, len(found), budget - len(found))
        token_id = random.choice(allowed_token_ids(rows[0], grammar.vocabulary.size).tolist())
        state.take(token_id)
        if state.is_ended:
            return found
        found.append(token_id)


def replay(grammar: CompiledGrammar, speller: TokenSpeller, token_ids: list[int], budget: int | None) -> int:
    """Processor time of all masks and tokens, nanoseconds. budget: None: without closing."""
    state = TextState(grammar, speller, closes=budget is not None)
    rows = allocate_bitmask(1, grammar.vocabulary.size)
    total = 0
    for position, token_id in enumerate(token_ids):
        start = thread_time_ns()
        state.fill(rows, 0, position, (budget or FAR) - position)
        state.take(token_id)
        total += thread_time_ns() - start
    return total


def measure(name: str, rounds: int) -> dict[str, Any]:
    """The figures of one schema."""
    vocabulary = Vocabulary.from_tokenizer(tokenizer())
    schema, texts = documents()[name]
    grammar = compile_grammar(vocabulary, json_schema=schema, values="canonical", whitespace="compact")
    speller = TokenSpeller(tokenizer(), vocabulary)
    written = [token_ids_of(grammar, speller, text) for text in texts]
    budgets = [grammar.min_tokens + more for more in MORE_THAN_SHORTEST]
    random = [random_text(grammar, speller, budget, seed) for seed, budget in enumerate(budgets)]
    cases: dict[str, list[tuple[list[int], int | None]]] = {
        "without": [(text, None) for text in written],
        "far": [(text, FAR) for text in written],
        "near": [(text, len(text) + MORE) for text in written],
        "random, without": [(text, None) for text in random],
        "random, near the shortest": list(zip(random, budgets, strict=True)),
    }
    found: dict[str, list[float]] = {kind: [] for kind in cases}
    for turn in range(rounds + 2):
        for kind, each in cases.items():
            spent = sum(replay(grammar, speller, *case) for case in each)
            if turn > 1:  # the first rounds meet new states
                found[kind].append(spent / sum(len(text) for text, _ in each) / 1e3)
    return {"schema": name} | {kind: round(statistics.median(times), 1) for kind, times in found.items()}


def main() -> None:
    """Measure both schemas, and print a JSON line for each."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=15)
    arguments = parser.parse_args()
    for name in documents():
        print(json.dumps(measure(name, arguments.rounds)), flush=True)


if __name__ == "__main__":
    main()
