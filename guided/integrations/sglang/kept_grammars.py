"""`KeptGrammars`: a bounded cache of the requested grammars, for a backend of SGLang."""

from __future__ import annotations

import weakref
from collections import OrderedDict
from collections.abc import Callable, Iterator, MutableMapping
from functools import partial
from typing import Any

from guided.grammars import CompiledGrammar

Key = tuple[str, str]
MAX_KEPT = 4096
MAX_HELD = 32  # grammars, as many as a process keeps


class KeptGrammars(MutableMapping[Key, Any]):
    """Replaces SGLang's dict, which keeps every grammar for ever. Used by the scheduler's thread only.

    Values are SGLang's grammar objects. A value with our grammar stays as long as the process caches that grammar or a
    request uses it. Refusals stay until newer entries displace them.
    keeps_grammars: grammars also stay until newer entries displace them. Ranks that get the same requests need this,
        since all must know the same grammars.
    """

    def __init__(self, maximum: int = MAX_KEPT, *, keeps_grammars: bool = False) -> None:
        self._maximum = maximum
        self._keeps_grammars = keeps_grammars
        self._values: OrderedDict[Key, tuple[Any, Callable[[], CompiledGrammar | None] | None]] = OrderedDict()
        self._last: CompiledGrammar | None = None  # held until the next request, since its value is being copied

    def __setitem__(self, key: Key, value: Any) -> None:
        kept, reference = value, None  # a refusal
        if hasattr(value, "template"):
            kept, reference = value.template(), self._reference(value.compiled)
        elif hasattr(getattr(value, "grammar", None), "template"):  # an object of SGLang's reasoners around ours
            reference = self._reference(value.grammar.compiled)
            value.grammar = value.grammar.template()
        self._values[key] = kept, reference
        self._values.move_to_end(key)
        if len(self._values) > self._maximum:
            self._values.popitem(last=False)

    def _reference(self, compiled: CompiledGrammar) -> Callable[[], CompiledGrammar | None]:
        return partial(_same, compiled) if self._keeps_grammars else weakref.ref(compiled)

    def __getitem__(self, key: Key) -> Any:
        self._last = None
        value, reference = self._values[key]
        self._last = None if reference is None else reference()
        if reference is not None and self._last is None:
            del self._values[key]
            raise KeyError(key)
        self._values.move_to_end(key)
        return value

    def __delitem__(self, key: Key) -> None:
        del self._values[key]

    def __iter__(self) -> Iterator[Key]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def clear(self) -> None:
        """Remove all entries."""
        self._values.clear()
        self._last = None


def _same(compiled: CompiledGrammar) -> CompiledGrammar:
    return compiled
