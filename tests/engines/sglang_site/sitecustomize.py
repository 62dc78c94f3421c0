"""SGLang imports torchvision, torchaudio and torchcodec. Builds that go with a torch for CPUs are not at hand.

Empty modules stand in for them; nothing of images or sounds runs in tests. Python imports this file when it starts,
where its folder is in PYTHONPATH, so that SGLang's processes have them too.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

MISSING = ("torchvision", "torchaudio", "torchcodec")


class Empty(ModuleType):
    """Has every name that is asked for, as a class."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {})


class StandIns(MetaPathFinder, Loader):
    """Finds them once SGLang is imported, and transformers has seen that they are not there."""

    def __init__(self) -> None:
        self._is_on = False

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """None for all others."""
        if fullname == "sglang" and not self._is_on:
            importlib.import_module("transformers").AutoProcessor  # noqa: B018 - read to have it imported
            self._is_on = True
        is_missing = self._is_on and fullname.split(".")[0] in MISSING
        return ModuleSpec(fullname, self, is_package=True) if is_missing else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """An empty one."""
        return Empty(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Nothing to run."""


if not any(type(finder).__name__ == "StandIns" for finder in sys.meta_path):
    sys.meta_path.insert(0, StandIns())
