"""`/v1/grammar/match` and `/v1/grammar/sample`: match a text against a grammar; draw random texts of a grammar.

No model is asked.
"""

from __future__ import annotations

import time
from typing import Annotated, Self

from fastapi import Request
from pydantic import Field

from guided.grammars.spec import GrammarKind
from guided.workbench.inspection.expected import Expected
from guided.workbench.inspection.match import match_text
from guided.workbench.inspection.samples import MAX_BYTES, sample_texts

from ..errors import RequestLimitError
from ..settings import ServerSettings
from .base import Answer, keyed_router, posting
from .grammar_requests import AskedGrammar, GrammarRequest, answer_of_grammar

router = keyed_router()


class GrammarMatchRequest(GrammarRequest):
    """One constraint, in any of the fields of a chat completion, and a text to match."""

    text: str

    def check(self, settings: ServerSettings) -> None:
        """Raise RequestLimitError if the text is too long."""
        num_bytes = len(self.text.encode("utf-8", "surrogatepass"))
        if num_bytes > settings.max_check_bytes:
            raise RequestLimitError(f"a text of {num_bytes} bytes", settings.max_check_bytes, "max_check_bytes", "text")


class GrammarSampleRequest(GrammarRequest):
    """One constraint, and how many of its texts to draw. The same seed gives the same texts.

    max_bytes: length in bytes at which a text stops growing. A text is longer if no shorter end exists.
    """

    num: Annotated[int, Field(ge=1)] = 10
    seed: Annotated[int, Field(ge=0)] = 0
    max_bytes: Annotated[int, Field(ge=1)] = MAX_BYTES

    def check(self, settings: ServerSettings) -> None:
        """Raise RequestLimitError if the texts are too many or too long together."""
        if self.num > settings.max_samples:
            raise RequestLimitError(f"{self.num} texts", settings.max_samples, "max_samples", "num")
        if self.num * self.max_bytes > settings.max_check_bytes:
            what = f"{self.num} texts of {self.max_bytes} bytes"
            raise RequestLimitError(what, settings.max_check_bytes, "max_check_bytes", "max_bytes")


class TextPosition(Answer):
    """A place in a text. characters, bytes: their numbers before the place. line, column: from 1, column in characters.
    found: the character at the place, null at the text's end.
    """

    characters: int
    bytes: int
    line: int
    column: int
    found: str | None


class OptionAnswer(Answer):
    """One kind of text that may come next, see `ExpectedAnswer`."""

    kind: str
    text: str


class ExpectedAnswer(Answer):
    """What may come next.

    text: a description in words.
    options: the possibilities, one by one.
    may_end: the text may end here.
    examples: some of the characters that may come next.
    """

    text: str
    options: list[OptionAnswer]
    may_end: bool
    examples: list[str]

    @classmethod
    def of(cls, expected: Expected) -> Self:
        """Convert to the answer's format."""
        return cls(
            text=expected.text,
            options=[OptionAnswer(kind=one.kind, text=one.text) for one in expected.options],
            may_end=expected.may_end,
            examples=list(expected.examples),
        )


class PlaceAnswer(Answer):
    """document: JSON pointer into the document that is being written. schema: pointer of the part of the schema that
    governs this place. schemas: pointers of all such parts, through references and branches.
    """

    document: str
    schema_: Annotated[str | None, Field(serialization_alias="schema")]
    schemas: list[str]

    @classmethod
    def of(cls, expected: Expected) -> Self | None:
        """Convert to the answer's format; None outside of documents."""
        if expected.document is None:
            return None
        return cls(
            document=expected.document,
            schema_=next(iter(expected.schemas), None),
            schemas=[*expected.schemas],
        )


class GrammarMatchAnswer(Answer):
    """The result of matching a text.

    accepted: the grammar allows this text.
    beginning: the text is a proper beginning of an allowed text.
    stop: where matching stopped; null if the text is accepted.
    expected, place: what may come at the stop, or after an accepted text.
    """

    kind: GrammarKind
    accepted: bool
    beginning: bool
    stop: TextPosition | None
    expected: ExpectedAnswer
    place: PlaceAnswer | None
    compile_s: float


class GrammarSampleAnswer(Answer):
    """texts: texts that the grammar allows; they may repeat. compile_s, sample_s: seconds of the server's work."""

    kind: GrammarKind
    seed: int
    texts: list[str]
    compile_s: float
    sample_s: float


@router.post("/v1/grammar/match", openapi_extra=posting(GrammarMatchRequest))
async def match_grammar(request: Request) -> GrammarMatchAnswer:
    """Finds how much of a text a grammar allows: the place where matching stopped, and what may come there."""
    return await answer_of_grammar(request, GrammarMatchRequest, _match)


@router.post("/v1/grammar/sample", openapi_extra=posting(GrammarSampleRequest))
async def sample_grammar(request: Request) -> GrammarSampleAnswer:
    """Random texts of a grammar, to see what it really allows."""
    return await answer_of_grammar(request, GrammarSampleRequest, _sample)


def _match(given: GrammarMatchRequest, grammar: AskedGrammar) -> GrammarMatchAnswer:
    with grammar.watched("trying the text", "text"):
        found = match_text(grammar.compiled, given.text)
    position = TextPosition(
        characters=found.num_chars, bytes=found.num_bytes, line=found.line, column=found.column, found=found.found
    )
    return GrammarMatchAnswer(
        kind=grammar.kind,
        accepted=found.is_accepted,
        beginning=found.is_beginning,
        stop=None if found.is_accepted else position,
        expected=ExpectedAnswer.of(found.expected),
        place=PlaceAnswer.of(found.expected),
        compile_s=grammar.compile_s,
    )


def _sample(given: GrammarSampleRequest, grammar: AskedGrammar) -> GrammarSampleAnswer:
    start_s = time.perf_counter()
    with grammar.watched("drawing the texts", "num"):
        texts = sample_texts(grammar.compiled, given.num, seed=given.seed, max_bytes=given.max_bytes)
    sample_s = time.perf_counter() - start_s
    return GrammarSampleAnswer(
        kind=grammar.kind, seed=given.seed, texts=texts, compile_s=grammar.compile_s, sample_s=sample_s
    )
