// A JSON text as a tree while it is written: what is not there yet is missing, and nothing is an error.

const SPACE = /[ \t\r\n]*/y;
const STRING = /"(?:[^"\\]|\\.)*("?)/ys;
const OTHER = /[^\s,\]}]+/y;

/**
 * The tree of the text's document, null if it does not begin with a value. A node: kind (object, array, string, other),
 * name (key or index, null of the root), from, to, isOpen (not ended yet), children.
 */
export function readTree(text) {
  const reader = { text, place: 0 };
  skip(reader);
  return reader.place < text.length ? value(reader, null) : null;
}

function value(reader, name) {
  const from = reader.place;
  const first = reader.text[from];
  if (first === "{" || first === "[") return container(reader, name, first === "{");
  const kind = first === '"' ? "string" : "other";
  const found = match(reader, kind === "string" ? STRING : OTHER);
  if (!found) return null;
  const isOpen = kind === "string" ? found[1] === "" : reader.place === reader.text.length;
  return { kind, name, from, to: reader.place, isOpen, children: [] };
}

function container(reader, name, isObject) {
  const node = { kind: isObject ? "object" : "array", name, from: reader.place, to: 0, isOpen: true, children: [] };
  reader.place += 1;
  while (node.isOpen) {
    skip(reader);
    const next = reader.text[reader.place];
    if (next === undefined) break;
    if (next === "}" || next === "]") {
      node.isOpen = false;
      reader.place += 1;
    } else if (next === ",") reader.place += 1;
    else if (!member(reader, node)) break;
  }
  node.to = reader.place;
  return node;
}

function member(reader, node) {
  let name = node.children.length;
  if (node.kind === "object") {
    const key = match(reader, STRING);
    if (!key || key[1] === "") return false;
    name = content(key[0]);
    skip(reader);
    if (reader.text[reader.place] !== ":") return false;
    reader.place += 1;
    skip(reader);
  }
  const child = reader.place < reader.text.length ? value(reader, name) : null;
  if (child) node.children.push(child);
  return child !== null;
}

/** What a string of the source says, with or without its last quote. */
export function content(source) {
  const closed = source.length > 1 && source.endsWith('"') ? source : `${source}"`;
  try {
    return JSON.parse(closed);
  } catch {
    return source.slice(1);
  }
}

function skip(reader) {
  match(reader, SPACE);
}

function match(reader, pattern) {
  pattern.lastIndex = reader.place;
  const found = pattern.exec(reader.text);
  if (found) reader.place = pattern.lastIndex;
  return found;
}

/** Where each step's text begins in the whole text, in UTF-16 units; and at last, where it ends. */
export function boundaries(steps) {
  const places = [0];
  for (const step of steps) places.push(places.at(-1) + (step.is_thinking ? 0 : step.text.length));
  return places;
}

/** The steps that wrote a value: from the first to before the end. After a number also the one that ends it. */
export function stepsOf(node, places) {
  const end = node.to + (node.kind === "other" && !node.isOpen ? 1 : 0);
  let first = 0;
  while (first + 1 < places.length && places[first + 1] <= node.from) first += 1;
  let last = first;
  while (last + 1 < places.length && places[last] < end) last += 1;
  return { from: first, end: last };
}

/** How sure the model is of a value: the probability of its tokens among those that the grammar allows; null where that is not known. */
export function confidence(steps, { from, end }) {
  let product = 1;
  for (const step of steps.slice(from, end)) {
    if (step.kind === "forced") continue;
    if (step.raw_prob === null || step.raw_prob === undefined) return null;
    const allowed = 1 - (step.masked_mass ?? 0);
    product *= allowed > 0 ? Math.min(1, step.raw_prob / allowed) : 1;
  }
  return product;
}
