"""The embedded model: a small language model in the package, trained to read short English texts into JSON.

`guided.LLM()` loads it. `MODEL_CARD.md` says what it can do and what it can't; how it was made and measured is in the
repository's `examples/embedded_model/`.
"""

from .files import model_path

__all__ = ["model_path"]
