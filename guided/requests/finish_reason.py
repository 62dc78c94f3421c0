"""`FinishReason`: why an output ended; see `Completion.finish_reason`."""

from __future__ import annotations

from typing import Literal

FinishReason = Literal["stop", "length", "error"]
