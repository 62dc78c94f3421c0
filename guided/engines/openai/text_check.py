"""`TextCheck`: whether a text that another server writes fits its grammar, while it comes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from guided.grammars.protocol import CompiledGrammar
from guided.grammars.vocabulary import Vocabulary

from ...errors import EndpointAnswerError

JSON_WHITESPACE = " \t\n\r"
ANY_WHITESPACE = r"[ \t\n\r]*"  # between JSON tokens: all that JSON allows
SHOWN_CHARS = 40
_HIGH = r"\\u[dD][89abAB][0-9a-fA-F]{2}"  # half of a character beyond the first plane
_OPEN_ESCAPE = re.compile(rf"\\(u[0-9a-fA-F]{{0,3}})?|{_HIGH}(\\(u[0-9a-fA-F]{{0,3}})?)?")


def byte_vocabulary() -> Vocabulary:
    """Of one byte a token, whose id is the byte, and an end."""
    return Vocabulary([*(bytes([byte]) for byte in range(256)), None], [256])


class TextCheck:
    """grammar: compiled for `byte_vocabulary()`. what: the text, in messages.

    is_json: it is a JSON document, as those of schemas always are.
    is_begun: some of it has come. White space around a JSON document is no part of it, and let through.
    """

    def __init__(self, grammar: CompiledGrammar, what: str, *, is_json: bool = False) -> None:
        self._matcher = grammar.matcher()
        self._is_json = is_json or grammar.spec.kind == "json_schema"
        self._kind = grammar.spec.kind
        self._what = what
        self._num_chars = 0
        self._seen = ""  # the end of what has come
        self._escape = ""  # the beginning of one
        self.is_begun = self._is_over = False

    @property
    def is_complete(self) -> bool:
        """The text so far is one of the grammar's."""
        return self._matcher.is_accepting()

    def push(self, text: str) -> str:
        """Take more of the text; returns it, without white space around a document. Raises EndpointAnswerError."""
        return "".join([unit for unit in self._units(text) if self._take(unit)])

    def finish(self) -> None:
        """Raises EndpointAnswerError for a text that is no whole one, though the other side has ended it."""
        if not self.is_complete:
            raise EndpointAnswerError(
                f"{self._what} ended before it was complete under its {self._kind}, after {self._num_chars} characters "
                f"({self._seen!r})"
            )

    def _units(self, text: str) -> Iterator[str]:
        """Characters, and in JSON escapes as wholes; one that is not all there waits for its rest."""
        for char in text:
            self._escape += char
            if not (self._is_json and _OPEN_ESCAPE.fullmatch(self._escape)):
                unit, self._escape = self._escape, ""
                yield unit

    def _take(self, char: str) -> bool:
        """Whether a unit is kept."""
        is_space = self._is_json and char in JSON_WHITESPACE
        fits = True
        if is_space and (not self.is_begun or self._is_over):
            is_kept = False
        elif self._is_over:
            is_kept = fits = False
        else:
            is_kept = fits = all(
                self._matcher.accept_token(byte) for byte in _plainest(char).encode("utf-8", "surrogatepass")
            )
            if not fits and is_space and self._matcher.is_accepting():
                self._is_over, fits = True, True
            self.is_begun = True
        if not fits:
            raise EndpointAnswerError(
                f"{self._what} does not fit its {self._kind} from character {self._num_chars} on: {char!r} after "
                f"{self._seen!r}"
            )
        self._num_chars += len(char)
        self._seen = (self._seen + char)[-SHOWN_CHARS:]
        return is_kept


def _plainest(unit: str) -> str:
    """A character of a JSON string as grammars write it, which is without an escape where none is needed."""
    if len(unit) == 1:
        return unit
    try:
        return json.dumps(json.loads(f'"{unit}"'), ensure_ascii=False)[1:-1]
    except ValueError:  # no escape of JSON: the grammar refuses it
        return unit
