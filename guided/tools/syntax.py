"""`ToolSyntax`: how one family of models writes its calls. The grammar and the reader both follow from it.

Calls come in groups: `group_begin` CALL `between` CALL ... `group_end`. If calls stand alone, group_begin and group_end
are empty.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .arguments import JSON_ARGUMENTS, ArgumentStyle
from .calls import ToolCall
from .channels import Channels
from .ids import ANY_IDS, CallIds
from .marks import ID

PLACE = re.compile(r"(?<![A-Z_])(?:NAME|ARGUMENTS|ID)(?![A-Z_])")
"""A word in a syntax that stands for a part of a call."""
_ARGUMENTS = "ARGUMENTS"


@dataclass(frozen=True)
class ToolSyntax:
    """One syntax.

    name: the family's name.
    call: text of one call. The words NAME, ARGUMENTS and ID stand for the parts of the call; ID may only precede
        ARGUMENTS.
    id_part: text after the arguments of a call with an id; models may omit it.
    group_begin, between, group_end: text around several calls, see the module.
    trigger: the text that begins calls in free text, which can't contain it otherwise; "": an answer is all calls or
        all text.
    is_parallel: an answer may contain several calls.
    arguments: how arguments are written.
    ids: the form of ids.
    other_openers: other texts that the models write before arguments, if calls stand alone and each ends an answer.
    announced: texts that a chat template without earlier calls writes when it shows tools.
    channels: the parts of an answer, if it has parts beside calls; None: text with calls in it.
    """

    name: str
    call: str
    id_part: str = ""
    group_begin: str = ""
    between: str = ""
    group_end: str = ""
    trigger: str = ""
    is_parallel: bool = True
    arguments: ArgumentStyle = JSON_ARGUMENTS
    ids: CallIds = ANY_IDS
    other_openers: tuple[str, ...] = ()
    announced: tuple[str, ...] = ()
    channels: Channels | None = None

    @property
    def is_grouped(self) -> bool:
        """True if calls stand in a group; False if each stands alone."""
        return bool(self.group_begin)

    def opener(self, name: str, call_id: str = ID) -> str:
        """The text before the arguments of a call of this tool."""
        values = {"NAME": name, "ID": call_id}
        return PLACE.sub(lambda place: values[place[0]], self._halves[0])

    def openers(self, name: str) -> list[str]:
        """All texts that may precede the arguments; the first is the chat template's."""
        return [self.opener(name), *(PLACE.sub(name, text) for text in self.other_openers)]

    @property
    def closer(self) -> str:
        """The text after the arguments, and after the id there, if any."""
        return self._halves[1]

    @property
    def _halves(self) -> list[str]:
        return self.call.split(_ARGUMENTS)

    def spell(self, calls: Sequence[ToolCall], num_before: int = 0) -> str:
        """The calls as the model would write them. num_before: number of earlier calls in the conversation."""
        texts = [self._spelled(call, num_before + index) for index, call in enumerate(calls)]
        return f"{self.group_begin}{self.between.join(texts)}{self.group_end}" if texts else ""

    def _spelled(self, call: ToolCall, place: int) -> str:
        call_id = self.ids.in_text(call.id, call.name, place)
        id_part = PLACE.sub(lambda _: call_id, self.id_part) if call.id else ""
        return f"{self.opener(call.name, call_id)}{self.arguments.spell(call.arguments)}{id_part}{self.closer}"

    def explain(self, definitions: Sequence[Mapping[str, object]]) -> str:
        """The system message for a model whose chat template does not show tools."""
        tools = "\n".join(json.dumps(one["function"], ensure_ascii=False) for one in definitions)
        example = self.spell([ToolCall("", "NAME", self.arguments.example)])
        return (
            "You may call functions. These are their names, descriptions and the JSON Schemas of their arguments, one "
            f"in each line:\n{tools}\n\nTo call one, write the following, with its name for NAME and "
            f"{self.arguments.hint}:\n{example}"
        )
