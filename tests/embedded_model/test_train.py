"""Training: the same batches for the same seed, and a run that stops and goes on ends where an unbroken one does."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

import pytest
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from examples.embedded_model import train
from examples.embedded_model.data import IGNORED_LABEL, encode_task, training_batches
from examples.embedded_model.evaluate import make_tasks
from examples.embedded_model.tokenizer import train_tokenizer
from examples.embedded_model.train import Trainer, TrainingConfig, batch_losses, learning_rate_at, plot_losses

TINY = TrainingConfig(
    seed=3, steps=4, batch_size=2, vocab_size=320, hidden_size=16, num_layers=1, num_heads=2, num_key_value_heads=2
)
matplotlib = pytest.importorskip("matplotlib")
TOKENIZERS = cache(train_tokenizer)


@pytest.fixture(autouse=True)
def quick_runs(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """One thread for so small matrices, one tokenizer of few tasks for all runs, no plots."""
    monkeypatch.setattr(train, "TOKENIZER_TASKS", 50)
    monkeypatch.setattr(train, "train_tokenizer", TOKENIZERS)
    monkeypatch.setattr(train, "plot_losses", lambda losses, path: None)
    num_threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(num_threads)


def train_to(out: Path, *stops: int) -> Trainer:
    """A run that is stopped after each of these steps and started again."""
    for stop in stops:
        trainer = Trainer(TINY, out)
        trainer.config = replace(TINY, steps=stop)
        trainer.run(checkpoint_every=1)
    return trainer


def averaged_weights(trainer: Trainer) -> dict[str, torch.Tensor]:
    return dict(trainer.averaged.module.state_dict())


def test_a_resumed_run_equals_an_unbroken_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the same learning rates, which depend on the number of steps."""
    monkeypatch.setattr(train, "learning_rate_at", lambda step, config: 1e-3)
    whole, parts = train_to(tmp_path / "whole", 4), train_to(tmp_path / "parts", 1, 3, 4)
    assert parts.step == whole.step == 4
    assert [row[:2] for row in parts.losses][:1] == [row[:2] for row in whole.losses][:1]
    assert len(parts.losses) == 4
    plot_losses(parts.losses, tmp_path / "parts" / "loss.png")
    for name in ("checkpoint.pt", "loss.csv", "loss.png"):
        assert (tmp_path / "parts" / name).stat().st_size > 0
    assert not list(tmp_path.rglob("*.partial"))
    for name, value in whole.model.state_dict().items():
        torch.testing.assert_close(parts.model.state_dict()[name], value, rtol=0, atol=0)
    for name, value in averaged_weights(whole).items():
        torch.testing.assert_close(averaged_weights(parts)[name], value, rtol=0, atol=0)


def test_averaged_weights_keep_a_share_of_all_steps(tmp_path: Path) -> None:
    config = replace(TINY, averaging=0.6)
    trainer = Trainer(config, tmp_path)
    expected: dict[str, torch.Tensor] = {}
    for steps in (1, 2, 3):
        trainer.config = replace(config, steps=steps)
        trainer.run(checkpoint_every=1)
        for name, value in trainer.model.state_dict().items():
            expected[name] = 0.6 * expected[name] + 0.4 * value if name in expected else value.clone()
    for name, value in expected.items():
        torch.testing.assert_close(averaged_weights(trainer)[name], value)
    trainer.export(tmp_path / "model")
    exported = AutoModelForCausalLM.from_pretrained(tmp_path / "model", dtype="float32").state_dict()
    for name, value in expected.items():
        torch.testing.assert_close(exported[name], value, atol=1e-3, rtol=1e-3)


def test_other_settings_do_not_resume(tmp_path: Path) -> None:
    train_to(tmp_path, 1)
    with pytest.raises(Exception, match="was trained with other settings"):
        Trainer(replace(TINY, seed=4), tmp_path)


def test_export_is_a_standard_model_folder(tmp_path: Path) -> None:
    train_to(tmp_path / "run", 1).export(tmp_path / "model")
    model = AutoModelForCausalLM.from_pretrained(tmp_path / "model", dtype="float32")
    tokenizer = AutoTokenizer.from_pretrained(tmp_path / "model")
    assert model.config.eos_token_id == tokenizer.eos_token_id
    assert tokenizer.init_kwargs["json_whitespace"] == "compact"
    ids = tokenizer("A text.", return_tensors="pt", add_special_tokens=False)["input_ids"]
    assert model(ids).logits.shape[-1] == TINY.vocab_size


def test_export_takes_the_mean_with_other_checkpoints(tmp_path: Path) -> None:
    first, second = train_to(tmp_path / "first", 1), train_to(tmp_path / "second", 2)
    second.export(tmp_path / "model", [tmp_path / "first" / "checkpoint.pt"])
    weights = AutoModelForCausalLM.from_pretrained(tmp_path / "model", dtype="float32").state_dict()
    first.export(tmp_path / "first" / "model")
    second.export(tmp_path / "same", [tmp_path / "first" / "model"])
    same = AutoModelForCausalLM.from_pretrained(tmp_path / "same", dtype="float32").state_dict()
    for name, one in averaged_weights(first).items():
        mean = (one + averaged_weights(second)[name]) / 2
        assert torch.allclose(weights[name], mean, atol=1e-3), name
        assert torch.allclose(same[name], mean, atol=1e-3), name


def test_a_run_begins_with_the_weights_and_the_tokenizer_of_a_folder(tmp_path: Path) -> None:
    train_to(tmp_path / "first", 2).export(tmp_path / "model")
    expected = AutoModelForCausalLM.from_pretrained(tmp_path / "model", dtype="float32").state_dict()
    trainer = Trainer(replace(TINY, seed=9), tmp_path / "second", start=tmp_path / "model")
    assert trainer.step == 0
    assert trainer.tokenizer.get_vocab() == AutoTokenizer.from_pretrained(tmp_path / "model").get_vocab()
    for name, one in trainer.model.state_dict().items():
        torch.testing.assert_close(one, expected[name], rtol=0, atol=0)
    trainer.run(checkpoint_every=4)
    again = Trainer(replace(TINY, seed=9), tmp_path / "second", start=tmp_path / "model")
    assert again.step == 4
    trained = trainer.model.state_dict()
    assert any(not torch.equal(trained[name], expected[name]) for name in expected)
    for name, one in again.model.state_dict().items():
        torch.testing.assert_close(one, trained[name], rtol=0, atol=0)


def test_added_layers_change_nothing_until_they_are_trained(tmp_path: Path) -> None:
    two = replace(TINY, num_layers=2)
    Trainer(two, tmp_path / "first").export(tmp_path / "model")
    shallow = Trainer(two, tmp_path / "same", start=tmp_path / "model")
    deep = Trainer(replace(TINY, num_layers=5), tmp_path / "deep", start=tmp_path / "model")
    ids = torch.arange(40)[None] + 30
    torch.testing.assert_close(deep.model(ids).logits, shallow.model(ids).logits)
    before = {name: value.clone() for name, value in deep.model.state_dict().items()}
    deep.config = replace(deep.config, steps=1)
    deep.run(checkpoint_every=4)
    after = deep.model.state_dict()
    assert all(not torch.equal(after[name], before[name]) for name in before if "proj" in name)


def test_the_mean_with_fewer_layers_is_that_with_what_the_run_began_with(tmp_path: Path) -> None:
    Trainer(TINY, tmp_path / "first").export(tmp_path / "model")
    deep = Trainer(replace(TINY, num_layers=TINY.num_layers + 1), tmp_path / "deep", start=tmp_path / "model")
    before = {name: value.clone() for name, value in deep.model.state_dict().items()}
    deep.run(checkpoint_every=4)
    deep.export(tmp_path / "mean", [tmp_path / "model"])
    mean = AutoModelForCausalLM.from_pretrained(tmp_path / "mean", dtype="float32").state_dict()
    for name, value in averaged_weights(deep).items():
        torch.testing.assert_close(mean[name], (value + before[name]) / 2, atol=1e-3, rtol=1e-3)


def test_a_model_does_not_begin_with_one_of_more_layers(tmp_path: Path) -> None:
    Trainer(replace(TINY, num_layers=2), tmp_path / "first").export(tmp_path / "model")
    with pytest.raises(Exception, match="another shape"):
        Trainer(TINY, tmp_path / "second", start=tmp_path / "model")


def test_a_compiled_run_has_the_losses_and_the_checkpoint_of_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Traced alone: to make machine code of it takes minutes."""
    plain, compiled = Trainer(TINY, tmp_path / "plain"), Trainer(TINY, tmp_path / "compiled")
    monkeypatch.setattr(
        compiled.model.model, "compile", partial(compiled.model.model.compile, backend="eager"), raising=False
    )
    plain.run(checkpoint_every=4)
    compiled.run(checkpoint_every=4, compiles=True)
    losses = ([row[1] for row in trainer.losses] for trainer in (plain, compiled))
    torch.testing.assert_close(*(torch.tensor(row) for row in losses), rtol=1e-3, atol=1e-3)
    Trainer(TINY, tmp_path / "compiled")  # the names of its weights are those of any run


def test_only_where_the_model_looks_is_trained(tmp_path: Path) -> None:
    trainer = Trainer(replace(TINY, only_looking=True), tmp_path)
    before = {name: value.clone() for name, value in trainer.model.state_dict().items()}
    trainer.run(checkpoint_every=4)
    changed = {name for name, value in trainer.model.state_dict().items() if not torch.equal(value, before[name])}
    assert changed == {f"model.layers.0.self_attn.{one}_proj.weight" for one in "qk"}


def test_a_folder_of_another_shape_is_refused(tmp_path: Path) -> None:
    train_to(tmp_path / "first", 1).export(tmp_path / "model")
    with pytest.raises(Exception, match="another shape"):
        Trainer(replace(TINY, hidden_size=32), tmp_path / "second", start=tmp_path / "model")


def test_batches_depend_on_seed_and_number_alone() -> None:
    tokenizer = TOKENIZERS(320, 50, 0)
    batches = list(itertools.islice(training_batches(tokenizer, 1, 2, 640), 20))
    later = next(training_batches(tokenizer, 1, 2, 640, first_step=18))
    assert torch.equal(later.input_ids, batches[18].input_ids)
    other = next(training_batches(tokenizer, 2, 2, 640))
    assert not torch.equal(other.input_ids, batches[0].input_ids)
    for batch in batches:
        answers = batch.labels != IGNORED_LABEL
        assert torch.equal(batch.input_ids[answers], batch.labels[answers])
        assert (answers.sum(1) > 2).all()


def test_labels_of_texts_are_their_tokens_alone() -> None:
    tokenizer = TOKENIZERS(320, 50, 0)
    for batch in itertools.islice(training_batches(tokenizer, 1, 2, 640), 4):
        is_text = batch.text_labels != IGNORED_LABEL
        assert torch.equal(batch.input_ids[is_text], batch.text_labels[is_text])
        for row, text_row in zip(batch.input_ids, batch.text_labels, strict=True):
            text = tokenizer.decode(row).partition("<|text|>")[2].partition("<|json|>")[0]
            assert tokenizer.decode(text_row[text_row != IGNORED_LABEL]) == text != ""


def test_the_loss_on_texts_is_learned_beside_that_on_answers(tmp_path: Path) -> None:
    plain = Trainer(TINY, tmp_path / "plain")
    both = Trainer(replace(TINY, text_weight=0.5), tmp_path / "both")
    batch = next(training_batches(plain.tokenizer, 5, 4, 640))

    def text_loss(trainer: Trainer) -> float:
        return batch_losses(trainer.model, batch, trainer.device, with_texts=True)[1].item()

    assert text_loss(plain) == text_loss(both)
    assert batch_losses(plain.model, batch, plain.device)[1] == 0
    for trainer in (plain, both):
        trainer.run(checkpoint_every=4)
    assert text_loss(both) < text_loss(plain)
    assert plain.losses[0][1] == both.losses[0][1]  # what is written down is the loss on the answers


def test_answers_are_encoded_as_the_model_has_to_write_them() -> None:
    tokenizer = TOKENIZERS(320, 50, 0)
    for task in make_tasks(20, seed=2):
        prompt, answer = encode_task(tokenizer, task)
        assert tokenizer.decode(answer[:-1]) == task.answer
        assert answer[-1] == tokenizer.eos_token_id
        assert tokenizer.decode(prompt).endswith(f"<|text|>{task.document.text}<|json|>")


def test_learning_rate_warms_up_holds_and_decays() -> None:
    config = TrainingConfig(seed=0, steps=1000, warmup=100, decay_share=0.3)
    rates = [learning_rate_at(step, config) for step in range(1000)]
    assert rates[0] < rates[50] < rates[99] == rates[100] == rates[699] == config.learning_rate
    assert rates[-1] < 0.03 * config.learning_rate
    assert rates[700:] == sorted(rates[700:], reverse=True)
