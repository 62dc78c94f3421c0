"""Compile JSON Schema, regexes, choices, GBNF grammars and structural tags with xgrammar, an Earley parser in C++.

Use this backend for comparisons. `pip install guided-generation[backends]` installs xgrammar. xgrammar skips keywords
that it does not know, so the backend refuses them. docs/backends.md lists the schemas that xgrammar reads otherwise
than JSON Schema does.

The backend keeps xgrammar to the matchers' protocol. Tokens come from our vocabulary, byte for byte. xgrammar never
sees an end token. Special tokens have no text in xgrammar, so the backend refuses structural tags that name them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import xgrammar as xgr

from ..bitset import Bitmask, num_words
from ..ebnf import read_ebnf
from ..errors import GrammarError, UnsatisfiableError, UnsupportedGrammarError
from ..limits import Limits
from ..protocol import CompiledGrammar, ReportEntry
from ..spec import GrammarSpec
from ..structural_tags import read_structural_tag
from ..vocabulary import Vocabulary
from .base import GrammarBackend
from .schema_guard import SchemaGuard, refuse_quotes
from .stepping import SteppingMatcher, check_spells_all, per_vocabulary, text_row

_MAX_SPACES = 2  # most whitespace characters at one place with whitespace="flexible"
_WHITESPACE: dict[str, dict[str, Any]] = {
    "compact": {"any_whitespace": False, "separators": (",", ":")},
    "spaced": {"any_whitespace": False, "separators": (", ", ": ")},
    "flexible": {"any_whitespace": True, "max_whitespace_cnt": _MAX_SPACES},
}
_DIALECTS = ("gbnf", "xgrammar")
_LONG_ESCAPE = re.compile(r"\\x[0-9A-Fa-f]{3}")
_GUARD = SchemaGuard(
    "xgrammar",
    keywords=frozenset(
        (
            *("not", "if", "then", "else", "uniqueItems", "contains", "minContains", "maxContains", "multipleOf"),
            *("dependentRequired", "dependentSchemas", "dependencies", "oneOf", "propertyNames", "divisibleBy"),
            *("unevaluatedItems", "unevaluatedProperties", "extends", "disallow", "$dynamicRef", "$recursiveRef"),
        )
    ),
    formats=frozenset(("date", "time", "date-time", "ipv4")),
    has_local_refs_only=True,
    skips_beside_enum=True,
)


class XgrammarBackend(GrammarBackend):
    """Compiles grammars with `xgrammar.GrammarCompiler`, in the calling thread."""

    name = "xgrammar"
    kinds = frozenset({"json_schema", "regex", "choice", "ebnf", "structural_tag"})

    def compile(self, spec: GrammarSpec, vocabulary: Vocabulary, limits: Limits) -> CompiledGrammar:
        """Compile a grammar. Raises `GuidedError` subclasses for all that xgrammar can't enforce exactly."""
        check_spells_all(self.name, vocabulary)
        try:
            return XgrammarGrammar(spec, vocabulary, _compile(spec, vocabulary, limits))
        except RuntimeError as error:
            raise _to_grammar_error(error, spec.kind) from error


def _compile(spec: GrammarSpec, vocabulary: Vocabulary, limits: Limits) -> xgr.CompiledGrammar:
    compiler = _compiler(vocabulary)
    match spec.kind:
        case "json_schema":
            return _compile_schema(compiler, spec, limits)
        case "regex":
            return compiler.compile_regex(spec.source)
        case "choice":
            return compiler.compile_grammar(f"root ::= {' | '.join(map(_quote, json.loads(spec.source)))}")
        case "ebnf":
            if spec.dialect not in _DIALECTS:
                raise UnsupportedGrammarError(
                    f"xgrammar takes EBNF with dialect={' or '.join(map(repr, _DIALECTS))}, not {spec.dialect!r}; the "
                    "native backend takes every dialect"
                )
            read_ebnf(spec.source, spec.dialect, limits, vocabulary)  # raises errors with place and expectation
            if spec.dialect == "gbnf" and _LONG_ESCAPE.search(spec.source):
                raise UnsupportedGrammarError(r"xgrammar reads more than two digits after \x; write \u with four")
            return compiler.compile_grammar(spec.source)
        case "structural_tag":
            return compiler.compile_structural_tag(_structural_tag(json.loads(spec.source), vocabulary, limits))
        case "all_of":
            raise UnsupportedGrammarError("xgrammar takes one grammar at a time; the native backend takes several")


def _quote(string: str) -> str:
    """Write a string of GBNF, each character by its number."""
    return '"' + "".join(rf"\U{ord(char):08x}" for char in string) + '"'


def _compile_schema(compiler: xgr.GrammarCompiler, spec: GrammarSpec, limits: Limits) -> xgr.CompiledGrammar:
    if spec.whitespace not in _WHITESPACE:
        raise UnsupportedGrammarError(f"xgrammar takes whitespace={', '.join(map(repr, _WHITESPACE))}, no regex")
    _GUARD.read(spec, limits)
    return compiler.compile_json_schema(spec.source, strict_mode=False, **_WHITESPACE[spec.whitespace])


def _structural_tag(tag: dict[str, Any], vocabulary: Vocabulary, limits: Limits) -> str:
    """Rewrite a structural tag so that xgrammar reads it as this package does."""
    refuse_quotes("xgrammar", read_structural_tag(tag, vocabulary, limits))  # raises errors with pointers
    for name, token_id in vocabulary.special_tokens.items():
        if vocabulary.tokens[token_id] is None and any(name in string for string in _strings(tag)):
            raise UnsupportedGrammarError(f"xgrammar can't take the special token {name!r}; the native backend does")
    if "structures" in tag:
        tags = [
            {
                "type": "tag",
                "begin": item["begin"],
                "content": {"type": "json_schema", "json_schema": _plain(item["schema"])},
                "end": item["end"],
            }
            for item in tag["structures"]
        ]
        tag = {"format": {"type": "triggered_tags", "triggers": tag["triggers"], "tags": tags}}
    return json.dumps({"type": "structural_tag", "format": _format(tag["format"])})


def _check_overlaps(value: dict[str, Any]) -> None:
    """Raise UnsupportedGrammarError when xgrammar would let free text run past a string that should end it."""
    ends = [end for end in _strings(value.get("end")) if end]
    for end in ends:
        if any(end.startswith(other[start:]) for other in ends for start in range(1, len(other))):
            raise UnsupportedGrammarError(f"xgrammar does not stop free text where an end like {end!r} first begins")
    rules = value.get("rules", ()) if value.get("type") == "dispatch" else ()
    triggers = [*value.get("triggers", ()), *[pattern for pattern, _ in rules]]
    for trigger in triggers:
        if any(trigger in other[1:-1] for other in triggers):
            raise UnsupportedGrammarError(f"xgrammar overlooks the trigger {trigger!r}, which is inside another")


def _plain(schema: Any) -> Any:
    return json.loads(schema) if isinstance(schema, str) else schema


def _strings(value: Any) -> Iterator[str]:
    """Yield all strings in a structural tag outside schemas, patterns and grammars."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)
    elif isinstance(value, dict):
        for name, item in value.items():
            if name not in ("json_schema", "schema", "pattern", "grammar", "type"):
                yield from _strings(item)


def _format(value: Any) -> Any:
    """Bound the whitespace in a format. Raises UnsupportedGrammarError for formats that xgrammar reads otherwise."""
    if isinstance(value, list):
        return [_format(item) for item in value]
    if not isinstance(value, dict):
        return value
    _check_overlaps(value)
    if value.get("type") == "json_schema":
        if value.get("any_order"):
            raise UnsupportedGrammarError("xgrammar does not check required keys in any order; leave any_order out")
        schema = _plain(value["json_schema"])
        _GUARD.check(schema)
        return {"max_whitespace_cnt": _MAX_SPACES, **value, "json_schema": schema}
    return {name: _format(item) for name, item in value.items()}


@per_vocabulary
def _compiler(vocabulary: Vocabulary) -> xgr.GrammarCompiler:
    """Return xgrammar's compiler for a vocabulary, with its cache off."""
    info = xgr.TokenizerInfo(
        [token or b"" for token in vocabulary.tokens],
        xgr.VocabType.RAW,
        vocab_size=vocabulary.size,
        stop_token_ids=sorted(vocabulary.eos_token_ids),
    )
    return xgr.GrammarCompiler(info, max_threads=1, cache_enabled=False)


def _to_grammar_error(error: RuntimeError, kind: str) -> GrammarError:
    """Translate xgrammar's error, without the place in xgrammar's source."""
    message = str(error).strip().rpartition(" is false: ")[2].partition("] ")
    text = message[2].partition(": ")[2] if message[2] else message[0]
    if "cannot accept any value" in text or "Invalid range" in text or "Unsatisfiable" in text:
        return UnsatisfiableError(f"nothing satisfies this {kind}: {text}")
    return GrammarError(f"xgrammar does not take this {kind}: {text}")


class XgrammarGrammar(CompiledGrammar):
    """A grammar that xgrammar compiled."""

    def __init__(self, spec: GrammarSpec, vocabulary: Vocabulary, compiled: xgr.CompiledGrammar) -> None:
        super().__init__(spec, vocabulary, (ReportEntry("", spec.kind, "as xgrammar reads it"),))
        self._compiled = compiled

    @property
    def num_bytes(self) -> int:
        """Return the size that xgrammar reports."""
        return int(self._compiled.memory_size_bytes)

    def matcher(self) -> XgrammarMatcher:
        """Return a new matcher at the start of a text."""
        return XgrammarMatcher(self, xgr.GrammarMatcher(self._compiled))


class XgrammarMatcher(SteppingMatcher):
    """Matches one text with a matcher of xgrammar's."""

    def __init__(self, grammar: XgrammarGrammar, state: xgr.GrammarMatcher) -> None:
        super().__init__(grammar.vocabulary)
        self._grammar = grammar
        self._state = state

    def _token_row(self) -> Bitmask:
        rows = np.full((1, num_words(self._vocabulary.size)), -1, dtype=np.int32)
        self._state.fill_next_token_bitmask(rows)
        row: Bitmask = rows[0] & text_row(self._vocabulary)
        return row

    def _step(self, token_id: int) -> bool:
        return bool(self._state.accept_token(token_id))

    def _step_back(self, num_tokens: int) -> None:
        self._state.rollback(num_tokens)

    def _is_complete(self) -> bool:
        return bool(self._state.is_completed())

    def _copy(self) -> XgrammarMatcher:
        return XgrammarMatcher(self._grammar, self._state.fork())

    def _restart(self) -> None:
        self._state.reset()

    def _forced_bytes(self, max_bytes: int | None) -> bytes:
        return self._state.find_jump_forward_string().encode()[:max_bytes]
