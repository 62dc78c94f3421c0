// One step, looked at: why its token stands there, what the grammar expected, the likeliest tokens with and without it.
import { byId, element, percent, quoted, visible } from "./dom.js";
import { KIND_WORDS, hasGrammar, leftWords, maskWords, nameOf, why } from "./words.js";

const NUM_BARS = 10;
const HARDLY = 0.0001; // smaller shares would all be shown as <0.01 %

/**
 * Show a step, null: none. isAhead: it is not written yet. onFork(token): somebody clicks a token to go on from there.
 */
export function showStep(step, { isAhead = false, onFork }) {
  const panel = byId("step-panel");
  markStale(false);
  panel.hidden = step === null;
  if (step === null) return panel.replaceChildren();
  return panel.replaceChildren(head(step, isAhead), reason(step, isAhead), facts(step),
    element("div", { className: "charts" }, ...charts(step, onFork)));
}

/** Mark what is shown as of other settings: the new answer is awaited. */
export function markStale(isStale) {
  const panel = byId("step-panel");
  panel.classList.toggle("stale", isStale);
  panel.setAttribute("aria-busy", String(isStale));
}

/** What the model gives, and what is drawn from; once where neither a grammar nor the sampling makes a difference. */
function charts(step, onFork) {
  if (!hasGrammar(step) && isSame(step.top_raw, step.top)) return [chart("The next token", "with", step.top, step, onFork)];
  const [without, drawnFrom] = hasGrammar(step) ? ["Without the grammar", "With the grammar"] : ["The model\u2019s own", "After temperature and filters"];
  return [chart(without, "without", step.top_raw, step, onFork), chart(drawnFrom, "with", step.top, step, onFork)];
}

function isSame(raw, drawnFrom) {
  return raw.length === drawnFrom.length &&
    raw.every((one, place) => Math.abs(one.prob - drawnFrom[place].prob) < 1e-6);
}

function head(step, isAhead) {
  const title = isAhead ? "The next token would be" : `Token ${step.index + 1}`;
  return element("div", { className: "step-head" }, element("h3", { textContent: title }),
    element("code", { textContent: visible(nameOf(step)) }),
    element("span", { className: "kind", textContent: `${KIND_WORDS[step.kind] ?? step.kind} \u00b7 id ${step.token_id}` }));
}

function reason(step, isAhead) {
  return element("p", { className: "why", textContent: isAhead ? `${why(step)} ${leftWords(step)}` : why(step) });
}

function facts(step) {
  const list = element("dl", { className: "facts" });
  const add = (name, ...value) => list.append(element("dt", { textContent: name }), element("dd", {}, ...value));
  if (step.expected) add("The grammar expects", step.expected);
  if (step.masked_mass !== null && step.masked_mass !== undefined) add("The mask", meter(step.masked_mass), maskWords(step));
  if (step.raw_prob !== null && step.raw_prob !== undefined) {
    add("Probability", `${percent(step.raw_prob)} by the model alone${step.prob === null ? "" : `, ${percent(step.prob)} when it was drawn`}`);
  }
  if (step.place?.document !== undefined && step.place.document !== null) add("In the document", element("code", { textContent: step.place.document || "the root" }));
  const schemas = step.place?.schemas ?? [];
  if (schemas.length) add("In the schema", element("code", { textContent: schemas.map((one) => one || "the root").join(", ") }));
  return list;
}

function meter(share) {
  const filled = element("i");
  filled.style.width = `${100 * share}%`;
  return element("span", { className: "meter", "aria-hidden": "true" }, filled);
}

function chart(title, kind, tokens, step, onFork) {
  const shown = tokens.slice(0, NUM_BARS);
  const bars = (some) => element("ul", { className: "bars" }, ...some.map((one) => element("li", {}, bar(one, step, onFork))));
  const isHardly = (one) => one.prob < HARDLY && one.token_id !== step.token_id;
  const parts = [element("h3", { textContent: title }), bars(shown.filter((one) => !isHardly(one)))];
  if (!shown.length) parts.push(element("p", { className: "hint", textContent: "Nothing was computed here: there was nothing to choose." }));
  const rare = shown.filter(isHardly);
  if (rare.length) parts.push(element("details", { className: "rare" }, element("summary", { textContent: `${rare.length} more, each below 0.01 %` }), bars(rare)));
  return element("div", { className: kind }, ...parts);
}

function bar(one, step, onFork) {
  const isWritten = one.token_id === step.token_id;
  const filled = element("i");
  filled.style.width = `${100 * one.prob}%`;
  const parts = [element("code", { textContent: visible(one.text) }), element("span", { className: "track" }, filled),
    element("span", { className: "share", textContent: percent(one.prob) })];
  const className = `bar${one.allowed ? "" : " out"}${isWritten ? " written" : ""}`;
  if (!one.allowed || isWritten) {
    return element("div", { className, title: one.allowed ? "This one was written." : "The grammar rules it out here." }, ...parts,
      element("span", { className: "unseen", textContent: one.allowed ? " (written)" : " (ruled out)" }));
  }
  const button = element("button", { type: "button", className, title: `Go on from ${quoted(one.text)}: a new fork` }, ...parts);
  button.onclick = () => onFork(one);
  return button;
}
