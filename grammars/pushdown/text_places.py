"""Where a text of a general grammar has got to, for errors: the value in a document of one of its schemas."""

from __future__ import annotations

from ..automaton.text_places import pointer_at
from .branches import GENERAL, Branch
from .documents import EmbeddedAutomaton

History = list[tuple[Branch, ...]]
"""The branches before each token of a text, and those after all."""


def only_document(history: History) -> Branch | None:
    """The branch of the document that a text is in; None where it is in none, or in one of several."""
    found = [branch for branch in history[-1] if branch.document != GENERAL]
    return found[0] if len(found) == 1 else None


def pointer_in_document(machine: EmbeddedAutomaton, branch: Branch, history: History, token_ids: list[int]) -> str:
    """The JSON pointer of where a text is in its document. machine, branch: of the document. token_ids: of the text."""
    vocabulary = machine.vocabulary_tables.vocabulary
    first, began = len(token_ids), branch
    while first > 0 and (before := _same_document(history[first - 1], branch)) is not None:
        first, began = first - 1, before
    token = vocabulary.join(token_ids[first - 1 : first]) if first else b""  # may hold what comes before, too
    beginnings = (token[length:] for length in range(len(token) + 1))
    beginning = next((text for text in beginnings if _leads_to(machine, text, began)), b"")
    return pointer_at(beginning + vocabulary.join(token_ids[first:]))


def _same_document(branches: tuple[Branch, ...], branch: Branch) -> Branch | None:
    """The one of some branches that is in the document of another branch."""
    same = (branch.document, branch.next_state, branch.next_stack)
    found = [one for one in branches if (one.document, one.next_state, one.next_stack) == same]
    return found[0] if len(found) == 1 else None


def _leads_to(machine: EmbeddedAutomaton, text: bytes, branch: Branch) -> bool:
    """Whether a document that begins with a text is where a branch is."""
    state = machine.start_state
    for index, byte in enumerate(text):
        following = machine.step_byte(*state, byte, text[:index])
        if following is None:
            return False
        state = following
    return state == (branch.code, branch.stack)
