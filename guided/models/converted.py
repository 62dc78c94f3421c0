"""`converted_folder`: a GGUF file as a folder of standard Hugging Face files in the cache, made once.

The folder is named by the file's SHA-256 and the type of the weights. It is made in a temporary folder and renamed when
it is whole, so no process ever loads a part of it. While one process makes it, others wait.
"""

from __future__ import annotations

import json
import logging
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from guided.grammars.cache_folder import cache_folder

from ..errors import ModelCacheError, ModelNotFoundError
from .cache import cached, made_once, sha256_of
from .gguf_config import ROPE_FACTORS, architecture_of, model_config
from .gguf_header import Header, read_header
from .gguf_tokenizer import check_tokenizer, end_token_ids, write_tokenizer

if TYPE_CHECKING:
    import torch

log = logging.getLogger(__name__)

_FORMAT = 1  # raised when the same file would give another folder
_OTHER_FILES_BYTES = 64 << 20  # the tokenizer's files, at most


def converted_folder(path: Path, dtype: str) -> Path:
    """The folder of a GGUF file's model, with the file's name. It is made if it is not in the cache.

    dtype: type of the weights, as torch names it.
    Raises ModelNotFoundError for a file that can't be read, is cut or damaged, UnsupportedModelError for one that is
    not supported, ModelCacheError if the cache can't be written.
    """
    try:
        sha256 = sha256_of(path)
    except OSError as error:
        raise ModelNotFoundError(f"can't read {str(path)!r}: {error.strerror}") from error
    folder = cached("gguf") / f"{_FORMAT}-{sha256[:32]}-{dtype}" / path.stem
    if folder.is_dir():
        return folder
    header = read_header(path)
    architecture_of(header)
    check_tokenizer(header)
    return made_once(folder, lambda made: _convert(header, dtype, made))


def _convert(header: Header, dtype_name: str, folder: Path) -> None:
    import torch

    from ..output.progress import progress_bar
    from .gguf_weights import read_tensor, write_weights

    factors = header.tensors.get(ROPE_FACTORS)
    config = model_config(header, None if factors is None else read_tensor(header, factors).tolist())
    dtype: torch.dtype = getattr(torch, dtype_name)
    config.dtype = dtype
    _check_room(header, dtype, folder)
    log.info("converting %s to %s", header.path, folder)
    write_tokenizer(header, folder, config.max_position_embeddings)
    config.save_pretrained(folder)
    ends: dict[str, Any] = {
        "bos_token_id": config.bos_token_id,
        "eos_token_id": end_token_ids(header),
        "pad_token_id": config.pad_token_id,
    }
    (folder / "generation_config.json").write_text(json.dumps(ends), encoding="utf-8")
    num_bytes = sum(tensor.num_bytes for tensor in header.tensors.values())
    with progress_bar(num_bytes, f"converting {header.path.name}") as advance:
        write_weights(header, config, folder, dtype, advance)


def _check_room(header: Header, dtype: torch.dtype, folder: Path) -> None:
    """Raise ModelCacheError if the disk has too little room for the weights, before any are read."""
    num_weights = sum(_num_weights(tensor.shape) for tensor in header.tensors.values())
    needed, free = num_weights * dtype.itemsize + _OTHER_FILES_BYTES, shutil.disk_usage(folder).free
    if free < needed:
        raise ModelCacheError(
            f"{header.path.name} needs {needed >> 20} MiB in {str(cache_folder())!r}, where {free >> 20} MiB are free; "
            "make room there, or set GUIDED_CACHE_DIR to another folder"
        )


def _num_weights(shape: tuple[int, ...]) -> int:
    product = 1
    for size in shape:
        product *= size
    return product
