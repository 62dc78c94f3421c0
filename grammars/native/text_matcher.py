"""`TextMatcher`: what all matchers of automata over bytes have in common: an automaton, and its completion."""

from __future__ import annotations

from abc import abstractmethod
from array import array
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from types import TracebackType
from typing import TYPE_CHECKING, Any, Generic, cast

import numpy as np

from ..automaton.mask_rows import write_rows
from ..automaton.running import ConfigT, RunningAutomaton
from ..automaton.tables import Mask
from ..bitset import Bitmask, allocate_bitmask, check_bitmask
from ..errors import BatchMaskError, GuidedError, InvalidInputError, LimitExceededError, NoCompletionError
from ..lifetime import Lifetime
from ..protocol import Matcher
from ..vocabulary import Vocabulary
from ..watch import Allowance, Watch, checkpoint
from .document_pointer import after_bytes
from .known_ends import KnownEnds

if TYPE_CHECKING:
    from ..completion.base import Completion

_NO_WATCH = nullcontext()
_FEW_TOKENS = 8  # of a mask are tried out one by one; see `Completion`


class Work:
    """Work for one text, a context manager: it counts for what the text may take, and a limit that is met in it says
    where in the text that was. watch: of this work alone."""

    __slots__ = ("_matcher", "_watch")

    def __init__(self, matcher: TextMatcher[Any], watch: AbstractContextManager[object]) -> None:
        self._matcher = matcher
        self._watch = watch

    def __enter__(self) -> None:
        self._matcher._allowance.__enter__()
        self._watch.__enter__()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._watch.__exit__(kind, error, traceback)
        self._matcher._allowance.__exit__(kind, error, traceback)
        if isinstance(error, LimitExceededError):
            raise self._matcher._located(error) from None


class TextMatcher(Matcher, Generic[ConfigT]):
    """A configuration in a text, with the tokens that led there.

    completion: gives what is known about the ends of the automaton's texts, the same each time; it is loaded and made
    when it is first needed. lifetime: of the automaton.
    """

    __slots__ = (
        *(
            "_allowance",
            "_automaton",
            "_completion",
            "_config",
            "_history",
            "_known_ends",
            "_lifetime",
        ),
        *("_size", "_token_ids"),
    )

    def __init__(
        self,
        automaton: RunningAutomaton[ConfigT],
        completion: Callable[[], Completion[ConfigT]],
        lifetime: Lifetime | None = None,
    ) -> None:
        self._automaton = automaton
        self._completion = completion
        self._allowance = Allowance("max_text_seconds", automaton.limits.max_text_seconds)
        self._lifetime = lifetime
        self._size = automaton.vocabulary_tables.vocabulary.size
        self._config = automaton.start
        self._history: list[ConfigT] = []
        self._token_ids: list[int] = []
        self._known_ends = KnownEnds()

    @abstractmethod
    def mask(self) -> Mask:
        """The mask of where it is now, made if need be."""

    @abstractmethod
    def sure_mask(self) -> Mask | None:
        """The same; None where it was not made yet, or leaves tokens open that `verify_row` must decide."""

    @property
    def empty_mask(self) -> Mask:
        """The mask that allows nothing."""
        return self._automaton.vocabulary_tables.zero_row, 0, 0

    @property
    @abstractmethod
    def is_masked(self) -> bool:
        """True when the mask of where it is now was made."""

    @property
    @abstractmethod
    def is_uncertain(self) -> bool:
        """True when the mask has tokens that `verify_row` must decide."""

    def _located(self, error: LimitExceededError) -> LimitExceededError:
        """The same error, which says where in the text it was."""
        return after_bytes(error, self._tail(1 << 60)[0])

    @abstractmethod
    def _follow(self, config: ConfigT, token_id: int) -> ConfigT | None:
        """The configuration after a token; None when it is not allowed."""

    @classmethod
    def fill_batch(cls, matchers: Sequence[Matcher], bitmask: Bitmask) -> None:
        """See `Matcher`. The masks are copied together; those that fail allow nothing."""
        rows = cast("Sequence[TextMatcher[Any]]", matchers)
        if not rows:
            return
        size = rows[0]._size
        check_bitmask(bitmask, len(rows) - 1, size)
        numbers: list[int] = []
        uncertain: list[int] = []
        errors: dict[int, GuidedError] = {}
        for row, matcher in enumerate(rows):
            if matcher._size != size:
                check_bitmask(bitmask, row, matcher._size)
            mask = matcher.sure_mask()
            if mask is not None:
                numbers += mask
                continue
            try:
                numbers += matcher.mask()
                if matcher.is_uncertain:
                    uncertain.append(row)
            except GuidedError as error:
                errors[row] = error.with_traceback(None)
                numbers += matcher.empty_mask
        write_rows(bitmask, np.frombuffer(array("q", numbers), dtype=np.int64).reshape(len(rows), 3))
        for row in uncertain:
            try:
                rows[row].verify_row(bitmask[row])
            except GuidedError as error:
                errors[row] = error.with_traceback(None)
                bitmask[row] = 0
        if errors:
            raise BatchMaskError(dict(sorted(errors.items())))

    @property
    def vocabulary(self) -> Vocabulary:
        """Of which the tokens are."""
        return self._automaton.vocabulary_tables.vocabulary

    def verify_row(self, row: Bitmask) -> None:
        """Decide the tokens that the mask leaves open. row: int32 (W,), the mask, changed in place."""
        automaton = self._automaton
        with self._work():
            for token_id in automaton.uncertain_tokens(self._config, self._tail):
                checkpoint()
                bit = np.array(1 << (token_id & 31), dtype=np.uint32).view(np.int32)
                if automaton.is_allowed(self._config, token_id, self._tail):
                    row[token_id >> 5] |= bit
                else:
                    row[token_id >> 5] &= ~bit

    def rollback(self, num_tokens: int) -> None:
        if not 0 <= num_tokens <= len(self._history):
            raise InvalidInputError(f"can't take back {num_tokens} tokens of {len(self._history)}")
        if num_tokens:
            self._config = self._history[-num_tokens]
            del self._history[-num_tokens:], self._token_ids[-num_tokens:]

    def fork(self) -> TextMatcher[ConfigT]:
        copy: TextMatcher[Any] = type(self)(self._automaton, self._completion, self._lifetime)
        copy._config = self._config
        copy._allowance.left_s = self._allowance.left_s
        copy._history, copy._token_ids = self._history.copy(), self._token_ids.copy()
        copy._known_ends = self._known_ends.copy()
        return copy

    def reset(self) -> None:
        self._config = self._automaton.start
        self._allowance = Allowance("max_text_seconds", self._automaton.limits.max_text_seconds)
        self._history.clear()
        self._token_ids.clear()
        self._known_ends = KnownEnds()

    def find_jump_forward_bytes(self) -> bytes:
        if self.is_terminated():
            return b""
        automaton, config = self._automaton, self._config
        forced = b""
        written = self._tail

        def tail(length: int) -> tuple[bytes, bool]:
            text, is_all = written(length)
            return text + forced, is_all

        with self._work(self._watch()):
            while (byte := automaton.forced_byte(config, tail)) is not None:
                following = automaton.follow(config, self.vocabulary.size + byte, tail)
                assert following is not None
                config, forced = following, forced + bytes([byte])
        return forced

    def find_jump_forward_tokens(self) -> list[int]:
        scout = self.fork()
        bitmask = allocate_bitmask(1, self.vocabulary.size)
        forced: list[int] = []
        while (token_id := scout._only_token(bitmask)) is not None:
            scout.accept_token(token_id)
            forced.append(token_id)
        return forced

    def find_shortest_completion(self, *, thorough: bool = False) -> list[int]:
        """See `Matcher`. A completion serves for its own tokens, too: as they are accepted, the rest of it is left."""
        if self.is_terminated() or self.is_accepting():
            return []
        known = None if thorough else self._known_ends.completion(self._token_ids)
        if known is not None:
            return known
        completion = self._completion()
        find = completion.fewer_token_ids if thorough else completion.token_ids
        with self._work(self._watch()):
            found = find(self._config, self._tail)
        if found is None:
            raise NoCompletionError("no short way to complete the text was found")
        self._known_ends.add(self._token_ids, found)
        return found.copy()

    def restrict_to_budget(self, bitmask: Bitmask, row: int, tokens_left: int) -> bool:
        """See `Matcher`."""
        completion, budget = self._completion(), tokens_left - 1
        highest = completion.highest.get(self._config)
        if highest is not None and highest <= budget:
            return False
        is_known = not self.is_masked or completion.knows_all
        if self.is_terminated() or (self.is_masked and is_known and completion.is_far(self._config, budget)):
            return False
        with self._watch():  # around the watches of its parts
            if not is_known:
                with self._work():
                    if completion.is_far(self._config, budget):
                        return False
            return self._restrict(bitmask, row, tokens_left)

    def _restrict(self, bitmask: Bitmask, row: int, tokens_left: int) -> bool:
        """As `restrict_to_budget`, where the end may be near."""
        completion, budget = self._completion(), tokens_left - 1
        num_tokens = len(self._token_ids) + tokens_left
        if self._known_ends.is_hopeless(self._token_ids, num_tokens):
            return False
        check_bitmask(bitmask, row, self.vocabulary.size)
        restricted = bitmask[row].copy()
        has_few = np.bitwise_count(restricted.view(np.uint32)).sum() <= _FEW_TOKENS
        restrict = completion.try_few if has_few else completion.restrict
        with self._work(self._watch()):
            is_restricted = restrict(restricted, self._config, self._tail, budget)
        if not is_restricted:
            return False
        if self._config in completion.exact and restricted.any():
            bitmask[row] = restricted
            return True
        shortest = self.find_shortest_completion()
        if len(shortest) > tokens_left:
            shortest = self.find_shortest_completion(thorough=True)
        if len(shortest) > tokens_left:
            self._known_ends.give_up(self._token_ids, num_tokens)
            return False
        if shortest:
            restricted[shortest[0] >> 5] |= np.array(1 << (shortest[0] & 31), dtype=np.uint32).view(np.int32)
        if (restricted == bitmask[row]).all():
            return False
        bitmask[row] = restricted
        return True

    def fits_budget(self, token_ids: Sequence[int], tokens_left: int) -> bool:
        """See `Matcher`."""
        left = tokens_left - len(token_ids)
        scout = self.fork()
        if left < 0 or not all(scout.accept_token(token_id) for token_id in token_ids):
            return False
        with self._work(self._watch()):
            return scout.is_terminated() or self._completion().is_within(scout._config, scout._tail, left)

    def _work(self, watch: AbstractContextManager[object] = _NO_WATCH) -> Work:
        """See `Work`."""
        return Work(self, watch)

    def _watch(self) -> Watch:
        """The time for one look at the ends of texts, as for one mask."""
        return Watch("max_mask_seconds", self._automaton.limits.max_mask_seconds, is_of_processor=True)

    def _only_token(self, bitmask: Bitmask) -> int | None:
        """The token that the mask holds where it holds exactly one."""
        self.fill_bitmask(bitmask)
        words = np.flatnonzero(bitmask[0])
        if len(words) != 1:
            return None
        word = int(words[0])
        bits = int(bitmask[0, word]) & 0xFFFFFFFF
        return None if bits & (bits - 1) else 32 * word + bits.bit_length() - 1

    def _tail(self, length: int) -> tuple[bytes, bool]:
        """About the last `length` bytes of the text, and whether they are all."""
        vocabulary, token_ids = self._automaton.vocabulary_tables.vocabulary, self._token_ids
        num_tokens = min(length, len(token_ids))
        return vocabulary.join(token_ids[len(token_ids) - num_tokens :]), num_tokens == len(token_ids)
