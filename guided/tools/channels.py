"""`Channels`: answers that consist of marked parts: thoughts, texts and calls. A mark may have several tokens.

gpt-oss writes each part as a message of its own, Kimi K3 as an element, Functionary 3.2 behind the name of a reader.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .arguments import Format

_ANY_TEXT: Format = {"type": "any_text"}


@dataclass(frozen=True)
class Part:
    """A part of an answer. begin, end: the part's marks. The prompt may contain the first mark; the last mark may be
    missing at the output's end.
    """

    begin: str
    end: str
    is_thinking: bool = False


@dataclass(frozen=True)
class Channels:
    """The parts of an answer and their order.

    before: parts that may come first, any number of times, such as thoughts and remarks before calls.
    answer: the part with the answer's text; no remark precedes it.
    between: text before each part except the first, and before calls.
    has_both: calls follow the answer's text; False: calls replace it.
    has_calls_in_text: calls stand inside the answer's text, each after `between`; the prompt ends with it.
    is_opened: the prompt contains the mark that begins the first part.
    thinking_key: the chat template's name for earlier thoughts in messages with calls; "": the usual name.
    end: the end of a whole answer. Without `has_both` it may be missing, as a token that ends the output.
    """

    before: tuple[Part, ...]
    answer: Part
    between: str = ""
    has_both: bool = False
    has_calls_in_text: bool = False
    is_opened: bool = False
    thinking_key: str = ""
    end: str = ""

    @property
    def parts(self) -> tuple[Part, ...]:
        """All parts that an answer may have."""
        return (*self.before, self.answer)

    def opened_by(self, prompt: str) -> Part | None:
        """The part that a prompt has begun and not ended; None if there is none."""
        place, last = max((prompt.rfind(part.begin), index) for index, part in enumerate(self.parts))
        part = self.parts[last]
        return part if place >= 0 and (part.end or self.between) not in prompt[place + len(part.begin) :] else None

    def format(self, answer: Format | None, calls: Format | None) -> Format:
        """The format of a whole answer.

        answer: format of the answer's text; None: the answer must be calls.
        calls: format of calls; None: no calls are allowed.
        """
        if not self.has_both:
            last = [_sequence(_const(self.answer.begin), answer)] if answer is not None else []
            told = [] if calls is None else [_sequence(*self._any_of(self.before), calls)]
            thoughts = [part for part in self.before if part.is_thinking]
            return _sequence(*self._any_of(thoughts), {"type": "or", "elements": [*last, *told]})
        first = self.before[0]
        begin = "" if self.is_opened else first.begin
        thought = _sequence(_tag(begin, _ANY_TEXT, first.end), _const(self.between + self.answer.begin))
        return _sequence({"type": "optional", "content": thought}, self.rest(answer, calls))

    def rest(self, answer: Format | None, calls: Format | None) -> Format:
        """The format of the rest of an answer whose text has begun. Arguments as for `format`; answer may be None only
        if calls follow the text.
        """
        if not self.has_both:
            assert answer is not None
            return answer
        text = _tag("", _ANY_TEXT if answer is None else answer, self.answer.end)
        called = [] if calls is None else [calls if answer is None else {"type": "optional", "content": calls}]
        return _sequence(text, *called, _const(self.end))

    def _any_of(self, parts: Sequence[Part]) -> list[Format]:
        """The format of any number of these parts, each followed by the text before the next one."""
        tags = [_sequence(_tag(part.begin, _ANY_TEXT, part.end), _const(self.between)) for part in parts]
        return [{"type": "star", "content": {"type": "or", "elements": tags}}] if tags else []


def _const(text: str) -> Format:
    return {"type": "const_string", "value": text}


def _sequence(*elements: Format) -> Format:
    return {"type": "sequence", "elements": list(elements)}


def _tag(begin: str, content: Format, end: str) -> Format:
    return {"type": "tag", "begin": begin, "content": content, "end": end}
