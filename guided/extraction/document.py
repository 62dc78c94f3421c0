"""Texts of any length: cut into pieces, read side by side in the running batch, merged into one extraction each."""

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
from ..schemas.shape import Shape
from .conversation import check_text, is_blank
from .extraction import Extraction
from .extractor import MAX_IN_FLIGHT, Extractor, RunningExtraction, check_texts, extract_in_order
from .merging import Merger

T = TypeVar("T")

MAX_HALVINGS = 6  # of a piece whose document does not fit beside it
MAX_REREADS = 30  # of halves of one piece, and of their halves: enough for sixteenths
MAX_PIECE_TOKENS = 2000  # where nothing else is asked for: models lose what is in the middle of long texts

OnPiece = Callable[[int], None]
"""Told how many characters of a text were read."""


class DocumentReader(Generic[T]):
    """Reads long texts with an extractor; where it tells confidences, they decide between values.

    cut: how large pieces are. A piece whose document is cut off, or closed in haste, is halved and read again, at most
    MAX_HALVINGS times and with MAX_REREADS requests. One that holds nothing that the schema allows (quotes!) gives
    nothing.
    """

    def __init__(self, extractor: Extractor[T], cut: Cut | None = None) -> None:
        self._extractor = extractor
        self._of_pieces = extractor.for_pieces()
        self._shape = Shape.of(extractor.schema)
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
        """One extraction for each text, in order, as they are done: see `read_documents`."""
        check_texts(texts)
        return read_documents((LongText(self, text) for text in texts), max_in_flight=max_in_flight, on_piece=on_piece)

    def read(self, text: str, *, on_piece: OnPiece | None = None) -> Extraction[T]:
        """The extraction of one text."""
        (found,) = self.read_each([text], on_piece=on_piece)
        return found

    def start(self, text: Any, problem: GuidedError | None = None, *, is_whole: bool = True) -> RunningExtraction[T]:
        """Begin to read a piece. problem: why that can't be. is_whole: it is all of the text."""
        extractor = self._extractor if is_whole else self._of_pieces
        return extractor.start(text) if problem is None else RunningExtraction(extractor, problem)

    def pieces(self, text: str) -> Iterator[Piece]:
        """Those with something in them."""
        return (piece for piece in self._cutter.pieces(text) if not is_blank(piece.text))

    def new_document(self, start_s: float | None = None) -> _Document[T]:
        """Of no pieces so far. start_s: when its first piece was started; None: now."""
        return _Document(self._extractor, self._shape, time.monotonic() if start_s is None else start_s)

    def take(self, document: _Document[T], piece: Piece, extraction: Extraction[T]) -> None:
        """One more piece of a document; halved and read again where it did not fit, all such parts in turns."""
        parts, room = [(piece, extraction)], MAX_REREADS
        for _ in range(MAX_HALVINGS):
            started: list[tuple[Piece, Extraction[T] | RunningExtraction[T]]] = []
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
            parts = [(part, one.result() if isinstance(one, RunningExtraction) else one) for part, one in started]
        for part, read in parts:
            document.take(part, read, since=piece.start)

    def _halves(self, piece: Piece, extraction: Extraction[T]) -> list[Piece]:
        """Those of a piece whose document did not fit beside it, without blank ones; [] for one that stays whole."""
        if not isinstance(extraction.error, IncompleteOutputError | ContextLengthError) and not extraction.is_shortened:
            return []
        halves = self._cutter.halves(piece)
        return [half for half in halves if not is_blank(half.text)] if len(halves) > 1 else []


@dataclass(frozen=True)
class LongText:
    """A text to read. problem: why there is none."""

    reader: DocumentReader[Any]
    text: Any
    problem: GuidedError | None = None


def read_documents(
    texts: Iterable[LongText], *, max_in_flight: int = MAX_IN_FLIGHT, on_piece: OnPiece | None = None
) -> Iterator[Extraction[Any]]:
    """One extraction for each text, in order, as they are done; the pieces of all of them are read side by side.

    Texts are taken, and pieces are cut, when they are needed. max_in_flight: how many pieces may be started and not yet
    merged. on_piece: told of each. What goes wrong with one text is in its `Extraction.error`.
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
    """num_chars: of the piece, those that no piece before had."""

    reader: DocumentReader[Any]
    piece: Piece
    num_chars: int
    is_last: bool
    start_s: float  # when it was started


def _starts(texts: Iterable[LongText], marks: deque[_Mark]) -> Iterator[Callable[[], RunningExtraction[Any]]]:
    """How to start each piece; what it is of is noted in `marks`."""
    for one in texts:
        covered, length = 0, len(one.text) if isinstance(one.text, str) else 0
        for piece, problem, is_last in _with_last(_pieces(one)):
            end = length if is_last else piece.end
            marks.append(_Mark(one.reader, piece, end - covered, is_last, time.monotonic()))
            yield partial(one.reader.start, piece.text, problem, is_whole=is_last and not covered)
            covered = end


def _pieces(one: LongText) -> Iterator[tuple[Piece, GuidedError | None]]:
    """The pieces of a text, one at the least. What can't be read or cut is a piece with the reason."""
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
    """Each with whether it is the last one."""
    held = next(pieces)
    for one in pieces:
        yield *held, False
        held = one
    yield *held, True


class _Document(Generic[T]):
    """A text whose pieces come in."""

    def __init__(self, extractor: Extractor[T], shape: Shape, start_s: float) -> None:
        self._extractor = extractor
        self._merger = Merger(shape)
        self._costs = _Costs(start_s)
        self._num_pieces = self._num_merged = 0
        self._alone: Extraction[T] | None = None  # the only piece so far
        self._empty: GuidedError | None = None
        self._failures: list[PieceFailure] = []
        self._is_shortened = False

    def count(self, extraction: Extraction[T]) -> None:
        """What it cost."""
        self._costs.add(extraction)

    def take(self, piece: Piece, extraction: Extraction[T], since: int | None = None) -> None:
        """One more piece. What only the type's own rules refuse may be right in the whole document.

        since: as `Merger.add` has it.
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
        """Of the whole text."""
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
    """What the pieces of a text cost together."""

    start_s: float
    num_prompt_tokens: int = 0
    num_new_tokens: int = 0
    num_forced_tokens: int = 0
    num_cached_tokens: int = 0
    attempts: int = 0

    def add(self, extraction: Extraction[Any]) -> None:
        """One more."""
        completion = extraction.completion
        self.num_prompt_tokens += completion.num_prompt_tokens
        self.num_new_tokens += completion.num_tokens
        self.num_forced_tokens += completion.num_forced_tokens
        self.num_cached_tokens += completion.num_cached_tokens
        self.attempts += extraction.attempts

    def completion(self, text: str, error: Exception | None, *, is_shortened: bool) -> Completion:
        """All of them as one."""
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
    """Half of what instructions and schema leave of the context, at most MAX_PIECE_TOKENS; where positions were
    stretched, also at most what they leave of the context before that."""
    context, unstretched = extractor.max_context_tokens, extractor.unstretched_context_tokens
    if context is None:
        return MAX_PIECE_TOKENS
    told = len(extractor.encode("a"))
    found = min(MAX_PIECE_TOKENS, (context - told) // 2)
    return found if unstretched is None or unstretched <= told else min(found, unstretched - told)


def _count(extractor: Extractor[Any], text: str) -> int:
    """How many tokens a text has; of one that is longer than the context as many as it has at the least."""
    try:
        return extractor.count_tokens(text)
    except ContextLengthError as error:
        return error.num_prompt_tokens


def _is_of_the_type(error: Exception) -> bool:
    return isinstance(error, OutputValidationError) and not isinstance(error, MissingQuoteError)


def _has_document(extraction: Extraction[Any]) -> bool:
    """Whether its JSON could be read; it may be null."""
    return extraction.data is not None or extraction.completion.text.strip() == "null"
