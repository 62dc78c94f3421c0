"""The models that are compared, and a chat template for one that was not trained for chats."""

from __future__ import annotations

from guided.extraction.conversation import extraction_messages
from guided.llm import LLM

from .cases import read_cases

MODELS = {
    "smollm2": "SmolLM2 135M",
    "smollm2-extract": "SmolLM2 135M with the adapter",
    "gemma3-270m": "Gemma 3 270M, three examples",
    "embedded": "embedded, 11M",
}
EXAMPLES = (100, 102, 104)  # of the tuning half of the short texts
_TEMPLATE = """{% for message in messages %}{% if message['role'] == 'user' %}{{ 'Text: ' + message['content'] + '
JSON:
' }}{% else %}{{ message['content'] + '

' }}{% endif %}{% endfor %}"""


def load(name: str) -> LLM:
    """A model by its name in MODELS or its folder. The template of a model without one shows the examples in front of
    each chat."""
    llm = LLM(name)
    if not llm.tokenizer.chat_template:
        llm.tokenizer.chat_template = _examples() + _TEMPLATE
    return llm


def example_names() -> set[str]:
    """The texts that are shown as examples, and can't be test texts."""
    return {read_cases("short")[i].name for i in EXAMPLES}


def _examples() -> str:
    """Texts with their answers, as the template writes chats, and as literal text of a template."""
    shown = ""
    for i in EXAMPLES:
        task = read_cases("short")[i].task
        for message in extraction_messages(task.document.text, None, task.schema, shows_schema=False):
            is_text = message["role"] == "user"
            shown += f"Text: {message['content']}\nJSON:\n" if is_text else f"{message['content']}\n\n"
        shown += task.answer + "\n\n"
    return "{% raw %}" + shown + "{% endraw %}"
