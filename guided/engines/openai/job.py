"""`Job`: one request while another server works on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..base import ToldUsage
from ..jobs import EngineJob
from .answer import AnswerReader


@dataclass(eq=False, kw_only=True)
class Job(EngineJob[AnswerReader]):
    """path, body: what is sent."""

    path: str
    body: Mapping[str, Any]

    @property
    def usage(self) -> ToldUsage:
        """As the other side says, or else as many new tokens as there were pieces."""
        return self.reader.usage or ToldUsage(
            num_prompt_tokens=0, num_new_tokens=self.reader.num_pieces, num_cached_tokens=0, num_thinking_tokens=0
        )
