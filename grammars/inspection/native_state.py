"""Where a text stands in the automaton of the native backend: in which document, and in which state of it."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..machine.machine_automaton import DocumentAutomaton
from ..machine.product.automaton import ProductAutomaton
from ..machine.rules.automaton import PushdownAutomaton
from ..machine.rules.branches import Branch
from ..machine.rules.text_places import only_document, text_in_document
from ..machine.tables import DocumentTables
from ..native.text_matcher import TextMatcher
from ..protocol import CompiledGrammar


class DocumentState(NamedTuple):
    """A text that is in a JSON document. tables: with the frames on the stack of `branch`. text: of the document, so
    far. schema: that it fits. is_alone: the document is the whole text."""

    tables: DocumentTables
    branch: Branch
    text: bytes
    schema: Any
    is_alone: bool


def document_state(grammar: CompiledGrammar, matcher: TextMatcher) -> DocumentState | None:
    """The document that a matcher is in; None where it is in none, or may be in one of several."""
    automaton, configs, token_ids = matcher.history
    vocabulary = grammar.vocabulary
    if isinstance(automaton, DocumentAutomaton):
        branch = Branch(*automaton.states_at[configs[-1]])
        return DocumentState(automaton, branch, vocabulary.join(token_ids), grammar.spec.data, is_alone=True)
    if isinstance(automaton, ProductAutomaton):
        configs, automaton = [automaton.left_of(config) for config in configs], automaton.rules
    if not isinstance(automaton, PushdownAutomaton):
        return None
    with automaton.lock:
        history = [automaton.branches_at(config) for config in configs]
        branch = only_document(history)
        if branch is None:
            return None
        text = text_in_document(automaton, branch, history, token_ids)
        spec = automaton.states.document(automaton.document_of(automaton.root_of(branch.stack))).spec
    return DocumentState(automaton, branch, text, spec.data, is_alone=len(text) == len(vocabulary.join(token_ids)))
