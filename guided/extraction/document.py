"""Texts of any length: cut into pieces, read together in the running batch, and merged into one extraction each."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Generic, TypeVar

from guided.grammars.errors import GuidedError, InvalidInputError, UnsatisfiableError

from ..documents.pieces import Cut, Cutter, Piece
from ..errors import (
    ContextLengthError,
    IncompleteOutputError,
    MissingQuoteError,
    OutputCutError,
    OutputValidationError,
    PieceFailure,
    PiecesFailedError,
)
from ..output.completion import Completion
from ..params.checks import check_kind
from ..schemas.exact_json import write_json
from ..schemas.shape import ValueShape
from .conversation import check_text, draft_turns, is_blank
from .extraction import Extraction
from .extractor import MAX_IN_FLIGHT, Extractor, Reading, check_texts, extract_in_order
from .merging import Merger

T = TypeVar("T")

MAX_HALVINGS = 6  # how often a piece may be halved because its document does not fit beside it
MAX_REREADS = 30  # requests for halves of one piece, and for their halves: enough for sixteenths
MAX_PIECE_TOKENS = 2000  # default size of a piece; models lose facts in the middle of long texts

OnPiece = Callable[[int], None]
"""Called with the number of characters that were read."""


class DocumentReader(Generic[T]):
    """Reads long texts with an extractor. If the extractor reports confidences, they decide between differing values.

    A piece is halved and read again if its document is cut off or was closed early to fit the budget. Halving happens
    at most MAX_HALVINGS times and with MAX_REREADS requests. A document without lists reaches its automatic limit of
    tokens only if the model repeats itself; then the piece stays whole. A piece without any value that the schema
    allows (such as a quote) contributes nothing.

    Args:
        cut: how large pieces are; None: defaults.

    Raises:
        InvalidInputError: if the model's context has no room for a piece.
    """

    def __init__(self, extractor: Extractor[T], cut: Cut | None = None) -> None:
        self._extractor = extractor
        self._of_pieces = extractor.for_pieces()
        self._shape = ValueShape.of(extractor.schema)
        check_kind("cut", cut, Cut)
        cut = Cut() if cut is None else cut
        max_tokens = _usual_tokens(extractor) if cut.max_tokens is None else cut.max_tokens
        if max_tokens < 1:
            raise InvalidInputError(
                "instructions and schema leave no room for a piece of a text in the model's context"
            )
        overlap = max_tokens // 8 if cut.overlap_tokens is None else cut.overlap_tokens
        self._cutter = Cutter(max_tokens, min(overlap, max_tokens - 1), partial(_count, extractor))

    def read_each(
        self, texts: Iterable[str], *, max_in_flight: int = MAX_IN_FLIGHT, on_piece: OnPiece | None = None
    ) -> Iterator[Extraction[T]]:
        """The extractions of the texts, in order, each as soon as it is done: see `read_documents`."""
        check_texts(texts)
        return read_documents((LongText(self, text) for text in texts), max_in_flight=max_in_flight, on_piece=on_piece)

    def read(self, text: str, *, on_piece: OnPiece | None = None) -> Extraction[T]:
        """The extraction of one text. on_piece: called for each piece that was read."""
        (found,) = self.read_each([text], on_piece=on_piece)
        return found

    def start(self, text: Any, problem: GuidedError | None = None, *, is_whole: bool = True) -> Reading[T]:
        """Begin to read a piece. problem: an error that prevents reading it. is_whole: the piece is the whole text."""
        extractor = self._extractor if is_whole else self._of_pieces
        return extractor.start(text, problem)

    def pieces(self, text: str) -> Iterator[Piece]:
        """The pieces of a text that are not blank."""
        return (piece for piece in self._cutter.pieces(text) if not is_blank(piece.text))

    def new_document(self, start_s: float | None = None) -> _Document[T]:
        """A document without pieces. start_s: when its first piece was started; None: now."""
        return _Document(self._extractor, self._shape, time.monotonic() if start_s is None else start_s)

    def take(self, document: _Document[T], piece: Piece, extraction: Extraction[T]) -> None:
        """Add a piece to a document. If its answer did not fit, it is halved, and the halves are read together."""
        parts, room = [(piece, extraction)], MAX_REREADS
        for _ in range(MAX_HALVINGS):
            started: list[tuple[Piece, Extraction[T] | Reading[T]]] = []
            for part, read in parts:
                halves = self._halves(part, read) if room >= 2 else []
                if halves:
                    document.count(read)
                    started += [(half, self.start(half.text, is_whole=False)) for half in halves]
                    room -= len(halves)
                else:
                    started.append((part, read))
            if all(isinstance(one, Extraction) for _, one in started):
                break
            parts = [(part, one.result() if isinstance(one, Reading) else one) for part, one in started]
        for part, read in parts:
            document.take(part, read, since=piece.start)

    def _halves(self, piece: Piece, extraction: Extraction[T]) -> list[Piece]:
        """The non-blank halves of a piece whose document did not fit; [] if the piece stays whole."""
        is_cut = isinstance(extraction.error, IncompleteOutputError) or extraction.is_shortened
        may_fit = is_cut and self._extractor.may_fit_in_parts(piece.text, extraction.completion)
        if not isinstance(extraction.error, ContextLengthError) and not may_fit:
            return []
        halves = self._cutter.halves(piece)
        return [half for half in halves if not is_blank(half.text)] if len(halves) > 1 else []


@dataclass(frozen=True)
class LongText:
    """A text to read. problem: an error that prevents reading it."""

    reader: DocumentReader[Any]
    text: Any
    problem: GuidedError | None = None


def read_documents(
    texts: Iterable[LongText], *, max_in_flight: int = MAX_IN_FLIGHT, on_piece: OnPiece | None = None
) -> Iterator[Extraction[Any]]:
    """The extractions of the texts, in order, each as soon as it is done. Pieces of all texts are read side by side.

    An error of one text is in its `Extraction.error`.

    Args:
        texts: taken, and cut into pieces, only when needed.
        max_in_flight: number of pieces that may be started and not yet merged.
        on_piece: called for each piece that was merged.
    """
    marks: deque[_Mark] = deque()
    document: _Document[Any] | None = None
    for extraction in extract_in_order(_starts(texts, marks), max_in_flight):
        mark = marks.popleft()
        document = document or mark.reader.new_document(mark.start_s)
        mark.reader.take(document, mark.piece, extraction)
        if on_piece is not None:
            on_piece(mark.num_chars)
        if mark.is_last:
            yield document.extraction()
            document = None


@dataclass(frozen=True)
class _Mark:
    """A piece that was started. num_chars: its characters that no earlier piece contained."""

    reader: DocumentReader[Any]
    piece: Piece
    num_chars: int
    is_last: bool
    start_s: float  # when the piece was started


def _starts(texts: Iterable[LongText], marks: deque[_Mark]) -> Iterator[Callable[[], Reading[Any]]]:
    """Functions that start each piece. Before each one, `marks` gets the piece that it starts."""
    for one in texts:
        covered, length = 0, len(one.text) if isinstance(one.text, str) else 0
        for piece, problem, is_last in _with_last(_pieces(one)):
            end = length if is_last else piece.end
            marks.append(_Mark(one.reader, piece, end - covered, is_last, time.monotonic()))
            yield partial(one.reader.start, piece.text, problem, is_whole=is_last and not covered)
            covered = end


def _pieces(one: LongText) -> Iterator[tuple[Piece, GuidedError | None]]:
    """The pieces of a text, at least one. A text that can't be read or cut gives a piece with the error."""
    end, problem = 0, one.problem
    if problem is None:
        try:
            check_text(one.text)
            for piece in one.reader.pieces(one.text):
                yield piece, None
                end = piece.end
        except GuidedError as error:
            problem = error
    if problem is not None:
        yield Piece(end, one.text[end:] if isinstance(one.text, str) else ""), problem


def _with_last(
    pieces: Iterator[tuple[Piece, GuidedError | None]],
) -> Iterator[tuple[Piece, GuidedError | None, bool]]:
    """Each pair, extended by whether it is the last one."""
    previous = next(pieces)
    for one in pieces:
        yield *previous, False
        previous = one
    yield *previous, True


class _Document(Generic[T]):
    """A text whose pieces are being read and merged."""

    def __init__(self, extractor: Extractor[T], shape: ValueShape, start_s: float) -> None:
        self._extractor = extractor
        self._merger = Merger(shape)
        self._costs = _Costs(start_s)
        self._num_pieces = self._num_merged = 0
        self._alone: Extraction[T] | None = None  # the only piece so far
        self._empty: GuidedError | None = None
        self._failures: list[PieceFailure] = []
        self._is_shortened = False

    def count(self, extraction: Extraction[T]) -> None:
        """Count the cost of an extraction."""
        self._costs.add(extraction)

    def take(self, piece: Piece, extraction: Extraction[T], since: int | None = None) -> None:
        """Add a piece. A document that only the type's own rules refuse is still merged, since the whole document may
        be right.

        since: see `Merger.add`.
        """
        self.count(extraction)
        extraction = self._extractor.seen_from_around(extraction, piece)
        self._num_pieces += 1
        self._alone = extraction if self._num_pieces == 1 and piece.start == 0 else None
        self._is_shortened |= extraction.is_shortened
        error = extraction.error
        if isinstance(error, UnsatisfiableError):
            self._empty = error
        elif (
            error is None or isinstance(error, OutputCutError) or (_is_of_the_type(error) and _has_document(extraction))
        ):
            self._merger.add(extraction, piece.start, piece.end, since)
            self._num_merged += 1
        else:
            self._failures.append(PieceFailure(piece.start, piece.end, error))

    def extraction(self) -> Extraction[T]:
        """The extraction of the whole text."""
        if self._alone is not None:
            return self._alone
        error = PiecesFailedError(self._failures, self._num_pieces) if self._failures else None
        if not self._num_merged:
            failure = error or self._empty
            completion = self._costs.completion("", failure, is_shortened=self._is_shortened)
            return Extraction(
                None, None, False, completion, failure, attempts=self._costs.attempts, num_pieces=self._num_pieces
            )
        merged = self._merger.merged()
        found = self._extractor.finish(
            Extraction(
                value=None,
                data=merged.data,
                is_valid=False,
                completion=self._costs.completion(write_json(merged.data), None, is_shortened=self._is_shortened),
                confidence=merged.confidence,
                places=merged.places,
                attempts=self._costs.attempts,
                conflicts=merged.conflicts,
                num_pieces=self._num_pieces,
            )
        )
        return found if error is None else replace(found, value=None, error=error)


@dataclass
class _Costs:
    """The tokens and attempts of all pieces of a text together."""

    start_s: float
    num_prompt_tokens: int = 0
    num_new_tokens: int = 0
    num_forced_tokens: int = 0
    num_cached_tokens: int = 0
    attempts: int = 0

    def add(self, extraction: Extraction[Any]) -> None:
        """Add the cost of one extraction."""
        completion = extraction.completion
        self.num_prompt_tokens += completion.num_prompt_tokens
        self.num_new_tokens += completion.num_tokens
        self.num_forced_tokens += completion.num_forced_tokens
        self.num_cached_tokens += completion.num_cached_tokens
        self.attempts += extraction.attempts

    def completion(self, text: str, error: Exception | None, *, is_shortened: bool) -> Completion:
        """The sums as one completion."""
        return Completion(
            text=text,
            token_ids=(),
            finish_reason="error" if error is not None else "length" if is_shortened else "stop",
            error=error,
            num_prompt_tokens=self.num_prompt_tokens,
            num_forced_tokens=self.num_forced_tokens,
            num_cached_tokens=self.num_cached_tokens,
            num_new_tokens=self.num_new_tokens,
            elapsed_s=time.monotonic() - self.start_s,
            closed_in_budget=is_shortened,
        )


def _usual_tokens(extractor: Extractor[Any]) -> int:
    """Default size of a piece: half the context that instructions and schema leave, at most MAX_PIECE_TOKENS. With a
    draft it is a third. If the model's positions were stretched, the piece also fits the context from before
    stretching, together with a draft of its size.
    """
    context, unstretched = extractor.max_context_tokens, extractor.unstretched_context_tokens
    if context is None:
        return MAX_PIECE_TOKENS
    told = len(extractor.encode("a", draft_turns("a") if extractor.has_draft else ()))
    num_shares = 2 if extractor.has_draft else 1  # shares of the context beside the answer's: text, draft
    found = min(MAX_PIECE_TOKENS, (context - told) // (num_shares + 1))
    return found if unstretched is None or unstretched <= told else min(found, (unstretched - told) // num_shares)


def _count(extractor: Extractor[Any], text: str) -> int:
    """The number of tokens of a text; for a text longer than the context, a lower bound."""
    try:
        return extractor.count_tokens(text)
    except ContextLengthError as error:
        return error.num_prompt_tokens


def _is_of_the_type(error: Exception) -> bool:
    return isinstance(error, OutputValidationError) and not isinstance(error, MissingQuoteError)


def _has_document(extraction: Extraction[Any]) -> bool:
    """True if the extraction's JSON could be parsed; it may be null."""
    return extraction.data is not None or extraction.completion.text.strip() == "null"
