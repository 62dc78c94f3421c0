"""SGLang's grammar manager, masks and results, driven as its scheduler does, with a model that is a function."""

from __future__ import annotations

import hashlib
import time
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import torch
from sglang.srt.constrained.grammar_manager import GrammarManager
from sglang.srt.managers.schedule_batch import Req
from sglang.srt.managers.scheduler_components.batch_result_processor import SchedulerBatchResultProcessor
from sglang.srt.model_executor.forward_batch_info import ForwardMode
from sglang.srt.runtime_context import get_context, get_parallel
from sglang.srt.sampling.sampling_batch_info import SamplingBatchInfo
from sglang.srt.sampling.sampling_params import SamplingParams
from sglang.srt.speculative.spec_utils import GrammarTree, build_grammar_vocab_mask

PROMPT = [10, 11, 12]
Model = Callable[[list[int]], torch.Tensor]  # tokens of the output so far -> logits (V,)
Drafter = Callable[[list[int]], list[int]]


def model(vocab_size: int, salt: str = "") -> Model:
    """A model in which every next token has a logit that follows from the tokens so far."""

    def logits(tokens: list[int]) -> torch.Tensor:
        digest = hashlib.blake2b(repr((salt, tokens[-8:])).encode(), digest_size=4).digest()
        return torch.from_numpy(np.random.default_rng(int.from_bytes(digest, "little")).random(vocab_size, np.float32))

    return logits


class Driver:
    """A scheduler's parts that grammars meet. tokenizer, vocab_size, eos_token_ids: the model's.

    flags: of the server, such as `grammar_backend`. Raises what SGLang raises where the server would not start.
    """

    def __init__(self, tokenizer: Any, vocab_size: int, eos_token_ids: set[int], **flags: Any) -> None:
        self.tokenizer, self.vocab_size, self.eos_token_ids = tokenizer, vocab_size, eos_token_ids
        if not hasattr(tokenizer, "additional_stop_token_ids"):
            tokenizer.additional_stop_token_ids = None  # SGLang sets it on each tokenizer that it loads
        self._config = get_context().override_server_args(**flags)
        server_args = self._config.install()
        get_parallel().override_permanently(pp_rank=0, tp_rank=0)
        think_end_ids = None
        if flags.get("reasoning_parser"):
            from sglang.srt.parser.reasoning_parser import ReasoningParser

            parser = ReasoningParser(flags["reasoning_parser"], stream_reasoning=False, tokenizer=tokenizer)
            think_end_ids = parser.detector.get_think_end_token_ids(tokenizer)
        config = SimpleNamespace(vocab_size=vocab_size, hf_eos_token_id=eos_token_ids, think_end_ids=think_end_ids)
        self.manager = GrammarManager(
            SimpleNamespace(
                server_args=server_args,
                tokenizer=tokenizer,
                model_config=config,
                dp_tp_cpu_group=None,
                dp_tp_group=SimpleNamespace(world_size=1, first_rank=0, is_first_rank=True),
                pp_group=None,
            )
        )
        self.results = object.__new__(SchedulerBatchResultProcessor)
        self._count = 0

    def close(self) -> None:
        """As if the server had ended."""
        self._config.restore()

    def start(self, *, thinks: bool = False, **params: Any) -> Any:
        """A request whose grammar is ready, or that has ended because it can't be."""
        sampling = SamplingParams(**{"temperature": 0.0, "max_new_tokens": 64, **params})
        sampling.normalize(self.tokenizer)
        sampling.verify(self.vocab_size)
        self._count += 1
        request = Req(
            f"request-{self._count}",
            "",
            array("q", PROMPT),
            sampling,
            eos_token_ids=self.eos_token_ids,
            vocab_size=self.vocab_size,
            require_reasoning=thinks,
        )
        request.tokenizer = self.tokenizer
        if self.manager.process_req_with_grammar(request):
            end = time.monotonic() + 60
            while request not in self.manager.get_ready_grammar_requests():
                assert time.monotonic() < end, "the grammar is not ready"
        request.update_finish_state()
        return request

    def step(self, requests: Sequence[Any], model: Model) -> None:
        """One token for each request, as without speculation."""
        for request, token in zip(requests, self.choose(requests, model), strict=True):
            self.take(request, token)

    def choose(self, requests: Sequence[Any], model: Model) -> list[int]:
        """The most probable token of each request that its mask allows."""
        logits = torch.stack([model(list(request.output_ids)) for request in requests])
        info = self.sampling_info(requests)
        info.update_regex_vocab_mask()
        info.update_penalties()
        info.apply_logits_bias(logits)
        tokens: list[int] = logits.argmax(-1).tolist()
        return tokens

    def take(self, request: Any, token: int) -> None:
        """The next token of a request, as the scheduler takes it."""
        request.output_ids.append(token)
        request.update_finish_state()
        if request.grammar is not None:
            self.results._accept_grammar_tokens(request, token)
            request.grammar.finished = request.finished()

    def run(self, requests: Sequence[Any], model: Model) -> None:
        """Until all have ended; those that have leave the batch."""
        while left := [request for request in requests if not request.finished()]:
            self.step(left, model)

    def run_with_drafts(self, request: Any, model: Model, drafter: Drafter, *, is_early: bool = True) -> int:
        """As with speculation by a chain of drafts; returns the number of steps.

        is_early: the grammar learns of a step's tokens before the outputs do, as under overlap scheduling.
        """
        num_steps, pending = 0, None
        self.step([request], model)
        while not request.finished():
            num_steps += 1
            barrier = None
            if pending is not None:
                barrier = lambda result=pending: self._advance(request, result)  # noqa: E731
            tokens = [*request.output_ids, *(pending.tokens if pending is not None else [])]
            chain = [tokens[-1], *drafter(tokens)]
            rows = torch.stack([model([*tokens, *chain[1 : i + 1]]) for i in range(len(chain))])
            info = self.sampling_info([request])
            tree = GrammarTree.from_linear_chain(torch.tensor([chain]))
            mask = build_grammar_vocab_mask(
                reqs=[request], tree=tree, sampling_info=info, device="cpu", barrier=barrier
            )
            if pending is not None:
                self._take(request, pending)
                if request.finished():
                    break
            assert mask is not None
            mask.apply(rows)
            accepted = []
            for place, picked in enumerate(rows.argmax(-1).tolist()):
                accepted.append(picked)
                if place + 1 == len(chain) or picked != chain[place + 1]:
                    break
            pending = _result(accepted, len(chain))
            if not is_early:
                self._advance(request, pending)
                self._take(request, pending)
                pending = None
        return num_steps

    def sampling_info(self, requests: Sequence[Any]) -> Any:
        """Of a batch."""
        batch = _Batch(list(requests))
        info = SamplingBatchInfo.from_schedule_batch(batch, self.vocab_size)
        info.grammars = [request.grammar for request in requests] if any(r.grammar for r in requests) else None
        info.batch = batch  # its penalties hold it weakly
        return info

    def text(self, request: Any) -> str:
        """Of the output, without ends."""
        return str(self.tokenizer.decode(list(request.output_ids[: request.finished_len]), skip_special_tokens=True))

    def reason(self, request: Any) -> dict[str, Any]:
        """Why it ended, as SGLang's answers say it."""
        found: dict[str, Any] = request.finished_reason.to_json()
        return found

    def _advance(self, request: Any, result: Any) -> None:
        batch = SimpleNamespace(reqs=[request], has_grammar=True, forward_mode=ForwardMode.DECODE)
        self.results.advance_grammar_fsm(result, batch)

    def _take(self, request: Any, result: Any) -> None:
        retained = result.grammar_retained_tokens[0]
        request.output_ids.extend(retained)
        request.update_finish_state(len(retained))
        request.grammar.finished = request.finished()


@dataclass
class _Batch:
    reqs: list[Any]
    device: str = "cpu"


def _result(tokens: list[int], stride: int) -> Any:
    padded = torch.tensor(tokens + [0] * (stride - len(tokens)))
    return SimpleNamespace(
        tokens=tokens,
        grammar_advanced=False,
        grammar_retained_tokens=None,
        copy_done=None,
        next_token_ids=padded,
        accept_lens=torch.tensor([len(tokens)]),
        speculative_output_stride=stride,
    )
