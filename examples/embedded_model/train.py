"""Trains the embedded model: `python -m examples.embedded_model.train --out runs/embedded`.

From nothing, or from `--start`. Seeded and resumable: the same command goes on from the last checkpoint in `--out`
(with another `--steps`, on the learning rates of that number of steps; with other shares of the kinds of tasks or
another `--text-weight`, on these). The loss is written to `loss.csv` and drawn to `loss.png` there; `--export` writes
standard files, which `guided.LLM(FOLDER)` loads and `pack.py` puts into the package.
"""

from __future__ import annotations

import csv
import importlib.util
import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import torch
import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn
from transformers import (
    GenerationConfig,
    LlamaConfig,
    LlamaForCausalLM,
    PreTrainedTokenizerBase,
    PreTrainedTokenizerFast,
)

from guided.embedded import model_path
from guided.embedded.files import is_embedded

from .data import IGNORED_LABEL, Batch, Mixture, training_batches
from .muon import Muon
from .tokenizer import train_tokenizer

MAX_CONTEXT_TOKENS = 4096
TRAINED_CONTEXT_TOKENS = 640  # the longest texts of the first training
# YaRN (Peng et al. 2023): the angles of slow rotations are stretched, so that 4,096 positions look like those 640
ROPE_PARAMETERS = {
    "rope_type": "yarn",
    "rope_theta": 10000.0,
    "factor": MAX_CONTEXT_TOKENS / TRAINED_CONTEXT_TOKENS,
    "original_max_position_embeddings": TRAINED_CONTEXT_TOKENS,
}
TOKENIZER_TASKS = 40_000
LAYERS = "model.layers."  # what the names of a layer's weights begin with
# What may be another from a checkpoint on.
MAY_CHANGE = ("steps", "decay_share", "long_share", "scene_share", "nested_share", "text_weight")


@dataclass(frozen=True)
class TrainingConfig:
    """Everything that decides the result. batch_size: tasks a step on average; warmup: steps to the full rate;
    averaging: what the mean of the weights keeps of its own in a step;
    long_share, scene_share, nested_share: of the tasks, see `Mixture`; only_looking: see `make_optimizers`;
    text_weight: what the loss on the texts' own tokens counts beside the loss on the answers', see `batch_losses`."""

    seed: int
    steps: int
    batch_size: int = 24
    learning_rate: float = 1.5e-3
    warmup: int = 200
    decay_share: float = 0.42
    weight_decay: float = 0.05
    averaging: float = 0.998
    max_tokens: int = TRAINED_CONTEXT_TOKENS
    long_share: float = 0.0
    scene_share: float = 0.0
    nested_share: float = 0.0
    only_looking: bool = False
    text_weight: float = 0.0
    vocab_size: int = 2048
    hidden_size: int = 256
    num_layers: int = 5
    num_heads: int = 4
    num_key_value_heads: int = 4
    intermediate_size: int = 640


def make_model(config: TrainingConfig, tokenizer: PreTrainedTokenizerBase) -> LlamaForCausalLM:
    """A Llama with random weights, tied embeddings, and the tokenizer's special ids."""
    torch.manual_seed(config.seed)
    model = LlamaForCausalLM(
        LlamaConfig(
            vocab_size=config.vocab_size,
            hidden_size=config.hidden_size,
            num_hidden_layers=config.num_layers,
            num_attention_heads=config.num_heads,
            num_key_value_heads=config.num_key_value_heads,
            intermediate_size=config.intermediate_size,
            max_position_embeddings=MAX_CONTEXT_TOKENS,
            rope_parameters=dict(ROPE_PARAMETERS),
            tie_word_embeddings=True,
            bos_token_id=tokenizer.bos_token_id,
            eos_token_id=tokenizer.eos_token_id,
            pad_token_id=tokenizer.pad_token_id,
        )
    )
    # PERF: 2 cores, bf16: 9.9k tokens a second against 8.6k with "sdpa", whose backward is slow. But "eager" keeps a
    # number for each pair of tokens, 4 GB for two texts of 3,500.
    model.set_attn_implementation("sdpa" if config.max_tokens > 2 * TRAINED_CONTEXT_TOKENS else "eager")
    return model


def learning_rate_at(step: int, config: TrainingConfig) -> float:
    """Linear warm-up, a plateau, and a cosine to a 50th over the last `decay_share` of the steps."""
    if step < config.warmup:
        return config.learning_rate * (step + 1) / config.warmup
    decay_start = config.steps * (1 - config.decay_share)
    if step < decay_start:
        return config.learning_rate
    done = (step - decay_start) / (config.steps - decay_start)
    return config.learning_rate * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * done)))


@cache
def has_fast_bfloat16(device: torch.device) -> bool:
    """Whether products of matrices take less time in bfloat16 than in float32, found by trying.

    PERF: a CPU without instructions for it is 35 times slower in bfloat16 (1.7 against 64 GFLOPS).
    """

    def seconds(dtype: torch.dtype) -> float:
        matrix = torch.ones(512, 512, dtype=dtype, device=device)  # 256 took 0.1 ms, and other work decided
        times = []
        for _ in range(9):  # the first one warms up
            start = time.perf_counter()
            (matrix @ matrix).sum().item()
            times.append(time.perf_counter() - start)
        return min(times)

    return seconds(torch.bfloat16) < seconds(torch.float32)


def batch_losses(
    model: LlamaForCausalLM, batch: Batch, device: torch.device, *, with_texts: bool = False
) -> tuple[torch.Tensor, torch.Tensor]:
    """Mean cross-entropy over the answer tokens of a batch, and over the tokens of its texts: 0 without `with_texts`.

    A text says far more than its answers, so that learning to foresee it teaches what words belong together (loss over
    instructions, Shi et al. 2024). No other logits are computed.
    """
    with torch.autocast(device.type, dtype=torch.bfloat16, enabled=has_fast_bfloat16(device)):
        hidden = model.model(input_ids=batch.input_ids.to(device), use_cache=False).last_hidden_state[:, :-1]
        answer_loss = _cross_entropy(model, hidden, batch.labels)
        text_loss = _cross_entropy(model, hidden, batch.text_labels) if with_texts else hidden.new_zeros(())
    return answer_loss, text_loss


def _cross_entropy(model: LlamaForCausalLM, hidden: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Of the labels that are not ignored; hidden: (B, T - 1, hidden size), labels: (B, T)."""
    targets = labels.to(hidden.device)[:, 1:]
    is_asked = targets != IGNORED_LABEL
    return torch.nn.functional.cross_entropy(model.lm_head(hidden[is_asked]).float(), targets[is_asked])


def make_optimizers(model: LlamaForCausalLM, config: TrainingConfig) -> list[torch.optim.Optimizer]:
    """Muon for the layers' matrices, and AdamW at the same rates for the rest.

    Embeddings and matrices decay, norms don't. With `only_looking` the projections of queries and keys alone are
    trained: where the model looks, not what it knows.
    """
    if config.only_looking:
        for name, parameter in model.named_parameters():
            parameter.requires_grad_("q_proj" in name or "k_proj" in name)
    trained = {name: parameter for name, parameter in model.named_parameters() if parameter.requires_grad}
    matrices = [p for name, p in trained.items() if p.ndim == 2 and LAYERS in name]
    embeddings = [p for name, p in trained.items() if p.ndim == 2 and LAYERS not in name]
    vectors = [p for p in trained.values() if p.ndim < 2]
    dtype = torch.bfloat16 if has_fast_bfloat16(model.device) else torch.float32
    optimizers: list[torch.optim.Optimizer] = [
        Muon(matrices, config.learning_rate, weight_decay=config.weight_decay, dtype=dtype)
    ]
    if embeddings or vectors:
        groups = [{"params": embeddings, "weight_decay": config.weight_decay}, {"params": vectors, "weight_decay": 0.0}]
        optimizers.append(torch.optim.AdamW(groups, lr=config.learning_rate, betas=(0.9, 0.98), fused=True))
    return optimizers


class Trainer:
    """One training run in a folder: checkpoint.pt, tokenizer/, loss.csv, loss.png.

    start: model folder whose weights and tokenizer the run begins with, instead of random weights and a tokenizer of
    its own; the optimizers begin anew. A checkpoint in `out` comes first. averaged: the mean of the weights of all
    steps so far, in which a step counts less and less.
    """

    def __init__(self, config: TrainingConfig, out: Path, start: Path | None = None) -> None:
        self.config = config
        self.out = out
        self.start = start
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        out.mkdir(parents=True, exist_ok=True)
        self.tokenizer = self._load_tokenizer()
        self.model = make_model(config, self.tokenizer).to(self.device)  # type: ignore[arg-type]
        averaging = get_ema_multi_avg_fn(config.averaging)  # type: ignore[no-untyped-call]
        self.averaged = AveragedModel(self.model, multi_avg_fn=averaging)
        self.optimizers = make_optimizers(self.model, config)
        self.losses: list[tuple[int, float, float]] = []  # step, loss, seconds so far
        self.step = 0
        if not self._resume() and start is not None:
            self._load_weights(start)

    def _load_tokenizer(self) -> PreTrainedTokenizerBase:
        folder = self.out / "tokenizer"
        if not folder.exists():
            self._first_tokenizer().save_pretrained(folder)
        tokenizer: PreTrainedTokenizerBase = PreTrainedTokenizerFast.from_pretrained(folder)
        return tokenizer

    def _first_tokenizer(self) -> PreTrainedTokenizerBase:
        if self.start is None:
            return train_tokenizer(self.config.vocab_size, TOKENIZER_TASKS, self.config.seed)
        tokenizer: PreTrainedTokenizerBase = PreTrainedTokenizerFast.from_pretrained(self.start)
        return tokenizer

    def _load_weights(self, folder: Path) -> None:
        """Take over the weights of a model folder, deepened where this model has more layers.

        Raises typer.BadParameter when it is of another shape otherwise.
        """
        weights = self._deepened(folder)
        shapes, own = ({k: v.shape for k, v in one.items()} for one in (weights, self.model.state_dict()))
        if shapes != own:
            raise typer.BadParameter(f"{folder} holds a model of another shape than this run's settings; use another")
        self.model.load_state_dict(weights)
        self.averaged.module.load_state_dict(weights)

    def _deepened(self, path: Path) -> dict[str, torch.Tensor]:
        return deepened(read_weights(path, self.device), self.config.num_layers)

    def _resume(self) -> bool:
        checkpoint = self.out / "checkpoint.pt"
        if not checkpoint.exists():
            return False
        state: dict[str, Any] = torch.load(checkpoint, map_location=self.device, weights_only=True)
        own = asdict(self.config)
        if state["config"] | {name: own[name] for name in MAY_CHANGE} != own:
            raise typer.BadParameter(
                f"{checkpoint} was trained with other settings: {state['config']}; use another --out"
            )
        self.model.load_state_dict(state["model"])
        for optimizer, own_state in zip(self.optimizers, state["optimizers"], strict=True):
            optimizer.load_state_dict(own_state)
        self.averaged.load_state_dict(state["averaged"])
        self.step, self.losses = state["step"], state["losses"]
        return True

    def save(self) -> None:
        """Write the checkpoint (atomically), the loss table and the plot."""
        state = {
            "config": asdict(self.config),
            "model": self.model.state_dict(),
            "averaged": self.averaged.state_dict(),
            "optimizers": [optimizer.state_dict() for optimizer in self.optimizers],
            "step": self.step,
            "losses": self.losses,
        }
        partial = self.out / "checkpoint.pt.partial"
        torch.save(state, partial)
        partial.replace(self.out / "checkpoint.pt")
        with (self.out / "loss.csv").open("w", newline="") as file:
            csv.writer(file).writerows([("step", "loss", "seconds"), *self.losses])
        plot_losses(self.losses, self.out / "loss.png")

    def run(self, checkpoint_every: int, compiles: bool = False) -> None:
        """Train to the last step. compiles: by torch.compile, which needs a C++ compiler on a CPU."""
        config = self.config
        if compiles:  # PERF: 1 core, 9 layers: 0.86 s a step against 1.35, after 2 minutes of compiling
            self.model.model.compile(dynamic=True)
        mixture = Mixture(config.long_share, config.scene_share, config.nested_share)
        batches = training_batches(
            self.tokenizer, config.seed, config.batch_size, config.max_tokens, self.step, mixture
        )
        spent = self.losses[-1][2] if self.losses else 0.0
        columns = TextColumn("loss {task.fields[loss]:.4f}"), BarColumn(), MofNCompleteColumn()
        with Progress(*columns, TimeElapsedColumn(), TimeRemainingColumn()) as progress:
            bar = progress.add_task("train", total=config.steps, completed=self.step, loss=math.nan)
            while self.step < config.steps:
                start = time.perf_counter()
                loss = self._train_step(next(batches))
                spent += time.perf_counter() - start
                self.losses.append((self.step, round(loss, 5), round(spent, 2)))
                self.step += 1
                progress.update(bar, completed=self.step, loss=loss)
                if self.step % checkpoint_every == 0 or self.step == config.steps:
                    self.save()

    def _train_step(self, batch: Batch) -> float:
        for optimizer in self.optimizers:
            for group in optimizer.param_groups:
                group["lr"] = learning_rate_at(self.step, self.config)
        self.model.zero_grad(set_to_none=True)
        weight = self.config.text_weight
        loss, text_loss = batch_losses(self.model, batch, self.device, with_texts=weight > 0)
        (loss + weight * text_loss).backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        for optimizer in self.optimizers:
            optimizer.step()
        self.averaged.update_parameters(self.model)
        return loss.item()

    def export(self, folder: Path, others: Sequence[Path] = ()) -> None:
        """Write config.json, generation_config.json, model.safetensors (float16) and the tokenizer's files.

        others: checkpoints or model folders; the weights written are the mean of theirs and the averaged ones. Those of
        fewer layers are deepened as at the start of this run.
        """
        model = LlamaForCausalLM(self.model.config)
        weights = [self.averaged.module.state_dict(), *(self._deepened(path) for path in others)]
        model.load_state_dict({name: sum(one[name].float() for one in weights) / len(weights) for name in weights[0]})
        model.generation_config = GenerationConfig(  # type: ignore[no-untyped-call]
            bos_token_id=self.tokenizer.bos_token_id,
            eos_token_id=self.tokenizer.eos_token_id,
            pad_token_id=self.tokenizer.pad_token_id,
        )
        model.half().save_pretrained(folder)  # type: ignore[no-untyped-call]
        self.tokenizer.model_max_length = MAX_CONTEXT_TOKENS
        self.tokenizer.save_pretrained(folder)


def deepened(weights: Mapping[str, torch.Tensor], num_layers: int) -> dict[str, torch.Tensor]:
    """The weights with layers added to have at least `num_layers`, spread evenly; the model computes what it did.

    An added layer is a copy of the one in front of it that adds nothing to the residual stream yet: the projections
    out of its attention and its MLP are 0 (block expansion, Wu et al. 2024).
    """
    num_present = 1 + max(int(name.split(".")[2]) for name in weights if name.startswith(LAYERS))
    num_layers = max(num_layers, num_present)
    others = {name: tensor for name, tensor in weights.items() if not name.startswith(LAYERS)}
    for i in range(num_layers):
        source = i * num_present // num_layers
        is_copy = i > 0 and source == (i - 1) * num_present // num_layers
        prefix = f"{LAYERS}{source}."
        for name in [name for name in weights if name.startswith(prefix)]:
            is_zero = is_copy and ("o_proj" in name or "down_proj" in name)
            tensor = torch.zeros_like(weights[name]) if is_zero else weights[name].clone()
            others[f"{LAYERS}{i}.{name.removeprefix(prefix)}"] = tensor
    return others


def read_weights(path: Path, device: torch.device) -> dict[str, torch.Tensor]:
    """The weights of a checkpoint file, averaged over its steps, or of a model folder, as float32 from the latter."""
    weights: dict[str, torch.Tensor]
    if path.is_dir():
        path = model_path() if is_embedded(str(path)) else path
        model = LlamaForCausalLM.from_pretrained(path, dtype=torch.float32)
        weights = model.to(device).state_dict()  # type: ignore[arg-type]
    else:
        averaged = torch.load(path, map_location=device, weights_only=True)["averaged"]
        weights = {name.removeprefix("module."): tensor for name, tensor in averaged.items() if name != "n_averaged"}
    return weights


def plot_losses(losses: list[tuple[int, float, float]], path: Path) -> None:
    """Draw the loss of each step, and its running mean over 50 steps."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    steps, values = [row[0] for row in losses], [row[1] for row in losses]
    means = [sum(values[max(0, i - 49) : i + 1]) / min(50, i + 1) for i in range(len(values))]
    figure, axes = pyplot.subplots(figsize=(8, 4.5))
    axes.plot(steps, values, color="0.8", label="each step")
    axes.plot(steps, means, color="C0", label="mean of 50 steps")
    axes.set(
        xlabel="step",
        ylabel="cross-entropy of answer tokens (nats)",
        yscale="log",
        title="Embedded model, training loss",
    )
    axes.legend()
    figure.tight_layout()
    figure.savefig(path, dpi=100)
    pyplot.close(figure)


def main(
    out: Annotated[Path, typer.Option(help="Folder of the run; a checkpoint in it is resumed.")] = Path(
        "runs/embedded"
    ),
    export: Annotated[Path | None, typer.Option(help="Write the finished model's files into this folder.")] = None,
    average: Annotated[
        list[Path] | None,
        typer.Option(help="With --export: take the mean with this checkpoint or model folder; repeatable."),
    ] = None,
    start: Annotated[
        Path | None, typer.Option(help="Model folder whose weights and tokenizer a new run begins with.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of weights and data.")] = 0,
    steps: Annotated[int, typer.Option(min=1, help="Optimizer steps.")] = 6000,
    batch_size: Annotated[int, typer.Option(min=1, help="Tasks in a step.")] = 24,
    learning_rate: Annotated[float, typer.Option(help="Highest learning rate.")] = TrainingConfig.learning_rate,
    warmup: Annotated[int, typer.Option(min=1, help="Steps to the highest rate.")] = TrainingConfig.warmup,
    decay_share: Annotated[
        float, typer.Option(min=0, max=1, help="Share of the steps, at the end, over which the rate decays.")
    ] = TrainingConfig.decay_share,
    num_layers: Annotated[
        int, typer.Option(min=1, help="Layers; where --start has fewer, some are added that change nothing at first.")
    ] = TrainingConfig.num_layers,
    max_tokens: Annotated[
        int, typer.Option(min=64, max=MAX_CONTEXT_TOKENS, help="Longest prompt and answer together.")
    ] = TrainingConfig.max_tokens,
    long_share: Annotated[
        float, typer.Option(min=0, max=1, help="Share of the tasks behind long instructions and earlier turns.")
    ] = TrainingConfig.long_share,
    scene_share: Annotated[
        float, typer.Option(min=0, max=1, help="Share of the tasks on texts as people write them.")
    ] = TrainingConfig.scene_share,
    nested_share: Annotated[
        float, typer.Option(min=0, max=1, help="Share of the tasks with nested answers.")
    ] = TrainingConfig.nested_share,
    only_looking: Annotated[
        bool, typer.Option(help="Train only where the model looks: the projections of queries and keys.")
    ] = False,
    text_weight: Annotated[
        float, typer.Option(min=0, help="Weight of the loss on the texts' own tokens beside that on the answers'.")
    ] = TrainingConfig.text_weight,
    compiles: Annotated[
        bool, typer.Option("--compile", help="Compile the network first: minutes, then faster steps.")
    ] = False,
    checkpoint_every: Annotated[int, typer.Option(min=1, help="Steps between checkpoints.")] = 200,
) -> None:
    """Train the embedded model from nothing or from --start, or go on with the run in --out."""
    if importlib.util.find_spec("matplotlib") is None:
        raise typer.BadParameter("the loss plot needs matplotlib; pip install 'guided-generation[train]'")
    if average and export is None:
        raise typer.BadParameter("--average is for the exported files; give --export too")
    config = TrainingConfig(
        seed=seed,
        steps=steps,
        batch_size=batch_size,
        learning_rate=learning_rate,
        warmup=warmup,
        decay_share=decay_share,
        num_layers=num_layers,
        max_tokens=max_tokens,
        long_share=long_share,
        scene_share=scene_share,
        nested_share=nested_share,
        only_looking=only_looking,
        text_weight=text_weight,
    )
    trainer = Trainer(config, out, start)
    trainer.run(checkpoint_every, compiles)
    if export is not None:
        trainer.export(export, average or ())


if __name__ == "__main__":
    typer.run(main)
