"""What every backend gives: a `CompiledGrammar` with its report, which hands out `Matcher`s.

Machines, readers and backends build on these classes, so this module knows none of them.
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
    """How one keyword of a grammar is enforced. pointer: JSON pointer to the schema holding it ("" for the root)."""

    pointer: str
    keyword: str
    enforcement: str


_READINGS = {
    "pattern": "as asked: each pattern matches the whole string",
    "objects": "as asked: objects have no members but those that the schema names",
}


def reading_entries(spec: GrammarSpec) -> list[ReportEntry]:
    """The options of a schema that say more than the schema."""
    return [ReportEntry("", f'{name}="{value}"', _READINGS[name]) for name, value in spec.readings.items()]


class Origin(NamedTuple):
    """How a grammar was compiled. compile: the function that did it, with a vocabulary, a backend's name and limits."""

    compile: Callable[..., CompiledGrammar]
    backend: str
    limits: Limits


class CompiledGrammar(ABC):
    """A grammar compiled for one vocabulary. Immutable for its user; shared by any number of matchers and threads.

    A copy, also a deep one, is the grammar itself. Pickled it is its source, which is compiled where it is loaded.
    origin: how it was compiled; None where a backend was called directly.
    """

    origin: Origin | None = None

    def __init__(self, spec: GrammarSpec, vocabulary: Vocabulary, report: Sequence[ReportEntry] = ()) -> None:
        self.spec = spec
        self.vocabulary = vocabulary
        self._report = (*reading_entries(spec), *report)
        self._min_tokens: int | None = None

    @property
    def report(self) -> tuple[ReportEntry, ...]:
        """How each keyword is enforced."""
        return self._report

    @property
    @abstractmethod
    def num_bytes(self) -> int:
        """Estimate of the memory it holds now, so that caches can bound theirs; it may grow with use. Cheap."""

    @abstractmethod
    def matcher(self) -> Matcher:
        """A new matcher at the start of the grammar. Cheap."""

    @property
    def min_tokens(self) -> int:
        """How many tokens the shortest text takes that `Matcher.find_shortest_completion` finds from the start; the
        end-of-sequence token is not counted. Found when it is first asked for. Raises what that method raises."""
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
    """A configuration in one grammar: which tokens may come next. Not shared between threads; fork it instead.

    `copy.copy` and `copy.deepcopy` fork it. It can't be pickled: pickle its grammar and the text's tokens.
    """

    @abstractmethod
    def fill_bitmask(self, bitmask: Bitmask, row: int = 0) -> None:
        """Write the allowed tokens into `bitmask[row]`; the matcher is unchanged.

        bitmask: int32 (B, W), W = ceil(vocabulary.size / 32).
        The end-of-sequence ids are set exactly when the text so far is complete. After the end nothing is allowed.
        """

    @classmethod
    def fill_batch(cls, matchers: Sequence[Matcher], bitmask: Bitmask) -> None:
        """Write the allowed tokens of `matchers[i]`, all of this class, into `bitmask[i]`. There are enough rows.

        Raises BatchMaskError once all rows are done, if some of them failed.
        """
        errors: dict[int, GuidedError] = {}
        for row, matcher in enumerate(matchers):
            try:
                matcher.fill_bitmask(bitmask, row)
            except InvalidInputError:
                raise  # of the bitmask, not of a row
            except GuidedError as error:
                bitmask[row] = 0
                errors[row] = error.with_traceback(None)
        if errors:
            raise BatchMaskError(errors)

    @abstractmethod
    def accept_token(self, token_id: int) -> bool:
        """Advance by one token. False, and unchanged, when the token is not allowed here.

        Raises InvalidInputError for what is no integer.
        """

    @abstractmethod
    def is_accepting(self) -> bool:
        """True when the text so far is complete, so that an end-of-sequence token is allowed now (not after one)."""

    @abstractmethod
    def is_terminated(self) -> bool:
        """True once an end-of-sequence token was accepted."""

    @abstractmethod
    def rollback(self, num_tokens: int) -> None:
        """Take back the last `num_tokens` accepted tokens. Raises `InvalidInputError` when fewer were accepted."""

    @abstractmethod
    def fork(self) -> Matcher:
        """An independent copy at the same configuration, history included."""

    @abstractmethod
    def reset(self) -> None:
        """Back to the start; the history is forgotten."""

    @abstractmethod
    def find_jump_forward_bytes(self) -> bytes:
        """The bytes that every continuation starts with; b"" when there is a choice or the text may end."""

    @abstractmethod
    def find_jump_forward_tokens(self) -> list[int]:
        """The tokens forced one after the other: at each, the mask holds exactly one. The matcher is unchanged."""

    def find_quote_continuation(self, max_bytes: int) -> bytes:
        """How a source text goes on, as JSON spells it, where the text is inside of a string that is a quote of it.

        That is a guess. The text may stand in the source several times; this is how it goes on at the first. The string
        may end, or have to end, before so many bytes. The answer is b"" outside of quotes, before the quote has begun,
        and for quotes that are not read as places (see docs/json_schema.md). The matcher is unchanged.
        """
        del max_bytes
        return b""

    def find_quote_end(self, before: bytes, max_bytes: int) -> bytes:
        """A JSON string's closing mark and what is forced behind it, at most so many bytes, once `before` is written.

        b"" where the string can't end there. Behind the mark it stops where what is forced takes longer to find. The
        matcher is unchanged.
        """
        del before, max_bytes
        return b""

    def find_shortest_completion(self, *, thorough: bool = False) -> list[int]:
        """Tokens that complete the text, without an end-of-sequence token: [] where it is complete already. The matcher
        is unchanged.

        They are the fewest tokens of a text whose parts (keys, values, terminals) are each as short as can be. Now and
        then another text takes a token less.
        thorough: look at all tokens at each step, for some milliseconds a token on a large vocabulary.
        Raises NoCompletionError when none is found within the limits, UnsupportedGrammarError for backends that can't
        tell.
        """
        raise UnsupportedGrammarError(_CANT_CLOSE)

    def restrict_to_budget(self, bitmask: Bitmask, row: int, tokens_left: int) -> bool:
        """Clear in `bitmask[row]`, which `fill_bitmask` has filled, the tokens after which the text could no longer be
        completed in time; True if there were any. End-of-sequence tokens stay. The matcher is unchanged.

        tokens_left: how many tokens may still come, the next one included; an end-of-sequence token needs none of them.
        A token stays only if a completion of at most tokens_left - 1 tokens is known for the text with it. So a text
        whose tokens are all drawn from restricted masks is complete when nothing is left. Where no completion of at
        most `tokens_left` tokens is known to begin with, nothing is cleared.
        Raises as `find_shortest_completion`.
        """
        raise UnsupportedGrammarError(_CANT_CLOSE)

    def fits_budget(self, token_ids: Sequence[int], tokens_left: int) -> bool:
        """True when these tokens may come one after the other, and a completion of the text with them is known that
        takes, with them, at most `tokens_left` tokens. The matcher is unchanged. Raises as `find_shortest_completion`.
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
    """A token's id as an int. Raises InvalidInputError for what is no integer."""
    try:
        return index(token_id)
    except TypeError:
        raise InvalidInputError(f"a token id is an int, not {_shown(token_id)}") from None


def _shown(value: Any) -> str:
    return repr(value) if value is None or isinstance(value, str | float) else f"a {type(value).__name__}"


_CANT_CLOSE = "this backend can't tell how far a text is from its end; the native backend can"
