"""`ToolSyntax`: how one family of models writes its calls. The grammar and the reader both follow from it.

A call is  `name_prefix` NAME `name_suffix` ARGUMENTS `closer`,  its arguments in a style, mostly JSON. Calls come in
groups: `group_begin` CALL `between` CALL ... `group_end`. Syntaxes whose calls stand alone have no begin and end of
groups.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from .arguments import JSON_ARGUMENTS, ArgumentStyle
from .calls import ToolCall


def new_call_id() -> str:
    """An id in OpenAI's form."""
    return f"call_{uuid.uuid4().hex[:24]}"


@dataclass(frozen=True)
class ToolSyntax:
    """One syntax.

    trigger: with what calls begin in the middle of free text, which can't hold it otherwise; "": calls are all of a
        text or none of it.
    is_parallel: an answer may hold several calls.
    arguments: how they are written.
    arguments_as_text: the chat template wants the arguments of former calls as JSON text, not as an object.
    new_call_id: makes ids. template_id: an id, whoever made it, as the chat template takes it.
    """

    name: str
    name_prefix: str
    name_suffix: str
    closer: str = ""
    group_begin: str = ""
    between: str = ""
    group_end: str = ""
    trigger: str = ""
    is_parallel: bool = True
    arguments: ArgumentStyle = JSON_ARGUMENTS
    arguments_as_text: bool = False
    new_call_id: Callable[[], str] = new_call_id
    template_id: Callable[[str], str] = str

    @property
    def is_grouped(self) -> bool:
        """Calls stand in a group, not each on its own."""
        return bool(self.group_begin)

    def opener(self, name: str) -> str:
        """What stands before the arguments of a call of this tool."""
        return f"{self.name_prefix}{name}{self.name_suffix}"

    def spell(self, calls: list[ToolCall]) -> str:
        """The calls as the model would write them."""
        texts = [f"{self.opener(call.name)}{self.arguments.spell(call.arguments)}{self.closer}" for call in calls]
        return f"{self.group_begin}{self.between.join(texts)}{self.group_end}" if texts else ""

    def explain(self, definitions: list[Mapping[str, Any]]) -> str:
        """What a system message says to a model whose chat template does not show tools."""
        tools = "\n".join(json.dumps(one["function"], ensure_ascii=False) for one in definitions)
        example = self.spell([ToolCall("", "NAME", self.arguments.example)])
        return (
            "You may call functions. These are their names, descriptions and the JSON Schemas of their arguments, one "
            f"in each line:\n{tools}\n\nTo call one, write the following, with its name for NAME and "
            f"{self.arguments.hint}:\n{example}"
        )
