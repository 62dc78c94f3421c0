"""`MaskFiller`: fills the masks of all rows of a step, in a thread beside the model's forward if that saves time.

A thread of its own hides the time of the masks, because kernels let other threads run. The price is two switches of
threads: 0.1 ms, and far more if other processes need the CPU. Most masks of a whole batch take less than that.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from functools import lru_cache

import numpy as np
import torch

from guided.grammars.bitset import Bitmask, allocate_bitmask, allow_only, bit, pack_token_ids
from guided.grammars.compile import fill_bitmasks
from guided.grammars.daemon_threads import DaemonThreads
from guided.grammars.errors import BatchMaskError, GuidedError
from guided.grammars.protocol import Matcher
from guided.grammars.watch import TrialOverError

from ...errors import EngineFailureError
from ...grammar_state.state import GrammarState
from ...masks import AnyBitmask
from ...sampler import UnboundedMasks
from .engine_request import EngineRequest, RowState
from .slow_rows import StepTime

BESIDE_FROM_S = 0.001  # least mean of the masks' CPU time, in seconds, for filling them in the thread
MEAN_WEIGHT = 0.2  # weight of the last step in the running mean of BESIDE_FROM_S


class MaskFiller:
    """Fills one bitmask a step: call `start`, run the model, then call `finish`. `close` ends the thread.

    vocab_size: width of the masks in tokens.
    num_rows: maximum number of rows.
    step_time: the step's time for the work of grammars.
    device: device of the logits.
    mask_s: attribute; seconds that the last filling took.
    """

    def __init__(self, vocab_size: int, num_rows: int, step_time: StepTime, device: torch.device) -> None:
        self.mask_s = 0.0
        self._vocab_size = vocab_size
        self._device = device
        self._bitmask = allocate_bitmask(num_rows, vocab_size)
        if device.type == "cuda":
            self._bitmask = torch.from_numpy(self._bitmask).pin_memory().numpy()
        self._scratch = allocate_bitmask(num_rows, vocab_size)
        self._step_time = step_time
        self._thread = DaemonThreads(1, "guided-masks")
        self._mean_s = self._cpu_s = 0.0
        self._rows: Sequence[EngineRequest] = ()
        self._future: Future[Bitmask] | None = None

    def start(self, rows: Sequence[EngineRequest]) -> None:
        """Start with the masks of at most num_rows rows. Until `finish`, nothing else may use their grammars.

        The thread fills the masks if that saves time; else `finish` does.
        """
        self._future = None
        self.mask_s = 0.0
        self._rows = rows if any(row.grammar is not None for row in rows) else ()
        if self._rows and self._mean_s > BESIDE_FROM_S:
            self._future = self._thread.submit(self.fill, rows)

    def finish(self) -> Bitmask | None:
        """The bitmask, int32 (B, W), valid until the next step; None if no row has a grammar.

        A row whose grammar failed allows nothing; its `error` is the reason. A row whose state became BUILDING has no
        valid mask.
        """
        rows, self._rows = self._rows, ()
        if not rows:
            return None
        future, self._future = self._future, None
        bitmask = self.fill(rows) if future is None else future.result()
        self._mean_s += MEAN_WEIGHT * (self._cpu_s - self._mean_s)
        return bitmask

    def close(self) -> None:
        """End the thread."""
        self._thread.close()

    def on_device(self, bitmask: Bitmask | None) -> AnyBitmask | None:
        """A bitmask of `finish` or `fill` on the device of the logits. The call does not wait for the copy: the memory
        is written again only after a token of this step has come back.
        """
        if bitmask is None or self._device.type == "cpu":
            return bitmask
        return torch.from_numpy(bitmask).to(self._device, non_blocking=True)

    def unbounded(self, rows: Sequence[EngineRequest]) -> UnboundedMasks | None:
        """The masks of rows before their budgets excluded tokens; None if no budget did.

        Removes the masks from the rows, because each is for one draw.
        """
        found = [(i, row.unbounded_mask) for i, row in enumerate(rows) if row.unbounded_mask is not None]
        if not found:
            return None
        for i, _ in found:
            rows[i].unbounded_mask = None
        masks = self.on_device(np.concatenate([mask for _, mask in found]))
        assert masks is not None, "there are some"
        return UnboundedMasks([i for i, _ in found], masks)

    def fill(self, rows: Sequence[EngineRequest]) -> Bitmask:
        """Fill the masks of these rows in the caller's thread."""
        with self._step_time.trial():
            return self._fill(rows)

    def build(self, row: EngineRequest) -> Bitmask:
        """The mask of one row, int32 (1, W), for its `ready_mask`. May be called in any thread. Raises the grammar's
        errors.
        """
        bitmask = allocate_bitmask(1, self._vocab_size)
        if not self._fill_known(row, bitmask, 0):
            _fill_alone(row, bitmask, 0)
            self._adjust(row, bitmask, 0, bitmask.copy())
        return bitmask

    def _fill(self, rows: Sequence[EngineRequest]) -> Bitmask:
        start_s, start_cpu_s = time.perf_counter(), time.thread_time()
        bitmask = self._bitmask[: len(rows)]
        asked: dict[type[Matcher], list[int]] = {}
        for i, row in enumerate(rows):
            is_known, grammar = self._try(self._fill_known, row, bitmask, i), row.grammar
            if not is_known and grammar is not None and row.state is not RowState.BUILDING:
                asked.setdefault(type(grammar.matcher), []).append(i)
        for indices in asked.values():
            self._fill_matchers(rows, bitmask, indices)
        unbounded = bitmask.copy() if asked else bitmask  # PERF: a copy for each row takes 30 us more for 32 rows
        for i in (i for indices in asked.values() for i in indices):
            if rows[i].state is not RowState.BUILDING:
                self._try(self._adjust, rows[i], bitmask, i, unbounded)
            if rows[i].error is not None:
                bitmask[i] = 0
        self.mask_s += time.perf_counter() - start_s
        self._cpu_s = time.thread_time() - start_cpu_s
        return bitmask

    def _fill_known(self, row: EngineRequest, bitmask: Bitmask, i: int) -> bool:
        """Fill the mask of a row without its matcher, if possible. Possible cases: no grammar, a mask that is ready, an
        open thinking block, a forced token. Returns False if the matcher is needed.
        """
        if row.ready_mask is not None:
            bitmask[i], row.ready_mask = row.ready_mask[0], None
            return True
        row.unbounded_mask = None
        if row.grammar is None:
            bitmask[i] = _all_allowed(self._vocab_size)
            return True
        thinking = row.thinking
        if thinking is not None and thinking.tells_apart and thinking.is_open:
            bitmask[i] = _all_but(row.end_token_ids, self._vocab_size)
            if _must_close(row, row.grammar):
                row.unbounded_mask = bitmask[i : i + 1].copy()
                allow_only(bitmask, i, thinking.tokens.end_token_id)
            return True
        token_id = row.forced_token()
        if token_id is not None:
            allow_only(bitmask, i, token_id)
        return token_id is not None

    def _try(self, fill: Callable[..., bool], row: EngineRequest, bitmask: Bitmask, i: int, *further: Bitmask) -> bool:
        """The result of `fill` with these arguments; False if it fails. A failure concerns only this row: its `error`
        is set, or, if its grammar needs too long, its state becomes BUILDING.
        """
        try:
            return fill(row, bitmask, i, *further)
        except TrialOverError:
            row.move(RowState.BUILDING)
            return False
        except Exception as error:  # noqa: BLE001 - of one grammar
            row.error = error if isinstance(error, GuidedError) else EngineFailureError("the grammar's mask", error)
            return False

    def _fill_matchers(self, rows: Sequence[EngineRequest], bitmask: Bitmask, indices: list[int]) -> None:
        """Fill the masks of all matchers of one class in one call; in place if they are the first rows of the
        bitmask.
        """
        is_in_place = indices[-1] == len(indices) - 1
        target = bitmask if is_in_place else self._scratch
        matchers = [row.grammar.matcher for i in indices if (row := rows[i]).grammar is not None]
        try:
            fill_bitmasks(matchers, target)
        except BatchMaskError as error:
            for place, reason in error.errors.items():
                if isinstance(reason, TrialOverError):
                    rows[indices[place]].move(RowState.BUILDING)
                else:
                    rows[indices[place]].error = reason
        except Exception:  # noqa: BLE001 - a fault of one grammar: the loop finds it, so that the others go on
            for place, i in enumerate(indices):
                self._try(_fill_alone, rows[i], target, place)
        if not is_in_place:
            bitmask[indices] = target[: len(indices)]

    def _adjust(self, row: EngineRequest, bitmask: Bitmask, i: int, before: Bitmask) -> bool:
        """Apply the row's budget to its mask, and allow thinking to begin if it may. Returns False if there is no
        mask.

        before: the bitmask before any budget; the row's `unbounded_mask` may be a part of it.
        """
        if row.error is not None or row.grammar is None:
            return False
        if row.is_looping and not row.has_closed:
            row.close(row.grammar)
        unbounded = before[i : i + 1]
        is_restricted = row.grammar.restrict(bitmask, i, row.num_tokens_left)
        if row.thinking is not None and row.thinking.tells_apart:
            begin = row.thinking.tokens.begin_token_id
            unbounded[0, begin // 32] |= bit(begin)
            if row.num_tokens_left > row.grammar.distance() + 2:
                bitmask[i, begin // 32] |= bit(begin)
            else:
                is_restricted = True
        if is_restricted:
            row.unbounded_mask = unbounded
        return True


def _must_close(row: EngineRequest, grammar: GrammarState) -> bool:
    """True if the thinking must end now: the tokens left are only enough for its end token and the answer."""
    needed = grammar.distance()
    return needed > 0 and row.num_tokens_left <= needed + 1


def _fill_alone(row: EngineRequest, bitmask: Bitmask, i: int) -> bool:
    assert row.grammar is not None
    row.grammar.matcher.fill_bitmask(bitmask, i)
    return True


@lru_cache(maxsize=64)
def _all_but(token_ids: frozenset[int], vocab_size: int) -> Bitmask:
    return pack_token_ids([i for i in range(vocab_size) if i not in token_ids], vocab_size)


@lru_cache(maxsize=8)
def _all_allowed(vocab_size: int) -> Bitmask:
    return pack_token_ids(list(range(vocab_size)), vocab_size)
