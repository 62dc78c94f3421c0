"""The embedded model's tokenizer: a small byte-level BPE, trained on the generated texts.

A word is a token, or a few, the same in running text and inside a JSON string: spaces, digits and punctuation marks
are tokens of their own. So the model can copy a value token by token. Frequent JSON punctuation (`","`) is one token.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast

from .corpus.tasks import make_task

BEGIN, END, PAD = "<|begin|>", "<|end|>", "<|pad|>"
TEXT_SECTION = "<|text|>"
SECTIONS = ["<|system|>", "<|fields|>", TEXT_SECTION, "<|json|>"]
JSON_PUNCTUATION = r"""\{"|":\["|"\],"|"\]\}|"\}|":"|":|","|,"|\["|"\]|"""
WORDS = JSON_PUNCTUATION + r"""\p{L}+|\p{N}|\s|[^\s\p{L}\p{N}]"""


def train_tokenizer(vocab_size: int, num_tasks: int, seed: int) -> PreTrainedTokenizerFast:
    """A byte-level BPE with `vocab_size` tokens, from `num_tasks` generated tasks of the training part."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(WORDS), behavior="isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocab_size,
        special_tokens=[PAD, BEGIN, END, *SECTIONS],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(_training_texts(num_tasks, seed), trainer)
    return PreTrainedTokenizerFast(  # type: ignore[no-untyped-call]
        tokenizer_object=tokenizer,
        bos_token=BEGIN,
        eos_token=END,
        pad_token=PAD,
        extra_special_tokens=SECTIONS,
        clean_up_tokenization_spaces=False,
        chat_template=(Path(__file__).parent / "chat_template.jinja").read_text(encoding="utf-8"),
        json_whitespace="compact",
        plain_text=True,
    )


def _training_texts(num_tasks: int, seed: int) -> Iterator[str]:
    rng = random.Random(f"tokenizer:{seed}")
    for _ in range(num_tasks):
        task = make_task(rng)
        yield task.document.text
        yield "\n".join(task.schema["properties"])
        yield task.answer
