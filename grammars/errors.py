"""The errors of `guided.grammars`, one class for each kind of mistake.

Each error names the mistake, its place, and a way to repair it. `str(error)` is one readable line; grammar and regex
errors add a line with a caret. `guided.server.errors` maps the classes to HTTP answers, `guided.cli` to exit codes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from .limits import Limits

_SHOWN_CHARS = 60
"""Maximum number of characters shown before and after the place of an error in a source line."""


class GuidedError(Exception):
    """Base of every error that `guided` raises on purpose.

    completions: if the error of an output ends a call of `LLM`, all completions of the call; else ().
    """

    completions: Sequence[Any] = ()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the error by its attributes, since `__init__` takes other arguments than `args`."""
        return _restored, (type(self), self.args), self.__dict__


def _restored(kind: type[GuidedError], args: tuple[Any, ...]) -> GuidedError:
    return kind.__new__(kind, *args)


class InvalidInputError(GuidedError, ValueError):
    """An argument that can't be used: a wrong value, a wrong type, or two arguments that exclude each other."""


class UnwritableValueError(InvalidInputError):
    """A value that can't be written in a style of arguments because readers would take it for another value.

    pointer: JSON pointer of the value; "" is the root.
    reason: why the style can't write the value.
    """

    def __init__(self, pointer: str, reason: str) -> None:
        self.pointer = pointer
        self.reason = reason
        super().__init__(f"can't write the value at {_where(pointer)}: {reason}")


class GrammarInputError(InvalidInputError):
    """The description of a grammar can't be used: two grammars at once, a wrong type, an option for another kind."""


class TokenizerError(GuidedError, ValueError):
    """The exact bytes of a tokenizer's tokens can't be determined. Bytes are never guessed."""


class VocabularyMismatchError(GuidedError, ValueError):
    """A grammar compiled for one vocabulary is used with a model that has another."""


class UnknownBackendError(GuidedError, ValueError):
    """No backend is registered under this name; the message lists the known names."""


class BackendNotInstalledError(UnknownBackendError, InvalidInputError):
    """A backend or another part whose library is not installed; the message says how to install it."""


class UnsupportedGrammarError(GuidedError, ValueError):
    """A kind of grammar (regex, EBNF, ...) or an option that the chosen backend does not take."""


class GrammarError(GuidedError, ValueError):
    """A grammar that is itself wrong, or that this backend can't enforce exactly."""


class InvalidSchemaError(GrammarError):
    """Not a valid JSON Schema (or not JSON at all).

    pointer: JSON pointer (RFC 6901) into the schema; "" is the root.
    place: where a grammar embeds this schema ("in line 3, column 8"); "" for a schema by itself.
    reason: description of the mistake.
    """

    def __init__(self, reason: str, pointer: str = "", place: str = "") -> None:
        self.reason = reason
        self.pointer = pointer
        self.place = place
        super().__init__(f"invalid JSON Schema at {_where(pointer)}{_inside(place)}: {reason}")

    def inside(self, place: str) -> InvalidSchemaError:
        """Return the same error for a schema that a grammar embeds at `place`."""
        return InvalidSchemaError(self.reason, self.pointer, place)


class UnsupportedSchemaError(GrammarError):
    """A keyword that can't be enforced exactly. Ignoring the keyword would promise a guarantee that does not hold.

    pointer: JSON pointer of the schema that holds the keyword.
    keyword: name of the keyword.
    reason: why the keyword can't be enforced.
    suggestion: what the author could write instead; "" if there is nothing to suggest.
    place: where a grammar embeds this schema ("in line 3, column 8"); "" for a schema by itself.
    """

    def __init__(self, pointer: str, keyword: str, reason: str, suggestion: str = "", place: str = "") -> None:
        self.pointer = pointer
        self.keyword = keyword
        self.reason = reason
        self.suggestion = suggestion
        self.place = place
        hint = f"; {suggestion}" if suggestion else ""
        super().__init__(f"can't enforce {keyword!r} at {_where(pointer)}{_inside(place)}: {reason}{hint}")

    def inside(self, place: str) -> UnsupportedSchemaError:
        """Return the same error for a schema that a grammar embeds at `place`."""
        return UnsupportedSchemaError(self.pointer, self.keyword, self.reason, self.suggestion, place)


class UnsatisfiableError(GrammarError):
    """A grammar that no text can satisfy."""


class InvalidStructuralTagError(GrammarError):
    """Not a valid structural tag (or not JSON at all).

    pointer: JSON pointer (RFC 6901) into the structural tag; "" is the root.
    reason: description of the mistake.
    """

    def __init__(self, reason: str, pointer: str = "") -> None:
        self.reason = reason
        self.pointer = pointer
        super().__init__(f"invalid structural tag at {_where(pointer)}: {reason}")


class InvalidRegexError(GrammarError):
    """A pattern that does not parse, or that uses syntax which can't be enforced.

    pattern: the whole pattern.
    reason: description of the mistake.
    position: offset of the mistake in code points, or None.
    line, column: the same place, counted from 1; None without a position.

    The message shows the pattern's line with a caret under the place. Long lines are cut around the place.
    """

    def __init__(self, pattern: str, reason: str, position: int | None = None) -> None:
        self.pattern = pattern
        self.reason = reason
        self.position = position
        self.line: int | None = None
        self.column: int | None = None
        message = f"invalid regex: {reason}"
        if position is not None:
            self.line, self.column, shown = _excerpt(pattern, position)
            where = f"line {self.line}, column {self.column}" if "\n" in pattern else f"at offset {position}"
            message += f" ({where})\n{shown}"
        super().__init__(message)


class InvalidGrammarError(GrammarError):
    """An EBNF grammar that does not parse, uses undefined names, or asks for something that can't be enforced.

    reason: description of the mistake, with the expected text.
    offset: place of the mistake in code points, from 0.
    line, column: the same place, counted from 1.

    The message shows the source line with a caret under the place. Long lines are cut around the place.
    """

    def __init__(self, reason: str, source: str, offset: int) -> None:
        self.reason = reason
        self.offset = offset
        self.line, self.column, shown = _excerpt(source, offset)
        super().__init__(f"invalid grammar: {reason} (line {self.line}, column {self.column})\n{shown}")


class CompileCancelledError(GuidedError):
    """The compilation was cancelled: the caller set the event that it passed to `compile_grammar` as `cancel`."""


class TablesLostError(GuidedError):
    """The process was forked while another thread built tables that the caller needs. Make a new matcher."""


class LimitExceededError(GuidedError):
    """A grammar costs more than `Limits` allows.

    limit: name of the exceeded limit, usually a field of `Limits`. A few limits are fixed, such as those on the search
        for a completion.
    maximum: value of the limit, in `unit`.
    unit: name of the unit.
    detail: what exceeded the limit; may be "".
    is_of_time: True for a limit on time, which another try may keep, since the machine may be less busy.
    """

    def __init__(self, limit: str, maximum: float, unit: str, detail: str = "", *, is_of_time: bool = False) -> None:
        self.limit = limit
        self.maximum = maximum
        self.unit = unit
        self.detail = detail
        self.is_of_time = is_of_time
        advice = "it is fixed: make the grammar simpler there"
        if self.is_field:
            advice = f"raise it with limits=Limits({limit}=...), or of a server or a plug-in with GUIDED_LIMITS"
        super().__init__(f"{self.problem}; {advice}")

    @property
    def is_field(self) -> bool:
        """True if the limit is a field of `Limits`, so the caller of `compile_grammar` can raise it."""
        return self.limit in Limits.__dataclass_fields__

    @property
    def problem(self) -> str:
        """The message without its advice, for readers who can't follow the advice."""
        more = f" ({self.detail})" if self.detail else ""
        return f"limit {self.limit} = {self.maximum:g} {self.unit} exceeded{more}"

    def located(self, where: str) -> LimitExceededError:
        """Return the same error with `where` added to its detail."""
        detail = f"{self.detail}, {where}" if self.detail else where
        return LimitExceededError(self.limit, self.maximum, self.unit, detail, is_of_time=self.is_of_time)


def too_deep(limits: Limits, limit: str = "max_schema_depth") -> LimitExceededError:
    """Return the error for a RecursionError.

    limits: the limits of the call.
    limit: str, "max_schema_depth"; name of the limit on depth.
    """
    detail = "the Python stack is too short for this grammar here"
    return LimitExceededError(limit, getattr(limits, limit), "levels", detail)


@contextmanager
def refuse_deep(limits: Limits, limit: str = "max_schema_depth") -> Iterator[None]:
    """Raise `too_deep` instead of a RecursionError.

    limits: the limits of the call.
    limit: str, "max_schema_depth"; name of the limit on depth.

    Raises LimitExceededError if the code inside raises a RecursionError.
    """
    try:
        yield
    except RecursionError:
        raise too_deep(limits, limit) from None


class NoCompletionError(GuidedError):
    """No short completion of the text was found within the limits. The grammar itself is not at fault."""


class BatchMaskError(GuidedError):
    """Some rows of a batch have no mask. All other rows are filled, so only the failed rows' requests must end.

    errors: row -> the row's error. The bitmask allows no token in these rows.
    """

    def __init__(self, errors: Mapping[int, GuidedError]) -> None:
        self.errors = dict(errors)
        reasons = "; ".join([f"row {row}: {error}" for row, error in self.errors.items()])
        super().__init__(f"no mask for {len(self.errors)} of the rows, the others are filled ({reasons})")


def _excerpt(text: str, offset: int) -> tuple[int, int, str]:
    """Return the line and column of an offset, both from 1, and two lines to show: the source line and a caret."""
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    column = offset - start + 1
    cut = max(0, column - 1 - _SHOWN_CHARS)
    shown = text[start + cut : min(len(text) if end < 0 else end, start + cut + 2 * _SHOWN_CHARS)]
    shown = shown.rstrip("\r").replace("\t", " ")
    return text.count("\n", 0, offset) + 1, column, f"  {shown}\n  {' ' * (column - 1 - cut)}^"


def _inside(place: str) -> str:
    return f" of the schema {place}" if place else ""


def _where(pointer: str) -> str:
    return repr(pointer) if pointer else "the root"
