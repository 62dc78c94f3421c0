"""Names of other packages that are not part of their public interfaces, and what of ours needs them.

If one of them is gone in a newer version, this test says so first. docs/kernels.md tells what numba's are for.
"""

from __future__ import annotations

import inspect
import threading
from re import _parser
from typing import Any

import pytest

LOCKS = "grammars/build_locks.py: an automaton's lock that a builder lets go of and takes back"
FORKS = "grammars/forks.py: locks after a fork"
NEEDED: list[tuple[Any, tuple[str, ...], str]] = [
    (threading.RLock(), ("_release_save", "_acquire_restore", "_is_owned"), LOCKS),
    (threading.RLock(), ("_at_fork_reinit",), FORKS),
    (threading.Lock(), ("_at_fork_reinit",), FORKS),
    (_parser, ("parse",), "grammars/regex/python_re.py: patterns that `re` refuses, with its message"),
]
OF_NUMBA = {
    "codegen.AOTCPUCodegen": ("_create_empty_module", "_module_pass_manager", "_library_class", "_data_layout", "_tm"),
    "codegen.AOTCodeLibrary": ("_codegen", "_final_module", "_finalized", "_optimize_functions", "_raise_if_finalized"),
    "callconv.CPUCallConv": ("_return_errcode_raw", "return_status_propagate"),
    "cpu.CPUContext": ("call_conv", "get_executable"),
    "compiler.Flags": ("no_compile", "enable_pyobject"),
    "registry.CPUDispatcher": ("py_func", "targetoptions"),
}
"""Class -> names that grammars/kernels/native.py and jit.py need to build kernels."""


@pytest.mark.parametrize(("owner", "names", "user"), NEEDED)
def test_names_of_the_standard_library(owner: Any, names: tuple[str, ...], user: str) -> None:
    assert [name for name in names if not hasattr(owner, name)] == [], user


def test_names_of_numba() -> None:
    core = pytest.importorskip("numba.core", reason="only the build of kernels needs numba")
    gone = []
    for owner, names in OF_NUMBA.items():
        module, _, name = owner.partition(".")
        one = getattr(pytest.importorskip(f"{core.__name__}.{module}"), name)
        sources = "".join(inspect.getsource(base) for base in one.__mro__ if base.__module__.startswith("numba."))
        gone += [f"{owner}.{name}" for name in names if not hasattr(one, name) and f"self.{name} = " not in sources]
    assert gone == []
