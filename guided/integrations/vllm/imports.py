"""`after_import`: changes a module as soon as it is imported, without importing it."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType


def after_import(name: str, action: Callable[[], None]) -> None:
    """Call `action` when the module is imported: now, or at the end of its import, which fails if `action` raises."""
    module = sys.modules.get(name)
    if module is not None and not getattr(module.__spec__, "_initializing", False):
        action()
        return
    finder = next((one for one in sys.meta_path if isinstance(one, _Finder)), None)
    if finder is None:
        finder = _Finder()
        sys.meta_path.insert(0, finder)
    finder.waiting.setdefault(name, []).append(action)


class _Finder(MetaPathFinder):
    """A finder that delegates to others and adds a loader that runs the waiting actions."""

    def __init__(self) -> None:
        self.waiting: dict[str, list[Callable[[], None]]] = {}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The module's spec, with a loader that runs its waiting actions; None for modules without such actions."""
        actions = self.waiting.pop(fullname, None)  # taken out: the search below would come back here
        if actions is None:
            return None
        try:
            spec = importlib.util.find_spec(fullname)
        finally:
            self.waiting[fullname] = actions  # until the module runs, since this may be a mere look
        if spec is not None and spec.loader is not None:
            spec.loader = _Loader(spec.loader, self.waiting)
        return spec


class _Loader(Loader):
    """Loads a module with another loader, then runs its waiting actions."""

    def __init__(self, loader: Loader, waiting: dict[str, list[Callable[[], None]]]) -> None:
        self._loader = loader
        self._waiting = waiting

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """Create the module with the other loader."""
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        """Run the module's code, then the actions."""
        self._loader.exec_module(module)
        for action in self._waiting.pop(module.__name__, ()):
            action()
