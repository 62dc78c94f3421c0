"""docs/extraction.md does what it says: its Python runs and prints what stands below it."""

from __future__ import annotations

from dataclasses import fields

from tests.guides import Guide

GUIDE = Guide("extraction.md")


def test_python() -> None:
    assert "Invoice" in GUIDE.run_python("")


def test_links_lead_somewhere() -> None:
    GUIDE.check_links()


def test_every_option_is_named() -> None:
    from guided import Quote
    from guided.extraction.options import ExtractionOptions

    explained_elsewhere = {"params", "instructions", "bounds", "progress", "confidence"}  # docs/python.md
    names = [*ExtractionOptions.__annotations__.keys() - explained_elsewhere, *(one.name for one in fields(Quote))]
    assert [name for name in names if f"`{name}" not in GUIDE.text and f"{name}=" not in GUIDE.text] == []
