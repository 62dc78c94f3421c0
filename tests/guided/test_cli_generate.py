"""What each option of `guided generate` does to the text, and what it prints beside it (A2.4)."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from guided.cli import main
from guided.llm import LLM
from guided.params.sampling_params import SamplingParams

BUDGET = 200
DRAWN = ["--prompt", "x", "--raw", "--do-sample"]


@pytest.fixture
def generate(tiny_model_folder: Path, capsys: pytest.CaptureFixture[str]) -> Generate:
    return Generate(tiny_model_folder, capsys)


class Generate:
    """Runs the command with the tiny model; gives what it writes."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self._capsys = capsys

    def __call__(self, *arguments: str, model: Path | None = None, code: int = 0) -> tuple[str, str]:
        """Standard output without its last line end, and standard error without line breaks."""
        with pytest.raises(SystemExit) as exit_info:
            main(["generate", "--model", str(model or self.folder), *arguments])
        captured = self._capsys.readouterr()
        assert (exit_info.value.code or 0) == code, captured.err
        return captured.out.removesuffix("\n"), " ".join(captured.err.split())


@pytest.fixture(scope="module")
def ending_seed(tiny_model_folder: Path) -> int:
    """A seed with which the model ends its text itself, after some tokens and before the budget."""
    with LLM(str(tiny_model_folder), device="cpu") as llm:
        for seed in range(50):
            completion = llm.generate("x", SamplingParams(seed=seed, max_new_tokens=BUDGET))
            if completion.finish_reason == "stop" and 5 < len(completion.token_ids) < BUDGET - 5:
                return seed
    raise AssertionError("no seed ends a text")


def test_stop_on_eos(generate: Generate, ending_seed: int) -> None:
    options = [*DRAWN, "--seed", str(ending_seed), "--max-new-tokens", str(BUDGET)]
    default, default_report = generate(*options)
    stopped, _ = generate(*options, "--stop-on-eos")
    whole, report = generate(*options, "--no-stop-on-eos")
    assert stopped == default
    assert re.search(r"stop: \d+ tokens", default_report)
    assert f"length: {BUDGET} tokens" in report, "it went on to the budget"
    assert whole.startswith(default)
    assert len(whole) > len(default)


def test_top_k(generate: Generate) -> None:
    greedy, _ = generate("--prompt", "x", "--raw", "--max-new-tokens", "30")
    options = [*DRAWN, "--seed", "5", "--max-new-tokens", "30"]
    free, _ = generate(*options)
    one, _ = generate(*options, "--top-k", "1")
    off, _ = generate(*options, "--top-k", "0")
    some, _ = generate(*options, "--top-k", "40")
    assert one == greedy != free
    assert off == free
    assert some not in (one, free)


def test_top_p_min_p_and_temperature(generate: Generate) -> None:
    greedy, _ = generate("--prompt", "x", "--raw", "--max-new-tokens", "30")
    options = [*DRAWN, "--seed", "5", "--max-new-tokens", "30"]
    free, _ = generate(*options)
    assert greedy != free
    for option, tight, off in (("--top-p", "0.0001", "1"), ("--min-p", "1", "0"), ("--temperature", "0", "1")):
        assert generate(*options, option, tight)[0] == greedy, option
        assert generate(*options, option, off)[0] == free, option


@pytest.mark.parametrize("prompt", ["what was asked", "[red]not markup[/red] {braces}"])
def test_what_it_prints(generate: Generate, prompt: str) -> None:
    """Device, dtype, prompt and output."""
    output, report = generate("--prompt", prompt, "--raw", "--regex", "(yes|no)!")
    assert output in ("yes!", "no!")
    assert f"prompt: {prompt}" in report
    assert "device: cpu dtype: float32" in report
    assert generate("--prompt", "another", "--raw", "--regex", "y")[1].count("prompt: another") == 1


def test_tokenizer_name(generate: Generate, tmp_path: Path) -> None:
    """The weights of one folder, the tokenizer of another."""
    weights, other = tmp_path / "weights", tmp_path / "other"
    weights.mkdir()
    other.mkdir()
    for source in generate.folder.iterdir():
        is_tokenizer = "token" in source.name or "template" in source.name
        shutil.copy(source, other if is_tokenizer else weights)
    options = ["--prompt", "the", "--raw", "--max-new-tokens", "12"]
    own, _ = generate(*options)
    assert generate(*options, "--tokenizer-name", str(other), model=weights)[0] == own
    _, refusal = generate(*options, model=weights, code=2)
    assert refusal.startswith("guided: ")

    turned = json.loads((other / "tokenizer.json").read_text())
    vocabulary = turned["model"]["vocab"]
    letters = [symbol for symbol in vocabulary if len(symbol) == 1]
    turned["model"]["vocab"] = vocabulary | dict(
        zip(letters, [vocabulary[one] for one in reversed(letters)], strict=True)
    )
    (other / "tokenizer.json").write_text(json.dumps(turned))
    assert generate(*options, "--tokenizer-name", str(other))[0] != own, "it wins over the model's own"
    _, refusal = generate(*options, "--tokenizer-name", str(tmp_path / "absent"), code=2)
    assert "absent" in refusal
