"""The `native` backend: lazy deterministic pushdown automata over bytes, for every kind of grammar.

A JSON Schema becomes a formula (`json_schema/`), the formula becomes frames, and the frames give masks (`machine/`).
Any other grammar becomes a graph of rules (`rules/`) with regular languages, schemas and tokens as leaves, and
`machine/rules/` runs the graph. A state is built when a text first reaches it, so compiling costs little and a grammar
grows with use. Modules load when a grammar first needs them, because loading takes most of the time of a short-lived
process.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from ..limits import Limits
from ..protocol import CompiledGrammar
from ..spec import GrammarSpec
from ..vocabulary import Vocabulary
from .base import GrammarBackend

if TYPE_CHECKING:
    from ..json_schema.translate import CompiledSchema
    from ..native.schema_grammar import SchemaGrammar
    from ..rules.expressions import RuleGraph


class NativeBackend(GrammarBackend):
    """Compiles JSON Schemas of all drafts from 04 to 2020-12, regexes, choices, EBNF grammars and structural tags."""

    name = "native"
    kinds = frozenset({"json_schema", "regex", "choice", "ebnf", "structural_tag", "all_of"})
    writes_canonical = True
    takes_sources = True

    def compile(self, spec: GrammarSpec, vocabulary: Vocabulary, limits: Limits) -> CompiledGrammar:
        """Compile a grammar of any kind."""
        match spec.kind:
            case "json_schema":
                return _schema(spec, vocabulary, limits)
            case "choice":
                from ..native.choice_grammar import ChoiceGrammar

                return ChoiceGrammar(spec, vocabulary, spec.data, limits)
            case "all_of":
                return _combination(spec, vocabulary, limits)
        from ..native.general_grammar import GeneralGrammar

        return GeneralGrammar(spec, vocabulary, rule_graph(spec, vocabulary, limits), limits)


def _schema(spec: GrammarSpec, vocabulary: Vocabulary, limits: Limits) -> CompiledGrammar:
    compile_schema, SchemaGrammar = _for_schemas()
    schema = compile_schema(
        spec.data,
        resources=spec.documents,
        limits=limits,
        sources=spec.sources,
        is_canonical=spec.is_canonical,
        banned_substrings=spec.banned_substrings,
    )
    return SchemaGrammar(spec, vocabulary, schema, limits)


@cache
def _for_schemas() -> tuple[Callable[..., CompiledSchema], type[SchemaGrammar]]:
    """PERF: an import in a function that runs often takes 3 us."""
    from ..json_schema.translate import compile_schema
    from ..native.schema_grammar import SchemaGrammar

    return compile_schema, SchemaGrammar


def _combination(spec: GrammarSpec, vocabulary: Vocabulary, limits: Limits) -> CompiledGrammar:
    """Combine several grammars: into one language when all are regular, else into a language beside a graph of rules.

    Rules may turn out to be regular. When all grammars are regular, long counts can be numbers beside the state.
    Banned substrings beside JSON documents become conditions on the strings and keys of these, and on the text around
    them.
    """
    from ..combination import general_part, refuse_beside_documents, regular_parts
    from ..native.general_grammar import GeneralGrammar
    from ..native.product_grammar import ProductGrammar
    from ..native.regular import language_of_rules, regular_language
    from ..regex import algebra as lang
    from ..rules.expressions import JsonDocument, RuleGraph, Terminal
    from ..rules.prepare import simplified
    from ..rules.substrings import without_substrings

    general, banned = general_part(spec), spec.banned_substrings
    if general is not None and general.kind == "json_schema":
        refuse_beside_documents(spec)
        return _schema(replace(general, sources=spec.sources, banned_substrings=banned), vocabulary, limits)
    language = regular_language(regular_parts(spec))
    if general is None:
        return GeneralGrammar(spec, vocabulary, RuleGraph({"all_of": Terminal(language)}, "all_of"), limits)
    graph = rule_graph(replace(general, sources=spec.sources), vocabulary, limits)
    if any(isinstance(part, JsonDocument) for _, part in graph.foreign):
        refuse_beside_documents(spec)
        if banned:
            graph = without_substrings(simplified(graph, limits), banned, vocabulary)
        return GeneralGrammar(spec, vocabulary, graph, limits)
    of_rules = language_of_rules(graph, limits)
    if of_rules is not None:
        both = RuleGraph({"all_of": Terminal(lang.intersect(language, of_rules))}, "all_of", graph.notes)
        return GeneralGrammar(spec, vocabulary, both, limits)
    return ProductGrammar(spec, vocabulary, graph, language, limits)


def rule_graph(spec: GrammarSpec, vocabulary: Vocabulary, limits: Limits) -> RuleGraph:
    """Return the rules of a regex, an EBNF grammar or a structural tag."""
    from ..rules.expressions import RuleGraph, Terminal

    if spec.kind == "ebnf":
        from ..ebnf import read_ebnf

        return read_ebnf(spec.source, spec.dialect or None, limits, vocabulary)
    if spec.kind == "structural_tag":
        from ..structural_tags import read_structural_tag

        return read_structural_tag(spec.data, vocabulary, limits, spec.sources, is_plain=True)
    from ..regex.python_re import full

    return RuleGraph({"regex": Terminal(full(spec.source))}, "regex")
