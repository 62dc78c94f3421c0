"""What is remembered of grammars: no more than the process keeps, and refusals."""

from __future__ import annotations

import importlib.util
import sys
import weakref
from types import SimpleNamespace
from typing import Any

import pytest

from guided.integrations.sglang.kept_grammars import KeptGrammars


class Compiled:
    """Of `CompiledGrammar`: what can be referred to weakly."""


class Grammar:
    """Of `GuidedGrammar`."""

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled

    def template(self) -> Any:
        return SimpleNamespace(compiled=weakref.ref(self.compiled))


def test_a_grammar_stays_as_long_as_others_keep_it() -> None:
    kept, compiled = KeptGrammars(), Compiled()
    kept["json", "one"] = Grammar(compiled)
    kept["json", "other"] = SimpleNamespace(error_message="refused")
    template = kept.get(("json", "one"))
    assert template.compiled() is compiled
    reference = weakref.ref(compiled)
    del compiled
    assert reference() is not None, "held while its template is copied"
    assert kept.get(("json", "other")).error_message == "refused"
    assert reference() is None
    assert kept.get(("json", "one")) is None
    assert len(kept) == 1


def test_what_a_reasoner_wraps_is_not_kept_alive_either() -> None:
    kept, compiled = KeptGrammars(), Compiled()
    reasoner = SimpleNamespace(grammar=Grammar(compiled))
    kept["json", "one"] = reasoner
    assert kept["json", "one"] is reasoner
    assert reasoner.grammar.compiled() is compiled
    del compiled
    kept.clear()
    assert reasoner.grammar.compiled() is None


def test_where_ranks_must_know_the_same_grammars_they_are_held() -> None:
    kept, compiled = KeptGrammars(maximum=1, keeps_grammars=True), Compiled()
    kept["json", "one"] = Grammar(compiled)
    reference = weakref.ref(compiled)
    del compiled
    assert kept["json", "one"].compiled() is reference() is not None
    kept["json", "other"] = Grammar(Compiled())
    assert kept.get(("json", "one")) is None
    assert reference() is None


def test_the_one_used_longest_ago_goes_first() -> None:
    kept = KeptGrammars(maximum=2)
    for name in "ab":
        kept["regex", name] = SimpleNamespace(name=name)
    assert kept["regex", "a"].name == "a"
    kept["regex", "c"] = SimpleNamespace(name="c")
    assert sorted(name for _, name in kept) == ["a", "c"]
    assert kept.pop(("regex", "a")).name == "a"


@pytest.mark.skipif(importlib.util.find_spec("sglang") is not None, reason="SGLang is installed")
def test_nothing_of_sglang_is_imported_without_it() -> None:
    from guided.integrations.sglang import plugin

    with pytest.raises(ModuleNotFoundError, match="sglang"):
        plugin.register()
    assert not any(name.split(".")[0] == "sglang" for name in sys.modules)
