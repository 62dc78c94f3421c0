"""docs/python.md does what it says: its Python runs and prints what stands below it."""

from __future__ import annotations

from dataclasses import fields

from tests.guides import Guide

GUIDE = Guide("python.md")


def test_python() -> None:
    assert "Watcher" in GUIDE.run_python("")


def test_links_lead_somewhere() -> None:
    GUIDE.check_links()


def test_every_setting_and_figure_is_named() -> None:
    from guided import EngineSettings, EngineStats

    names = [*EngineSettings.model_fields, *(field.name for field in fields(EngineStats))]
    assert [name for name in names if f"`{name}`" not in GUIDE.text and f"stats.{name}" not in GUIDE.text] == []
