"""`converted_folder`: a GGUF file as a folder of standard Hugging Face files in the cache, made once.

The folder's name has the file's SHA-256 and the type of the weights, or "tokenizer" if it has no weights. A temporary
folder is made and renamed when it is whole, so no process ever loads a part of it. While one process makes it, others
wait.
"""

from __future__ import annotations

import json
import logging
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .cache import cached, check_room, made_once, sha256_of
from .gguf_config import ROPE_FACTORS, architecture_of, model_config
from .gguf_header import Header, read_header, reading
from .gguf_tokenizer import check_tokenizer, end_token_ids, write_tokenizer
from .gguf_values import check_values

if TYPE_CHECKING:
    import torch

log = logging.getLogger(__name__)

_FORMAT = 1  # increase it when conversion changes, so old folders are not used
_OTHER_FILES_BYTES = 64 << 20  # maximum size of the tokenizer's files, in bytes


def converted_folder(path: Path, dtype: str | None) -> Path:
    """The folder of a GGUF file's model, with the file's name; made if it is not in the cache.

    dtype: type of the weights, as torch names it; None: all files but the weights.
    Raises ModelNotFoundError for a file that can't be read or is cut or damaged. Raises UnsupportedModelError for an
    unsupported model, and ModelCacheError if the cache can't be written.
    """
    with reading(path):
        sha256 = sha256_of(path)
    folder = cached("gguf") / f"{_FORMAT}-{sha256[:32]}-{dtype or 'tokenizer'}" / path.stem
    if folder.is_dir():
        return folder
    header = read_header(path)
    architecture_of(header)
    check_values(path, header.architecture, header.metadata)
    check_tokenizer(header)
    return made_once(folder, lambda made: _convert(header, dtype, made))


def _convert(header: Header, dtype_name: str | None, folder: Path) -> None:
    import torch

    from ..output.progress import progress_bar
    from .gguf_weights import read_tensor, write_weights

    factors = header.tensors.get(ROPE_FACTORS)
    config = model_config(header, None if factors is None else read_tensor(header, factors).tolist())
    dtype: torch.dtype | None = None if dtype_name is None else getattr(torch, dtype_name)
    config.dtype = dtype
    num_weights = sum(prod(tensor.shape) for tensor in header.tensors.values())
    needed = _OTHER_FILES_BYTES + (0 if dtype is None else num_weights * dtype.itemsize)
    check_room(folder, needed, header.path.name)
    log.info("converting %s to %s", header.path, folder)
    write_tokenizer(header, folder, config.max_position_embeddings)
    config.save_pretrained(folder)
    ends: dict[str, Any] = {
        "bos_token_id": config.bos_token_id,
        "eos_token_id": end_token_ids(header),
        "pad_token_id": config.pad_token_id,
    }
    (folder / "generation_config.json").write_text(json.dumps(ends), encoding="utf-8")
    if dtype is None:
        return
    num_bytes = sum(tensor.num_bytes for tensor in header.tensors.values())
    with progress_bar(num_bytes, f"converting {header.path.name}") as advance:
        write_weights(header, config, folder, dtype, advance)
