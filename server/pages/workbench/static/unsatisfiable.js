// Which part of a schema nothing fits: the server says that of a whole grammar, so its parts are asked about one by one.
import { post } from "./api.js";
import { pointerOf } from "./json_places.js";

const MAX_ASKED = 60;

/**
 * The JSON pointer of the innermost part that must hold and that nothing fits by itself; null if there is none, as where
 * two parts exclude each other. fields: what is sent beside the schema. isWanted: false once nobody waits any more.
 */
export async function impossiblePart(source, fields, isWanted) {
  const root = JSON.parse(source);
  const shared = Object.fromEntries(["$schema", "$defs", "definitions"].filter((name) => root[name] !== undefined).map((name) => [name, root[name]]));
  const parts = [...partsThatMustHold(root, [])].reverse().slice(0, MAX_ASKED); // what is inside comes first
  for (const { path, schema } of parts) {
    const { failure } = await post("v1/grammar/check", { ...fields, json_schema: { ...shared, ...schema } });
    if (!isWanted()) return null;
    if (failure?.code === "unsatisfiable_grammar") return pointerOf(path);
  }
  return null;
}

/** The schemas within a schema without which there is no document, each after the one that holds it. */
function* partsThatMustHold(schema, path) {
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const found = [
    ...Object.entries(schema.properties ?? {}).filter(([key]) => required.has(key)).map(([key, one]) => [["properties", key], one]),
    ...(Array.isArray(schema.allOf) ? schema.allOf : []).map((one, index) => [["allOf", index], one]),
    ...(schema.minItems > 0 ? [[["items"], schema.items]] : []),
    [["contains"], schema.contains],
  ];
  for (const [keys, inner] of found) {
    if (inner === null || typeof inner !== "object" || Array.isArray(inner)) continue;
    yield { path: [...path, ...keys], schema: inner };
    yield* partsThatMustHold(inner, [...path, ...keys]);
  }
}
