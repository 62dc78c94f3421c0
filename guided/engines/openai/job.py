"""`RemoteJob`: one request while another server works on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..base import ToldUsage
from ..jobs import EngineJob
from .answer import AnswerReader


@dataclass(eq=False, kw_only=True)
class RemoteJob(EngineJob[AnswerReader]):
    """A request in work. path, body: the path and body of the HTTP request."""

    path: str
    body: Mapping[str, Any]

    @property
    def usage(self) -> ToldUsage:
        """The numbers of tokens that the other server tells; otherwise each piece counts as a new token."""
        return self.reader.usage or ToldUsage(
            num_prompt_tokens=0, num_new_tokens=self.reader.num_pieces, num_cached_tokens=0, num_thinking_tokens=0
        )
