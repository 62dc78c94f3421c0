"""`compile_grammar`: its arguments, and backends by name."""

from __future__ import annotations

from typing import Any

import pytest

import guided.grammars
from guided.grammars.backends import registry
from guided.grammars.backends.base import GrammarBackend
from guided.grammars.compile import compile_grammar
from guided.grammars.errors import (
    GuidedError,
    InvalidInputError,
    InvalidRegexError,
    LimitExceededError,
    UnknownBackendError,
    UnsatisfiableError,
    UnsupportedGrammarError,
)
from guided.grammars.limits import Limits
from guided.grammars.protocol import CompiledGrammar
from guided.grammars.spec import GrammarSpec
from guided.grammars.vocabulary import Vocabulary
from tests.grammars.vocabularies import byte_vocabulary, matches, vocabulary_of

VOCABULARY = byte_vocabulary()


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({}, "exactly one grammar"),
        ({"json_schema": {}, "regex": "a"}, "exactly one grammar"),
        ({"regex": b"a"}, "regex is a bytes"),
        ({"regex": "a", "whitespace": "compact"}, "json_schema only"),
        ({"regex": "a", "property_order": "any"}, "json_schema only"),
        ({"json_schema": {"type": "null"}, "property_order": "sorted"}, "expected one of schema, any"),
        ({"json_schema": {"type": "null"}, "whitespace": "none"}, "whitespace"),
    ],
)
def test_wrong_arguments(arguments: dict[str, Any], reason: str) -> None:
    with pytest.raises(InvalidInputError, match=reason):
        compile_grammar(VOCABULARY, **arguments)


def test_wrong_vocabulary() -> None:
    with pytest.raises(InvalidInputError, match=r"vocabulary is a list; make one with Vocabulary\.from_tokenizer"):
        compile_grammar([], regex="a")  # type: ignore[arg-type]
    with pytest.raises(InvalidInputError, match="no end-of-sequence token"):
        compile_grammar(Vocabulary([b"a"], []), regex="a")


def test_property_order_any_is_refused_by_name() -> None:
    with pytest.raises(UnsupportedGrammarError, match="schema order only"):
        compile_grammar(VOCABULARY, json_schema={"type": "null"}, property_order="any", backend="outlines_core")


def test_regex_errors_show_the_place() -> None:
    with pytest.raises(InvalidRegexError) as caught:
        compile_grammar(VOCABULARY, regex="ab(c")
    assert str(caught.value).endswith("(at offset 2)\n  ab(c\n    ^")
    with pytest.raises(UnsatisfiableError):
        compile_grammar(VOCABULARY, regex="ab(?=c)")


def test_regex_size_limit() -> None:
    with pytest.raises(LimitExceededError, match="max_regex_bytes = 9 bytes"):
        compile_grammar(VOCABULARY, regex="é" * 5, limits=Limits(max_regex_bytes=9))


def test_deep_grammars_compile_up_to_the_default_limit() -> None:
    schema: dict[str, Any] = {"type": "null"}
    text = "null"
    for _ in range(63):
        schema = {"type": "object", "properties": {"a": schema}}
        text = f'{{"a":{text}}}'
    assert matches(compile_grammar(VOCABULARY, json_schema=schema).matcher(), text)


def test_a_short_python_stack_is_a_typed_error() -> None:
    def deeper(levels: int) -> None:
        if levels:
            deeper(levels - 1)
        else:
            compile_grammar(VOCABULARY, regex="(" * 35 + "a" + ")" * 35)

    with pytest.raises(LimitExceededError, match="Python stack"):
        deeper(_levels_left() - 100)


def _levels_left() -> int:
    import inspect
    import sys

    return sys.getrecursionlimit() - len(inspect.stack(0))


def test_schema_given_as_text_keeps_its_key_order() -> None:
    text = '{"type": "object", "properties": {"b": {"type": "null"}, "a": {"type": "null"}}, "required": ["b", "a"]}'
    grammar = compile_grammar(VOCABULARY, json_schema=text)
    assert matches(grammar.matcher(), '{"b": null, "a": null}')
    assert not matches(grammar.matcher(), '{"a": null, "b": null}')
    assert grammar.spec.kind == "json_schema"
    assert grammar.vocabulary is VOCABULARY


class ConstantBackend(GrammarBackend):
    """Takes only regexes, and answers with one grammar."""

    name = "constant"
    kinds = frozenset({"regex"})

    def __init__(self, grammar: CompiledGrammar) -> None:
        self.grammar = grammar

    def compile(self, spec: GrammarSpec, vocabulary: Vocabulary, limits: Limits) -> CompiledGrammar:
        return self.grammar


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The backend above under the name "constant"; the list grows when it is loaded."""
    monkeypatch.setattr(registry, "_loaders", dict(registry._loaders))
    monkeypatch.setattr(registry, "_loaded", dict(registry._loaded))
    loads: list[str] = []
    grammar = compile_grammar(VOCABULARY, regex="x")

    def load() -> GrammarBackend:
        loads.append("constant")
        return ConstantBackend(grammar)

    registry.register_backend("constant", load)
    return loads


def test_registered_backend_is_loaded_when_first_used(registered: list[str]) -> None:
    assert "constant" in registry.backend_names()
    assert registered == []
    assert matches(compile_grammar(VOCABULARY, regex="y", backend="constant").matcher(), "x")
    compile_grammar(VOCABULARY, regex="z", backend="constant")
    assert registered == ["constant"]
    with pytest.raises(InvalidInputError, match="already"):
        registry.register_backend("constant", lambda: ConstantBackend(compile_grammar(VOCABULARY, regex="a")))


def test_backend_that_does_not_take_the_kind(registered: list[str]) -> None:
    with pytest.raises(UnsupportedGrammarError, match="'constant' does not take json_schema; it takes regex"):
        compile_grammar(VOCABULARY, json_schema={"type": "null"}, backend="constant")


def test_unknown_backend_lists_the_known() -> None:
    with pytest.raises(UnknownBackendError, match=r"unknown grammar backend 'outlines'; known are .*outlines_core"):
        compile_grammar(VOCABULARY, regex="a", backend="outlines")
    assert set(registry.DEFAULT_BACKENDS.values()) <= set(registry.backend_names())


def test_package_exports() -> None:
    for name in guided.grammars.__all__:
        assert getattr(guided.grammars, name) is not None
    assert guided.grammars.compile_grammar is compile_grammar
    with pytest.raises(AttributeError, match="nothing_here"):
        _ = guided.grammars.nothing_here


def test_errors_are_guided_errors() -> None:
    with pytest.raises(GuidedError):
        compile_grammar(vocabulary_of(b"a"), json_schema={"type": "nothing"})
