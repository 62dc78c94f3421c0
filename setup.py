"""The part of the build that pyproject.toml can't say: kernels become extension modules (grammars/kernels/build.py)."""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent
KIND = "_kernels_checked" if os.environ.get("GUIDED_KERNELS") == "checked" else "_kernels"


class BuildKernels(build_ext):
    """Makes the sources of an extension module, or takes the one in the source tree where that is current."""

    def finalize_options(self) -> None:
        """Build both modules at the same time."""
        super().finalize_options()
        self.parallel = self.parallel or True

    def build_extensions(self) -> None:
        """Refuse a compiler that the sources are not written for."""
        if self.compiler.compiler_type == "msvc":
            sys.exit("guided's kernels need gcc or clang, and this is MSVC; take a wheel, or build in WSL")
        super().build_extensions()

    def build_extension(self, extension: Extension) -> None:
        """Run `build.py` in a process of its own, which has numba's global state for itself."""
        package = extension.name.rpartition(".")[0]
        place = ROOT / self.get_finalized_command("build_py").get_package_dir(package)
        known = place / Path(self.get_ext_filename(extension.name)).name
        folder = Path(self.build_temp).resolve() / extension.name
        shutil.rmtree(folder, ignore_errors=True)
        build = ROOT / "grammars" / "kernels" / "build.py"
        subprocess.run([sys.executable, build, extension.name, folder, known], check=True)
        if folder.exists():
            extension.sources = [str(folder / "kernels.c")]
            extension.extra_objects = sorted(str(file) for file in folder.glob("*kernels.o"))
            super().build_extension(extension)
            return
        wanted = Path(self.get_ext_fullpath(extension.name)).resolve()
        if wanted != known:
            wanted.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(known, wanted)

    def copy_extensions_to_source(self) -> None:
        """Put modules into the source tree, without those for one Python alone, which would be found first."""
        super().copy_extensions_to_source()
        for extension in self.extensions:
            package, _, name = extension.name.rpartition(".")
            place = ROOT / self.get_finalized_command("build_py").get_package_dir(package)
            for older in place.glob(f"{name}.cpython-*"):
                older.unlink()


if __name__ == "__main__":
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        sys.exit("guided does not run on free-threaded Python; take a usual build of CPython 3.11 or later")
    libraries = [] if sys.platform == "win32" else ["m"]
    modules = [
        Extension(f"{package}.{KIND}", [], libraries=libraries, py_limited_api=True)
        for package in ("guided.grammars", "guided")
    ]
    setup(
        ext_modules=modules,
        cmdclass={"build_ext": BuildKernels},
        options={"bdist_wheel": {"py_limited_api": "cp311"}},
    )
