// Where things stand in a JSON text that is being written: from pointers to places and back, on the editor's own tree.
import { ensureSyntaxTree, json, syntaxTree } from "./vendor/editor.js";

const VALUES = new Set(["Object", "Array", "String", "Number", "True", "False", "Null"]);
const parser = json().language.parser;

/** The parts of a JSON pointer. */
export const partsOf = (pointer) =>
  pointer === "" ? [] : pointer.slice(1).split("/").map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));

/** A JSON pointer of parts. */
export const pointerOf = (parts) => parts.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

/** The tree of an editor's text, whole if that takes no longer than a moment. */
export const treeOf = (state) => ensureSyntaxTree(state, state.doc.length, 50) ?? syntaxTree(state);

/**
 * The range of what a pointer names: of a member the key and the value, of its key alone with `keyOnly`, null if it is
 * not there.
 */
export function rangeOf(text, tree, pointer, { keyOnly = false } = {}) {
  let value = valueIn(tree.topNode);
  let range = value && { from: value.from, to: value.to };
  for (const part of partsOf(pointer)) {
    const found = value && child(text, value, part);
    if (!found) return null;
    value = found.value;
    range = { from: found.from, to: keyOnly || !value ? found.keyTo : value.to };
  }
  return range;
}

function child(text, value, part) {
  if (value.name === "Object") {
    for (const property of value.getChildren("Property")) {
      const name = property.getChild("PropertyName");
      if (name && unquoted(text.slice(name.from, name.to)) === part) {
        return { value: valueIn(property), from: name.from, keyTo: name.to };
      }
    }
  }
  if (value.name === "Array") {
    const item = valuesIn(value)[Number(part)];
    if (item) return { value: item, from: item.from, keyTo: item.to };
  }
  return null;
}

const valuesIn = (node) => {
  const found = [];
  for (let one = node.firstChild; one; one = one.nextSibling) if (VALUES.has(one.name)) found.push(one);
  return found;
};
const valueIn = (node) => valuesIn(node)[0] ?? null;

/** The keys of the object that a pointer names; none if there is no object. */
export function keysAt(text, tree, pointer) {
  let value = valueIn(tree.topNode);
  for (const part of partsOf(pointer)) value = value && child(text, value, part)?.value;
  if (value?.name !== "Object") return [];
  const names = value.getChildren("Property").map((one) => one.getChild("PropertyName"));
  return names.filter((one) => one).map((one) => unquoted(text.slice(one.from, one.to)));
}

/** The text of a JSON string with its quotes; what is no whole one, as it is. */
export function unquoted(source) {
  try {
    return JSON.parse(source);
  } catch {
    return source.replace(/^"|"$/g, "");
  }
}

/** The keys that lead to a node of the tree, outermost first. */
export function pathTo(text, node) {
  const path = [];
  for (let one = node; one?.parent; one = one.parent) {
    if (one.parent.name === "Property" && VALUES.has(one.name)) {
      const name = one.parent.getChild("PropertyName");
      path.unshift(name ? unquoted(text.slice(name.from, name.to)) : "");
    } else if (one.parent.name === "Array") {
      path.unshift(valuesIn(one.parent).findIndex((item) => item.from === one.from));
    }
  }
  return path;
}

/** Where a text stops being JSON, null if it is JSON: {message, from, line, column}. */
export function jsonError(text) {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    const from = firstError(parser.parse(text), text.length);
    const before = text.slice(0, from).split("\n");
    return { message: describe(text, from, error), from, line: before.length, column: before.at(-1).length + 1 };
  }
}

function describe(text, from, error) {
  if (text.trim() === "") return "there is no JSON here yet";
  if (from >= text.trimEnd().length) return "the JSON is not complete";
  const next = text.slice(from).match(/^\s*(\S)/)?.[1] ?? "";
  if (next === "'") return "strings are written in double quotes";
  if (/[}\]]/.test(next) && /,\s*$/.test(text.slice(0, from))) return "no comma before a closing bracket";
  return `not JSON: ${error.message.replace(/ in JSON at position.*/s, "").replace(/, (\.\.\.)?".*/s, "")}`;
}

function firstError(tree, end) {
  let found = end;
  tree.iterate({ enter: (node) => { if (node.type.isError && node.from < found) found = node.from; } });
  return found;
}
