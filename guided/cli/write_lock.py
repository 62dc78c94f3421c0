"""`WriteLock`: one process at a time writes a file of results."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from guided.grammars.errors import InvalidInputError


class WriteLock:
    """Held from its making until `release`, or until the process ends. Meanwhile a file `NAME.lock` is there.

    path: the file to write. Raises InvalidInputError where another process holds the lock, or none can be had.
    """

    def __init__(self, path: Path) -> None:
        self._path = path.with_name(path.name + ".lock")
        try:
            self._descriptor: int | None = self._locked(path)
        except OSError as error:
            raise InvalidInputError(f"can't lock {path} with {self._path}: {error.strerror}") from None

    def release(self) -> None:
        """Let others write. A second call does nothing."""
        if self._descriptor is not None:
            if sys.platform != "win32":  # there an open file can't be removed
                self._path.unlink(missing_ok=True)
            os.close(self._descriptor)
            self._descriptor = None

    def _locked(self, path: Path) -> int:
        """The descriptor of the locked file. One that its holder has removed meanwhile is not the one to lock."""
        while True:
            descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o666)
            try:
                _lock(descriptor)
                if self._path.exists() and os.path.samestat(os.fstat(descriptor), self._path.stat()):
                    return descriptor
            except BlockingIOError:
                os.close(descriptor)
                raise InvalidInputError(
                    f"another process writes {path}; wait for its end, or give another name"
                ) from None
            except OSError:
                os.close(descriptor)
                raise
            os.close(descriptor)


def _lock(descriptor: int) -> None:
    """Lock an open file for this process. Raises BlockingIOError where another one has it."""
    if sys.platform == "win32":
        import msvcrt

        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except PermissionError as error:
            raise BlockingIOError from error
    else:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
