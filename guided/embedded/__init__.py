"""The embedded model: a small language model inside the package, trained to read short English texts into JSON.

`guided.LLM("embedded")` loads it. `MODEL_CARD.md` describes its abilities and limits. The repository's
`examples/embedded_model/` shows how it was trained and measured.
"""

from .files import model_path

__all__ = ["model_path"]
