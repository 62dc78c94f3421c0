"""`TextCheck`: checks a text of another server against its grammar while the text arrives."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from guided.grammars.protocol import CompiledGrammar
from guided.grammars.vocabulary import Vocabulary

from ...errors import EndpointAnswerError

JSON_WHITESPACE = " \t\n\r"
ANY_WHITESPACE = r"[ \t\n\r]*"  # all whitespace that JSON allows between tokens
SHOWN_CHARS = 40
_HIGH = r"\\u[dD][89abAB][0-9a-fA-F]{2}"  # first half of a character above U+FFFF
_OPEN_ESCAPE = re.compile(rf"\\(u[0-9a-fA-F]{{0,3}})?|{_HIGH}(\\(u[0-9a-fA-F]{{0,3}})?)?")


def byte_vocabulary() -> Vocabulary:
    """A vocabulary with one token for each byte, whose id is the byte, and an end token."""
    return Vocabulary([*(bytes([byte]) for byte in range(256)), None], [256])


class TextCheck:
    """Checks one text.

    grammar: grammar compiled for `byte_vocabulary()`.
    what: name of the text, in messages.
    is_json: True: the text is a JSON document, as under every schema. White space around it is dropped.
    is_begun: attribute; True after the first part of the text.
    """

    def __init__(self, grammar: CompiledGrammar, what: str, *, is_json: bool = False) -> None:
        self._matcher = grammar.matcher()
        self._is_json = is_json or grammar.spec.kind == "json_schema"
        self._kind = grammar.spec.kind
        self._what = what
        self._num_chars = 0
        self._seen = ""  # the last part of the text
        self._escape = ""  # the beginning of an incomplete escape
        self.is_begun = self._is_over = False

    @property
    def is_complete(self) -> bool:
        """True if the text so far fits the whole grammar."""
        return self._matcher.is_accepting()

    def push(self, text: str) -> str:
        """Take more text; returns it without white space around a document. Raises EndpointAnswerError."""
        return "".join([unit for unit in self._units(text) if self._take(unit)])

    def finish(self) -> None:
        """Raises EndpointAnswerError if the other server has ended an incomplete text."""
        if not self.is_complete:
            raise EndpointAnswerError(
                f"{self._what} ended before it was complete under its {self._kind}, after {self._num_chars} characters "
                f"({self._seen!r})"
            )

    def _units(self, text: str) -> Iterator[str]:
        """Yield a text's characters; in JSON each escape comes whole. An incomplete escape waits for its rest."""
        for char in text:
            self._escape += char
            if not (self._is_json and _OPEN_ESCAPE.fullmatch(self._escape)):
                unit, self._escape = self._escape, ""
                yield unit

    def _take(self, char: str) -> bool:
        """Check a character or a whole JSON escape. Returns True if it is part of the text.

        Raises EndpointAnswerError if it does not fit the grammar.
        """
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
    """A character of a JSON string in the spelling of grammars: without an escape unless it needs one."""
    if len(unit) == 1:
        return unit
    try:
        return json.dumps(json.loads(f'"{unit}"'), ensure_ascii=False)[1:-1]
    except ValueError:  # no escape of JSON: the grammar refuses it
        return unit
