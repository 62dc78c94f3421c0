"""`DocumentDistanceBound`: the bound of the documents of one machine.

A mask is made by a walk over all tokens, which makes a stack node for
each stack that a token leads to. So the highest need of all stack nodes bounds what is needed after any token of any
mask that was made. Each node is looked at once.
"""

from __future__ import annotations

from collections.abc import Hashable

from ..automaton import layout as at
from ..automaton.frames import Frame, Lexeme, OpenObject, ValueSpec
from ..automaton.tables import DocumentTables
from ..regex import algebra as lang
from .distance_bounds import FAR, DistanceBound
from .documents import DocumentRopes
from .lexeme_ends import LexemeEnds
from .other_ends import find_other_ends
from .ropes import MARGIN, Trust

_MANY_KEYS = 16  # of an object with open alternatives, each is looked at
_PLACES = {
    "value": (at.COLON,),
    "array": (at.FIRST_ITEM, at.VALUE, at.AFTER_ITEM),
    "object": (at.FIRST_KEY, at.KEY, at.AFTER_MEMBER),
}


class DocumentDistanceBound(DistanceBound):
    """See `DistanceBound`."""

    def __init__(self, tables: DocumentTables, ropes: DocumentRopes, lexeme_ends: LexemeEnds) -> None:
        super().__init__()
        self._tables = tables
        self._ropes = ropes
        self._lexeme_ends = lexeme_ends
        self._num_nodes = 1
        self._of_lexemes: dict[Lexeme, int] = {}
        self._of_values: dict[Hashable, int] = {}

    def _has_more(self) -> bool:
        return self._num_nodes < self._tables.machine.nodes.used

    def _find(self) -> int:
        while self._has_more() and self.most < FAR:
            self.most = max(self.most, self._of_node(self._tables.top_frame(self._num_nodes), self._num_nodes))
            self._num_nodes += 1
        return self.most

    def _of_node(self, frame: Frame, stack: int) -> int:
        """The most that is needed while a frame is on top of the stack, wherever in its value or container that is."""
        is_root = self._tables.is_root(stack)
        configs = (at.ROOT_VALUE,) if is_root else _PLACES[frame.kind]
        found = [self._ropes.rope(config << 6, stack, None) for config in configs]
        distances = [rope.num_tokens for rope, _ in found if rope is not None]
        trust = max(trust for _, trust in found)
        if not distances:
            return FAR
        most = max(distances)
        if frame.kind == "object":
            distance, trust_in_keys = self._in_key(frame, stack, most)
        else:
            distance, trust_in_keys = self._in_scalar(frame, stack)
        trust = max(trust, trust_in_keys)
        most = max(most, distance)
        if trust is Trust.ONE_TEXT or most >= FAR:
            return FAR
        return 2 * most + MARGIN if trust is Trust.ROBUST else most

    def _in_scalar(self, frame: Frame, stack: int) -> tuple[int, Trust]:
        """The most that is needed inside of a string, a number or a literal of a frame."""
        spec = self._ropes.frames.spec_of(frame)
        if spec is None:
            return 0, Trust.SURE
        strings = self._in_lexeme(spec.strings, bool(spec.excluded_strings), is_number=False)
        numbers = self._in_lexeme(spec.numbers, bool(spec.excluded_numbers), is_number=True)
        after = [self._ropes.after(stack, returned) for returned in _classes(spec)]
        distances = [rope.num_tokens for rope, _ in after if rope is not None]
        trust = max([trust for _, trust in after], default=Trust.SURE)
        return max(len(b"false"), strings, numbers) + max(distances, default=0), trust

    def _in_key(self, frame: OpenObject, stack: int, rest: int) -> tuple[int, Trust]:
        """The most that is needed inside of a key. rest: in the object, between its members."""
        keys = frame.key_spec()
        if keys is None:
            return 0, Trust.SURE
        words = max([self._tables.word_length(name) for name in keys.words], default=0)
        most = max(words, self._in_lexeme(keys.open, bool(keys.excluded), is_number=False))
        if frame.is_settled:
            return most + len(self._ropes.frames.colon()) + self._of_value(frame) + rest, Trust.SURE
        classes = [(returned, False) for returned in keys.words.values()]
        classes += [(returned, True) for _, returned in keys.open]
        if len(classes) > _MANY_KEYS:
            return FAR, Trust.SURE
        after = [self._ropes.after(stack, returned, is_open) for returned, is_open in classes]
        distances = [rope.num_tokens if rope is not None else FAR for rope, _ in after]
        return most + max(distances, default=0), max([trust for _, trust in after], default=Trust.SURE)

    def _of_value(self, frame: OpenObject) -> int:
        """The most tokens that the shortest value of a member takes, of all members that may come."""
        most = self._of_values.get(frame.members)
        if most is None:
            most = 0
            for spec in frame.member_specs():
                distances = [rope.num_tokens for rope in self._ropes.frames.of_spec(spec).values()]
                most = max(most, min(distances, default=FAR))
            self._of_values[frame.members] = most
        return most

    def _in_lexeme(self, lexeme: Lexeme, has_excluded: bool, *, is_number: bool) -> int:
        """The most that is needed to end a lexeme from any of its states.

        Where texts are excluded: of languages in which others are left that are hardly longer.
        """
        if not lexeme:
            return 0
        if has_excluded and not all(self._ropes.is_robust(language) for language, _ in lexeme):
            return FAR
        most = self._of_lexemes.get(lexeme)
        if most is None:
            most = self._of_lexemes[lexeme] = self._find_lexeme(lexeme, is_number)
        return most + MARGIN if has_excluded else most

    def _find_lexeme(self, lexeme: Lexeme, is_number: bool) -> int:
        words = [self._tables.word_length(word) for language, _ in lexeme for word in self._words(language)]
        others = tuple([pair for pair in lexeme if not self._words(pair[0])])
        if not others:
            return max(words, default=0)
        frames = self._ropes.frames
        bounds = (frames.numbers if is_number else frames.strings).bounds
        plain = [bounds.most(language) for language, _ in others]
        if None not in plain:
            return max([bound + 1 for bound in plain if bound is not None] + words)
        vocabulary_tables = self._tables.vocabulary_tables
        code = vocabulary_tables.lexeme_code(others, is_number)
        if code >> at.TAG_SHIFT != at.COUNTED:
            most = self._lexeme_ends.most(code & at.MASK32)
            return FAR if most is None else max([most, *words])
        state, counter = code & (at.MAX_STATES - 1), (code >> (at.COUNT_BITS + at.STATE_BITS)) & (at.MAX_COUNTERS - 1)
        most, low = self._lexeme_ends.most(state), vocabulary_tables.counter(counter)[0]
        whole = find_other_ends(vocabulary_tables.lazy_dfas, state, frozenset(), low)
        return FAR if most is None or not whole else max([most + len(whole[0]), *words])

    @staticmethod
    def _words(language: lang.Language) -> frozenset[str]:
        return language.words if isinstance(language, lang.Words) else frozenset()


def _classes(spec: ValueSpec) -> set[int]:
    """The classes that scalars of a spec return."""
    return {returned for _, returned in (*spec.strings, *spec.numbers, *spec.literals)}
