"""Nothing of a source text, or of what a grammar with sources wrote, outlives its grammar in a table of the process."""

from __future__ import annotations

import gc
import random
import string
import sys
import types
import weakref
from collections import deque
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from guided.grammars import all_of, compile_grammar
from guided.grammars.errors import NoCompletionError, UnsupportedSchemaError
from guided.grammars.json_schema import formula
from guided.grammars.protocol import CompiledGrammar
from guided.grammars.quotes import SourceText
from guided.grammars.styles import STYLES
from tests.fuzz.walks import VOCABULARY, allowed

QUOTE = {"type": "string", "x-quote": "text"}
_MOST_BYTES = 1 << 24  # of an array that is searched


def _object(value: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {"a": value}, "required": ["a"]}


SCHEMAS: dict[str, dict[str, Any]] = {
    "value": _object(QUOTE),
    "value and others": {**_object(QUOTE), "additionalProperties": {"type": "integer"}},
    "names": {"type": "object", "properties": {"a": {}}, "propertyNames": {"x-quote": "text"}},
    "names and values": {
        "type": "object",
        "propertyNames": {"x-quote": "text", "pattern": "o"},
        "additionalProperties": QUOTE,
    },
    "unique": _object({"type": "array", "items": QUOTE, "uniqueItems": True, "minItems": 2}),
    "unique arrays": {"type": "array", "items": {"type": "array", "items": QUOTE}, "uniqueItems": True, "minItems": 2},
    "pattern": _object({**QUOTE, "pattern": "o", "maxLength": 20}),
    "enum": _object({"allOf": [QUOTE, {"enum": ["fox", "zzz"]}]}),
    "or null": _object({"anyOf": [QUOTE, {"type": "null"}]}),
    "or other texts": _object({"anyOf": [QUOTE, {"type": "string", "maxLength": 3}]}),
    "contains": _object({"type": "array", "items": QUOTE, "contains": {"const": "fox"}}),
    "in an array": _object({"type": "array", "items": {"type": "object", "additionalProperties": QUOTE}}),
}


def forms(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The places where a schema with quotes may stand."""
    yield {"json_schema": schema}
    yield dict(all_of({"json_schema": schema}, banned_substrings=["\x7f"]))
    for style in (None, *STYLES):
        content = {"type": "json_schema", "json_schema": schema, **({} if style is None else {"style": style})}
        yield {"structural_tag": {"type": "structural_tag", "format": content}}


def test_no_word_of_a_source_stays() -> None:
    """One search for all grammars: it looks at every object that the package leads to, a million with torch."""
    quote = {"type": "quote", "source": "text"}
    tag = {"structural_tag": {"format": {"type": "tag", "begin": "<", "content": quote, "end": ">"}}}
    lark = {"ebnf": 'start: "a" %json ' + '{"type": "string", "x-quote": "text"}', "dialect": "lark"}
    formats = [tag, lark, dict(all_of(tag, {"regex": r"[\s\S]{0,60}"}))]
    rng = random.Random(1)
    word = "o" + "".join(rng.choices(string.ascii_lowercase, k=9))  # no other text of the process has it
    write_texts(formats, word, rng)
    for name, schema in SCHEMAS.items():
        write_texts(list(forms(schema)), word, random.Random(name))
    assert list(traces_of(word)) == []


def write_texts(grammars: list[dict[str, Any]], word: str, rng: random.Random) -> None:
    """Write texts of grammars with quotes of a source that contains a word. The source must end with its grammar."""
    num_grammars = 0
    for form in grammars:
        source = SourceText(f"ab {word} fox, {word}. ef {word}k 12")
        try:
            grammar = compile_grammar(VOCABULARY, sources={"text": source}, cache=None, **form)
        except UnsupportedSchemaError:
            continue
        for _ in range(3):
            write(grammar, rng)
        num_grammars += 1
        is_alive = weakref.ref(source)
        del grammar, source
        gc.collect()
        assert is_alive() is None, form
    assert num_grammars


def write(grammar: CompiledGrammar, rng: random.Random) -> None:
    """Write a text by a walk through the masks that often ends strings, and check the completion of its beginning."""
    matcher = grammar.matcher()
    for _ in range(rng.choice((5, 40, 80))):
        token_ids = allowed(matcher)
        printable = [token_id for token_id in token_ids if token_id < 128] or token_ids
        ends = [token_id for token_id in printable if chr(token_id) in '" ],:<>']
        if not printable or not matcher.accept_token(rng.choice(ends if ends and rng.random() < 0.5 else printable)):
            return
        if matcher.is_terminated():
            return
    try:
        completion = matcher.find_shortest_completion()
    except NoCompletionError:
        return
    for token_id in completion:
        assert matcher.accept_token(token_id), completion
    assert matcher.is_accepting()


def traces_of(word: str) -> Iterator[str]:
    """The ways from the modules of the package to objects that contain a word."""
    spelled = [word.encode(), word.encode("utf-32-le")]
    modules = [module for name, module in list(sys.modules.items()) if name.partition(".")[0] == "guided"]
    parents: dict[int, Any] = {id(module): None for module in modules}
    queue: deque[Any] = deque(modules)
    while queue:
        holder = queue.popleft()
        if type(holder) is types.FrameType:
            continue
        for held in gc.get_referents(holder):
            kind = type(held)  # `isinstance` asks some objects of libraries for their class, and they warn
            if id(held) in parents or (kind is types.ModuleType and not held.__name__.startswith("guided")):
                continue
            parents[id(held)] = holder
            if kind is str:
                is_found = word in held
            elif kind in (bytes, bytearray):
                is_found = spelled[0] in held
            else:
                queue.append(held)
                is_own = kind is np.ndarray and held.base is None and held.nbytes < _MOST_BYTES
                is_found = is_own and any(one in held.tobytes() for one in spelled)
            if is_found:
                way = []
                while held is not None:
                    way.append(getattr(held, "__name__", type(held).__name__))
                    held = parents[id(held)]
                yield " < ".join(way)


@pytest.mark.parametrize("style", STYLES)
def test_formulas_of_styles_are_freed_with_their_grammar(style: str) -> None:
    counts = []
    for number in range(3):
        items = {"type": "array", "items": {"enum": [f"x{number}", "y"]}}
        schema = {"type": "object", "properties": {"a": {"anyOf": [items, {"type": "object"}]}}}
        content = {"type": "json_schema", "json_schema": schema, "style": style}
        grammar = compile_grammar(VOCABULARY, structural_tag={"type": "structural_tag", "format": content}, cache=None)
        grammar.matcher().find_shortest_completion()
        del grammar
        gc.collect()
        counts.append(len(formula._interned))
    assert counts[1] == counts[2]
