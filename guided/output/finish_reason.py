"""`FinishReason`: why a request is over."""

from __future__ import annotations

from typing import Literal

FinishReason = Literal["stop", "length", "error"]
