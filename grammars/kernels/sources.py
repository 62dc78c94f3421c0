"""Checksums of the files that kernels are made from."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Mapping
from pathlib import Path

_WITH_DOCSTRING = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def digest_of(file: Path) -> str:
    """Return two checksums of a file, with a space between: of its bytes, and of its code."""
    return f"{hashlib.sha256(file.read_bytes()).hexdigest()} {code_digest_of(file)}"


def code_digest_of(file: Path) -> str:
    """Return a checksum of a module's syntax tree without its docstrings; "" if it has a syntax error."""
    try:
        tree = ast.parse(file.read_bytes())
    except SyntaxError:
        return ""
    for node in ast.walk(tree):
        if isinstance(node, _WITH_DOCSTRING) and ast.get_docstring(node, clean=False) is not None:
            del node.body[0]
    return hashlib.sha256(ast.dump(tree).encode()).hexdigest()


def changed_files(digests: Mapping[str, str], folder: Path) -> list[str]:
    """Return the files in a folder that are gone or have other code. New comments and docstrings are no other code."""
    return [name for name, digest in digests.items() if not _is_as_it_was(folder / name, digest)]


def _is_as_it_was(file: Path, digest: str) -> bool:
    if not file.exists():
        return False
    of_bytes, _, of_code = digest.partition(" ")
    return hashlib.sha256(file.read_bytes()).hexdigest() == of_bytes or code_digest_of(file) == of_code
