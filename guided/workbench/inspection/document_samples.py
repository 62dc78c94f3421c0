"""Draw the next piece of a JSON document for `samples.py`: a type of value, a key, an item, or a string of an enum."""

from __future__ import annotations

import random

from guided.grammars.machine import layout as at
from guided.grammars.machine.documents.words import spell
from guided.grammars.machine.frames import Frame, KeySpec, ValueSpec
from guided.grammars.machine.machine_automaton import DocumentAutomaton
from guided.grammars.machine.product.automaton import ProductAutomaton
from guided.grammars.machine.rules.automaton import PushdownAutomaton
from guided.grammars.machine.rules.branches import Branch
from guided.grammars.machine.tables import DocumentTables
from guided.grammars.regex import algebra as lang

from .written import Written

_MEMBER = 0.5  # probability of an optional key, and of another item
_OTHER_KEY = 0.15  # probability of an undeclared key
_DEEP = 0.6  # each level of depth multiplies the weight of containers by this
_FIRST_OF_NUMBERS = b"-0123456789"


def draw_in_document(written: Written, random_source: random.Random) -> bool:
    """Draw and write what comes next, when the text is in a document and the document's state limits the choice.

    Returns True if something was written.
    """
    found = _state(written)
    if found is None:
        return False
    tables, branch = found
    if branch.code >> at.TAG_SHIFT != at.STRUCTURAL or branch.code == at.DONE:
        return False
    if written.write_forced():
        return True
    with tables.lock:
        wanted = _Drawing(tables, branch, random_source, written).draw()
    num_bytes = len(written.text)
    written.write(wanted)
    return len(written.text) > num_bytes


def is_in_number(written: Written) -> bool:
    """True if the text is in a number of a document. `samples.py` then drops whitespace, which would end the
    number.
    """
    found = _state(written)
    return found is not None and found[1].code >> at.TAG_SHIFT == at.NUMBER


def _state(written: Written) -> tuple[DocumentTables, Branch] | None:
    """Return the tables and the state of the document that the text is in.

    Returns None when the text is in no document, or when it may be in one of several.
    """
    automaton, config = written.automaton, written.config
    if isinstance(automaton, DocumentAutomaton):
        return automaton, Branch(*automaton.states_at[config])
    if isinstance(automaton, ProductAutomaton):
        config = automaton.left_of(config)
        automaton = automaton.rules
    if not isinstance(automaton, PushdownAutomaton):
        return None
    branches = automaton.branches_at(config)
    return (automaton, branches[0]) if len(branches) == 1 and not branches[0].is_in_rules else None


class _Drawing:
    """Draws one choice at a structural state of a document."""

    def __init__(self, tables: DocumentTables, branch: Branch, random_source: random.Random, written: Written) -> None:
        self._written = written
        self._context = branch.code >> at.CONTEXT_SHIFT
        self._frame: Frame = tables.top_frame(branch.stack)
        self._random = random_source
        self._depth = 0
        stack = branch.stack
        while not tables.is_root(stack):
            self._depth += 1
            stack = tables.machine.top(stack)[1]

    def draw(self) -> bytes:
        """Return the bytes to write; b"" leaves the choice to the caller."""
        can_close = self._frame.close_class is not None
        match self._context:
            case at.FIRST_KEY | at.KEY:
                return self._key(can_close=can_close and self._context == at.FIRST_KEY) or b"}"
            case at.AFTER_MEMBER:
                key = self._key(can_close=can_close)
                return b"," + key if key else b"}"
            case at.AFTER_ITEM:
                has_more = self._frame.value_spec() is not None
                return b"," if has_more and (not can_close or self._random.random() < _MEMBER) else b"]"
            case at.COLON:
                return b":"
            case at.LITERAL:
                return b""
        spec = self._frame.value_spec()
        is_first = self._context == at.FIRST_ITEM
        if is_first and can_close and (spec is None or self._random.random() > _MEMBER):
            return b"]"
        return b"" if spec is None else self._value(spec)

    def _key(self, *, can_close: bool) -> bytes:
        """Return a key, or the quote that begins an undeclared key; b"" for no further key."""
        keys = self._frame.key_spec()
        if keys is None:
            return b""
        left_out = self._written.left_out.setdefault(self._depth, set())
        if self._context == at.FIRST_KEY:
            left_out.clear()
        for word in keys.words:
            if word not in left_out and self._random.random() < _MEMBER:
                return _quoted(word)
            left_out.add(word)
        if not can_close:
            return self._needed_key(keys)
        is_other = keys.open and self._random.random() < (_OTHER_KEY if keys.words else _MEMBER)
        return b'"' if is_other else b""

    def _needed_key(self, keys: KeySpec) -> bytes:
        """Return a key where one must come, if known one that the object still needs before it can end."""
        helpful = self._frame.helpful_keys() if self._frame.kind == "object" else ()
        words = [word for word in keys.words if word in helpful] or list(keys.words)
        return _quoted(self._random.choice(words)) if words else b'"'

    def _value(self, spec: ValueSpec) -> bytes:
        deep = _DEEP**self._depth
        kinds = [(1.0, text) for text in filter(None, [self._string(spec), self._number(spec)])]
        kinds += [(0.5 if text in (b"true", b"false") else 1.0, text) for text, _ in spec.literals]
        kinds += [(deep, b"{")] if spec.object is not None else []
        kinds += [(deep, b"[")] if spec.array is not None else []
        return self._random.choices([text for _, text in kinds], [weight for weight, _ in kinds])[0]

    def _string(self, spec: ValueSpec) -> bytes:
        if not spec.strings:
            return b""
        words = [word for language, _ in spec.strings if isinstance(language, lang.Words) for word in language.words]
        left = sorted(word for word in words if word not in spec.excluded_strings)
        num_open = sum(not isinstance(language, lang.Words) for language, _ in spec.strings)
        choices = [*map(_quoted, left), *[b'"'] * num_open]
        return self._random.choice(choices) if choices else b""

    def _number(self, spec: ValueSpec) -> bytes:
        """Return a number of a short list, or the first byte of any number."""
        words = [word for language, _ in spec.numbers if isinstance(language, lang.Words) for word in language.words]
        left = sorted(word.encode() for word in words if word not in spec.excluded_numbers)
        if any(not isinstance(language, lang.Words) for language, _ in spec.numbers):
            left += [bytes([byte]) for byte in _FIRST_OF_NUMBERS if self._written.after_byte(byte) is not None]
        return self._random.choice(left) if left else b""


def _quoted(word: str) -> bytes:
    return b'"' + spell(word) + b'"'
