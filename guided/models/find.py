"""`NamedModel`: what a model's name means, as a folder of standard files or a name for the Hugging Face hub."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from guided.grammars.errors import InvalidInputError

from ..errors import ModelNotFoundError, UnsupportedModelError
from .adapted import adapted_folder, is_in_cache
from .folders import checkpoint_in, only_file
from .known import KnownModel, fetched_file, known_models

GGUF_SUFFIX = ".gguf"
BEST_MODEL = "smollm2-extract"  # the default where it is in the cache
EMBEDDED_MODEL = "embedded"
DEFAULT_VARIABLE = "GUIDED_DEFAULT_MODEL"
WEIGHT_TYPES = ("float32", "bfloat16", "float16")
_CPU_FLAGS = {"avx512_bf16", "amx_bf16"}


@dataclass(frozen=True)
class FoundModel:
    """name: a folder, the path of a checkpoint or a hub name. dtype: type of the weights for the engine."""

    name: str
    dtype: str


@dataclass(frozen=True)
class NamedModel:
    """A model by name.

    name: a known model's name, "embedded", the path of a GGUF file or a folder with one; or any other name.
    is_default: True: the name is from `default_model`. A model's name comes before a file or folder of that name then.
    """

    name: str
    is_default: bool = False

    @property
    def is_embedded(self) -> bool:
        """True for the model in the package."""
        return self.name == EMBEDDED_MODEL and self._means_a_model

    @property
    def known(self) -> KnownModel | None:
        """The known model of this name."""
        return known_models().get(self.name) if self._means_a_model else None

    @property
    def _means_a_model(self) -> bool:
        """False if a file or folder has this name, and comes first."""
        return self.is_default or not Path(self.name).exists()

    def gguf_file(self) -> Path | None:
        """The GGUF file that the name means; None if it means none.

        Raises ModelNotFoundError for a known model that was not fetched, a missing GGUF file, and a folder with several
        GGUF files or checkpoints.
        """
        path = Path(self.name)
        if not self.name or self.is_embedded:
            return None
        if self.known is not None:
            found = fetched_file(self.name)
            if not found.is_file():
                raise ModelNotFoundError(
                    f"the model {self.name!r} is not in the cache; fetch it: guided model {self.name}"
                )
            return found
        if path.suffix.lower() == GGUF_SUFFIX and not path.is_dir():
            if not path.is_file():
                raise ModelNotFoundError(f"there is no GGUF file {self.name!r}")
            return path
        return None if checkpoint_in(self.name) is not None else only_file(path, (GGUF_SUFFIX,), "GGUF files")

    def found(self, device: str = "auto", dtype: str = "auto") -> FoundModel:
        """The model's files. A GGUF file, which the name may mean, is converted if it is not in the cache, and a known
        model's adapter is merged. Names that mean no GGUF file are returned unchanged.

        Raises what `gguf_file` and `converted_folder` raise, and InvalidInputError for an unknown dtype.
        """
        path = self.gguf_file()
        if path is None:
            return FoundModel(self.name, dtype)
        from .converted import converted_folder

        dtype, known = fast_dtype(device) if dtype == "auto" else checked_dtype(dtype), self.known
        is_adapted = known is not None and known.adapter is not None
        folder = adapted_folder(known, dtype) if known is not None and is_adapted else converted_folder(path, dtype)
        return FoundModel(os.fspath(folder), dtype)


@contextmanager
def naming_the_variable(named: NamedModel | None) -> Iterator[None]:
    """Context manager that begins errors with GUIDED_DEFAULT_MODEL if that variable named the model."""
    try:
        yield
    except (ModelNotFoundError, UnsupportedModelError) as error:
        if named is None or not named.is_default or not os.environ.get(DEFAULT_VARIABLE):
            raise
        raise type(error)(f"{DEFAULT_VARIABLE}: {error}") from error


def default_model() -> NamedModel:
    """The model that `guided.LLM()` loads, whatever is in the current folder.

    The environment variable GUIDED_DEFAULT_MODEL names it. Without it, BEST_MODEL if it is in the cache;
    else EMBEDDED_MODEL, the small model in the package.
    """
    chosen = os.environ.get(DEFAULT_VARIABLE)
    name = chosen or (BEST_MODEL if is_in_cache(known_models()[BEST_MODEL]) else EMBEDDED_MODEL)
    return NamedModel(name, is_default=True)


def tokenizer_folder(name: str) -> str:
    """The folder or hub name of a tokenizer. A GGUF file's tokenizer is converted without the weights.

    Raises what `NamedModel.found` raises.
    """
    path = NamedModel(name).gguf_file()
    if path is None:
        return name
    from .converted import converted_folder

    return os.fspath(converted_folder(path, None))


def checked_dtype(dtype: str) -> str:
    """The name of a type of weights. Raises InvalidInputError for an unknown one."""
    if dtype not in WEIGHT_TYPES:
        raise InvalidInputError(f"dtype must be auto, {', '.join(WEIGHT_TYPES)}, not {dtype!r}")
    return dtype


def fast_dtype(device: str) -> str:
    """The type of weights that a device computes fast with: "bfloat16" or "float32".

    "float32" on a CPU without instructions for bfloat16, else "bfloat16". PERF: SmolLM2 135M on an AMD EPYC with
    avx512_bf16, tokens for a second of processor time: 15 with 1 row; with 8 rows 48 in float32, 81 in bfloat16.
    """
    if device == "auto":
        import torch

        device = "cuda" if torch.cuda.is_available() else "cpu"
    return "bfloat16" if not device.startswith("cpu") or _CPU_FLAGS & _cpu_flags() else "float32"


def _cpu_flags() -> set[str]:
    """The processor's instruction sets, as Linux names them; none on other systems."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return set()
    return next((set(line.split()) for line in lines if line.startswith("flags")), set())
