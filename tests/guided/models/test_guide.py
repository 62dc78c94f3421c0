"""docs/models.md names what is there."""

from __future__ import annotations

from guided.models.gguf_config import ARCHITECTURES
from guided.models.gguf_tokenizer import PRE_TOKENIZERS
from guided.models.known import known_models
from tests.guides import Guide

GUIDE = Guide("models.md")


def test_links_lead_somewhere() -> None:
    GUIDE.check_links()


def test_all_that_is_supported_is_named() -> None:
    same = {"llama3": "llama-bpe", "llama-v3": "llama-bpe"}
    for name in (*ARCHITECTURES, *known_models(), *(same.get(name, name) for name in PRE_TOKENIZERS)):
        assert f"`{name}`" in GUIDE.text, name
    for one in known_models().values():
        assert f"| `{one.name}` |" in GUIDE.text
        assert f"{one.num_bytes / 1e6:.0f} MB | {one.licence} |" in GUIDE.text


def test_the_links_of_the_tutorial() -> None:
    Guide("tutorial.md").check_links()
