"""The Lark dialect, as llguidance documents it: texts of the rule `start`.

Rules are in lower case, terminals in upper case. A terminal is one regular language: `&` and `~` are intersection and
complement, and its assertions see its own text only. Texts of `%ignore` may stand before, between and after a rule's
terminals, as in lark; llguidance only permits them in between. Any way to split a text counts, as with lark's Earley
parser and `lexer="dynamic_complete"`. Priorities, aliases, `?` and `!` do not change the language.
"""

from __future__ import annotations

from collections.abc import Collection

from ..errors import GrammarError, InvalidGrammarError
from ..regex import algebra as lang
from ..regex.algebra import Language
from ..rules.expressions import RuleGraph, RuleRef, Sequence, Terminal, embed
from .graph import ExpressionBuilder
from .languages import ASSERTION_NOTE, RegularRules, shortest
from .lark_literals import COMMON_NAMES
from .lark_syntax import parse_lark
from .lark_tree import Attributes, LarkFile, LarkTree
from .lazy_rules import commit_lazy, original
from .source import GrammarSource, shortened, similar
from .syntax import Node, Pattern, SyntaxRule, children, names_in

_WHOLE = "(whole text)"
"""The rule that puts ignored text before the start; no name in a grammar can equal it."""


def read_lark(source: GrammarSource) -> RuleGraph:
    """Return the graph of a grammar in the Lark dialect. Raises InvalidGrammarError, LimitExceededError."""
    tree = LarkTree(source)
    file: LarkFile = parse_lark(source, tree)
    start = file.rules.start("start")
    rules, terminals = file.rules.rules, file.terminals.rules
    bodies = [rule.body for rule in [*rules.values(), *terminals.values()]]
    suffixes = [attributes.suffix for attributes in file.attributes.values() if attributes.suffix is not None]
    nested = {name: read_lark(inner) for name, inner in file.nested.items()}
    _check_names(source, [*bodies, *file.ignored, *suffixes], dict.fromkeys([*rules, *terminals, *nested]))
    regular = RegularRules(source, terminals, "a part of a terminal")
    languages = {name: regular.language(RuleRef(name, rule.offset)) for name, rule in terminals.items()}
    skipped = _skipped(file, regular)
    build = ExpressionBuilder(source, dict.fromkeys([*rules, *nested]), regular, languages, skipped)
    lazy = {name: _lazy(rules[name], file.attributes[name], regular) for name in file.attributes if file.is_lazy(name)}
    graph = {
        name: build.lexeme(lazy[name]) if name in lazy else build.expression(rule.body) for name, rule in rules.items()
    }
    for name, inner_graph in nested.items():
        inner_rules, inner_start = embed(inner_graph, f"{name} ")
        after = () if skipped is None else (Terminal(skipped),)
        graph |= {**inner_rules, name: Sequence((inner_start, *after))}
    graph = commit_lazy(source, graph, start, lazy, skipped)
    if skipped is not None:
        graph[_WHOLE] = Sequence((Terminal(skipped), RuleRef(start)))
        start = _WHOLE
    notes = [*tree.notes, *_assertion_notes(bodies), *[note for inner in nested.values() for note in inner.notes]]

    def error_at(name: str, reason: str) -> GrammarError:
        rule = original(name)
        outer, _, inner = rule.partition(" ")
        return nested[outer].error(inner, reason) if outer in nested else rules[rule].error(source, reason)

    return RuleGraph(graph, start, tuple(notes), error_at)


def _lazy(rule: SyntaxRule, attributes: Attributes, regular: RegularRules) -> Language:
    """Return the texts of a rule that is lazy or has a suffix: it matches as little as it can."""
    language = regular.language(rule.body)
    if attributes.suffix is not None:
        language = lang.concat(language, regular.language(attributes.suffix))
    return shortest(language)


def _skipped(file: LarkFile, regular: RegularRules) -> Language | None:
    """Return the ignored text that may stand between terminals; None if nothing is ignored."""
    if not file.ignored:
        return None
    ignored = lang.union(*[regular.language(node) for node in file.ignored])
    return lang.repeat(ignored, 0, 1 if file.skips_once else None)


def _check_names(source: GrammarSource, bodies: list[Node], known: Collection[str]) -> None:
    """Raise InvalidGrammarError for the first undefined name."""
    for body in bodies:
        for name in names_in(body):
            if name.name not in known:
                raise _undefined(source, name, known)


def _undefined(source: GrammarSource, name: RuleRef, known: Collection[str]) -> InvalidGrammarError:
    kind = "terminal" if name.name.isupper() else "rule"
    hint = f"; write %import common.{name.name}" if name.name in COMMON_NAMES else similar(name.name, known)
    return source.error(f"the {kind} {shortened(name.name)} is not defined{hint}", name.offset)


def _assertion_notes(bodies: list[Node]) -> list[str]:
    """Return a note if a regex has assertions, which in other engines may see the text beside a terminal."""
    pending = list(bodies)
    while pending:
        node = pending.pop()
        if isinstance(node, Pattern):
            return [ASSERTION_NOTE]
        pending.extend(children(node))
    return []
