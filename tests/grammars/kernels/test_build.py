"""A small package's kernels are built and called: what they take, return and refuse."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
SOURCE = """
import numpy as np
from guided.grammars.kernels.arrays import Bools, FloatBits, FloatRows, Floats, Int32Rows, UInt8s, float32
from guided.grammars.memory.kernel import exported, kernel
from guided.grammars.memory.structs import Array, Struct, Table, int32, int64
from guided.grammars.memory.waiting import wait

class Numbers(Struct):
    count: int64
    values: Table[int32]

@kernel
def twice(number: int) -> int:
    return 2 * number

@exported(releases_gil=False)
def add(first: int, second: int) -> int:
    return first + twice(second)

@exported
def split(number: int) -> tuple[int, int, int]:
    return number >> 8, number & 255, -number

@exported
def scale(factor: float, small: float32, is_negative: bool) -> float:
    return -factor * small if is_negative else factor * small

@exported
def fill(rows: Int32Rows, flags: Bools, bytes_: UInt8s) -> None:
    for row in range(rows.shape[0]):
        for column in range(rows.shape[1]):
            rows[row, column] = 10 * row + column + bytes_[column] + (100 if flags[row] else 0)

@exported(_nrt=True)
def total(rows: FloatRows, out: Floats, bits: FloatBits) -> float:
    sums = np.zeros(rows.shape[1], rows.dtype)
    for row in range(rows.shape[0]):
        for column in range(rows.shape[1]):
            sums[column] += rows[row, column]
    for column in range(rows.shape[1]):
        out[column] = sums[column]
    bits[0] = rows.itemsize
    return sums.sum()

@exported
def value_at(address: int, index: int) -> int:
    numbers = Numbers.at(address)
    numbers.count += 1
    return numbers.values[index]

@kernel
def push(numbers: Numbers, value: int) -> int:
    place = numbers.values.reserve(1)
    numbers.values[place] = value
    return place

@exported
def count_to(address: int, end: int) -> int:
    numbers = Numbers.at(address)
    numbers.count += 1
    while numbers.values.used < end:
        push(numbers, numbers.values.used)
    return numbers.values.used

@kernel
def ask(numbers: Numbers) -> int:
    if numbers.count < 2:
        wait()
    return numbers.count

@exported
def asked(address: int) -> tuple[int, int]:
    return ask(Numbers.at(address)), 7
"""
MAKE = """
import sys
from pathlib import Path
from guided.grammars.kernels import making
folder = Path(sys.argv[1])
making.make(f"toy.{sys.argv[2]}", folder / "toy", folder / sys.argv[2], Path(sys.argv[3]))
"""
USE = """
import numpy as np
from toy.numbers import *
assert add(3, 4) == 11 and add(-1, True) == 1 and add(np.int64(5), 2**40) == 5 + 2**41
assert split(1027) == (4, 3, -1027)
assert scale(1.5, 2.0, False) == 3.0 and scale(1, 0.5, True) == -0.5
rows = np.zeros((2, 3), np.int32)
assert fill(rows, np.array([False, True]), np.arange(3, dtype=np.uint8)) is None
assert rows.tolist() == [[0, 2, 4], [110, 112, 114]]
for dtype, bits in ((np.float32, np.int32), (np.float64, np.int64)):
    out, size = np.zeros(2, dtype), np.zeros(1, bits)
    assert total(np.array([[1, 2], [3, 4]], dtype), out, size) == 10
    assert out.tolist() == [4, 6] and size[0] == dtype().itemsize
numbers = Numbers()
numbers.values.append(np.array([7, 8], np.int32))
assert value_at(numbers.address, 1) == 8 and numbers.count == 1
assert asked(numbers.address) is None
numbers.values.used = 0
assert count_to(numbers.address, 1000) == 1000
assert numbers.values.data[:1000].tolist() == list(range(1000)) and 2 < numbers.count < 13
assert asked(numbers.address) == (numbers.count, 7)
numbers.values.bound(lambda: 1500, lambda: ValueError("enough"))
assert count_to(numbers.address, 1500) == numbers.values.capacity == 1500

def told(call):
    try:
        call()
    except Exception as error:
        print(f"{type(error).__name__}: {error}")

told(lambda: add(1))
told(lambda: add(1, "2"))
told(lambda: fill(rows.T, np.zeros(2, bool), np.zeros(3, np.uint8)))
told(lambda: fill(rows, np.zeros(2, bool), np.zeros(3, np.int8)))
told(lambda: total(rows, rows, rows))
told(lambda: count_to(numbers.address, 1501))
"""
OUT_OF_BOUNDS = """
from toy.numbers import *
numbers = Numbers()
numbers.values.append(np.array([7, 8], np.int32))
value_at(numbers.address, 2)
"""


def run(code: str, folder: Path, mode: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """In a process of its own, in which the package can be imported."""
    environment = {**os.environ, "GUIDED_KERNELS": mode, "PYTHONPATH": str(folder)}
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def build(folder: Path, kind: str) -> bool:
    """Build the extension module; False where it was current."""
    made = folder / "toy" / f"{kind}{sysconfig.get_config_var('EXT_SUFFIX')}"
    mode = "building checked" if kind == "_kernels_checked" else "building"
    shutil.rmtree(folder / kind, ignore_errors=True)
    ended = run(MAKE, folder, mode, str(folder), kind, str(made))
    assert ended.returncode == 0, ended.stderr
    sources = sorted(map(str, (folder / kind).glob("*.[co]")))
    if sources:
        compiler = shlex.split(os.environ.get("CC") or "cc")
        include = sysconfig.get_paths()["include"]
        command = [*compiler, "-shared", "-fPIC", "-Wall", f"-I{include}", *sources, "-o", str(made), "-lm"]
        subprocess.run(command, check=True)
    return bool(sources)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With the package `toy`, built."""
    made = tmp_path_factory.mktemp("kernels")
    (made / "toy").mkdir()
    (made / "toy" / "__init__.py").write_text("")
    (made / "toy" / "numbers.py").write_text(SOURCE)
    for kind in ("_kernels", "_kernels_checked"):
        assert build(made, kind)
    return made


@pytest.mark.parametrize("mode", ["built", "checked"])
def test_arguments_and_results(folder: Path, mode: str) -> None:
    ended = run(USE, folder, mode)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.splitlines() == [
        "TypeError: add takes 2 arguments, not 1",
        "TypeError: 'str' object cannot be interpreted as an integer",
        "TypeError: fill: argument 1 must be a C-contiguous array of int32 with 2 axes",
        "TypeError: fill: argument 3 must be a C-contiguous array of uint8 with 1 axis",
        "TypeError: total: argument 1 must be a C-contiguous array of float64 with 2 axes",
        "ValueError: enough",
    ]


@pytest.mark.parametrize("mode", ["jit", "plain"])
def test_other_modes_give_the_same(folder: Path, mode: str) -> None:
    """Up to the errors, which are numba's and Python's."""
    ended = run(USE.partition("def told")[0].replace("True)", "1)"), folder, mode)
    assert ended.returncode == 0, ended.stderr


@pytest.mark.parametrize("mode", ["checked", "plain"])
def test_what_is_out_of_bounds_is_named(folder: Path, mode: str) -> None:
    assert "Numbers.values[2]: the length is 2" in run(OUT_OF_BOUNDS, folder, mode).stderr.splitlines()[-1]


def test_what_only_python_needs_makes_no_kernels_stale() -> None:
    """Kernels are made from few modules: none that reads vocabularies, makes frames or knows regexes is among them."""
    made = import_module("guided.grammars._kernels")
    folders = {Path(file).parent.name for file in json.loads(made.SOURCES)["files"]}
    names = {Path(file).stem for file in json.loads(made.SOURCES)["files"]}
    assert not folders & {"regex", "json_schema", "native", "backends"}
    assert not names & {"vocabulary", "vocabulary_tables", "frames", "lazy_dfas", "spelling", "automaton", "tables"}


def test_built_kernels_need_no_numba(folder: Path) -> None:
    code = "import sys; from toy.numbers import *; print(add(1, 2), 'numba' in sys.modules, 'llvmlite' in sys.modules)"
    assert run(code, folder, "built").stdout == "5 False False\n"


def test_sources_that_changed_are_refused_and_built_again(folder: Path) -> None:
    file = folder / "toy" / "numbers.py"
    assert not build(folder, "_kernels"), "it is current"
    file.write_text(SOURCE.replace("2 * number", "3 * number"))
    ended = run("import toy.numbers", folder, "built")
    assert "ImportError: numbers.py is not as it was when kernels were built: build kernels with" in ended.stderr
    file.write_text(SOURCE)
    assert run("import toy.numbers", folder, "built").returncode == 0
    file.write_text(f'"""Other words."""\n# and a comment\n{SOURCE}')
    assert run("import toy.numbers", folder, "built").returncode == 0
    assert not build(folder, "_kernels"), "its code is the same"
    file.write_text(SOURCE.replace("def add(", "def plus("))
    assert "numbers.py is not as it was" in run("import toy.numbers", folder, "built").stderr
    file.write_text(SOURCE.replace("2 * number", "3 * number"))
    assert build(folder, "_kernels"), "it is not current"
    assert not build(folder, "_kernels"), "what was built in the place of another one is current"
    assert run("from toy.numbers import *; print(add(1, 2))", folder, "built").stdout == "7\n"


def test_an_unknown_mode_is_named() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", "import guided.grammars.kernels"],
        env={**os.environ, "GUIDED_KERNELS": "fast"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "GUIDED_KERNELS is 'fast'; it can be built, checked, jit, plain" in ended.stderr


PYTHON_FACTS = """
#include "face.h"
#include <stdio.h>
#define AT(type, field) (long long)offsetof(type, field)
int main(void)
{
    const long long facts[] = {
        sizeof(PyObject), sizeof(Py_ssize_t), sizeof(Py_buffer), AT(Py_buffer, buf), AT(Py_buffer, len),
        AT(Py_buffer, itemsize), AT(Py_buffer, ndim), AT(Py_buffer, format), AT(Py_buffer, shape),
        AT(Py_buffer, strides), sizeof(PyMethodDef), AT(PyMethodDef, ml_meth), AT(PyMethodDef, ml_flags),
        sizeof(PyModuleDef), AT(PyModuleDef, m_name), AT(PyModuleDef, m_size), AT(PyModuleDef, m_methods),
        PYTHON_ABI_VERSION, METH_FASTCALL, PyBUF_WRITABLE, PyBUF_FORMAT, PyBUF_STRIDES, PyBUF_C_CONTIGUOUS,
    };
    for (size_t index = 0; index < sizeof(facts) / sizeof(facts[0]); index++)
        printf("%lld ", facts[index]);
    return 0;
}
"""


def test_the_face_declares_python_as_python_does(tmp_path: Path) -> None:
    """With Python.h first, the compiler compares the functions. Sizes, places and numbers are those without it."""
    include = sysconfig.get_paths()["include"]
    if not Path(include, "Python.h").exists():
        pytest.skip("Python's header files are not installed")
    told = []
    for name, first in (("ours", ""), ("pythons", "#define Py_LIMITED_API 0x030b0000\n#include <Python.h>\n")):
        (tmp_path / f"{name}.c").write_text(first + PYTHON_FACTS)
        program = tmp_path / name
        compiler = (*shlex.split(os.environ.get("CC") or "cc"), "-O1", "-Wall", "-Wno-unused-function", "-Werror")
        folders = (f"-I{include}", f"-I{ROOT / 'grammars' / 'kernels'}")
        subprocess.run([*compiler, *folders, str(tmp_path / f"{name}.c"), "-o", str(program)], check=True)
        told.append(subprocess.run([program], capture_output=True, text=True, check=True).stdout)
    assert told[0] == told[1]
    assert len(told[0].split()) == 23
