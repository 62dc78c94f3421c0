// The document that was written, as a tree; its values say how sure they are, and show their tokens.
import { byId, element, percent } from "./dom.js";
import { promptText, quoteRules } from "./settings.js";
import { pointerOf } from "./json_places.js";
import { boundaries, confidence, content, readTree, stepsOf } from "./json_tree.js";

const LOW = 0.5;
const MIDDLE = 0.9;

/** Show the document of the steps; hide the part if the text is none. onLook({from, end}): a value is looked at. */
export function showTree(text, steps, settings, onLook) {
  const root = /^\s*[[{"]/.test(text) ? readTree(text) : null;
  byId("document").hidden = root === null;
  const about = { text, steps, places: boundaries(steps), onLook };
  showQuotes(root, about, settings);
  if (root === null) return byId("tree").replaceChildren();
  const list = element("ul", {}, item(root, about));
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
    parts.push(element("span", { className: `sure${level}`, textContent: percent(sure), title: "How probable its tokens were for the model, among those that the grammar allows" }));
  }
  return parts;
}

/** The prompt, with the document's quotes marked where they stand in it. */
function showQuotes(root, about, settings) {
  const source = promptText(settings);
  const ruleOf = quoteRules(settings);
  const found = root === null || ruleOf === null ? [] : placesIn(source, quotes(root, about, ruleOf));
  byId("source").hidden = found.length === 0;
  const parts = [];
  let end = 0;
  for (const { from, to, name } of found) {
    parts.push(source.slice(end, from), element("mark", { textContent: source.slice(from, to), title: name }));
    end = to;
  }
  byId("source-text").replaceChildren(...parts, source.slice(end));
}

/** The document's strings that the grammar takes from a source: their name, what they say, and the rule of their quote. */
function quotes(node, about, ruleOf, pointer = "") {
  const found = node.children.flatMap((child) => quotes(child, about, ruleOf, pointer + pointerOf([child.name])));
  if (node.kind !== "string" || node.isOpen) return found;
  const { from, end } = stepsOf(node, about.places);
  const places = about.steps.slice(from, end).map((step) => step.place).filter((place) => place?.document === pointer);
  const rule = ruleOf(places.flatMap((place) => place.schemas));
  return rule ? [{ name: String(node.name ?? ""), text: content(about.text.slice(node.from, node.to)), rule }, ...found] : found;
}

/** Where a text stands in the source, from and to; of whole words, with no letter or digit beside it. null: nowhere. */
function placeOf(source, text, { boundaries: ends = "words", whitespace = "collapse" }) {
  if (text.trim() === "") return null;
  const escaped = text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const spaced = whitespace === "collapse" ? escaped.replace(/\s+/g, "\\s+") : escaped;
  const begin = ends === "words" && /^[\p{L}\p{N}]/u.test(text) ? "(?<![\\p{L}\\p{N}])" : "";
  const end = ends === "words" && /[\p{L}\p{N}]$/u.test(text) ? "(?![\\p{L}\\p{N}])" : "";
  const found = new RegExp(begin + spaced + end, "u").exec(source);
  return found && { from: found.index, to: found.index + found[0].length };
}

/** Where the texts stand in the source: one after the other, none within another. */
function placesIn(source, texts) {
  const found = [];
  for (const { name, text, rule } of texts) {
    const place = placeOf(source, text, rule);
    if (place) found.push({ ...place, name });
  }
  found.sort((one, other) => one.from - other.from || other.to - one.to);
  return found.filter((one, place) => found.slice(0, place).every((before) => before.to <= one.from));
}
