"""Wheels for all platforms, built on this machine: `make wheels`, or `python -m tests.wheels build|try|test|emulate`.

numba lowers the kernels once, LLVM emits objects for each platform, and `zig cc` links them with its own C libraries.
`build` puts wheels into build/wheels and has auditwheel, abi3audit and check-wheel-contents look at them. `try`
installs one for a Python and a platform into a folder, and runs commands and masks there. `test` runs the tests of
kernels there too. `emulate` does the same with the wheel for aarch64, in Debian's Python for that processor, which
qemu runs, without tests of time: it needs apt-get and `dpkg`, but not root, on Debian.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

from tests.wheel import PROGRAM, ROOT, forget_old_files, run

FOLDER = ROOT / "build" / "wheels"
TOOLS = ROOT / ".venv-wheels" / "bin"
PACKAGES = {"guided.grammars": "grammars", "guided": "."}
"""The packages with kernels, and their folders in `guided` of a wheel."""
GLIBC_MINOR = 17
"""The oldest C library of Linux that wheels run with is 2.17."""
FACE = ROOT / "grammars" / "kernels" / "face.h"
KERNEL_TESTS = ("tests/grammars/machine", "tests/grammars/memory", "tests/grammars/rules")
"""What runs kernels and needs no compiler. Tests that need a real vocabulary are skipped without its library."""
TESTERS = ("pytest==9.2.0", "hypothesis==6.170.15", "interegular==0.3.3")
"""As in [tool.cibuildwheel]. Warnings of newer ones would be errors."""
TIMED_TESTS = ("tests/grammars/machine/test_quotes.py::test_the_nearest_end_among_many_starts",)
"""Tests with a limit of seconds, which an emulator may exceed."""
EMULATED = ROOT / "build" / "aarch64"


@dataclass(frozen=True)
class Platform:
    """tag: the wheel's platform.
    triple: LLVM's name.
    zig: the linker's name, with the oldest C library or system.
    options: further options of the linker.
    """

    tag: str
    triple: str
    zig: str
    options: tuple[str, ...] = ()

    @property
    def is_windows(self) -> bool:
        return "windows" in self.triple


_LATE = ("-Wl,-undefined,dynamic_lookup",)  # Python's functions are found when the module is loaded
PLATFORMS = (
    Platform("manylinux_2_17_x86_64", "x86_64-unknown-linux-gnu", "x86_64-linux-gnu.2.17", ("-lm",)),
    Platform("manylinux_2_17_aarch64", "aarch64-unknown-linux-gnu", "aarch64-linux-gnu.2.17", ("-lm",)),
    Platform("musllinux_1_2_x86_64", "x86_64-unknown-linux-gnu", "x86_64-linux-musl", ("-lm",)),
    Platform("musllinux_1_2_aarch64", "aarch64-unknown-linux-gnu", "aarch64-linux-musl", ("-lm",)),
    Platform("macosx_11_0_arm64", "arm64-apple-macosx11.0.0", "aarch64-macos.11.0", _LATE),
    Platform("macosx_11_0_x86_64", "x86_64-apple-macosx11.0.0", "x86_64-macos.11.0", _LATE),
    Platform("win_amd64", "x86_64-pc-windows-gnu", "x86_64-windows-gnu"),
)


def build() -> None:
    """Build all wheels and have them checked."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    forget_old_files()
    run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", FOLDER / "native", ROOT)
    (native,) = (FOLDER / "native").glob("*.whl")
    triples = sorted({platform.triple for platform in PLATFORMS})
    for package in PACKAGES:
        output = FOLDER / "objects" / package
        run(sys.executable, "grammars/kernels/build.py", f"{package}._kernels", output, output / "none", *triples)
    for platform in PLATFORMS:
        wheel = _wheel(native, platform)
        _check(wheel, platform)
        print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB, checked")


def _wheel(native: Path, platform: Platform) -> Path:
    """The wheel of this machine with a platform's modules in the place of its own."""
    with tempfile.TemporaryDirectory() as place:
        run(TOOLS / "wheel", "unpack", native, "-d", place)
        (content,) = Path(place).iterdir()
        for module in content.rglob("_kernels*.so"):
            module.unlink()
        for package, folder in PACKAGES.items():
            name = "_kernels.pyd" if platform.is_windows else "_kernels.abi3.so"
            _link(package, platform, content / "guided" / folder / name)
        (said,) = content.glob("*.dist-info/WHEEL")
        tag = f"Tag: cp311-abi3-{platform.tag}"
        said.write_text(re.sub(r"^Tag: .*$", tag, said.read_text(encoding="utf-8"), flags=re.M), encoding="utf-8")
        run(TOOLS / "wheel", "pack", content, "-d", FOLDER)
    (wheel,) = FOLDER.glob(f"*{platform.tag}.whl")
    return wheel


def _link(package: str, platform: Platform, output: Path) -> None:
    objects = FOLDER / "objects" / package / platform.triple
    zig = (TOOLS / "python", "-m", "ziglang")
    with tempfile.TemporaryDirectory() as place:
        made, libraries = Path(place) / output.name, ()
        if platform.is_windows:
            (Path(place) / "python3.def").write_text(_exports(), encoding="utf-8")
            libraries = (Path(place) / "python3.lib",)
            named = ("-d", Path(place) / "python3.def", "-l", *libraries)
            run(*zig, "dlltool", "-m", "i386:x86-64", "-D", "python3.dll", *named)
        sources = sorted(file for file in objects.iterdir() if file.suffix in (".c", ".o"))
        command = ("cc", "-target", platform.zig, "-shared", "-O2", "-s", *sources, *libraries, *platform.options)
        run(*zig, *command, "-o", made)
        shutil.copy2(made, output)


def _exports() -> str:
    """What the face takes of python3.dll, as a linker of Windows reads it."""
    lines = ["LIBRARY python3.dll", "EXPORTS"]
    for declared in re.findall(r"^PYTHON extern ([^;]+);", FACE.read_text(encoding="utf-8"), re.M):
        function = re.search(r"(\w+)\)?\(", declared)
        lines += [function[1]] if function else [f"{name} DATA" for name in re.findall(r"_?Py(?:Exc)?_\w+", declared)]
    return "\n".join([*lines, ""])


def _check(wheel: Path, platform: Platform) -> None:
    run(TOOLS / "abi3audit", "--strict", wheel)
    run(TOOLS / "check-wheel-contents", "--ignore", "W002", wheel)  # a licence lies beside what it is of, too
    if "manylinux" in platform.tag:
        told = " ".join(run(TOOLS / "auditwheel", "show", wheel).split())
        oldest = re.search(r'following platform tag: "manylinux_2_(\d+)_', told)
        assert oldest is not None, told
        assert int(oldest[1]) <= GLIBC_MINOR, told
    elif "musllinux" in platform.tag:  # auditwheel looks for the libraries of this machine, which are others
        with tempfile.TemporaryDirectory() as place, zipfile.ZipFile(wheel) as content:
            for name in (found for found in content.namelist() if found.endswith(".so")):
                told = run(TOOLS / "readelf.py", "-d", content.extract(name, place))
                assert re.findall(r"Shared library: \[(.+)\]", told) == ["libc.so"], told


def platforms_of(tag: str) -> list[str]:
    """The platforms of other packages' wheels that a machine can run which runs ours.

    pip takes a platform as it is written: no older C library, and no newer one, which some packages need.
    """
    series, _, processor = tag.partition("_2_17_" if tag.startswith("manylinux") else "_1_2_")
    minors = {"manylinux": (34, 31, 28, 27, 26, 24, 17, 12, 5), "musllinux": (2, 1)}.get(series, ())
    major = 2 if series == "manylinux" else 1
    return [f"{series}_{major}_{minor}_{processor}" for minor in minors] or [tag]


def try_wheel(tag: str, version: str, command: list[str]) -> None:
    """Install the wheel of a platform for a Python into a folder, and run commands and masks.

    version: of the Python, such as "3.14".
    command: what starts it, such as `python3.14`, or an emulator with its options and a Python.
    """
    folder = FOLDER / "tried" / f"{tag}-{version}"
    shutil.rmtree(folder, ignore_errors=True)
    (wheel,) = FOLDER.glob(f"*{tag}.whl")
    _install(folder, tag, version, wheel)
    run(*command, "-c", PROGRAM.replace("sys.prefix", repr(str(folder))), folder=folder, **_variables(folder))
    run(*command, "-m", "guided.cli", "check", "--regex", "[0-9]{4}", folder=folder, **_variables(folder))
    print(f"{wheel.name}: works in CPython {version} ({run(*command, '-VV').strip()})")


def test_wheel(tag: str, version: str, command: list[str], *options: str) -> None:
    """Try a wheel as `try_wheel` does, then run the tests of kernels in the same folder.

    options: further options of pytest.
    """
    try_wheel(tag, version, command)
    folder = FOLDER / "tried" / f"{tag}-{version}"
    _install(folder, tag, version, *TESTERS)
    shutil.copytree(ROOT / "tests", folder / "tests", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy2(ROOT / "pyproject.toml", folder)
    tests = [*command, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options, *KERNEL_TESTS]
    kept = {name: value for name, value in os.environ.items() if name != "GUIDED_KERNELS"}
    # With CI Hypothesis has no deadlines.
    subprocess.run(tests, cwd=folder, env={**kept, **_variables(folder), "CI": "1"}, check=True)


def _install(folder: Path, tag: str, version: str, *packages: object) -> None:
    platforms = (f"--platform={name}" for name in platforms_of(tag))
    chosen = ("--only-binary=:all:", "--python-version", version, *platforms)
    run(sys.executable, "-m", "pip", "install", "--quiet", "--no-compile", "--target", folder, *chosen, *packages)


def _variables(folder: Path) -> dict[str, str]:
    return {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}


def emulate() -> None:
    """Test the wheel for aarch64 under qemu-user, with Debian's Python for that processor."""
    left_out = (f"--deselect={name}" for name in TIMED_TESTS)
    test_wheel("manylinux_2_17_aarch64", "3.11", [str(_emulated_python())], *left_out)


def _emulated_python() -> Path:
    """A command that starts Debian's Python for aarch64; packages are fetched and unpacked, not installed."""
    python = EMULATED / "python"
    if not python.exists():
        own, other = EMULATED / "own", EMULATED / "other"
        _unpack("amd64", own, "qemu-user")
        _unpack("arm64", other, "python3.11", "libstdc++6")
        qemu = f"{own}/usr/bin/qemu-aarch64 -L {other} {other}/usr/bin/python3.11"
        place = other / "usr" / "lib" / "python3.11" / "sitecustomize.py"
        place.unlink()  # a link to a file of the system
        place.write_text(f"import sys\n\nsys.executable = {str(python)!r}\n", encoding="utf-8")
        python.write_text(f'#!/bin/sh\nLD_LIBRARY_PATH={own}/usr/lib/x86_64-linux-gnu exec {qemu} "$@"\n')
        python.chmod(0o755)
    return python


def _unpack(architecture: str, folder: Path, *packages: str) -> None:
    """Unpack packages of Debian, with all that they need, into a folder. apt's state is in the folder too."""
    state = folder.with_suffix(".apt")
    for name in ("lists/partial", "archives/partial"):
        (state / name).mkdir(parents=True, exist_ok=True)
    (state / "status").touch()
    settings = {
        "APT::Architecture": architecture,
        "APT::Architectures": architecture,
        "Dir::State::lists": state / "lists",
        "Dir::State::status": state / "status",
        "Dir::Cache": state,
        "Dir::Etc::sourcelist": "/etc/apt/sources.list.d/debian.sources",
        "Dir::Etc::sourceparts": "-",
        "Debug::NoLocking": "1",
    }
    apt = ("apt-get", "--quiet", *(f"-o{name}={value}" for name, value in settings.items()))
    run(*apt, "update")
    run(*apt, "install", "--download-only", "--yes", "--no-install-recommends", *packages)
    for package in (state / "archives").glob("*.deb"):
        run("dpkg", "-x", package, folder)


def main(arguments: list[str]) -> None:
    if arguments == ["build"]:
        build()
    elif arguments == ["emulate"]:
        emulate()
    elif arguments[:1] in (["try"], ["test"]) and len(arguments) > 3:
        {"try": try_wheel, "test": test_wheel}[arguments[0]](arguments[1], arguments[2], arguments[3:])
    else:
        sys.exit("python -m tests.wheels build | try PLATFORM VERSION COMMAND... | test PLATFORM ... | emulate")


if __name__ == "__main__":
    main(sys.argv[1:])
