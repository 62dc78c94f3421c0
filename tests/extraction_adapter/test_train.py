"""Training of the adapter: the prompt is that of `LLM.extract`, a run that stops goes on, threads add up to one."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import torch

pytest.importorskip("peft", reason="needs guided-generation[train]")

from peft import PeftModel
from transformers import AutoModelForCausalLM

from examples.embedded_model.corpus.scene_tasks import make_scene_task
from examples.extraction_adapter import merge, samples, train
from examples.extraction_adapter.samples import Sample, Sampler, encode
from examples.extraction_adapter.train import Trainer, TrainingConfig, Workers, make_model, trained
from guided.engines.local.loading import load_text_side
from guided.llm import LLM
from guided.requests.prompting import PromptEncoder

pytestmark = pytest.mark.filterwarnings("ignore:.*is_gradient_checkpointing:FutureWarning")
CONFIG = TrainingConfig(seed=5, steps=3, weights={"scenes": 1.0}, rank=2, batch_size=2, warmup=1, max_tokens=4000)


@pytest.fixture(autouse=True)
def in_float32(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """So that sums in another order are nearly the same."""
    monkeypatch.setattr(train, "has_fast_bfloat16", lambda device: False)
    num_threads = torch.get_num_threads()
    yield
    torch.set_num_threads(num_threads)


@pytest.fixture(scope="module")
def encoder(tiny_model_folder: Path) -> PromptEncoder:
    return PromptEncoder(*load_text_side(str(tiny_model_folder))[:2])


@pytest.mark.parametrize("quotes", [False, True])
def test_the_prompt_is_that_of_extraction(
    tiny_model_folder: Path, encoder: PromptEncoder, quotes: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(samples, "QUOTES_SHARE", float(quotes))
    monkeypatch.setattr(samples, "INSTRUCTIONS_SHARE", 0.0)
    task = make_scene_task(random.Random(4))
    sample = encode(encoder, task, random.Random(1))
    with LLM(str(tiny_model_folder)) as llm:
        assert sample.prompt == llm.extractor(task.schema, quotes=quotes).encode(task.document.text)
    assert sample.answer[-1] == encoder.tokenizer.eos_token_id
    assert encoder.tokenizer.decode(sample.answer[:-1]).startswith("{")


def test_batches_depend_on_seed_and_step_alone(encoder: PromptEncoder) -> None:
    sampler = Sampler(encoder, {"documents": 1, "nested": 1}, max_tokens=4000)
    assert sampler.batch(1, 7, 2) == Sampler(encoder, {"documents": 1, "nested": 1}, 4000).batch(1, 7, 2)
    assert sampler.batch(1, 8, 2) != sampler.batch(1, 7, 2)


def test_threads_add_up_to_the_gradients_of_one(tiny_model_folder: Path) -> None:
    parts = [Sample([5, 6, 7 + i], [8, 9, 10][: 1 + i % 3]) for i in range(5)]
    gradients, losses = [], []
    for num_threads in (1, 3):
        model = make_model(str(tiny_model_folder), CONFIG)
        losses.append(Workers(model, num_threads).gradients(parts))
        gradients.append([parameter.grad for parameter in trained(model)])
    assert losses[0] == pytest.approx(losses[1], rel=1e-5)
    for one, other in zip(*gradients, strict=True):
        assert torch.allclose(one, other, atol=1e-6)


def test_a_resumed_run_equals_an_unbroken_one_and_peft_loads_it(tiny_model_folder: Path, tmp_path: Path) -> None:
    base = str(tiny_model_folder)
    whole = Trainer(base, CONFIG, tmp_path / "whole", num_threads=1)
    whole.run()
    for step in (1, 3):
        part = Trainer(base, CONFIG, tmp_path / "part", num_threads=1)
        while part.step < step:
            part.run(minutes=0.0)  # none: saves alone
            samples_of_step = part.sampler.batch(CONFIG.seed, part.step, CONFIG.batch_size)
            part._train_step(samples_of_step)
            part.step += 1
        part.save()
    assert all(torch.allclose(a, b, atol=1e-6) for a, b in zip(trained(whole.model), trained(part.model), strict=True))
    assert any(parameter.abs().sum() > 0 for name, parameter in whole.model.named_parameters() if "lora_B" in name)
    begun = Trainer(base, CONFIG, tmp_path / "begun", num_threads=1, start=tmp_path / "whole")
    assert all(torch.equal(a, b) for a, b in zip(trained(whole.model), trained(begun.model), strict=True))
    loaded = PeftModel.from_pretrained(AutoModelForCausalLM.from_pretrained(base), tmp_path / "whole")
    adapters = [parameter for name, parameter in loaded.named_parameters() if "lora_" in name]
    assert all(torch.allclose(a, b) for a, b in zip(adapters, trained(whole.model), strict=True))
    merge.main(tiny_model_folder, tmp_path / "whole", tmp_path / "merged")
    merged = AutoModelForCausalLM.from_pretrained(tmp_path / "merged").state_dict()
    whole_weights = whole.model.merge_and_unload().state_dict()
    assert all(torch.allclose(merged[name].float(), whole_weights[name].float(), atol=1e-2) for name in merged)
    assert PromptEncoder(*load_text_side(str(tmp_path / "merged"))[:2]).json_whitespace == "compact"
    with pytest.raises(Exception, match="other settings"):
        Trainer(base, replace(CONFIG, seed=6), tmp_path / "whole")
