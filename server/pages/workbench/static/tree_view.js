// The document that was written, as a tree; its values say how sure they are, and show their tokens.
import { byId, element, percent } from "./dom.js";
import { promptText } from "./settings.js";
import { boundaries, confidence, content, readTree, stepsOf } from "./json_tree.js";

const LOW = 0.5;
const MIDDLE = 0.9;

/** Show the document of the steps; hide the part if the text is none. onLook({from, end}): a value is looked at. */
export function showTree(text, steps, settings, onLook) {
  const root = /^\s*[[{"]/.test(text) ? readTree(text) : null;
  byId("document").hidden = root === null;
  showQuotes(root, text, settings);
  if (root === null) return byId("tree").replaceChildren();
  const places = boundaries(steps);
  const list = element("ul", {}, item(root, { text, steps, places, onLook }));
  return byId("tree").replaceChildren(list);
}

function item(node, about) {
  const range = stepsOf(node, about.places);
  const button = element("button", { type: "button", className: "node" }, ...label(node, about, range));
  button.onclick = () => about.onLook(range);
  const made = element("li", {}, button);
  if (node.children.length) made.append(element("ul", {}, ...node.children.map((child) => item(child, about))));
  return made;
}

function label(node, { text, steps }, range) {
  const parts = [];
  if (node.name !== null) parts.push(element("span", { className: "name", textContent: `${node.name}:` }));
  if (node.kind === "object" || node.kind === "array") {
    const noun = node.kind === "object" ? "{\u2009}" : "[\u2009]";
    parts.push(element("span", { className: node.isOpen ? "open" : "", textContent: node.isOpen ? `${noun} \u2026` : noun }));
    return parts;
  }
  parts.push(element("span", { textContent: text.slice(node.from, node.to) + (node.isOpen ? "\u2026" : "") }));
  const sure = confidence(steps, range);
  if (sure !== null && !node.isOpen) {
    const level = sure < LOW ? " low" : sure < MIDDLE ? " middle" : "";
    parts.push(element("span", { className: `sure${level}`, textContent: percent(sure), title: "The probability with which its tokens were drawn" }));
  }
  return parts;
}

/** The prompt, with the document's strings marked where they stand in it. */
function showQuotes(root, text, settings) {
  const source = promptText(settings);
  const found = root === null ? [] : placesIn(source, strings(root, text));
  byId("source").hidden = found.length === 0;
  const parts = [];
  let end = 0;
  for (const { from, to, name } of found) {
    parts.push(source.slice(end, from), element("mark", { textContent: source.slice(from, to), title: name }));
    end = to;
  }
  byId("source-text").replaceChildren(...parts, source.slice(end));
}

function strings(node, text) {
  const own = node.kind === "string" && !node.isOpen ? [{ name: String(node.name ?? ""), text: content(text.slice(node.from, node.to)) }] : [];
  return [...own, ...node.children.flatMap((child) => strings(child, text))];
}

/** Where a text stands in the source, with no letter or digit before or after it that goes on with it; -1: nowhere. */
function placeOf(source, text) {
  if (text.trim() === "") return -1;
  const escaped = text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/\s+/g, "\\s+");
  const begin = /^[\p{L}\p{N}]/u.test(text) ? "(?<![\\p{L}\\p{N}])" : "";
  const end = /[\p{L}\p{N}]$/u.test(text) ? "(?![\\p{L}\\p{N}])" : "";
  return source.search(new RegExp(begin + escaped + end, "u"));
}

/** Where the texts stand in the source: one after the other, none within another. */
function placesIn(source, texts) {
  const found = [];
  for (const { name, text } of texts) {
    const from = placeOf(source, text);
    if (from >= 0) found.push({ from, to: from + text.length, name });
  }
  found.sort((one, other) => one.from - other.from || other.to - one.to);
  return found.filter((one, place) => found.slice(0, place).every((before) => before.to <= one.from));
}
