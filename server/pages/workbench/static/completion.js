// Completion for JSON Schemas: keywords where a schema's keys stand, and the values that a keyword can have.
import { keysAt, pathTo, pointerOf, treeOf } from "./json_places.js";

/** A completion source. data: of the server, see data.py. isOn: whether the text is a JSON Schema. */
export function schemaCompletion(data, isOn) {
  const keywords = new Map(data.keywords.map((one) => [one.name, one]));
  return (context) => {
    if (!isOn()) return null;
    const text = context.state.doc.toString();
    const node = treeOf(context.state).resolveInner(context.pos, -1);
    const word = context.matchBefore(/"?[\w$-]*/);
    if (!word || (word.from === word.to && !context.explicit)) return null;
    const property = above(node, "Property");
    const isValue = property && /:\s*(?:\[[^\]]*)?"?[\w$-]*$/.test(text.slice(property.from, context.pos)) && colon(text, property) < context.pos;
    const options = isValue ? valuesAt(text, property, data, context) : keywordsAt(text, node, keywords, context.pos);
    return options.length ? { from: word.from, to: closedEnd(text, context.pos), options, validFor: /^"?[\w$-]*$/ } : null;
  };
}

function above(node, name) {
  for (let one = node; one; one = one.parent) {
    if (one.name === name) return one;
    if (one.name === "Object") return null;
  }
  return null;
}

function colon(text, property) {
  const name = property.getChild("PropertyName");
  return name ? text.indexOf(":", name.to) : property.from;
}

/** After the quote that the editor has closed by itself. */
const closedEnd = (text, pos) => (text[pos] === '"' ? pos + 1 : pos);

function keywordsAt(text, node, keywords, pos) {
  const object = objectAround(node);
  if (!object || !isSchema(pathTo(text, object), keywords)) return [];
  const used = new Set(object.getChildren("Property").filter((one) => one.to < pos || one.from > pos).map((one) => {
    const name = one.getChild("PropertyName");
    return name ? text.slice(name.from + 1, name.to - 1) : "";
  }));
  const type = /"type"\s*:\s*"(\w+)"/.exec(text.slice(object.from, object.to))?.[1];
  return [...keywords.values()].filter((one) => !used.has(one.name)).map((one) => ({
    label: `"${one.name}"`, detail: one.about, apply: `"${one.name}": ${one.value}`,
    boost: one.about.split(", ").includes(type) ? 2 : one.about === "any" ? 1 : 0,
  }));
}

function objectAround(node) {
  for (let one = node; one; one = one.parent) {
    if (one.name === "Object") return one;
    if (one.name === "Array") return null;
  }
  return null;
}

/** Whether an object that these keys lead to is a schema, not a map of schemas or somebody's data. */
function isSchema(path, keywords) {
  let shape = "one";
  for (const key of path) {
    if (shape === "one") shape = keywords.get(key)?.shape ?? "data";
    else if (shape === "items") shape = typeof key === "number" ? "one" : keywords.get(key)?.shape ?? "data";
    else if (shape === "maps") shape = "map";
    else if (shape !== "data") shape = "one";
  }
  return shape === "one" || shape === "items";
}

function valuesAt(text, property, data, context) {
  const name = property.getChild("PropertyName");
  const key = name ? text.slice(name.from + 1, name.to - 1) : "";
  const words = { type: data.types, format: data.formats, $ref: references(text, treeOf(context.state)) }[key];
  if (words) return words.map((one) => ({ label: `"${one}"` }));
  const keyword = data.keywords.find((one) => one.name === key);
  return keyword?.value === "true" && context.explicit ? [{ label: "true" }, { label: "false" }] : [];
}

/** References to the definitions of a schema. */
function references(text, tree) {
  return ["$defs", "definitions"].flatMap((place) => keysAt(text, tree, `/${place}`).map((name) => `#${pointerOf([place, name])}`));
}
