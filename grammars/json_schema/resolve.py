"""`Resolver`: finds the targets of `$ref`, `$dynamicRef` and `$recursiveRef`. Nothing is fetched.

A resource is a document, or a part of a document with an id of its own. Such a part has its own base URI and anchors,
and may have its own draft. A `Scope` is the surroundings of a schema: its resource, its draft, and for dynamic
references the resource that each dynamic anchor means. References such as `#/...` need only the parts on their way. The
first reference with a URI or an anchor has all documents indexed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote, urldefrag, urljoin

from jsonschema_specifications import REGISTRY  # type: ignore[import-untyped]

from ..json_paths import part_at, pointer_of, unescape
from .drafts import DRAFT_2020, V1, Draft, draft_named, draft_of
from .keyword_table import Shape, held

Schema = bool | dict[str, Any]

_RECURSIVE = ""  # stands for $recursiveAnchor among the names of dynamic anchors, which are never empty


class UnresolvedError(Exception):
    """A reference leads nowhere. The message says why."""


@dataclass(slots=True, eq=False)
class Resource:
    """A schema with a base URI.

    schema: the schema.
    uri: the base URI; "" if there is none.
    draft: the draft of the schema.
    name: beginning of pointers into the resource, in error messages.
    anchors: attribute; name -> (schema, its draft, its pointer, whether it is dynamic); empty until it is indexed.
    is_indexed: attribute; True if ids and anchors have been collected.
    is_document: attribute; True if the resource is a whole document.
    """

    schema: Schema
    uri: str
    draft: Draft
    name: str
    anchors: dict[str, tuple[Schema, Draft, str, bool]] = field(default_factory=dict, init=False)
    is_indexed: bool = field(default=False, init=False)
    is_document: bool = field(default=False, init=False)


@dataclass(slots=True, eq=False)
class Scope:
    """The surroundings of a schema. Equal scopes are one object.

    resource: the resource with the schema.
    draft: the draft that applies.
    dynamic: dynamic anchor -> the resource that it means.
    start: the schema whose id or `$schema` begins the scope.
    """

    resource: Resource
    draft: Draft
    dynamic: dict[str, Resource]
    start: Schema


Target = tuple[Schema, Scope, str]
"""The target of a reference: (schema, its scope, its pointer)."""

Node = tuple[int, Scope]
"""A schema in its surroundings: (id of the Python object, scope)."""


class Resolver:
    """The resources that are known while one schema is compiled.

    schema: the schema that is compiled.
    resources: URI -> schema document, strict JSON data.
    is_dynamic: True: track dynamic anchors. Only schemas with `$dynamicRef` or `$recursiveRef` need that.
    default: draft of a schema that names none.
    names_draft: attribute; True if the schema names its draft.
    root: attribute; scope of the schema.
    """

    def __init__(
        self,
        schema: Schema,
        resources: Mapping[str, Schema],
        is_dynamic: bool = False,
        default: Draft = DRAFT_2020,
    ) -> None:
        self.is_dynamic = is_dynamic
        self.names_draft = isinstance(schema, dict) and "$schema" in schema
        self._given = {uri.rstrip("#"): document for uri, document in resources.items()}
        self._by_uri: dict[str, Resource] = {}
        self._by_schema: dict[tuple[int, str], Resource] = {}
        self._scopes: dict[Any, Scope] = {}
        self._targets: dict[tuple[str, Scope], Target] = {}
        draft = draft_of(schema, default)
        root = self._document(schema, "", draft, "")
        self.root = self._scope(root, draft, _entered(root, {}) if is_dynamic else {}, schema)

    def enter(self, schema: dict[str, Any], scope: Scope, name: str) -> Scope:
        """The scope inside a schema. An id or `$schema` in the schema makes it differ from `scope`.

        scope: the scope around the schema. The draft of this scope decides which keyword is the id, as in `jsonschema`.
        name: pointer to the schema.
        """
        if schema is scope.start:
            return scope
        draft = draft_named(schema.get("$schema")) or scope.draft
        uri = _id_of(schema, scope.draft)
        if uri is None:
            return scope if draft is scope.draft else self._scope(scope.resource, draft, scope.dynamic, schema)
        resource = self._part(schema, urljoin(scope.resource.uri, uri), draft, name)
        return self._into(resource, scope)

    def resolve(self, reference: str, scope: Scope) -> Target:
        """The target of `$ref`. Raises UnresolvedError."""
        found = self._targets.get((reference, scope))
        if found is None:
            found = self._targets[reference, scope] = self._resolve(reference, scope)
        return found

    def resolve_dynamic(self, reference: str, scope: Scope) -> Target:
        """The target of `$dynamicRef`: the outermost dynamic anchor with its name.

        Up to 2020-12 this requires that the reference, resolved like `$ref`, leads to a dynamic anchor. Otherwise
        `$dynamicRef` means the same as `$ref`. Raises UnresolvedError.
        """
        resource, fragment = self._split(reference, scope)
        if scope.draft is V1 and fragment in scope.dynamic:
            return self._anchor(scope.dynamic[fragment], fragment, scope)
        if resource.anchors.get(fragment, (None, None, None, False))[3]:
            resource = scope.dynamic.get(fragment, resource)
            return self._anchor(resource, fragment, scope)
        return self.resolve(reference, scope)

    def resolve_recursive(self, scope: Scope) -> Target:
        """The target of `$recursiveRef: "#"`.

        The resources that references have entered form a chain up to the current one. The longest end of the chain
        whose resources all have `$recursiveAnchor` begins with the target, as in the library `jsonschema`.
        """
        resource = scope.resource
        if _is_recursive_anchor(resource):
            resource = scope.dynamic.get(_RECURSIVE, resource)
        return resource.schema, self._into(resource, scope), resource.name

    def references(self, schema: dict[str, Any], scope: Scope) -> Iterator[Target]:
        """Yields the targets of all references of a schema itself. scope: inside it. Raises UnresolvedError."""
        if "$ref" in schema:
            yield self.resolve(schema["$ref"], scope)
        if "$dynamicRef" in schema and scope.draft.number >= 2020:
            yield self.resolve_dynamic(schema["$dynamicRef"], scope)
        if "$recursiveRef" in schema and scope.draft.number == 2019:
            yield self.resolve_recursive(scope)

    def _resolve(self, reference: str, scope: Scope) -> Target:
        resource, fragment = self._split(reference, scope)
        if not fragment:
            return resource.schema, self._into(resource, scope), resource.name
        if fragment.startswith("/"):
            return self._follow(resource, fragment, scope)
        return self._anchor(resource, fragment, scope)

    def _split(self, reference: str, scope: Scope) -> tuple[Resource, str]:
        """The resource and the fragment that a reference names."""
        if reference.startswith("#"):
            resource, fragment = scope.resource, reference[1:]
        else:
            uri, fragment = urldefrag(urljoin(scope.resource.uri, reference))
            resource = scope.resource if uri == scope.resource.uri else self._find(uri)
        if fragment and not fragment.startswith("/"):
            self._index_all()
        return resource, unquote(fragment)

    def _into(self, resource: Resource, scope: Scope) -> Scope:
        """The scope at the root of a resource that is entered from `scope`."""
        if resource is scope.resource and scope.start is resource.schema:
            return scope
        dynamic = _entered(resource, scope.dynamic) if self.is_dynamic else scope.dynamic
        return self._scope(resource, resource.draft, dynamic, resource.schema)

    def _anchor(self, resource: Resource, name: str, scope: Scope) -> Target:
        if name not in resource.anchors:
            raise UnresolvedError(f"there is no anchor {name!r} in {_title(resource)}")
        schema, draft, pointer, _ = resource.anchors[name]
        inside = self._into(resource, scope)
        if draft is not inside.draft:
            inside = self._scope(resource, draft, inside.dynamic, schema)
        return schema, inside, pointer

    def _follow(self, resource: Resource, fragment: str, scope: Scope) -> Target:
        """The target of a JSON pointer into a resource. Ids on the way change the base URI.

        Resources that the pointer only passes through do not become part of the dynamic scope. Raises UnresolvedError.
        """
        value: Any = resource.schema
        name = resource.name
        shape: Shape | None = "one"
        inside = self._into(resource, scope)
        for token in fragment.split("/")[1:]:
            key = unescape(token)
            shape = _inner_shape(shape, key, inside.draft)
            try:
                value = part_at(value, key)
            except LookupError:
                raise UnresolvedError(f"there is no {fragment!r} in {_title(resource)}") from None
            name = f"{name}/{token}"
            if shape == "items":
                shape = "many" if isinstance(value, list) else "one"
            if shape == "one" and isinstance(value, dict):
                inside = self.enter(value, inside, name)
        if not isinstance(value, dict | bool):
            raise UnresolvedError(f"{fragment!r} in {_title(resource)} is not a schema")
        outside = self._into(inside.resource, scope)  # its dynamic scope lacks the resources on the way
        return value, self._scope(inside.resource, inside.draft, outside.dynamic, inside.start), name

    def _find(self, uri: str) -> Resource:
        """The resource with this URI: part of a known document, a given one, or a meta-schema of a draft.

        Raises UnresolvedError.
        """
        uri = uri.rstrip("#")
        if uri not in self._by_uri:
            self._index_all()
        if uri not in self._by_uri and uri in self._given:
            self._load(uri, self._given[uri])
        if uri not in self._by_uri and uri in REGISTRY:
            self._load(uri, REGISTRY.contents(uri))
        if uri not in self._by_uri:
            for other, document in self._given.items():
                self._load(other, document)
        if uri not in self._by_uri:
            known = ", ".join(sorted(repr(known) for known in self._by_uri if known)) or "none with a URI"
            how = f"nothing is fetched: give it as resources={{{uri!r}: ...}}"
            raise UnresolvedError(f"there is no resource {uri!r} (known: {known}); {how}")
        return self._by_uri[uri]

    def _load(self, uri: str, document: Schema) -> None:
        if not isinstance(document, dict | bool):
            raise UnresolvedError(f"the resource {uri!r} is not a schema")
        if uri not in self._by_uri:
            has_draft = isinstance(document, dict) and "$schema" in document
            resource = self._document(document, uri, draft_of(document) if has_draft else self.root.draft, f"{uri}#")
            self._by_uri.setdefault(uri, resource)
            self._index_all()

    def _document(self, schema: Schema, uri: str, draft: Draft, name: str) -> Resource:
        """The resource of a whole document. uri: where it was found; its id may give it another URI."""
        own = _id_of(schema, draft) if isinstance(schema, dict) else None
        resource = self._part(schema, uri if own is None else urljoin(uri, own), draft, name)
        resource.is_document = True
        return resource

    def _part(self, schema: Schema, uri: str, draft: Draft, name: str) -> Resource:
        if "#" in uri:
            uri = urldefrag(uri).url
        key = (id(schema), uri)
        found = self._by_schema.get(key)
        if found is None:
            found = self._by_schema[key] = Resource(schema, uri, draft, name)
            self._by_uri.setdefault(uri, found)
            if self.is_dynamic:
                self._index(found)
        return found

    def _scope(self, resource: Resource, draft: Draft, dynamic: dict[str, Resource], start: Schema) -> Scope:
        anchors = tuple(sorted([(name, id(of)) for name, of in dynamic.items()])) if dynamic else ()
        key = (id(resource), draft.number, id(start), anchors)
        found = self._scopes.get(key)
        if found is None:
            found = self._scopes[key] = Scope(resource, draft, dynamic, start)
        return found

    def _index_all(self) -> None:
        for resource in list(self._by_schema.values()):
            if resource.is_document:
                self._index(resource)

    def _index(self, resource: Resource) -> None:
        """Collect the ids and anchors in a resource and in the resources inside it."""
        if resource.is_indexed:
            return
        resource.is_indexed = True
        pending: list[tuple[Any, Draft, str]] = [(resource.schema, resource.draft, resource.name)]
        while pending:
            schema, draft, name = pending.pop()
            if not isinstance(schema, dict):
                continue
            if schema is not resource.schema:
                uri = _id_of(schema, draft)
                draft = draft_named(schema.get("$schema")) or draft
                if uri is not None:
                    self._index(self._part(schema, urljoin(resource.uri, uri), draft, name))
                    continue
            for anchor, is_dynamic in _anchors_of(schema, draft):
                resource.anchors.setdefault(anchor, (schema, draft, name, is_dynamic))
            pending.extend((inner, draft, name + path) for inner, path in subschemas(schema, draft.containers))


def subschemas(schema: dict[str, Any], shapes: Mapping[str, Shape]) -> Iterator[tuple[Any, str]]:
    """Yields (schema, its pointer from `schema`) for each direct subschema. shapes: keyword -> shape of its value."""
    for keyword, value in schema.items():
        shape = shapes.get(keyword)
        if shape is not None:
            for keys, one in held(value, shape):
                yield one, pointer_of((keyword, *keys))


def _id_of(schema: dict[str, Any], draft: Draft) -> str | None:
    """The URI in the id of a schema; None if it has none."""
    uri = schema.get(draft.id_keyword)
    if not isinstance(uri, str) or uri.startswith("#") or (draft.ref_stands_alone and "$ref" in schema):
        return None
    return uri


def _anchors_of(schema: dict[str, Any], draft: Draft) -> Iterator[tuple[str, bool]]:
    """Yields (anchor of a schema, whether it is dynamic)."""
    if draft.number < 2019:
        uri = schema.get(draft.id_keyword)
        if isinstance(uri, str) and "#" in uri and "$ref" not in schema:
            yield urldefrag(uri).fragment, False
        return
    if draft.number >= 2020 and isinstance(schema.get("$dynamicAnchor"), str):
        yield schema["$dynamicAnchor"], True
    if isinstance(schema.get("$anchor"), str):
        yield schema["$anchor"], False


def _entered(resource: Resource, dynamic: dict[str, Resource]) -> dict[str, Resource]:
    """The meanings of dynamic anchors after a resource is entered. Outer resources keep their anchors."""
    names = {name: resource for name, (_, _, _, is_dynamic) in resource.anchors.items() if is_dynamic}
    inside = {**names, **dynamic}
    if _is_recursive_anchor(resource):
        inside.setdefault(_RECURSIVE, resource)
    else:
        inside.pop(_RECURSIVE, None)
    return inside


def _is_recursive_anchor(resource: Resource) -> bool:
    schema = resource.schema
    return resource.draft.number == 2019 and isinstance(schema, dict) and schema.get("$recursiveAnchor") is True


def _inner_shape(shape: Shape | None, key: str, draft: Draft) -> Shape | None:
    """The shape of the value under a key. shape: shape of the outer value. "one" is a schema; None: unknown."""
    if shape == "one":
        return draft.containers.get(key)
    if shape == "maps":
        return "map"
    return "one" if shape in ("many", "map", "dependencies") else None


def _title(resource: Resource) -> str:
    return repr(resource.uri) if resource.uri else "this schema"
