"""`TextMatcher`: the matcher of all automata over bytes: a configuration in a text, and the tokens that led there."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from operator import index
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from ..allowance import Allowance
from ..bitset import Bitmask, allocate_bitmask, bit, check_bitmask
from ..errors import BatchMaskError, GuidedError, InvalidInputError, LimitExceededError, NoCompletionError, too_deep
from ..lifetime import Lifetime
from ..machine.mask_rows import write_row, write_rows
from ..machine.running import NO_BYTE, NOT_MADE, TOKEN_SHIFT, RunningAutomaton
from ..machine.tables import Mask
from ..machine.tails import longer
from ..protocol import Matcher, read_token_id
from ..vocabulary import Vocabulary
from ..watch import MANY_ITEMS, Watch, checkpoint
from .known_ends import KnownEnds

if TYPE_CHECKING:
    from ..completion.base import Completer

_NO_WATCH = nullcontext()


class Work:
    """A context manager around work for one text.

    The work counts towards the text's time limit, and errors of limits get the place in the text.
    watch: time limit of this work alone.
    """

    __slots__ = ("_matcher", "_watch")

    def __init__(self, matcher: TextMatcher, watch: AbstractContextManager[object]) -> None:
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
        if isinstance(error, RecursionError):
            error = too_deep(self._matcher._automaton.limits)
        if isinstance(error, LimitExceededError):
            raise self._matcher._located(error) from None


class Running(NamedTuple):
    """An automaton, and the objects that it needs.

    completion: function that returns the automaton's completion, loaded and made on first use.
    lifetime: lifetime of the automaton. Nothing reads it; while it is held, the automaton is not dismantled.
    """

    automaton: RunningAutomaton[Any]
    completion: Callable[[], Completer]
    lifetime: Lifetime | None


class TextMatcher(Matcher):
    """The native backend's matcher of one text. `Matcher` describes its methods and their errors.

    Once a state has its mask, `fill_bitmask` copies a row, and `accept_token` reads a number from a list.

    begin: function that returns the automaton for a text that begins now.
    """

    __slots__ = (
        *("_allowance", "_automaton", "_begin", "_completion", "_config", "_following", "_history", "_known_ends"),
        *("_masks", "_others", "_running", "_size", "_token_ids", "_tokens", "_verify"),
    )

    def __init__(self, begin: Callable[[], Running], running: Running | None = None) -> None:
        """running: automaton of this text; None: the result of `begin`."""
        self._begin = begin
        self._start(running or begin())

    def _start(self, running: Running) -> None:
        """Move to the start of a text."""
        self._running = running
        automaton = self._automaton = running.automaton
        self._completion = running.completion
        self._allowance = Allowance("max_text_seconds", automaton.limits.max_text_seconds)
        self._size = automaton.vocabulary_tables.vocabulary.size
        self._masks, self._verify = automaton.masks, automaton.verify
        self._tokens, self._following, self._others = automaton.tokens, automaton.following, automaton.others
        self._config = automaton.start
        self._history: list[int] = []
        self._token_ids: list[int] = []
        self._known_ends = KnownEnds()

    @property
    def vocabulary(self) -> Vocabulary:
        """The vocabulary of the tokens."""
        return self._automaton.vocabulary_tables.vocabulary

    @property
    def history(self) -> tuple[RunningAutomaton[Any], list[int], list[int]]:
        """The automaton, the configurations before each token and after the last one, and the tokens."""
        return self._automaton, [*self._history, self._config], self._token_ids

    @property
    def completion(self) -> Completer:
        """The completion of the automaton, loaded and made on first use."""
        return self._completion()

    def fill_bitmask(self, bitmask: Bitmask, row: int = 0) -> None:
        config = self._config
        mask = self._masks[config]
        if not mask[0]:
            mask = self._make_mask()
        write_row(bitmask, row, mask, self._size)
        if config in self._verify:
            self._verify_row(bitmask[row])

    def accept_token(self, token_id: int) -> bool:
        try:  # PERF: like `read_token_id`, without a call
            token_id = index(token_id)
        except TypeError:
            token_id = read_token_id(token_id)
        config = self._config
        if token_id == self._tokens[config]:
            following: int | None = self._following[config]
        else:
            following = self._others.get(token_id << TOKEN_SHIFT | config)
        if following is None:
            following = self._follow(config, token_id)
            if following is None:
                return False
        self._history.append(config)
        self._token_ids.append(token_id)
        self._config = following
        return True

    def is_accepting(self) -> bool:
        return self._automaton.is_complete_at(self._config)

    def is_terminated(self) -> bool:
        return self._config == self._automaton.ended

    def _make_mask(self) -> Mask:
        """Make the mask of the current configuration. Raises LimitExceededError with the place in the text."""
        try:  # PERF: like `Work`, which would take 1 us more
            with self._allowance:
                return self._automaton.make_mask(self._config)
        except LimitExceededError as error:
            raise self._located(error) from None

    def _follow(self, config: int, token_id: int) -> int | None:
        """Return the configuration after a token that was not met there; None if it is not allowed."""
        automaton = self._automaton
        if not 0 <= token_id < self._size or config == automaton.ended:
            return None
        try:  # PERF: like `Work`. Nearly all tokens need nothing new, so their time is not measured (1 us)
            following = automaton.follow_made(config, token_id)
            if following is not None and following != NOT_MADE:
                return following
            vocabulary = automaton.vocabulary_tables.vocabulary
            if vocabulary.tokens[token_id] is None:
                if token_id in vocabulary.eos_token_ids:
                    return automaton.ended if self.is_accepting() else None
                if not automaton.names_tokens:
                    return None
            if following is None:
                return None
            with self._allowance:
                return automaton.follow(config, token_id, self._tail)
        except LimitExceededError as error:
            raise self._located(error) from None

    def _located(self, error: LimitExceededError) -> LimitExceededError:
        """Return the same error with the place in the text added."""
        return self._automaton.located(error, [*self._history, self._config], self._token_ids)

    @classmethod
    def fill_batch(cls, matchers: Sequence[Matcher], bitmask: Bitmask) -> None:
        """Fill a row for each matcher, all rows in one copy. Rows that fail allow nothing.

        Raises as `Matcher` says.
        """
        rows = cast("Sequence[TextMatcher]", matchers)
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
            mask = matcher._masks[matcher._config]
            try:
                numbers += mask if mask[0] else matcher._make_mask()
            except GuidedError as error:
                errors[row] = error.with_traceback(None)
                numbers += matcher._masks[matcher._automaton.ended]  # a mask without tokens
                continue
            if matcher._config in matcher._verify:
                uncertain.append(row)
        write_rows(bitmask, np.frombuffer(array("q", numbers), dtype=np.int64).reshape(len(rows), 3))
        for row in uncertain:
            try:
                rows[row]._verify_row(bitmask[row])
            except GuidedError as error:
                errors[row] = error.with_traceback(None)
                bitmask[row] = 0
        if errors:
            raise BatchMaskError(dict(sorted(errors.items())))

    def _verify_row(self, row: Bitmask) -> None:
        """Decide the tokens that the mask leaves open. row: int32 (W,), the mask, modified in place."""
        automaton = self._automaton
        with self._work(self._watch()):
            for token_id in automaton.verify[self._config]:
                checkpoint()
                if automaton.follow(self._config, token_id, self._tail) is not None:
                    row[token_id >> 5] |= bit(token_id)
                else:
                    row[token_id >> 5] &= ~bit(token_id)

    def rollback(self, num_tokens: int) -> None:
        if not 0 <= num_tokens <= len(self._history):
            raise InvalidInputError(f"can't take back {num_tokens} tokens of {len(self._history)}")
        if num_tokens:
            self._config = self._history[-num_tokens]
            del self._history[-num_tokens:], self._token_ids[-num_tokens:]

    def fork(self) -> TextMatcher:
        copy = TextMatcher(self._begin, self._running)
        copy._config = self._config
        copy._allowance.share(self._allowance)
        copy._history, copy._token_ids = self._history.copy(), self._token_ids.copy()
        copy._known_ends = self._known_ends.copy()
        return copy

    def reset(self) -> None:
        self._start(self._begin())

    def find_jump_forward_bytes(self, max_bytes: int | None = None) -> bytes:
        automaton, config = self._automaton, self._config
        if automaton.forced.get(config) == NO_BYTE:  # PERF: true nearly always, in each step of a row
            return b""
        forced = bytearray()
        tail = longer(self._tail, forced)
        with self._work(self._watch()):
            while len(forced) != max_bytes and (byte := automaton.forced_byte(config, tail)) is not None:
                following = automaton.follow(config, self._size + byte, tail)
                assert following is not None
                config = following
                forced.append(byte)
                if not len(forced) % MANY_ITEMS:
                    checkpoint()
        return bytes(forced)

    def find_jump_forward_tokens(self) -> list[int]:
        scout = self.fork()
        bitmask = allocate_bitmask(1, self.vocabulary.size)
        forced: list[int] = []
        while (token_id := scout._only_token(bitmask)) is not None:
            scout.accept_token(token_id)
            forced.append(token_id)
        return forced

    def find_quote_continuation(self, max_bytes: int) -> bytes:
        """Guess the rest of a quote, in at most `max_bytes` bytes; b"" outside of quotes."""
        return self._automaton.quote_continuation(self._config, max_bytes)

    def find_quote_end(self, before: bytes, max_bytes: int) -> bytes:
        """Return the closing mark and the forced bytes after `before`; b"" if the string can't end there."""
        automaton, config, walked = self._automaton, self._config, bytearray()
        tail, most = longer(self._tail, walked), len(before) + max_bytes
        with self._work(self._watch()):
            for written in before + b'"':
                following = automaton.follow(config, self._size + written, tail)
                if following is None:
                    return b""
                config = following
                walked.append(written)
            while len(walked) < most and (byte := automaton.sure_byte(config)) is not None:
                following = automaton.follow(config, self._size + byte, tail)
                assert following is not None
                config = following
                walked.append(byte)
        return bytes(walked[len(before) :])

    def find_shortest_completion(self, *, thorough: bool = False) -> list[int]:
        """Return tokens that complete the text. While the text follows an earlier answer, its rest is the answer.

        Raises as `Matcher.find_shortest_completion`.
        """
        if self.is_terminated() or self.is_accepting():
            return []
        known = None if thorough else self._known_ends.completion(self._token_ids)
        if known is not None:
            return known
        return self._look_for_completion(None if thorough else 0)

    def _look_for_completion(self, most: int | None) -> list[int]:
        """Search for a completion and keep it. most: see `Completer.fewer_token_ids`."""
        completion = self._completion()
        at_start = not self._token_ids
        found = completion.from_start.get(most) if at_start else None
        if found is None:
            with self._work(self._watch()):
                found = completion.fewer_token_ids(self._config, self._tail, most)
            if found is None:
                raise NoCompletionError("no short way to complete the text was found")
            if at_start:
                completion.keep_from_start(most, found)
        self._known_ends.add(self._token_ids, found)
        return found.copy()

    def restrict_to_budget(self, bitmask: Bitmask, row: int, tokens_left: int) -> bool:
        """Clear the tokens that would need more than the budget, and return True if any was cleared."""
        completion, budget = self._completion(), tokens_left - 1
        highest = completion.highest.get(self._config)
        if highest is not None and highest <= budget:
            return False
        is_masked = self._masks[self._config][0] != 0
        is_known = not is_masked or completion.knows_all
        if self.is_terminated() or (is_masked and is_known and completion.surely_fits(self._config, budget)):
            return False
        if is_known:
            is_restricted = self._restrict_exactly(bitmask, row, tokens_left)
            if is_restricted is not None:
                return is_restricted
        with self._watch():  # encloses the watches of its parts
            if not is_known:
                with self._work():
                    if completion.surely_fits(self._config, budget):
                        return False
            return self._restrict(bitmask, row, tokens_left)

    def _restrict_exactly(self, bitmask: Bitmask, row: int, tokens_left: int) -> bool | None:
        """Like `restrict_to_budget`, if the tokens alone decide the result; None if a search is needed."""
        if not self._completion().is_exact(self._config):
            return None
        if self._known_ends.is_hopeless(self._token_ids, len(self._token_ids) + tokens_left):
            return False
        check_bitmask(bitmask, row, self._size)
        return self._completion().restrict_exactly(bitmask[row], self._config, tokens_left - 1)

    def _restrict(self, bitmask: Bitmask, row: int, tokens_left: int) -> bool:
        """Like `restrict_to_budget`, if the end may be near."""
        completion, budget = self._completion(), tokens_left - 1
        num_tokens = len(self._token_ids) + tokens_left
        if self._known_ends.is_hopeless(self._token_ids, num_tokens):
            return False
        check_bitmask(bitmask, row, self.vocabulary.size)
        restricted = bitmask[row].copy()
        with self._work(self._watch()):
            is_restricted = completion.restrict(restricted, self._config, self._tail, budget)
        if not is_restricted:
            return False
        if completion.is_exact(self._config) and restricted.any():
            bitmask[row] = restricted
            return True
        shortest = self.find_shortest_completion()
        if len(shortest) > tokens_left:
            shortest = self._look_for_completion(tokens_left)
        if len(shortest) > tokens_left:
            self._known_ends.give_up(self._token_ids, num_tokens)
            return False
        if shortest:
            restricted[shortest[0] >> 5] |= bit(shortest[0])
        if (restricted == bitmask[row]).all():
            return False
        bitmask[row] = restricted
        return True

    def fits_budget(self, token_ids: Sequence[int], tokens_left: int) -> bool:
        """Return True if the tokens may come and a known completion then fits the budget."""
        if len(token_ids) > tokens_left:
            return False
        start = len(self._history)
        try:
            for token_id in token_ids:
                if not self.accept_token(token_id):
                    return False
            with self._work(self._watch()):
                left = tokens_left - len(token_ids)
                return self.is_terminated() or self._completion().is_within(self._config, self._tail, left)
        finally:
            self.rollback(len(self._history) - start)

    def _work(self, watch: AbstractContextManager[object] = _NO_WATCH) -> Work:
        """Return a context manager around work for this text; see `Work`."""
        return Work(self, watch)

    def _watch(self) -> Watch:
        """Return the time limit for one mask, or for one search for an end."""
        return Watch("max_mask_seconds", self._automaton.limits.max_mask_seconds)

    def _only_token(self, bitmask: Bitmask) -> int | None:
        """Return the token of a mask that holds exactly one; else None."""
        self.fill_bitmask(bitmask)
        words = np.flatnonzero(bitmask[0])
        if len(words) != 1:
            return None
        word = int(words[0])
        bits = int(bitmask[0, word]) & 0xFFFFFFFF
        return None if bits & (bits - 1) else 32 * word + bits.bit_length() - 1

    def _tail(self, length: int) -> tuple[bytes, bool]:
        """Return the bytes of the last `length` tokens, and True if they are the whole text."""
        tokens, token_ids = self._automaton.vocabulary_tables.vocabulary.tokens, self._token_ids
        num_tokens = min(length, len(token_ids))
        last = token_ids[len(token_ids) - num_tokens :]
        marks = self._automaton.mark_bytes
        if marks:
            return b"".join([tokens[one] or marks.get(one, b"") for one in last]), num_tokens == len(token_ids)
        return b"".join([tokens[token_id] or b"" for token_id in last]), num_tokens == len(token_ids)
