"""`KeptGrammars`: what a backend of SGLang remembers of the grammars asked for, within bounds."""

from __future__ import annotations

import weakref
from collections import OrderedDict
from collections.abc import Iterator, MutableMapping
from typing import Any

from guided.grammars import CompiledGrammar

Key = tuple[str, str]
MAX_KEPT = 4096


class KeptGrammars(MutableMapping[Key, Any]):
    """Takes the place of SGLang's dict, which keeps every grammar that it ever saw.

    The values are SGLang's grammar objects; one with a grammar of ours stays as long as that is kept by the process, or
    used by a request. Refusals stay until others push them out. Used by the scheduler's thread alone.
    """

    def __init__(self, maximum: int = MAX_KEPT) -> None:
        self._maximum = maximum
        self._values: OrderedDict[Key, tuple[Any, weakref.ref[CompiledGrammar] | None]] = OrderedDict()
        self._last: CompiledGrammar | None = None  # held until the next is asked for: its value is copied meanwhile

    def __setitem__(self, key: Key, value: Any) -> None:
        kept, reference = value, None
        if hasattr(value, "template"):
            kept, reference = value.template(), weakref.ref(value.compiled)
        elif hasattr(getattr(value, "grammar", None), "template"):  # what SGLang's reasoners wrap
            reference = weakref.ref(value.grammar.compiled)
            value.grammar = value.grammar.template()
        self._values[key] = kept, reference
        self._values.move_to_end(key)
        if len(self._values) > self._maximum:
            self._values.popitem(last=False)

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
        """Forget all."""
        self._values.clear()
        self._last = None
