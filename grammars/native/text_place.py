"""Where in a text of a general grammar it has got to, for errors: the value in a document, or the bytes before."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import LimitExceededError
from ..pushdown.automaton import PushdownAutomaton
from ..pushdown.worlds import GENERAL, World
from .document_place import after_bytes, pointer_at


def located(
    error: LimitExceededError, automaton: PushdownAutomaton, places: Sequence[int], token_ids: Sequence[int]
) -> LimitExceededError:
    """The same error, which says where in the text it was. places: before each of the text's tokens, and after all."""
    worlds = [world for world in automaton.worlds_at(places[-1]) if world.document != GENERAL]
    if len(worlds) == 1:
        document = automaton.states.documents[worlds[0].document]
        pointer = pointer_at(_document_text(automaton, worlds[0], places, token_ids))
        return error.located(f"for the value at {pointer!r} of a document of the schema {document.place}".rstrip())
    return after_bytes(error, automaton.lexicon.vocabulary.join(list(token_ids)))


def _document_text(
    automaton: PushdownAutomaton, world: World, places: Sequence[int], token_ids: Sequence[int]
) -> bytes:
    """What is written of the document of a world. The token in which it begins may hold what comes before it, too."""
    first, began = len(places) - 1, world
    while first > 0 and (before := _same_document(automaton, places[first - 1], world)) is not None:
        first, began = first - 1, before
    vocabulary = automaton.lexicon.vocabulary
    rest = vocabulary.join(list(token_ids[first:]))
    token = vocabulary.join(list(token_ids[first - 1 : first])) if first else b""
    beginnings = (token[place:] for place in range(len(token) + 1))
    return next((text for text in beginnings if _leads_to(automaton, text, began)), b"") + rest


def _same_document(automaton: PushdownAutomaton, place: int, world: World) -> World | None:
    """The world of a place that is in the document of another world."""
    same = (world.document, world.next_state, world.next_stack)
    found = [one for one in automaton.worlds_at(place) if (one.document, one.next_state, one.next_stack) == same]
    return found[0] if len(found) == 1 else None


def _leads_to(automaton: PushdownAutomaton, text: bytes, world: World) -> bool:
    """Whether a document that begins with a text is where a world is."""
    machine = automaton.document_of(world)
    state = machine.start.code, machine.start.stack
    for place, byte in enumerate(text):
        following = machine.step_byte(*state, byte, text[:place])
        if following is None:
            return False
        state = following
    return state == (world.code, world.stack)
