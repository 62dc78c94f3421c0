"""Which schemas depend on a `format` of which some valid strings are left out, so that their opposite needs care."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..json_paths import Path
from .resolve import Node, Resolver, Scope, subschemas


def nodes_that_reach(
    targets: Iterable[Node], reached: Mapping[Node, tuple[dict[str, Any], Scope, Path]], resolver: Resolver
) -> frozenset[Node]:
    """The schemas from which one of the targets is reached by way of subschemas and references, targets included."""
    holders: dict[Node, list[Node]] = {}
    for node, (schema, scope, _) in reached.items():
        for child in _children(schema, scope, resolver):
            holders.setdefault(child, []).append(node)
    found = set(targets)
    pending = list(found)
    while pending:
        for holder in holders.get(pending.pop(), ()):
            if holder not in found:
                found.add(holder)
                pending.append(holder)
    return frozenset(found)


def _children(schema: dict[str, Any], scope: Scope, resolver: Resolver) -> Iterator[Node]:
    for target, inside, _ in resolver.references(schema, scope):
        yield id(target), inside
    if "$ref" in schema and scope.draft.ref_stands_alone:
        return
    for one, _ in subschemas(schema, scope.draft.applicators):
        yield id(one), scope
