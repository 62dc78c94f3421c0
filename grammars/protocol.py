"""The interface of every backend: a `CompiledGrammar` with its report, which makes `Matcher`s.

Machines, readers and backends build on these classes, so this module imports none of them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import index
from typing import Any, NamedTuple, Self

from .bitset import Bitmask
from .errors import BatchMaskError, GuidedError, InvalidInputError, UnsupportedGrammarError
from .limits import Limits
from .spec import GrammarSpec
from .vocabulary import Vocabulary


@dataclass(frozen=True)
class ReportEntry:
    """How one keyword of a grammar is enforced.

    Attributes:
        pointer: JSON pointer to the schema that holds the keyword; "" is the root.
        keyword: name of the keyword.
        enforcement: how the keyword is enforced, in words.
    """

    pointer: str
    keyword: str
    enforcement: str


_READINGS = {
    "pattern": "as asked: each pattern matches the whole string",
    "objects": "as asked: objects have no members but those that the schema names",
}


def _entries_of_options(spec: GrammarSpec) -> list[ReportEntry]:
    """Return report entries for `pattern` and `objects` if they differ from their defaults."""
    return [ReportEntry("", f'{name}="{value}"', _READINGS[name]) for name, value in spec.readings.items()]


def banned_entries(spec: GrammarSpec, where: str) -> list[ReportEntry]:
    """Return the report entry for banned substrings; none without these.

    where: the texts that contain none.
    """
    if not spec.banned_substrings:
        return []
    return [ReportEntry("", "banned_substrings", f"exactly; none of {len(spec.banned_substrings)} in {where}")]


class Origin(NamedTuple):
    """How a grammar was compiled.

    Attributes:
        compile: the function that compiled it; its arguments are a vocabulary, a backend's name, limits and the
            grammar.
        backend: name of the backend.
        limits: the limits given.
    """

    compile: Callable[..., CompiledGrammar]
    backend: str
    limits: Limits


class CompiledGrammar(ABC):
    """A grammar compiled for one vocabulary. Immutable for its user; any number of matchers and threads may share it.

    `copy.copy` and `copy.deepcopy` return the grammar itself. Pickling stores the source; unpickling compiles it again.

    Args:
        spec: the source of the grammar and its options.
        vocabulary: the vocabulary of its token ids.
        report: how each keyword is enforced.

    Attributes:
        origin: how the grammar was compiled; None if a backend was called directly.
    """

    origin: Origin | None = None

    def __init__(self, spec: GrammarSpec, vocabulary: Vocabulary, report: Sequence[ReportEntry] = ()) -> None:
        self.spec = spec
        self.vocabulary = vocabulary
        self._report = (*_entries_of_options(spec), *report)
        self._min_tokens: int | None = None

    @property
    def report(self) -> tuple[ReportEntry, ...]:
        """How each keyword is enforced."""
        return self._report

    @property
    @abstractmethod
    def num_bytes(self) -> int:
        """Estimated memory in bytes that the grammar holds now. Caches use it as their bound. Cheap; may grow with
        use.
        """

    @abstractmethod
    def matcher(self) -> Matcher:
        """Return a new matcher at the start of the grammar. Cheap."""

    @property
    def min_tokens(self) -> int:
        """Number of tokens in the shortest text that `Matcher.find_shortest_completion` finds from the start.

        The end-of-sequence token is not counted. The value is computed on first access.

        Raises:
            NoCompletionError, UnsupportedGrammarError, LimitExceededError: see `Matcher.find_shortest_completion`.
        """
        if self._min_tokens is None:
            self._min_tokens = len(self.matcher().find_shortest_completion(thorough=True))
        return self._min_tokens

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        if self.origin is None:
            raise UnsupportedGrammarError("only a grammar that compile_grammar returned can be pickled")
        return _compiled_again, (self.origin, self.vocabulary, self.spec.arguments)


def _compiled_again(origin: Origin, vocabulary: Vocabulary, arguments: dict[str, Any]) -> CompiledGrammar:
    return origin.compile(vocabulary, backend=origin.backend, limits=origin.limits, **arguments)


class Matcher(ABC):
    """A configuration in one grammar: knows which tokens may come next. Threads must not share one; fork it instead.

    `copy.copy` and `copy.deepcopy` fork the matcher. Pickling raises InvalidInputError: pickle the grammar and the
    token ids instead.
    """

    @abstractmethod
    def fill_bitmask(self, bitmask: Bitmask, row: int = 0) -> None:
        """Write the allowed tokens into `bitmask[row]`; the matcher is unchanged.

        End-of-sequence ids are set exactly when the text so far is complete. After an end-of-sequence token nothing is
        allowed.

        Args:
            bitmask: writable int32 (B, W), W = ceil(vocabulary.size / 32).
            row: row of the bitmask to write, default 0.

        Raises:
            InvalidInputError: for any other bitmask or row.
            LimitExceededError: if building the mask exceeds a limit of the grammar.
        """

    @classmethod
    def fill_batch(cls, matchers: Sequence[Matcher], bitmask: Bitmask) -> None:
        """Write the allowed tokens of `matchers[i]` into `bitmask[i]`. All matchers have this class.

        Args:
            matchers: matchers of this class, one for each row.
            bitmask: writable int32 (B, W), B >= len(matchers).

        Raises:
            InvalidInputError: for a wrong bitmask.
            BatchMaskError: after all rows are done, if some of them failed.
        """
        errors: dict[int, GuidedError] = {}
        for row, matcher in enumerate(matchers):
            try:
                matcher.fill_bitmask(bitmask, row)
            except InvalidInputError:
                raise  # the bitmask is wrong, not this row
            except GuidedError as error:
                bitmask[row] = 0
                errors[row] = error.with_traceback(None)
        if errors:
            raise BatchMaskError(errors)

    @abstractmethod
    def accept_token(self, token_id: int) -> bool:
        """Advance by one token. Returns False, and changes nothing, if the token is not allowed here.

        Args:
            token_id: the next token.

        Raises:
            InvalidInputError: if `token_id` is no integer.
            LimitExceededError: if building the next state exceeds a limit of the grammar.
        """

    @abstractmethod
    def is_accepting(self) -> bool:
        """Return True if an end-of-sequence token is allowed now: the text is complete and has not ended yet."""

    @abstractmethod
    def is_terminated(self) -> bool:
        """Return True once an end-of-sequence token was accepted."""

    @abstractmethod
    def rollback(self, num_tokens: int) -> None:
        """Take back the last `num_tokens` accepted tokens.

        Args:
            num_tokens: number of tokens to take back.

        Raises:
            InvalidInputError: if fewer tokens were accepted.
        """

    @abstractmethod
    def fork(self) -> Matcher:
        """Return an independent copy at the same configuration, with the same history."""

    @abstractmethod
    def reset(self) -> None:
        """Go back to the start and forget the history."""

    @abstractmethod
    def find_jump_forward_bytes(self, max_bytes: int | None = None) -> bytes:
        """Return the bytes that every continuation starts with; b"" if there is a choice or the text may end here.

        Args:
            max_bytes: maximum length of the answer, bytes; None: no limit. A long constant costs time for each byte.

        Raises:
            LimitExceededError: if building a state exceeds a limit of the grammar.
        """

    @abstractmethod
    def find_jump_forward_tokens(self) -> list[int]:
        """Return the tokens that are forced one after another: each mask allows exactly one.

        The matcher is unchanged.

        Raises:
            LimitExceededError: if building a mask exceeds a limit of the grammar.
        """

    def find_quote_continuation(self, max_bytes: int) -> bytes:
        """Guess the rest of a quote: return how a source text goes on, spelled as in JSON.

        The written text may occur several times in the source; the answer follows the first occurrence. The string may
        be allowed or forced to end earlier. The answer is b"" outside of quotes and before a quote's first character.
        Quotes that are not read as places (see docs/json_schema.md) also give b"". The matcher is unchanged.

        Args:
            max_bytes: maximum length of the answer, bytes.
        """
        del max_bytes
        return b""

    def find_quote_end(self, before: bytes, max_bytes: int) -> bytes:
        """Return a JSON string's closing mark and the forced bytes behind it, for the text followed by `before`.

        The answer is b"" if the string can't end after `before`. The answer stops early where forced bytes would take
        longer to find. The matcher is unchanged.

        Args:
            before: bytes still to be written inside the string.
            max_bytes: maximum length of the answer, bytes.

        Raises:
            LimitExceededError: if building a state exceeds a limit of the grammar.
        """
        del before, max_bytes
        return b""

    def find_shortest_completion(self, *, thorough: bool = False) -> list[int]:
        """Return tokens that complete the text, without an end-of-sequence token; [] if the text is already complete.

        The answer is the fewest tokens for a text whose parts (keys, values, terminals) are each as short as possible.
        Occasionally another text takes one token less. The matcher is unchanged.

        Args:
            thorough: look at all tokens in each step, default False. Takes some milliseconds a token on a large
                vocabulary.

        Raises:
            NoCompletionError: if no completion is found within the limits.
            UnsupportedGrammarError: if the backend has no completion.
            LimitExceededError: if the search exceeds a limit of the grammar.
        """
        raise UnsupportedGrammarError(_CANT_CLOSE)

    def restrict_to_budget(self, bitmask: Bitmask, row: int, tokens_left: int) -> bool:
        """Clear the tokens in `bitmask[row]` that would leave too few tokens to complete the text.

        Returns True if any token was cleared. End-of-sequence tokens stay. The matcher is unchanged. A token stays only
        if a completion of at most tokens_left - 1 tokens is known after it. A text drawn from restricted masks only is
        therefore complete when the budget is spent. Nothing is cleared if no completion of at most `tokens_left` tokens
        is known at the start.

        Args:
            bitmask: int32 (B, W), filled by `fill_bitmask` and modified in place.
            row: row of the bitmask.
            tokens_left: number of tokens that may still come, the next one included. An end-of-sequence token needs
                none of them.

        Raises:
            NoCompletionError, UnsupportedGrammarError, LimitExceededError: see `find_shortest_completion`.
        """
        raise UnsupportedGrammarError(_CANT_CLOSE)

    def fits_budget(self, token_ids: Sequence[int], tokens_left: int) -> bool:
        """Return True if the tokens may come in this order and the text then still fits the budget.

        The matcher is unchanged.

        Args:
            token_ids: the next tokens.
            tokens_left: maximum number of tokens, for `token_ids` and a known completion behind them together.

        Raises:
            NoCompletionError, UnsupportedGrammarError, LimitExceededError: see `find_shortest_completion`.
        """
        if len(token_ids) > tokens_left:
            return False
        scout = self.fork()
        if not all(scout.accept_token(token_id) for token_id in token_ids):
            return False
        return len(token_ids) + len(scout.find_shortest_completion()) <= tokens_left

    def __copy__(self) -> Matcher:
        return self.fork()

    def __deepcopy__(self, memo: dict[int, Any]) -> Matcher:
        return self.fork()

    def __reduce__(self) -> tuple[Any, ...]:
        raise InvalidInputError(
            "a matcher can't be pickled; pickle its grammar and the text's token ids, and accept them in a new matcher"
        )


def read_token_id(token_id: Any) -> int:
    """Return a token id as an int. Raises InvalidInputError if it is no integer."""
    try:
        return index(token_id)
    except TypeError:
        raise InvalidInputError(f"a token id is an int, not {_shown(token_id)}") from None


def _shown(value: Any) -> str:
    return repr(value) if value is None or isinstance(value, str | float) else f"a {type(value).__name__}"


_CANT_CLOSE = "this backend can't tell how far a text is from its end; the native backend can"
