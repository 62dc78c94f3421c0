"""Where in a text of a general grammar it has got to, for errors: the value in a document, or the bytes before."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import LimitExceededError
from ..pushdown.automaton import PushdownAutomaton
from ..pushdown.branches import GENERAL, Branch
from .document_pointer import after_bytes, pointer_at


def located(
    error: LimitExceededError, automaton: PushdownAutomaton, configs: Sequence[int], token_ids: Sequence[int]
) -> LimitExceededError:
    """The same error, which says where in the text it was. configs: before each of the text's tokens, and after all."""
    branches = [branch for branch in automaton.branches_at(configs[-1]) if branch.document != GENERAL]
    if len(branches) == 1:
        document = automaton.states.documents[branches[0].document]
        pointer = pointer_at(_document_text(automaton, branches[0], configs, token_ids))
        return error.located(f"for the value at {pointer!r} of a document of the schema {document.place}".rstrip())
    return after_bytes(error, automaton.vocabulary_tables.vocabulary.join(list(token_ids)))


def _document_text(
    automaton: PushdownAutomaton, branch: Branch, configs: Sequence[int], token_ids: Sequence[int]
) -> bytes:
    """What is written of the document of a branch. The token in which it begins may hold what comes before it, too."""
    first, began = len(configs) - 1, branch
    while first > 0 and (before := _same_document(automaton, configs[first - 1], branch)) is not None:
        first, began = first - 1, before
    vocabulary = automaton.vocabulary_tables.vocabulary
    rest = vocabulary.join(list(token_ids[first:]))
    token = vocabulary.join(list(token_ids[first - 1 : first])) if first else b""
    beginnings = (token[length:] for length in range(len(token) + 1))
    return next((text for text in beginnings if _leads_to(automaton, text, began)), b"") + rest


def _same_document(automaton: PushdownAutomaton, config: int, branch: Branch) -> Branch | None:
    """The branch of a configuration that is in the document of another branch."""
    same = (branch.document, branch.next_state, branch.next_stack)
    found = [one for one in automaton.branches_at(config) if (one.document, one.next_state, one.next_stack) == same]
    return found[0] if len(found) == 1 else None


def _leads_to(automaton: PushdownAutomaton, text: bytes, branch: Branch) -> bool:
    """Whether a document that begins with a text is where a branch is."""
    machine = automaton.document_of(branch)
    state = machine.start.code, machine.start.stack
    for index, byte in enumerate(text):
        following = machine.step_byte(*state, byte, text[:index])
        if following is None:
            return False
        state = following
    return state == (branch.code, branch.stack)
