"""What the tasks here share: documents with a constraint of their own, and how an answer in JSON is measured."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

from lm_eval.api.instance import Instance
from lm_eval.api.task import ConfigurableTask


class OwnConstraint(ConfigurableTask):
    """A task whose documents each say what their answer is held to: a column with a field of the request in it.

    `metadata.constraint_column` of its YAML names the column and `metadata.constraint_field` the field: `json_schema`
    (JSON text) or `regex`, for example.
    """

    def __init__(self, config: dict[str, Any]) -> None:
        super().__init__(config={name: value for name, value in config.items() if name != "class"})

    def construct_requests(
        self, doc: dict[str, Any], ctx: Any, apply_chat_template: bool = False, chat_template: Any = None, **kwargs: Any
    ) -> Instance:
        """One request, with the task's `generation_kwargs` and the document's constraint."""
        metadata = self.config.metadata
        fields = deepcopy(self.config.generation_kwargs)
        fields[metadata["constraint_field"]] = doc[metadata["constraint_column"]]
        return Instance(request_type=self.OUTPUT_TYPE, doc=doc, arguments=(ctx, fields), idx=0, **kwargs)


def measure_fields(doc: dict[str, Any], results: list[str]) -> dict[str, float]:
    """valid: the answer is a JSON object with all expected fields. fields: the share of these that are right."""
    expected = json.loads(doc["expected"])
    try:
        answer = json.loads(results[0])
    except json.JSONDecodeError:
        answer = None
    if not isinstance(answer, dict) or not answer.keys() >= expected.keys():
        return {"valid": 0.0, "fields": 0.0}
    return {"valid": 1.0, "fields": sum(answer[name] == value for name, value in expected.items()) / len(expected)}
