"""Find the document, and the state in it, that a matcher of the native backend is in."""

from __future__ import annotations

from typing import NamedTuple

from guided.grammars.machine.machine_automaton import DocumentAutomaton
from guided.grammars.machine.rules.automaton import PushdownAutomaton
from guided.grammars.machine.rules.branches import Branch
from guided.grammars.machine.rules.text_places import only_document, text_in_document
from guided.grammars.machine.tables import DocumentTables
from guided.grammars.native.text_matcher import TextMatcher
from guided.grammars.protocol import CompiledGrammar
from guided.grammars.spec import GrammarSpec


class DocumentState(NamedTuple):
    """A text inside a JSON document.

    tables: the tables that hold the frames on the stack of `branch`.
    branch: the state in the document.
    text: the text of the document so far.
    spec: the JSON Schema of the document.
    """

    tables: DocumentTables
    branch: Branch
    text: bytes
    spec: GrammarSpec


def document_state(grammar: CompiledGrammar, matcher: TextMatcher) -> DocumentState | None:
    """Return the document that a matcher is in.

    Returns None outside of documents, in a styled document (which is no JSON), and when several documents are possible.
    """
    automaton, configs, token_ids = matcher.history
    vocabulary = grammar.vocabulary
    if isinstance(automaton, DocumentAutomaton):
        branch = Branch(*automaton.states_at[configs[-1]])
        return DocumentState(automaton, branch, vocabulary.join(token_ids), grammar.spec)
    if not isinstance(automaton, PushdownAutomaton):
        return None
    with automaton.lock:
        found = only_document([automaton.branches_at(configs[-1])])
        if found is None:
            return None
        spec = automaton.states.document(automaton.document_of(automaton.root_of(found.stack))).spec
        if spec.styled is not None:
            return None
        history = [automaton.branches_at(config) for config in configs]
        text = text_in_document(automaton, found, history, token_ids)
    return DocumentState(automaton, found, text, spec)
