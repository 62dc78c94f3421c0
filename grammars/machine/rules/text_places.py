"""Places in texts of general grammars, for errors: the value in a document of one of the grammar's schemas."""

from __future__ import annotations

from ..tails import whole
from ..text_places import pointer_at
from .branches import Branch
from .tables import RuleTables

History = list[tuple[Branch, ...]]
"""The branches of a text before each of its tokens, then the branches after the last token."""


def only_document(history: History) -> Branch | None:
    """Return the branch of the document that a text is in; None if it is in none, or if several are possible."""
    found = [branch for branch in history[-1] if branch.code >= 0 and not branch.is_in_rules]
    return found[0] if len(found) == 1 else None


def pointer_in_document(automaton: RuleTables, branch: Branch, history: History, token_ids: list[int]) -> str:
    """Return the JSON pointer of a text's place in its document.

    branch: branch of the document.
    history: see `History`.
    token_ids: tokens of the text.
    """
    return pointer_at(text_in_document(automaton, branch, history, token_ids))


def text_in_document(automaton: RuleTables, branch: Branch, history: History, token_ids: list[int]) -> bytes:
    """Return the document's part of the text so far. The arguments are those of `pointer_in_document`."""
    vocabulary, root = automaton.vocabulary_tables.vocabulary, automaton.root_of(branch.stack)
    first, began = len(token_ids), branch
    while first > 0 and (before := _same_document(automaton, history[first - 1], root)) is not None:
        first, began = first - 1, before
    token = vocabulary.join(token_ids[first - 1 : first]) if first else b""  # may also hold text before the document
    beginnings = (token[length:] for length in range(len(token) + 1))
    beginning = next((text for text in beginnings if _leads_to(automaton, text, root, began)), b"")
    return beginning + vocabulary.join(token_ids[first:])


def _same_document(automaton: RuleTables, branches: tuple[Branch, ...], root: int) -> Branch | None:
    """Return the only branch inside a given document; None for no such branch, or several.

    root: stack with this document's root frame on top.
    """
    found = [branch for branch in branches if not branch.is_in_rules and automaton.root_of(branch.stack) == root]
    return found[0] if len(found) == 1 else None


def _leads_to(automaton: RuleTables, text: bytes, root: int, branch: Branch) -> bool:
    """Return True if a document that begins with a text reaches a branch. root: stack with its root frame on top."""
    first = automaton.first_code(automaton.machine.top(root)[0])
    return automaton.step_bytes(first, root, text, whole(b"")) == branch
