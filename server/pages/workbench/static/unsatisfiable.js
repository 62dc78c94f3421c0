// Which part of a schema nothing fits: the server says that of a whole grammar, so its parts are asked about one by one.
import { post } from "./api.js";
import { pointerOf } from "./json_places.js";

const MAX_ASKED = 60;
const MAPS = new Set(["map", "maps", "dependencies"]);

/**
 * The JSON pointer of the innermost part that nothing fits by itself; null if it is only the whole that nothing fits.
 * keywords: of the server's data. fields: what is sent beside the schema. isWanted: false once nobody waits any more.
 */
export async function impossiblePart(source, keywords, fields, isWanted) {
  const root = JSON.parse(source);
  const shapes = new Map(keywords.map((one) => [one.name, one.shape]));
  const shared = Object.fromEntries(["$schema", "$defs", "definitions"].filter((name) => root[name] !== undefined).map((name) => [name, root[name]]));
  const parts = [...schemasIn(root, [], shapes)].reverse().slice(0, MAX_ASKED); // what is inside comes first
  for (const { path, schema } of parts) {
    const { failure } = await post("v1/grammar/check", { ...fields, json_schema: { ...shared, ...schema } });
    if (!isWanted()) return null;
    if (failure?.code === "unsatisfiable_grammar") return pointerOf(path);
  }
  return null;
}

/** The schemas within a schema, each after the one that holds it; no booleans, and none that are only named. */
function* schemasIn(schema, path, shapes) {
  for (const [name, value] of Object.entries(schema)) {
    const shape = shapes.get(name);
    if (!shape || name === "not" || name === "if") continue; // that nothing fits these is no fault
    for (const [keys, inner] of held(value, shape)) {
      if (inner === null || typeof inner !== "object" || Array.isArray(inner)) continue;
      const place = [...path, name, ...keys];
      yield { path: place, schema: inner };
      yield* schemasIn(inner, place, shapes);
    }
  }
}

function held(value, shape) {
  if (shape === "one" || (shape === "items" && !Array.isArray(value))) return [[[], value]];
  if (shape === "many" || shape === "items") return Array.isArray(value) ? value.map((one, index) => [[index], one]) : [];
  return MAPS.has(shape) && value !== null && typeof value === "object" ? Object.entries(value).map(([key, one]) => [[key], one]) : [];
}
