"""What is installed under which name: the distribution, its extras, and what is said where one is missing."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import guided
from guided.grammars.errors import BackendNotInstalledError
from guided.grammars.extras import _EXTRAS, needed_by
from guided.other_project import ADVICE, is_installed
from tests.wheels import platforms_of

ROOT = Path(__file__).parent.parent
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = SETTINGS["project"]
WITHOUT_SERVER = """
import sys
from importlib.abc import MetaPathFinder

class Missing(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("fastapi", "starlette", "uvicorn", "prometheus_client", "structlog"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

import importlib.util
find_spec = importlib.util.find_spec
hidden = ("fastapi", "uvicorn", "prometheus_client", "structlog")
importlib.util.find_spec = lambda name, package=None: None if name in hidden else find_spec(name, package)
sys.meta_path.insert(0, Missing())
from guided.cli import main
main(sys.argv[1:])
"""


def without_server(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", WITHOUT_SERVER, *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_everything_names_the_distribution_that_is_ours() -> None:
    """`guided` on the public index is somebody else's; only the import name is ours."""
    name = PROJECT["name"]
    assert name == "guided-generation"
    texts = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "pyproject.toml"]
    texts += [path for folder in ("guided", "grammars", "server", "examples") for path in (ROOT / folder).rglob("*.py")]
    for path in texts:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"pip install[^\n]*\bguided(?!-generation)\b|\bguided\[", text), path
    assert guided.__version__


def test_links_of_the_pages_beside_the_code() -> None:
    pages = [path for path in ROOT.glob("*.md") if path.name != "CHANGELOG.md"]
    assert {"README.md", "SECURITY.md", "CONTRIBUTING.md", "CODE_OF_CONDUCT.md"} <= {path.name for path in pages}
    for page in pages:
        for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            assert target.startswith("https://") or (ROOT / target).is_file(), (page.name, target)


def test_a_wheel_has_the_licences() -> None:
    assert {"LICENSE", "NOTICE"} <= set(PROJECT["license-files"])
    assert all((ROOT / name).is_file() for name in PROJECT["license-files"])
    assert re.search(rf"^version: {re.escape(guided.__version__)}$", (ROOT / "CITATION.cff").read_text(), re.M)


def test_every_package_is_installed() -> None:
    """A wheel holds the folders that are listed, no others: one that is forgotten works here and nowhere else."""
    setuptools = SETTINGS["tool"]["setuptools"]
    names = {}
    for name, folder in setuptools["package-dir"].items():
        for path in (ROOT / folder).rglob("__init__.py"):
            parts = path.parent.relative_to(ROOT / folder).parts
            names[".".join((name, *parts))] = path
    assert set(names) == set(setuptools["packages"])


def test_extras_thin_a_plain_installation() -> None:
    plain = " ".join(PROJECT["dependencies"])
    for name in ("torch", "transformers", "tokenizers", "outlines", "fastapi", "llguidance", "xgrammar", "pypdf"):
        assert name not in plain
    extras = PROJECT["optional-dependencies"]
    public = {"llm", "server", "backends", "documents", "remote", "mcp", "gguf", "otel", "verify"}
    assert {*public, "all", "train", "test", "dev"} == set(extras)
    assert f"{PROJECT['name']}[all]" in extras["test"]
    (said,) = extras["all"]
    assert {*re.split(r"[\[\],]", said)[1:-1]} == public - {"llm"}
    for name in ("server", "mcp", "gguf"):
        assert f"{PROJECT['name']}[llm]" in extras[name]
    assert {"outlines-core", "interegular", "torch"} <= {re.split("[>=]", needed)[0] for needed in extras["llm"]}


@pytest.mark.parametrize(("library", "extra"), [("torch", "llm"), ("pypdf", "documents"), ("uvicorn", "server")])
def test_an_error_names_the_extra(library: str, extra: str) -> None:
    with (
        pytest.raises(BackendNotInstalledError, match=rf"^it needs \w+, .* 'guided-generation\[{extra}\]'$"),
        needed_by("it"),
    ):
        raise ModuleNotFoundError(name=library)


def test_an_error_says_that_another_version_is_needed() -> None:
    pytest.importorskip("torch")
    with pytest.raises(BackendNotInstalledError) as raised, needed_by("it"):
        import torch.no_such  # type: ignore[import-not-found]  # noqa: F401
    assert str(raised.value).startswith("it needs another version of torch (no module torch.no_such); run: pip install")


def test_masks_of_the_integration_name_the_extra() -> None:
    code = "import sys; sys.modules['torch'] = None; import guided.integrations.transformers"
    ended = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    said = "BackendNotInstalledError: guided.integrations.transformers needs torch, which is not installed"
    assert said in ended.stderr, ended.stderr


def test_every_library_of_an_error_is_in_that_extra() -> None:
    for extra, names in _EXTRAS.items():
        needed = " ".join(PROJECT["optional-dependencies"][extra]).replace("-", "_")
        assert all(name in needed or name == "lxml" for name in names), extra


def test_a_missing_library_of_somebody_else_stays_what_it_is() -> None:
    with pytest.raises(ModuleNotFoundError, match="no such"), needed_by("it"):
        raise ModuleNotFoundError("no such", name="elsewhere")


def test_the_other_project_of_this_name_is_named(tmp_path: Path) -> None:
    """It writes `guided/__init__.py` too: where ours was installed last there is a warning, else the command fails."""
    assert not is_installed(str(tmp_path / "missing"))
    (tmp_path / "guided_generation-0.1.0.dist-info").mkdir()
    assert not is_installed(str(tmp_path))
    (tmp_path / "guided-0.0.13.dist-info").mkdir()
    assert is_installed(str(tmp_path))
    code = "import guided; del guided.__version__; from guided.cli import main; main(['--help'])"
    ended = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (2, f"guided: {ADVICE}\n")


def test_without_the_server_everything_else_works() -> None:
    served = without_server("serve")
    assert served.returncode == 2
    assert served.stderr.startswith("guided: the server needs packages that are not installed (fastapi, uvicorn")
    assert served.stderr.endswith("run: pip install 'guided-generation[server]'\n")
    assert served.stderr.count("\n") == 1
    listed = without_server("--help")
    assert listed.returncode == 0
    assert "Not installed: the server" in " ".join(listed.stdout.split())
    assert without_server("check", "--regex", "[0-9]{4}").returncode == 0


SETUP = """
import runpy, sys
sys.argv = ["setup.py"]
names = runpy.run_path({setup!r}, run_name="tried")
from pathlib import Path
from setuptools import Distribution, Extension
names["BuildKernels"].build_extension.__globals__["ROOT"] = Path.cwd()
modules = [Extension("guided._kernels", [], py_limited_api=True)]
command = names["BuildKernels"](Distribution(dict(packages=["guided"], ext_modules=modules)))
command.inplace = {in_place}
command.compiler = {compiler!r}
command.ensure_finalized()
command.run()
"""
"""setup.py's command in another folder, where `build.py` has nothing to do."""


def build_modules(folder: Path, *, in_place: bool, compiler: str = "unix") -> subprocess.CompletedProcess[str]:
    code = SETUP.format(setup=str(ROOT / "setup.py"), in_place=in_place, compiler=compiler)
    return subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False)


def test_kernels_of_an_earlier_setup_are_removed_where_modules_are_put_in_place(tmp_path: Path) -> None:
    """A module for one Python alone is found before the current one, also where the current one is not built again."""
    (tmp_path / "grammars" / "kernels").mkdir(parents=True)
    (tmp_path / "grammars" / "kernels" / "build.py").touch()
    (tmp_path / "guided").mkdir()
    older, current = (tmp_path / "guided" / f"_kernels.{kind}.so" for kind in ("cpython-311-x86_64-linux-gnu", "abi3"))
    older.touch()
    current.write_text("current")
    ended = build_modules(tmp_path, in_place=False)
    assert ended.returncode == 0, ended.stderr
    assert older.exists()
    ended = build_modules(tmp_path, in_place=True)
    assert ended.returncode == 0, ended.stderr
    assert not older.exists()
    assert current.read_text() == "current"


def test_a_compiler_that_kernels_are_not_written_for_is_refused(tmp_path: Path) -> None:
    ended = build_modules(tmp_path, in_place=True, compiler="msvc")
    assert ended.returncode == 1
    assert ended.stderr.splitlines()[-1].startswith("guided's kernels need gcc or clang, and this is MSVC")


def test_wheels_are_tried_beside_those_of_older_and_newer_c_libraries() -> None:
    """pip takes a platform as it is written, and `pydantic_core` has wheels for musl 1.1."""
    assert {"musllinux_1_2_aarch64", "musllinux_1_1_aarch64"} == {*platforms_of("musllinux_1_2_aarch64")}
    assert {"manylinux_2_5_x86_64", "manylinux_2_17_x86_64", "manylinux_2_28_x86_64"} < {
        *platforms_of("manylinux_2_17_x86_64")
    }
    assert platforms_of("macosx_11_0_arm64") == ["macosx_11_0_arm64"]


def test_every_file_of_the_packaged_models_is_in_the_wheel() -> None:
    patterns = SETTINGS["tool"]["setuptools"]["package-data"]
    for package, folder in (("guided.models", "smollm2_extract"), ("guided.embedded", "model")):
        place = ROOT / package.replace(".", "/")
        listed = {path for pattern in patterns[package] for path in place.glob(pattern)}
        assert {path for path in (place / folder).iterdir() if path.is_file()} <= listed
