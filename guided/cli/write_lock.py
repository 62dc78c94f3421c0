"""`WriteLock`: lets only one process at a time write a results file."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from guided.grammars.errors import InvalidInputError


class WriteLock:
    """A lock, held from its creation until `release` or the end of the process. Meanwhile a file `NAME.lock` exists.

    path: the file to write.
    Raises InvalidInputError if another process holds the lock or the lock can't be created.
    """

    def __init__(self, path: Path) -> None:
        self._path = path.with_name(path.name + ".lock")
        try:
            self._descriptor: int | None = self._locked(path)
        except OSError as error:
            raise InvalidInputError(f"can't lock {path} with {self._path}: {error.strerror}") from None

    def release(self) -> None:
        """Release the lock. A second call does nothing."""
        if self._descriptor is not None:
            if sys.platform != "win32":  # Windows can't remove an open file
                self._path.unlink(missing_ok=True)
            os.close(self._descriptor)
            self._descriptor = None

    def _locked(self, path: Path) -> int:
        """The descriptor of the locked file. Tries again if the holder removed the file meanwhile."""
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
    """Lock an open file for this process. Raises BlockingIOError if another process holds the lock."""
    if sys.platform == "win32":
        import msvcrt

        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except PermissionError as error:
            raise BlockingIOError from error
    else:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
