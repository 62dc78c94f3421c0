"""vLLM's manager of structured outputs, driven as its scheduler and a model would, without either."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from vllm import SamplingParams
from vllm.sampling_params import StructuredOutputsParams
from vllm.v1.core.sched.utils import check_stop
from vllm.v1.request import Request, RequestStatus
from vllm.v1.structured_output import StructuredOutputManager

PROMPT = [10, 11, 12]
Drafter = Callable[[list[int]], list[int]]
Pick = Callable[[list[int], NDArray[np.bool_]], int]  # tokens so far, what is allowed -> the next token


def sampling(structured: dict[str, Any] | None = None, **fields: Any) -> SamplingParams:
    """Parameters as a front end has checked them: it knows the model's ends."""
    outputs = None if structured is None else StructuredOutputsParams(**structured)
    return SamplingParams(structured_outputs=outputs, **{"temperature": 0.0, "max_tokens": 64, **fields})


def greedy(salt: str = "") -> Pick:
    """A model in which every next token has a score that follows from the tokens so far."""

    def pick(tokens: list[int], allowed: NDArray[np.bool_]) -> int:
        digest = hashlib.blake2b(repr((salt, tokens[-8:])).encode(), digest_size=4).digest()
        scores = np.random.default_rng(int.from_bytes(digest, "little")).random(len(allowed))
        return int(np.argmax(np.where(allowed, scores, -1.0)))

    return pick


@dataclass
class Run:
    """What became of a request. num_steps: of the model; num_drafts, num_accepted: of the drafts."""

    request: Any
    num_steps: int = 0
    num_drafts: int = 0
    num_accepted: int = 0
    is_error: bool = False
    proposed: list[list[int]] = field(default_factory=list)

    @property
    def tokens(self) -> list[int]:
        return list(self.request.output_token_ids)


class Driver:
    """vllm_config: of the engine."""

    def __init__(self, vllm_config: Any) -> None:
        self.config = vllm_config
        self.model_config = vllm_config.model_config
        self.manager = StructuredOutputManager(vllm_config)
        self.tokenizer = self.manager.tokenizer
        self.vocab_size = self.model_config.get_vocab_size()
        self._count = 0

    def start(self, params: SamplingParams, prompt: Sequence[int] = PROMPT) -> Any:
        """A request whose grammar is compiled. Raises what its front end or its compilation raises."""
        params.verify(
            self.model_config, self.config.speculative_config, self.config.structured_outputs_config, self.tokenizer
        )
        params.update_from_generation_config(self.model_config.try_get_generation_config(), self.tokenizer.eos_token_id)
        self._count += 1
        request = Request(f"request-{self._count}", list(prompt), params, None)
        self.manager.grammar_init(request)
        if params.structured_outputs is not None:
            request.structured_output_request._grammar.result(timeout=60)
            assert request.structured_output_request.is_grammar_ready
        request.status = RequestStatus.RUNNING
        return request

    def run(self, request: Any, pick: Pick, drafter: Drafter | None = None) -> Run:
        """Step by step until it ends: a model's tokens, and drafts that are kept as far as the model agrees."""
        run, drafts = Run(request), list[int]()
        while not request.is_finished():
            rows = self.masks([request], {request.request_id: drafts})
            outputs = []
            for place in range(len(drafts) + 1):
                token_id = pick([*request.output_token_ids, *outputs], rows[place])
                outputs.append(token_id)
                if place == len(drafts) or token_id != drafts[place]:
                    break
            run.num_steps += 1
            run.num_drafts += len(drafts)
            run.num_accepted += len(outputs) - 1
            self.take(run, outputs)
            if drafter is not None and not request.is_finished():
                drafts = self.manager.validate_tokens(request, drafter(list(request.output_token_ids)))
                run.proposed.append(drafts)
        return run

    def masks(self, requests: Sequence[Any], drafts: dict[str, list[int]]) -> NDArray[np.bool_]:
        """One row for each request, and for each of its drafts, as booleans over the vocabulary."""
        named = {request.request_id: request for request in requests}
        words = self.manager.grammar_bitmask(named, list(named), {name: ids for name, ids in drafts.items() if ids})
        assert words is not None
        bits = np.unpackbits(words.view(np.uint8), axis=1, bitorder="little")
        return bits[:, : self.vocab_size].astype(np.bool_)

    def take(self, run: Run, outputs: list[int]) -> None:
        """The model's tokens, up to what ends the request, as the scheduler takes them."""
        request = run.request
        taken = []
        for token_id in outputs:
            request.append_output_token_ids(token_id)
            taken.append(token_id)
            if check_stop(request, self.model_config.max_model_len):
                break
        if not self.manager.accept_tokens(request, taken):
            run.is_error = True
            request.status = RequestStatus.FINISHED_ERROR

    def text(self, run: Run) -> str:
        return str(self.tokenizer.decode(run.tokens, skip_special_tokens=True))
