"""`Worlds`: places at which more than one machine, or tokens by their ids, say what may come.

A world is a local state with its stack, or a JSON document being written with the local state and stack that follow
it. A text is in all worlds of its place at once: where a document may begin beside something else, or a token counts by
its id and by its bytes. A mask is what any of them allows.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..automaton import layout as at
from ..automaton.automaton import Config, Tail
from ..automaton.segments import copy_row
from ..memory.structs import address_of
from .documents import EmbeddedAutomaton
from .tables import Mask, RuleTables

GENERAL = -1
Row = NDArray[np.int32]


class World(NamedTuple):
    """document: its number, or GENERAL. code, stack: a local state and stack, or those of the document's machine.

    next_state, next_stack: what comes after a document.
    """

    document: int
    code: int
    stack: int
    next_state: int = 0
    next_stack: int = 0


class Worlds:
    """What the worlds of one automaton do. Everything is called under the lexicon's lock."""

    def __init__(self, automaton: RuleTables) -> None:
        self._automaton = automaton
        self._states = automaton.states
        self._lexicon = automaton.lexicon
        self._machines: dict[int, EmbeddedAutomaton] = {}
        self._scratch = np.zeros((1, automaton.lexicon.num_words), dtype=np.int32)

    def machine(self, document: int) -> EmbeddedAutomaton:
        """The machine of a document."""
        machine = self._machines.get(document)
        if machine is None:
            machine = self._machines[document] = self._automaton.documents[self._states.documents[document].spec]
        return machine

    def begun(self, state: int, stack: int) -> tuple[World, ...]:
        """The worlds of a local state: itself, unless nothing but documents comes there, and these at their start."""
        content = self._states.content[state]
        found = [World(GENERAL, state, stack)] if content.threads or content.tokens or content.is_complete else []
        for document, continuation in content.documents:
            start = self.machine(document).start
            following = self._automaton.follow_entry(self._states.after(continuation), stack)
            found.append(World(document, start.code, start.stack, *following))
        return tuple(found)

    def config(self, world: World) -> Config:
        """Where the document of a world is."""
        return self.machine(world.document).config(world.code, world.stack)

    def is_complete(self, worlds: Iterable[World]) -> bool:
        """True when the text may end in one of the worlds."""
        return any(world.document == GENERAL and self._states.content[world.code].is_complete for world in worlds)

    def follow(self, worlds: tuple[World, ...], token_id: int, tail: Tail) -> tuple[tuple[World, ...], bool]:
        """The worlds after a token (by its bytes and by its id), and whether that depends on nothing but `worlds`."""
        has_text = self._lexicon.has_text(token_id)
        if len(worlds) == 1 and has_text and worlds[0].document != GENERAL:
            one, is_sure = self._follow_text(worlds[0], token_id, tail)
            return tuple(sorted(one)), is_sure
        found: dict[World, None] = {}
        is_sure = True
        for world in worlds:
            following, is_sure_here = self._follow_text(world, token_id, tail) if has_text else ((), True)
            is_sure &= is_sure_here
            found.update(dict.fromkeys(following))
            if world.document == GENERAL:
                found.update(dict.fromkeys(self._follow_id(world, token_id)))
        return tuple(sorted(found)), is_sure

    def _follow_id(self, world: World, token_id: int) -> list[World]:
        found: list[World] = []
        for number, continuation in self._states.content[world.code].tokens:
            if token_id in self._states.token_sets[number]:
                entry = self._states.after(continuation)
                found.extend(self.begun(*self._automaton.follow_entry(entry, world.stack)))
        return found

    def _follow_text(self, world: World, token_id: int, tail: Tail) -> tuple[Iterable[World], bool]:
        """As `follow`, for one world and a token's bytes."""
        if world.document == GENERAL:
            state, stack, meets_documents = self._automaton.advance(world.code, world.stack, token_id)
            if meets_documents:
                return self._follow_bytes(world, token_id, tail)
            return (self.begun(state, stack) if state >= 0 else ()), True
        found, is_sure = self._step_document(world, token_id, tail)
        return (found, is_sure) if found else self._follow_bytes(world, token_id, tail)

    def _step_document(self, world: World, token_id: int, tail: Tail) -> tuple[tuple[World, ...], bool]:
        """The worlds after a token that does not go past the end of a world's document."""
        machine = self.machine(world.document)
        (code, stack), is_captured = machine.step(world.code, world.stack, token_id, tail)
        if code < 0:
            return (), False
        if machine.has_guards:
            self._automaton.has_guards = True
            if not machine.keeps_guards_in(code, stack, token_id, tail):
                return (), False
        is_sure = not is_captured and not machine.has_guards
        if code == at.DONE:
            return self.begun(world.next_state, world.next_stack), is_sure
        return (World(world.document, code, stack, world.next_state, world.next_stack),), is_sure

    def _follow_bytes(self, world: World, token_id: int, tail: Tail) -> tuple[Iterable[World], bool]:
        """A token byte by byte."""
        token, size = self._lexicon.token_bytes(token_id), self._lexicon.vocabulary.size
        worlds, is_sure = {world: None}, True
        for index, byte in enumerate(token):
            written = token[:index]

            def so_far(length: int, written: bytes = written) -> tuple[bytes, bool]:
                text, is_all = tail(length)
                return text + written, is_all

            found: dict[World, None] = {}
            for here in worlds:
                if here.document == GENERAL:
                    state, stack, _ = self._automaton.advance(here.code, here.stack, size + byte)
                    following = self.begun(state, stack) if state >= 0 else ()
                else:
                    following, is_sure_here = self._step_document(here, size + byte, so_far)
                    is_sure &= is_sure_here
                found.update(dict.fromkeys(following))
            worlds = found
        return worlds, is_sure

    def guarded_tokens(self, worlds: Iterable[World], tail: Tail) -> set[int]:
        """The tokens that may complete an item which a document excludes."""
        found: set[int] = set()
        for world in worlds:
            if world.document != GENERAL and self.machine(world.document).has_guards:
                found.update(self.machine(world.document).uncertain_tokens(self.config(world), tail))
        return found

    def mask(self, worlds: tuple[World, ...]) -> tuple[Mask, tuple[int, ...]]:
        """The mask of worlds, and the tokens that must be tried out in spite of it."""
        if len(worlds) == 1 and worlds[0].document != GENERAL:
            mask, ends, uncertain = self._document_mask(0, worlds[0])
            if not ends:
                return mask, uncertain
        row = self._automaton.new_row()
        unsure: set[int] = set()
        waiting = [(0, world) for world in worlds]
        seen = set(waiting)
        while waiting:
            node, world = waiting.pop()
            following = self._add_general(row, node, world) if world.document == GENERAL else None
            if following is None:
                following, tokens = self._add_document(row, node, world)
                unsure.update(tokens)
            for pair in following:
                if pair not in seen:
                    seen.add(pair)
                    waiting.append(pair)
        return (address_of(row), 0, 0), tuple(sorted(unsure))

    def _add_general(self, row: Row, node: int, world: World) -> list[tuple[int, World]]:
        """Allow what a local state allows under a trie node; the documents that begin below."""
        mask, begins = self._automaton.mask_under(node, world.code, world.stack)
        self._unite(row, mask)
        if node == 0:
            for number, _ in self._states.content[world.code].tokens:
                for token_id in self._states.token_sets[number]:
                    self._set(row, token_id)
        return [
            (below, begun)
            for below, state, stack in begins
            for begun in self.begun(state, stack)
            if begun.document != GENERAL
        ]

    def _add_document(self, row: Row, node: int, world: World) -> tuple[list[tuple[int, World]], set[int]]:
        """Allow what a document allows under a trie node; what comes after its ends; the tokens to be tried out."""
        machine = self.machine(world.document)
        mask, ends, tokens = self._document_mask(node, world)
        self._unite(row, mask)
        following, unsure = [], set(tokens)
        if node and machine.has_guards:
            unsure.update(self._lexicon.tokens_at(node, whole_subtree=True))
        for below, is_unsure in ends:
            if is_unsure:
                unsure.update(self._lexicon.tokens_at(below, whole_subtree=True))
            else:
                following += [(below, begun) for begun in self.begun(world.next_state, world.next_stack)]
        return following, unsure

    def _document_mask(self, node: int, world: World) -> tuple[Mask, list[tuple[int, bool]], tuple[int, ...]]:
        """As `EmbeddedAutomaton.mask_under`. Guards are found out about when frames are described, as it is here."""
        machine = self.machine(world.document)
        found = machine.mask_under(node, world.code, world.stack)
        if machine.has_guards:
            self._automaton.has_guards = True
        return found

    def _unite(self, row: Row, mask: Mask) -> None:
        copy_row(self._scratch, 0, *mask)
        row |= self._scratch[0]

    def _set(self, row: Row, token_id: int) -> None:
        row[token_id >> 5] |= np.array(1 << (token_id & 31), dtype=np.uint32).view(np.int32)
