"""The drafts of JSON Schema: the keywords of each draft, and its name for ids."""

from __future__ import annotations

import re
from typing import Any

from ..errors import InvalidSchemaError
from .keyword_table import KEYWORDS, Shape


class Draft:
    """One draft.

    uri: URI of the draft's meta-schema, without "#".
    number: 4, 6, 7, 2019, 2020; 2026 for v1 and all its releases.
    id_keyword: attribute; "id" or "$id".
    ref_stands_alone: attribute; True if keywords beside `$ref` are ignored.
    keywords: attribute; name -> keyword.
    containers: attribute; name -> shape, for keywords that contain schemas.
    applicators: attribute; like `containers`, without definitions and annotations.
    """

    def __init__(self, uri: str, number: int) -> None:
        self.uri = uri
        self.number = number
        self.id_keyword = "id" if number == 4 else "$id"
        self.ref_stands_alone = number <= 7
        self.keywords = {one.name: one for one in KEYWORDS if one.since <= number <= one.until}
        self.containers: dict[str, Shape] = {
            name: one.shape for name, one in self.keywords.items() if one.shape is not None
        }
        self.applicators = {
            name: shape for name, shape in self.containers.items() if self.keywords[name].role == "constrains"
        }

    def __repr__(self) -> str:
        return self.uri


DRAFT_4 = Draft("http://json-schema.org/draft-04/schema", 4)
DRAFT_6 = Draft("http://json-schema.org/draft-06/schema", 6)
DRAFT_7 = Draft("http://json-schema.org/draft-07/schema", 7)
DRAFT_2019 = Draft("https://json-schema.org/draft/2019-09/schema", 2019)
DRAFT_2020 = Draft("https://json-schema.org/draft/2020-12/schema", 2020)
V1 = Draft("https://json-schema.org/v1", 2026)
DRAFTS = (DRAFT_4, DRAFT_6, DRAFT_7, DRAFT_2019, DRAFT_2020, V1)


_BY_NAME = {draft.uri.partition(":")[2]: draft for draft in DRAFTS}
_RELEASE_OF_V1 = re.compile(r"//json-schema\.org/v1/20\d\d")


def draft_named(name: Any) -> Draft | None:
    """The draft that `$schema: name` means; None if it is none of DRAFTS.

    The name may begin with http or https, and may end with "#". Releases of v1, which have a year in the name, are V1.
    """
    scheme, _, rest = name.removesuffix("#").partition(":") if isinstance(name, str) else ("", "", "")
    if scheme not in ("http", "https"):
        return None
    return _BY_NAME.get(rest) or (V1 if _RELEASE_OF_V1.fullmatch(rest) else None)


def draft_of(schema: dict[str, Any] | bool, default: Draft = DRAFT_2020) -> Draft:
    """The draft that a document names in `$schema`; `default` if it names none.

    Raises InvalidSchemaError, which lists the known drafts, for an unknown name.
    """
    if not isinstance(schema, dict) or "$schema" not in schema:
        return default
    draft = draft_named(schema["$schema"])
    if draft is None:
        known = ", ".join(draft.uri for draft in DRAFTS)
        raise InvalidSchemaError(f"unknown draft {schema['$schema']!r}; known are {known}", "/$schema")
    return draft
