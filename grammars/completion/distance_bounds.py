"""`DistanceBound`: an upper bound on the tokens needed to finish from any configuration seen so far.

If the budget exceeds the bound, no search is needed. The bound is computed from the results of masks and steps, each
part once. After more parts were made, the bound must be updated (`find`).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from ..errors import LimitExceededError
from ..machine import layout as at
from ..machine.codes import code_at, styled_code
from ..machine.frames import Frame, Lexeme, OpenObject, StyledContainer, StyledFrame, StyledSpec, ValueSpec
from ..machine.lexemes.lazy_dfas import Kind
from ..machine.rules.automaton import PushdownAutomaton
from ..machine.rules.branches import Branch
from ..machine.rules.counted_terminals import Counted
from ..machine.rules.layout import END_EDGE
from ..machine.tables import DocumentTables
from ..machine.vocabulary_tables import counted_parts
from ..regex import algebra as lang
from ..rules.expressions import Terminal
from .bounds import FAR, LexemeBounds
from .documents import DocumentRopes
from .ropes import MARGIN, Trust
from .rules import RuleRopes
from .unknowns import as_json

_MANY_KEYS = 16  # maximum number of keys visited in an object with open alternatives
_PLACES = {
    "value": (at.COLON,),
    "array": (at.FIRST_ITEM, at.VALUE, at.AFTER_ITEM),
    "object": (at.FIRST_KEY, at.KEY, at.AFTER_MEMBER),
}
_SPECIAL = 1  # need of a token that the grammar names by its id
_MAX_BYTES = 4  # maximum number of bytes of a character
_MOST_MARK_BYTES = 64  # maximum number of bytes of a mark behind a value


class DistanceBound:
    """The bound of one automaton. The caller holds the automaton's lock.

    most: maximum number of tokens needed after a token of any mask, valid while nothing is new; FAR if unknown. The
        argument is known from the start.
    """

    def __init__(self, most: int = 0) -> None:
        self.most = most
        self._is_begun = False  # an update was interrupted, so `most` lacks parts that were visited

    @property
    def is_new(self) -> bool:
        """True if parts were made since the last update that may change the bound, or if that was interrupted."""
        return self.most < FAR and (self._is_begun or self._has_more())

    def find(self) -> int:
        """Update the bound, and return it."""
        if self.is_new:
            self._is_begun = True
            try:
                self.most = min(FAR, self._find())
            except LimitExceededError as error:
                if error.is_of_time:
                    raise
                self.most = FAR
            self._is_begun = False
        return self.most

    def most_at(self, branches: Iterable[Branch]) -> int:
        """Return an upper bound on the distance after any token of the branches' mask."""
        return self.most

    def _has_more(self) -> bool:
        """Return True if the automaton has new stack nodes or GSS nodes that the bound does not cover."""
        return False

    def _find(self) -> int:
        """Raise the bound for the new nodes, and return it."""
        return self.most


class DocumentDistanceBound(DistanceBound):
    """The bound for documents.

    tables: tables of the documents.
    ropes: ways to the ends of these documents.

    A mask is made by a walk over all tokens, which makes a stack node for each stack that a token leads to. The highest
    need of all stack nodes therefore bounds the need after any token of any mask made so far. Each node is visited
    once.
    """

    def __init__(self, tables: DocumentTables, ropes: DocumentRopes) -> None:
        super().__init__()
        self._tables = tables
        self._ropes = ropes
        self._lexemes = LexemeBounds(ropes.frames.texts)
        self._num_nodes = 1
        self._of_values: dict[Hashable, int] = {}

    def _has_more(self) -> bool:
        return self._num_nodes < self._tables.machine.nodes.used

    def _find(self) -> int:
        while self._has_more() and self.most < FAR:
            if self._ropes.has(self._num_nodes):
                self.most = max(self.most, self._of_node(self._tables.top_frame(self._num_nodes), self._num_nodes))
            self._num_nodes += 1
        return self.most

    def _of_node(self, frame: Frame, stack: int) -> int:
        """Return the maximum need while a frame is on top of the stack, at any place in its value or container."""
        spec = None if frame.kind == "object" else self._ropes.frames.spec_of(frame)
        found = [self._ropes.rope(Branch(code, stack), None) for code in self._codes(frame, stack, spec)]
        distances = [rope.num_tokens for rope, _ in found if rope is not None]
        if not distances:
            return FAR
        most, trust = max(distances), max(trust for _, trust in found)
        if frame.kind == "object":
            distance, trust_inside = self._in_key(frame, stack, most)
        elif isinstance(spec, StyledSpec):
            distance, trust_inside = self._in_marks(spec, stack)
        else:
            distance, trust_inside = self._in_scalar(spec, stack)
        most, trust = max(most, distance), max(trust, trust_inside)
        if trust is Trust.ONE_TEXT or most >= FAR:
            return FAR
        return 2 * most + MARGIN if trust is Trust.ROBUST else most

    def _codes(self, frame: Frame, stack: int, spec: ValueSpec | StyledSpec | None) -> list[int]:
        """Return the codes of the places in a frame's value or container that are outside lexemes."""
        is_root = self._tables.is_root(stack)
        if not isinstance(frame, StyledFrame):
            return [code_at(context) for context in ((at.ROOT_VALUE,) if is_root else _PLACES[frame.kind])]
        contexts = [at.BETWEEN if isinstance(frame, StyledContainer) else at.STYLED_VALUE]
        if is_root:
            contexts = [at.STYLED_START]
        elif isinstance(spec, StyledSpec) and spec.after_break:
            contexts.append(at.AFTER_BREAK)
        codes = [styled_code(context) for context in contexts]
        if contexts == [at.BETWEEN] or (isinstance(spec, StyledSpec) and spec.opened is not None and spec.texts):
            codes.append(codes[0] + (1 << at.MARK_SHIFT))
        return codes

    def _in_marks(self, spec: StyledSpec, stack: int) -> tuple[int, Trust]:
        """Return the maximum need inside a text between marks."""
        texts, end = (*spec.texts, *(spec.after_break or ())), f"\n{spec.end}"
        inside = max([self._in_text(language, end) for language, _ in texts], default=0)
        after = [self._ropes.after(stack, returned) for returned in {returned for _, returned in texts}]
        distances = [rope.num_tokens for rope, _ in after if rope is not None]
        return inside + max(distances, default=0), max([trust for _, trust in after], default=Trust.SURE)

    def _in_text(self, language: lang.Language, end: str) -> int:
        """Return the maximum need to end a text with a mark, from any of its states."""
        counted = counted_parts(language)
        if counted is None:
            return self._lexemes.most(lang.concat(language, lang.text(end)), "text")
        base, low, _ = counted
        return min(FAR, self._lexemes.most(lang.concat(base, lang.text(end)), "text") + _MAX_BYTES * low)

    def _in_scalar(self, spec: ValueSpec | None, stack: int) -> tuple[int, Trust]:
        """Return the maximum need inside a string, a number or a literal. spec: the values that may come."""
        if spec is None:
            return 0, Trust.SURE
        strings = self._in_strings(spec)
        numbers = self._in_lexeme(spec.numbers, bool(spec.excluded_numbers), "number")
        classes = {returned for _, returned in (*spec.strings, *spec.numbers, *spec.literals)}
        after = [self._ropes.after(stack, returned) for returned in classes]
        distances = [rope.num_tokens for rope, _ in after if rope is not None]
        trust = max([trust for _, trust in after], default=Trust.SURE)
        return max(len(b"false"), strings, numbers) + max(distances, default=0), trust

    def _in_strings(self, spec: ValueSpec) -> int:
        """Return the maximum need to end a string from any of its states."""
        has_excluded = bool(spec.excluded_strings)
        if spec.marks is None or (has_excluded and not self._has_many(spec.strings)):
            return self._in_lexeme(spec.strings, has_excluded, "string")
        quote = spec.marks.opening.decode()
        inside = max([self._in_text(language, quote) for language, _ in spec.strings], default=0)
        return min(FAR, inside + len(quote) + (MARGIN if has_excluded else 0))

    def _in_key(self, frame: OpenObject | StyledContainer, stack: int, rest: int) -> tuple[int, Trust]:
        """Return the maximum need inside a key. rest: need in the object between its members."""
        keys = frame.key_spec()
        if keys is None:
            return 0, Trust.SURE
        is_styled = isinstance(frame, StyledFrame) or keys.marks is not None
        lengths = [len(name.encode()) if is_styled else self._tables.word_length(name) for name in keys.words]
        most = max([*lengths, self._in_lexeme(keys.open, bool(keys.excluded), "text" if is_styled else "string")])
        is_known = not isinstance(frame, StyledContainer) or frame.json is not None
        if is_known and as_json(frame).is_settled:
            between = _MOST_MARK_BYTES if is_styled else len(self._ropes.frames.colon())
            return most + between + self._of_value(frame) + rest, Trust.SURE
        classes = [(returned, False) for returned in keys.words.values()]
        classes += [(returned, True) for _, returned in keys.open]
        if len(classes) > _MANY_KEYS:
            return FAR, Trust.SURE
        after = [self._ropes.after(stack, returned, is_open) for returned, is_open in classes]
        distances = [rope.num_tokens if rope is not None else FAR for rope, _ in after]
        return most + max(distances, default=0), max([trust for _, trust in after], default=Trust.SURE)

    def _of_value(self, frame: OpenObject | StyledContainer) -> int:
        """Return the maximum, over all members that may come, of the tokens in the member's shortest value."""
        container = as_json(frame)
        styled = frame if isinstance(frame, StyledContainer) else None
        key = (styled is None, container.members if container.kind == "object" else container)
        most = self._of_values.get(key)
        if most is None:
            most = 0
            item = container.value_spec()
            values = container.member_specs() if container.kind == "object" else () if item is None else (item,)
            for value in values:
                for spec in (value,) if styled is None else styled.specs_of(value):
                    distances = [rope.num_tokens for rope in self._ropes.frames.of_spec(spec).values()]
                    most = max(most, min(distances, default=FAR))
            self._of_values[key] = most
        return most

    def _in_lexeme(self, lexeme: Lexeme, has_excluded: bool, kind: Kind) -> int:
        """Return the maximum need to end a lexeme from any of its states.

        has_excluded: True if texts are excluded. The languages must then have other texts that are hardly longer.
        """
        if not lexeme:
            return 0
        if has_excluded and not self._has_many(lexeme):
            return FAR
        most = max([self._lexemes.most(language, kind) for language, _ in lexeme], default=0)
        return most + MARGIN if has_excluded else most

    def _has_many(self, lexeme: Lexeme) -> bool:
        return all(self._ropes.is_robust(language) for language, _ in lexeme)


class RulesDistanceBound(DistanceBound):
    """The bound for texts of a general grammar. Callers add the result of `below` for a stack.

    A configuration is in the middle of terminals, each with a GSS node, over a stack. The bound of its need is a sum:
    the way to the end of any terminal, the costliest GSS node for its own rules, and the stack.
    Configurations with the same upper frames share masks, so a token may lead to a stack that no walk has met.
    `_most_below` bounds that stack, too.
    """

    def __init__(self, automaton: PushdownAutomaton, ropes: RuleRopes) -> None:
        super().__init__()
        self._automaton = automaton
        self._ropes = ropes
        self._lexemes = LexemeBounds(ropes.texts)
        self._num_gss_nodes = 0
        self._num_nodes = 1
        self._most_after = 0
        self._most_below = 0
        self._in_terminal: int | None = None
        self._own: dict[int, int] = {}
        self._below: dict[int, int] = {0: 0}
        self._documents: list[DocumentDistanceBound] = []

    def _has_more(self) -> bool:
        states = self._automaton.states
        return (
            self._num_gss_nodes < states.num_gss_nodes
            or self._num_nodes < self._automaton.machine.nodes.used
            or any(distance_bound.is_new for distance_bound in self._documents)
        )

    def most_at(self, branches: Iterable[Branch]) -> int:
        """Return an upper bound on the distance after any token of the branches' mask."""
        return self.most + max([self.below(branch.stack) for branch in branches])

    def below(self, stack: int) -> int:
        """Return the maximum number of tokens that the rules on a stack need."""
        found = self._below.get(stack)
        if found is None:
            kept, parent = self._automaton.kept_below(stack)
            found = self._below[stack] = max(map(self._own_of, kept), default=0) + self.below(parent)
        return found

    def _find(self) -> int:
        while self._num_gss_nodes < self._automaton.states.num_gss_nodes:
            self._most_after = max(self._most_after, self._own_of(self._num_gss_nodes))
            self._num_gss_nodes += 1
        # each node is above an older one, so `below` does not recurse deeply
        while self._num_nodes < self._automaton.machine.nodes.used:
            self._most_below = max(self._most_below, self.below(self._num_nodes))
            self._num_nodes += 1
        if self._in_terminal is None:
            self._in_terminal = self._find_in_terminal()
        in_document = 0
        if self._automaton.documents and not self._documents:
            found = self._ropes.of_documents()
            self._documents = [DocumentDistanceBound(self._automaton, ropes) for ropes in found]
        for distance_bound in self._documents:
            in_document = max(in_document, distance_bound.find())
        return in_document + self._in_terminal + self._most_after + self._most_below

    def _own_of(self, gss_node: int) -> int:
        """Return the maximum need of a GSS node's rules, up to the end of the text or to a label."""
        found = self._own.get(gss_node)
        if found is None:
            found = self._own[gss_node] = FAR
            try:
                for position, then in self._automaton.states.gss_edges(gss_node):
                    if position == END_EDGE or position < 0:
                        found = 0
                    else:
                        rope = self._ropes.of_position(position)
                        found = min(found, FAR if rope is None else rope.num_tokens + self._own_of(then))
            except BaseException:
                del self._own[gss_node]  # interrupted: the next call looks again
                raise
            self._own[gss_node] = found
        return found

    def _find_in_terminal(self) -> int:
        """Return the maximum need to end a terminal from any of its states."""
        most, network = _SPECIAL, self._automaton.states.network
        for symbol in network.symbols:
            if isinstance(symbol, Terminal):
                counted = self._automaton.states.positions.counted_of(symbol.language)
                in_symbol = self._lexemes.most(symbol.language, "text") if counted is None else self._in_units(counted)
                most = max(most, in_symbol)
        for position in network.positions:
            for document, _ in position.documents:
                rope = self._ropes.of_whole(document)
                most = max(most, FAR if rope is None else rope.num_tokens)
        return most

    def _in_units(self, counted: Counted) -> int:
        """Return the maximum need to end a terminal with counted units."""
        count = counted.count
        if count.is_of_characters:
            return _MAX_BYTES * (counted.needed + count.low + 1)
        assert isinstance(count.base, lang.Repeat)
        whole = self._ropes.texts.of(count.base.child, "text")
        in_unit = self._lexemes.most(count.base.child, "text")
        return FAR if whole is None or in_unit >= FAR else in_unit + count.low * len(whole)
