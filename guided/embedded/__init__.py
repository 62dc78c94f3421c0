"""The embedded model: a small language model in the package, trained to read short English texts into JSON.

`guided.LLM()` loads it. `corpus/` makes its training texts, `train.py` trains it, `evaluate.py` measures it,
`MODEL_CARD.md` says what it can do and what it can't.
"""

from pathlib import Path


def model_path() -> Path:
    """The folder with the model's standard Hugging Face files (config.json, model.safetensors, tokenizer.json, ...)."""
    return Path(__file__).parent / "model"
