"""Say what a JSON document expects next: keys, values or the end of a container.

The machine's frames give the exact possibilities. The schema gives the parts' names and demands.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any, NamedTuple

from guided.grammars.machine import layout as at
from guided.grammars.machine.frames import Frame, KeySpec, Lexeme, ValueSpec
from guided.grammars.regex import algebra as lang

from ...schemas.document_place import DocumentPlace
from ...schemas.subschemas import SchemaPart
from .expected import MAX_OPTIONS, Expected, ExpectedOption
from .native_state import DocumentState
from .schema_places import SchemaPlaces
from .schema_words import as_json, count_words, is_integer, listed, listed_numbers, name_of, number_words, string_words

_LITERALS = ("true", "false", "null")


class _Written(NamedTuple):
    """A document up to its end.

    place: the place that the text has reached.
    parts: the parts of the schema that apply to the value there.
    of_container: the parts of the schema that apply to the container there.
    frame: the machine's frame of the container.
    code: the machine's state there.
    """

    place: DocumentPlace
    parts: Sequence[SchemaPart]
    of_container: Sequence[SchemaPart]
    frame: Frame
    code: int

    @property
    def of_name(self) -> str:
        """ " of Person", where the open container has a name."""
        name = name_of(self.of_container)
        return "" if name is None else f" of {name}"


class DocumentDescriber:
    """Describes documents of one schema. Keeps the last text's place, because the next text mostly continues the last
    one.
    """

    def __init__(self, schema: Any) -> None:
        self._places = SchemaPlaces(schema)
        self._text, self._place = b"", DocumentPlace()

    def describe(self, state: DocumentState, *, may_end: bool) -> Expected:
        """Return the allowed continuations of a document."""
        place = self._place_of(state.text)
        parts = self._places.at(place)
        words, options = "", list[ExpectedOption]()
        with state.tables.lock:
            code = state.branch.code
            if code != at.DONE:
                frame = state.tables.top_frame(state.branch.stack)
                words, options = _describe(_Written(place, parts, self._places.of_container(place), frame, code))
        if may_end:
            options.append(ExpectedOption("end", "the end of the text"))
            words = f"{words} or the end of the text" if words else "nothing more: the document is complete"
        return Expected(
            words or "the text after the document",
            tuple(options[: MAX_OPTIONS + 1]),
            may_end,
            document=place.pointer,
            schemas=tuple(part.pointer for part in parts),
        )

    def _place_of(self, text: bytes) -> DocumentPlace:
        if not text.startswith(self._text):
            self._text, self._place = b"", DocumentPlace()
        self._place.feed(text[len(self._text) :])
        self._text = text
        return self._place


def _describe(written: _Written) -> tuple[str, list[ExpectedOption]]:
    tag = written.code >> at.TAG_SHIFT
    if tag != at.STRUCTURAL:
        return _in_number(written) if tag == at.NUMBER else _in_string(written)
    context = written.code >> at.CONTEXT_SHIFT
    frame = written.frame
    if context == at.LITERAL:
        literal = _LITERALS[written.code >> at.LITERAL_SHIFT & 7]
        return f"the rest of {literal}", [ExpectedOption("value", literal)]
    if context in (at.FIRST_KEY, at.KEY):
        return _of_key(written, may_close=context == at.FIRST_KEY and frame.close_class is not None)
    if context == at.AFTER_MEMBER:
        return _after_member(written)
    if context == at.COLON:
        words, options = _of_value(written, frame.value_spec())
        return f'":" and then {words}', options
    if context == at.AFTER_ITEM:
        return _after_item(written)
    words, options = _of_value(written, frame.value_spec())
    if context == at.FIRST_ITEM and frame.close_class is not None:
        return _or(words, "]"), [*options, ExpectedOption("end", "]")]
    return words, options


def _after_member(written: _Written) -> tuple[str, list[ExpectedOption]]:
    keys = written.frame.key_spec()
    options = [] if keys is None else _keys_of(keys)
    words = "" if keys is None else f'"," and another key{_key_words(written, options)}'
    if written.frame.close_class is None:
        return words, options
    return _or(words, "}"), [*options, ExpectedOption("end", "}")]


def _after_item(written: _Written) -> tuple[str, list[ExpectedOption]]:
    spec = written.frame.value_spec()
    words, options = ("", []) if spec is None else ('"," and another item', [ExpectedOption("value", "another item")])
    if written.frame.close_class is None:
        return words, options
    return _or(words, "]"), [*options, ExpectedOption("end", "]")]


def _or(words: str, end: str) -> str:
    return f"{words} or {end}" if words else end


# ---- keys


def _of_key(written: _Written, *, may_close: bool) -> tuple[str, list[ExpectedOption]]:
    keys = written.frame.key_spec()
    options = [] if keys is None else _keys_of(keys)
    ends = [ExpectedOption("end", "}")] if may_close else []
    if not options:
        return f"the end{written.of_name}: }}", ends
    words = [_shown(one) for one in options] + [one.text for one in ends]
    return f"a key{written.of_name}: {listed(words)}", [*options, *ends]


def _key_words(written: _Written, options: Sequence[ExpectedOption]) -> str:
    return f"{written.of_name}: {listed([_shown(one) for one in options])}"


def _keys_of(keys: KeySpec) -> list[ExpectedOption]:
    found = [ExpectedOption("key", word) for word in list(keys.words)[:MAX_OPTIONS]]
    return found + ([ExpectedOption("key", _OTHER_KEY)] if keys.open else [])


_OTHER_KEY = "another name"


def _shown(option: ExpectedOption) -> str:
    plain = option.text.replace("_", "").replace("-", "").isalnum() or option.text == _OTHER_KEY
    return option.text if plain else as_json(option.text)


# ---- values


def _of_value(written: _Written, spec: ValueSpec | None) -> tuple[str, list[ExpectedOption]]:
    if spec is None:
        return "no further value", []
    parts = written.parts if not written.place.is_at_key else ()
    options = _words_of(spec.strings, spec.excluded_strings, is_string=True)
    if _has_more(spec.strings):
        options.append(ExpectedOption("value", f"a string{string_words(parts)}"))
    options += _words_of(spec.numbers, spec.excluded_numbers, is_string=False)
    if _has_more(spec.numbers):
        options += [ExpectedOption("value", one) for one in listed_numbers(parts) or [_number_words(parts)]]
    options += [ExpectedOption("value", text.decode()) for text, _ in spec.literals]
    if spec.object is not None:
        name = name_of(parts)
        options.append(ExpectedOption("value", "an object" if name is None else f"an object, {name}"))
    if spec.array is not None:
        options.append(ExpectedOption("value", f"an array{count_words(parts, 'minItems', 'maxItems', 'items')}"))
    return listed([one.text for one in options]), options


def _number_words(parts: Sequence[SchemaPart]) -> str:
    return f"{'an integer' if is_integer(parts) else 'a number'}{number_words(parts)}"


def _words_of(lexeme: Lexeme, excluded: frozenset[str], *, is_string: bool, begin: str = "") -> list[ExpectedOption]:
    """Return the texts with a beginning from those languages that are lists of words."""
    lists = [language.sorted_words for language, _ in lexeme if isinstance(language, lang.Words)]
    words = (word for some in lists for word in some if word.startswith(begin) and word not in excluded)
    return [ExpectedOption("value", as_json(word) if is_string else word) for word in islice(words, MAX_OPTIONS)]


def _has_more(lexeme: Lexeme) -> bool:
    return any(not isinstance(language, lang.Words) for language, _ in lexeme)


# ---- inside of strings and numbers


def _in_string(written: _Written) -> tuple[str, list[ExpectedOption]]:
    begin = written.place.part
    if written.place.mode == "name":
        return _in_name(written, begin)
    spec = written.frame.value_spec()
    left = [] if spec is None else _words_of(spec.strings, spec.excluded_strings, is_string=True, begin=begin)
    is_open = spec is not None and _has_more(spec.strings)
    if is_open or not left:
        return f"the rest of a string{string_words(written.parts)}", [ExpectedOption("value", "the rest of a string")]
    return f"the rest of {listed([one.text for one in left])}", left


def _in_name(written: _Written, so_far: str) -> tuple[str, list[ExpectedOption]]:
    keys = written.frame.key_spec()
    if keys is None:
        return "the rest of a key", []
    left = [ExpectedOption("key", word) for word in keys.words if word.startswith(so_far)][:MAX_OPTIONS]
    if keys.open:
        left.append(ExpectedOption("key", _OTHER_KEY))
    return f"the rest of a key{written.of_name}: {listed([_shown(one) for one in left])}", left


def _in_number(written: _Written) -> tuple[str, list[ExpectedOption]]:
    words = listed(listed_numbers(written.parts)) or _number_words(written.parts)
    return f"the rest of {words}, or what follows it", [ExpectedOption("value", f"the rest of {words}")]
