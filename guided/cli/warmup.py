"""`guided warmup`: what an installation has to do once, before its first request."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor, as_completed

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from .main import fail

MODULES = {  # the longest one first; it takes what that of rules has compiled meanwhile
    "grammars": "guided.grammars.warmup",
    "rules": "guided.grammars.rules.warmup",
    "attention": "guided.engine.paged.warmup",
    "samplers": "guided.sampler.numba_backend.warmup",
}


def warmup() -> None:
    """Compile the kernels of grammars, samplers and attention, once for an installation: a minute or two.

    Without it the first requests compile what they need. The result is kept beside the package's files, or in the
    user's cache folder where these can't be written, or in NUMBA_CACHE_DIR. In the Dockerfile of an image:
    RUN pip install guided-generation && guided warmup
    """
    columns = (SpinnerColumn(finished_text="✓"), TextColumn("kernels of {task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress, ThreadPoolExecutor(os.cpu_count()) as pool:
        tasks = {pool.submit(_run, module): progress.add_task(name, total=1) for name, module in MODULES.items()}
        ended = []
        for future in as_completed(tasks):
            ended.append(future.result())
            progress.advance(tasks[future])
    for process in ended:
        if process.returncode != 0:
            fail(f"{process.args[-1]} failed:\n{process.stderr}")


def _run(module: str) -> subprocess.CompletedProcess[str]:
    """In a process of its own, one for each core."""
    return subprocess.run([sys.executable, "-m", module], stderr=subprocess.PIPE, text=True, check=False)
