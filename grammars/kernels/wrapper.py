"""The C source of an extension module. Its functions read arguments, call exported kernels and make Python objects.

The kernels have numba's calling convention: the address of the result, the address of an exception, then the arguments.
An array is (object, owner, elements, bytes of one, data, length of each axis, stride of each axis).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from .arrays import ArrayKind
from .ending import FULL, WAITING
from .jit import FIRST_FAULT
from .native import Compiled
from .signatures import ArgumentKind

FACE = Path(__file__).with_name("face.h")
C_TYPES = {"b1": "int8_t", "i8": "int64_t", "f4": "float", "f8": "double"}
_MAKERS = {"b1": "PyBool_FromLong", "i8": "PyLong_FromLongLong", "f4": "PyFloat_FromDouble", "f8": "PyFloat_FromDouble"}
_READERS = {"b1": "PyObject_IsTrue", "i8": "PyLong_AsLongLong", "f4": "PyFloat_AsDouble", "f8": "PyFloat_AsDouble"}
_TOO_OLD = "guided needs an x86-64 processor with SSE4.2 and POPCNT (2009 or later)"
_NAMES = {"u": "uint", "i": "int", "f": "float"}


@dataclass(frozen=True)
class Target:
    """A kind of processors.

    processor: LLVM's name.
    prefix: beginning of its symbols.
    test: C expression that is true if this processor suffices.
    """

    processor: str
    prefix: str
    test: str


def source_of(
    module: str, kernels: Sequence[Compiled], targets: Sequence[Target], sources: str, faults: Sequence[str]
) -> str:
    """Return the C source of an extension module.

    module: full name of the module.
    kernels: the compiled kernels.
    targets: kinds of processors, the best first; the last one runs everywhere.
    sources: JSON about the sources.
    faults: see `jit.FAULTS`.
    """
    parts = [FACE.read_text(encoding="utf-8"), _failing(faults)]
    for index, compiled in enumerate(kernels):
        parts.append(_declared(index, compiled, targets))
    names: dict[str, list[int]] = {}
    for index, compiled in enumerate(kernels):
        function = compiled.exported.function
        names.setdefault(f"{function.__module__}.{function.__qualname__}", []).append(index)
    methods = []
    for number, (name, indices) in enumerate(names.items()):
        parts += [_caller(index, kernels[index]) for index in indices]
        parts.append(_method(number, name, [(index, kernels[index]) for index in indices]))
        methods.append(f'    {{"{name}", (PyCFunction)(void (*)(void))method_{number}, METH_FASTCALL, NULL}},')
    parts.append("static PyMethodDef methods[] = {\n" + "\n".join(methods) + "\n    {NULL, NULL, 0, NULL}\n};\n")
    parts.append(_init(module.rpartition(".")[2], len(kernels), targets, sources))
    return "\n".join(parts)


def _failing(faults: Sequence[str]) -> str:
    """Return the C function that raises the error of a kernel that ended early."""
    places = ", ".join(f'"{place}"' for place in faults) or '""'
    return f"""INSIDE int64_t guided_index, guided_length;
static const char *const places[] = {{{places}}};

static void failed(const char *name, int32_t status)
{{
    if (status < {FIRST_FAULT})
        PyErr_Format(PyExc_RuntimeError, "%s failed: %d", name, (int)status);
    else
        PyErr_Format(PyExc_IndexError, "%s[%lld]: the length is %lld", places[status - {FIRST_FAULT}],
                     (long long)guided_index, (long long)guided_length);
}}
"""


def _codes(code: str) -> str:
    return {"b": "?", "u": "BHILQN", "i": "bhilqn", "f": "fd"}[code[0]]


def _layout(kind: ArrayKind) -> str:
    layout = "PyBUF_STRIDES" if kind.has_strides else "PyBUF_C_CONTIGUOUS"
    return f"{layout} | PyBUF_WRITABLE" if kind.is_written else layout


def _wanted(kind: ArrayKind) -> str:
    """Return the description of an array for error messages."""
    element = "bool" if kind.code == "b1" else f"{_NAMES[kind.code[0]]}{8 * int(kind.code[1:])}"
    layout = "a C-contiguous" if not kind.has_strides else "a writable" if kind.is_written else "an"
    return f"{layout} array of {element} with {kind.num_axes} ax{'i' if kind.num_axes == 1 else 'e'}s"


def _parameters(kinds: Sequence[ArgumentKind]) -> str:
    found = ["void *", "void **"]
    for kind in kinds:
        if isinstance(kind, ArrayKind):
            found += ["void *", "void *", "int64_t", "int64_t", "void *"] + ["int64_t"] * (2 * kind.num_axes)
        else:
            found.append(C_TYPES[kind])
    return ", ".join(found)


def _declared(index: int, compiled: Compiled, targets: Sequence[Target]) -> str:
    parameters = _parameters(compiled.kinds)
    lines = [f"extern int32_t {target.prefix}{compiled.symbol}({parameters});" for target in targets]
    return "\n".join([*lines, f"static int32_t (*kernel_{index})({parameters});\n"])


def _caller(index: int, compiled: Compiled) -> str:
    """Return the C function that reads the arguments of one signature and calls the kernel."""
    name, kinds = compiled.exported.function.__qualname__, compiled.kinds
    arrays = [place for place, kind in enumerate(kinds) if isinstance(kind, ArrayKind)]
    lines = [f"static PyObject *call_{index}(PyObject *const *args)", "{", "    PyObject *made = NULL;"]
    if arrays:
        lines += [f"    Py_buffer views[{len(arrays)}];", "    int held = 0;"]
    given = ["result", "&raised"]
    for place, kind in enumerate(kinds):
        if isinstance(kind, ArrayKind):
            view = arrays.index(place)
            lines += [
                f"    if (!get_array(args[{place}], &views[{view}], {_layout(kind)}, {kind.num_axes}, "
                f'"{_codes(kind.code)}", {kind.code[1:]})) {{',
                f'        no_array("{name}", {place + 1}, "{_wanted(kind)}");',
                "        goto done;",
                "    }",
                "    held++;",
            ]
            axes = range(kind.num_axes)
            given += ["NULL", "NULL", f"views[{view}].len / {kind.code[1:]}", kind.code[1:], f"views[{view}].buf"]
            given += [f"views[{view}].shape[{axis}]" for axis in axes] + [
                f"views[{view}].strides[{axis}]" for axis in axes
            ]
        else:
            reader = _READERS[kind]
            lines += [
                f"    {C_TYPES[kind]} a{place} = ({C_TYPES[kind]}){reader}(args[{place}]);",
                f"    if (a{place} == ({C_TYPES[kind]})-1 && PyErr_Occurred())",
                "        goto done;",
            ]
            given.append(f"a{place}")
    result = C_TYPES[compiled.results[0]] if compiled.results else "int64_t"
    lines.insert(
        3, f"    {result} result[{max(1, len(compiled.results))}];\n    void *raised = NULL;\n    int32_t status;"
    )
    call = f"    status = kernel_{index}({', '.join(given)});"
    if compiled.exported.releases_gil:
        call = f"    thread = PyEval_SaveThread();\n{call}\n    PyEval_RestoreThread(thread);"
        lines.insert(2, "    PyThreadState *thread;")
    lines += [
        "again:",
        call,
        f"    if (status == {FULL}) {{",
        "        if (has_grown())",
        "            goto again;",
        f"    }} else if (status == {WAITING})",
        "        made = (Py_NewRef)(Py_None);",
        "    else if (status != 0)",
        f'        failed("{name}", status);',
        "    else",
        f"        made = {_made(compiled)};",
        "done:",
    ]
    if arrays:
        lines += ["    while (held > 0)", "        PyBuffer_Release(&views[--held]);"]
    return "\n".join([*lines, "    return made;", "}\n"])


def _made(compiled: Compiled) -> str:
    """Return the C expression for the Python object of a result."""
    makers = [f"{_MAKERS[code]}(result[{place}])" for place, code in enumerate(compiled.results)]
    if not makers:
        return "(Py_NewRef)(Py_None)"
    if not compiled.is_tuple:
        return makers[0]
    return f"tuple_of({len(makers)}, (PyObject *[]){{{', '.join(makers)}}})"


def _method(number: int, name: str, overloads: Sequence[tuple[int, Compiled]]) -> str:
    count, short = len(overloads[0][1].kinds), name.rpartition(".")[2]
    lines = [
        f"static PyObject *method_{number}(PyObject *self, PyObject *const *args, Py_ssize_t count)",
        "{",
        f"    if (count != {count})",
        f'        return PyErr_Format(PyExc_TypeError, "{short} takes {count} arguments, not %zd", count);',
    ]
    for index, compiled in overloads[:-1]:  # the first float array decides the size of floats
        place = next(i for i, kind in enumerate(compiled.kinds) if isinstance(kind, ArrayKind) and kind.code[0] == "f")
        kind = compiled.kinds[place]
        assert isinstance(kind, ArrayKind)
        lines += [
            "    {",
            "        Py_buffer view;",
            f'        if (get_array(args[{place}], &view, {_layout(kind)}, {kind.num_axes}, "f", {kind.code[1:]})) {{',
            "            PyBuffer_Release(&view);",
            f"            return call_{index}(args);",
            "        }",
            "    }",
        ]
    return "\n".join([*lines, f"    return call_{overloads[-1][0]}(args);", "}\n"])


def _init(name: str, count: int, targets: Sequence[Target], sources: str) -> str:
    lines = ["static int choose(void)", "{"]
    for target in targets:
        lines.append(f"    if ({target.test}) {{")
        lines += [f"        kernel_{index} = {target.prefix}guided_{index};" for index in range(count)]
        lines += ["        return 1;", "    }"]
    text = sources.replace("\\", "\\\\").replace('"', '\\"')
    lines += [
        "    return 0;",
        "}\n",
        "static PyModuleDef definition = {",
        f'    PyModuleDef_HEAD_INIT, "{name}", NULL, -1, methods, NULL, NULL, NULL, NULL',
        "};\n",
        f"OPENED PyObject *PyInit_{name}(void);\n",
        f"PyObject *PyInit_{name}(void)",
        "{",
        "    PyObject *module;",
        "    if (!choose())",
        f'        return PyErr_Format(PyExc_ImportError, "{_TOO_OLD}");',
        "    module = PyModule_Create2(&definition, PYTHON_ABI_VERSION);",
        f'    if (module != NULL && PyModule_AddStringConstant(module, "SOURCES", "{text}") < 0) {{',
        "        Py_DecRef(module);",
        "        return NULL;",
        "    }",
        "    return module;",
        "}\n",
    ]
    return "\n".join(lines)
