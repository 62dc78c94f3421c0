"""Trains the adapter: `python -m examples.extraction_adapter.train --base FOLDER --out runs/adapter --steps 400`.

A LoRA on all linear layers of SmolLM2, by `peft`. Seeded and resumable: the same command goes on from the checkpoint in
`--out`, also with other `--steps` and other kinds of tasks. `--minutes` ends a run early. The adapter lies in `--out`,
in the format of `peft`, beside a table of the losses (`loss.csv`).
"""

from __future__ import annotations

import copy
import csv
import math
import os
import threading
import time
from collections import deque
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

os.environ.setdefault("OMP_NUM_THREADS", "1")  # each worker is one thread, see `Workers`
import torch
import typer
from peft import LoraConfig, PeftModel, get_peft_model, set_peft_model_state_dict
from safetensors.torch import load_file
from transformers import AutoModelForCausalLM

from examples.embedded_model.train import has_fast_bfloat16
from guided.engines.local.loading import load_text_side
from guided.models.adapted import ADAPTER_FILES
from guided.requests.prompting import PromptEncoder

from .samples import MAKERS, Sample, Sampler

MAY_CHANGE = ("steps", "weights", "max_tokens", "warmup")  # may be others from a checkpoint on
CHECKPOINT = "checkpoint.pt"
DEFAULT_WEIGHTS = {"scenes": 0.6, "nested": 0.15, "plain": 0.25}


@dataclass(frozen=True)
class TrainingConfig:
    """What decides the result. batch_size: samples a step; warmup: steps to the full rate; weights: of the kinds of
    tasks; max_tokens: of a sample."""

    seed: int
    steps: int
    weights: dict[str, float]
    rank: int = 16
    alpha: int = 32
    batch_size: int = 8
    learning_rate: float = 8e-4
    warmup: int = 30
    max_tokens: int = 1024

    def rate_at(self, step: int) -> float:
        """Linear warm-up, then a cosine to a 50th."""
        if step < self.warmup:
            return self.learning_rate * (step + 1) / self.warmup
        done = (step - self.warmup) / max(1, self.steps - self.warmup)
        return self.learning_rate * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * min(1.0, done))))


def make_model(base: str, config: TrainingConfig) -> PeftModel:
    """The base model with a fresh adapter, which changes nothing yet."""
    torch.manual_seed(config.seed)
    dtype = torch.bfloat16 if has_fast_bfloat16(torch.device("cpu")) else torch.float32
    model = AutoModelForCausalLM.from_pretrained(base, dtype=dtype, attn_implementation="sdpa")
    lora = LoraConfig(r=config.rank, lora_alpha=config.alpha, target_modules="all-linear", task_type="CAUSAL_LM")
    adapted = get_peft_model(model, lora)
    assert isinstance(adapted, PeftModel)
    return adapted


def answer_loss(model: PeftModel, sample: Sample) -> torch.Tensor:
    """The sum of the answer tokens' cross-entropies. No other logits are computed."""
    inner: Any = model.get_base_model()
    ids = torch.tensor([sample.prompt + sample.answer])
    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=inner.dtype == torch.bfloat16):
        hidden = inner.model(input_ids=ids, use_cache=False).last_hidden_state
        logits = inner.lm_head(hidden[0, len(sample.prompt) - 1 : -1])
    return torch.nn.functional.cross_entropy(logits.float(), ids[0, len(sample.prompt) :], reduction="sum")


class Workers:
    """Computes gradients, one sample a thread at a time, in copies of the model that share its weights.

    PERF: SmolLM2, 600 tokens, a busy machine, tokens for a second of processor time: one thread has 190 in bfloat16 and
    124 in float32. Two threads on the same product have 41, since each waits for the other.
    """

    def __init__(self, model: PeftModel, num_threads: int) -> None:
        torch.set_num_threads(1)
        self.models = [model, *(_sharing(model) for _ in range(num_threads - 1))]
        self._pool = ThreadPoolExecutor(num_threads)

    def gradients(self, samples: Sequence[Sample]) -> float:
        """Put the gradients of the mean loss of an answer token into the first model; returns that loss."""
        num_tokens = sum(len(sample.answer) for sample in samples)
        waiting = deque(sorted(samples, key=lambda sample: -sample.num_tokens))
        lock = threading.Lock()

        def work(model: PeftModel) -> float:
            torch.set_num_threads(1)
            total = 0.0
            while True:
                with lock:
                    if not waiting:
                        return total
                    sample = waiting.popleft()
                loss = answer_loss(model, sample) / num_tokens
                loss.backward()  # type: ignore[no-untyped-call]
                total += loss.item()

        loss = sum(self._pool.map(work, self.models))
        for other in self.models[1:]:
            for own, added in zip(trained(self.models[0]), trained(other), strict=True):
                if added.grad is not None:
                    own.grad = added.grad if own.grad is None else own.grad.add_(added.grad)
                    added.grad = None
        return loss


def _sharing(model: PeftModel) -> PeftModel:
    """A model with gradients of its own and the same weights in memory."""
    other = copy.deepcopy(model)
    for own, shared in zip(other.parameters(), model.parameters(), strict=True):
        own.data = shared.data
    return other


def trained(model: PeftModel) -> list[torch.nn.Parameter]:
    """The adapter's weights."""
    return [parameter for parameter in model.parameters() if parameter.requires_grad]


class Trainer:
    """One run in a folder: the adapter's files, checkpoint.pt and loss.csv.

    start: folder of an adapter in peft's format whose weights the run begins with; a checkpoint in `out` comes first.
    losses: for each step its loss, samples' tokens, seconds, and seconds of processor time so far.
    """

    def __init__(
        self, base: str, config: TrainingConfig, out: Path, *, num_threads: int = 2, start: Path | None = None
    ) -> None:
        self.config = config
        self.out = out
        out.mkdir(parents=True, exist_ok=True)
        tokenizer, vocabulary = load_text_side(base)[:2]
        self.sampler = Sampler(PromptEncoder(tokenizer, vocabulary), config.weights, config.max_tokens)
        self.model = make_model(base, config)
        self.optimizer = torch.optim.AdamW(trained(self.model), lr=config.learning_rate, weight_decay=0.0)
        self.losses: list[tuple[int, float, int, float, float]] = []
        self.step = 0
        if not self._resume() and start is not None:
            set_peft_model_state_dict(self.model, load_file(start / ADAPTER_FILES[1]))
        self.workers = Workers(self.model, num_threads)

    def _load(self, weights: Sequence[torch.Tensor]) -> None:
        for own, given in zip(trained(self.model), weights, strict=True):
            own.data.copy_(given)

    def _resume(self) -> bool:
        path = self.out / CHECKPOINT
        if not path.exists():
            return False
        state: dict[str, Any] = torch.load(path, weights_only=True)
        own = asdict(self.config)
        if state["config"] | {name: own[name] for name in MAY_CHANGE} != own:
            raise typer.BadParameter(f"{path} was trained with other settings: {state['config']}; use another --out")
        self._load(state["weights"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.step, self.losses = state["step"], state["losses"]
        return True

    def save(self) -> None:
        """Write the checkpoint, whole or not at all, the adapter and the table of losses."""
        state = {
            "config": asdict(self.config),
            "weights": [parameter.data for parameter in trained(self.model)],
            "optimizer": self.optimizer.state_dict(),
            "step": self.step,
            "losses": self.losses,
        }
        partial = self.out / f"{CHECKPOINT}.partial"
        torch.save(state, partial)
        partial.replace(self.out / CHECKPOINT)
        self.model.save_pretrained(os.fspath(self.out))
        with (self.out / "loss.csv").open("w", newline="") as file:
            csv.writer(file).writerows([("step", "loss", "tokens", "seconds", "cpu_seconds"), *self.losses])

    def run(self, minutes: float = math.inf, checkpoint_minutes: float = 5.0) -> None:
        """Train to the last step, or for so many minutes, and save."""
        end = time.monotonic() + 60 * minutes
        saved = time.monotonic()
        while self.step < self.config.steps and time.monotonic() < end:
            start, cpu_start = time.monotonic(), time.process_time()
            samples = self.sampler.batch(self.config.seed, self.step, self.config.batch_size)
            loss = self._train_step(samples)
            before = self.losses[-1] if self.losses else (0, 0.0, 0, 0.0, 0.0)
            tokens = before[2] + sum(sample.num_tokens for sample in samples)
            seconds = before[3] + time.monotonic() - start, before[4] + time.process_time() - cpu_start
            self.losses.append((self.step, round(loss, 5), tokens, round(seconds[0], 1), round(seconds[1], 1)))
            print(*self.losses[-1], flush=True)
            self.step += 1
            if time.monotonic() > saved + 60 * checkpoint_minutes:
                self.save()
                saved = time.monotonic()
        self.save()

    def _train_step(self, samples: Sequence[Sample]) -> float:
        for group in self.optimizer.param_groups:
            group["lr"] = self.config.rate_at(self.step)
        self.optimizer.zero_grad(set_to_none=True)
        loss = self.workers.gradients(samples)
        torch.nn.utils.clip_grad_norm_(trained(self.model), 1.0)
        self.optimizer.step()
        return loss


def main(
    base: Annotated[str, typer.Option(help="Folder of SmolLM2-135M-Instruct.")],
    out: Annotated[Path, typer.Option(help="Folder of the run.")],
    steps: Annotated[int, typer.Option(min=1, help="Steps of the whole schedule.")],
    seed: Annotated[int, typer.Option(help="Seed of the adapter's first weights and of the texts.")] = 0,
    kind: Annotated[
        list[str] | None, typer.Option(help=f"KIND=WEIGHT, any of {', '.join(MAKERS)}; default: the first trial's.")
    ] = None,
    batch_size: Annotated[int, typer.Option(min=1, help="Samples a step.")] = 8,
    learning_rate: Annotated[float, typer.Option(help="The highest one.")] = 8e-4,
    warmup: Annotated[int, typer.Option(min=1, help="Steps to the highest rate.")] = 30,
    max_tokens: Annotated[int, typer.Option(min=64, help="Longer samples are left out.")] = 1024,
    minutes: Annotated[float, typer.Option(help="End this run after so many minutes.")] = math.inf,
    threads: Annotated[int, typer.Option(min=1, help="Samples at a time.")] = 2,
    start: Annotated[Path | None, typer.Option(help="Folder of an adapter to begin with, also the package's.")] = None,
) -> None:
    """Train an adapter, or go on with the run in --out."""
    weights = {name: float(weight) for name, _, weight in (one.partition("=") for one in kind)} if kind else None
    config = TrainingConfig(
        seed,
        steps,
        weights or DEFAULT_WEIGHTS,
        batch_size=batch_size,
        learning_rate=learning_rate,
        warmup=warmup,
        max_tokens=max_tokens,
    )
    Trainer(base, config, out, num_threads=threads, start=start).run(minutes)


if __name__ == "__main__":
    typer.run(main)
