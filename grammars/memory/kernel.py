"""`@kernel`: how the kernels of grammars are compiled. Their arguments are integers, structs and arrays of numpy."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import Any

from ..kernels import IS_PLAIN, compile_kernel

if not IS_PLAIN:
    from . import lowering as lowering  # so that compiled kernels know structs

_MODULES = {
    "memory": ("kernel", "layout", "lowering", "pair_map", "rows", "sorting", "structs"),
    "automaton": ("advance", "layout", "masks", "segments", "steps", "structs", "subsets", "trie", "word_steps"),
    "pushdown": (
        *("choice_masks", "closures", "entries", "labels", "layout", "masks", "numbers", "rows", "steps", "structs"),
        *("walks", "ways"),
    ),
    "intersection": ("inside_walks", "layout", "searches", "steps", "structs"),
    "closing": ("lexeme_ends", "spelling", "structs", "word_states"),
    "ebnf": ("parsing",),
}


@cache
def _stamp() -> str:
    """Times and sizes of the files with kernels, or with what these depend on; and whether indices are checked."""
    grammars = Path(__file__).parent.parent
    files = [grammars / package / f"{name}.py" for package, names in _MODULES.items() for name in names]
    stats = [file.stat() for file in files]
    return repr((os.environ.get("GUIDED_KERNELS"), [(stat.st_mtime_ns, stat.st_size) for stat in stats]))


def kernel(function: Any) -> Any:
    """A kernel of grammars: compiled again when a file with one of them, or with what they use, changes.

    Each kernel is compiled for one type of each argument: int64, a struct, an array that is a struct's field, or an
    array of numpy. Those that Python calls take addresses of structs and begin with `Lexicon.at(address)`.
    """
    return compile_kernel(function, _stamp)
