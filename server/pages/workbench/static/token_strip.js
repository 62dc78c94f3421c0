// The tokens that were written, in a row: coloured by how they came about, to be chosen with the mouse or the arrow keys.
import { byId, element, visible } from "./dom.js";
import { isOverruled, nameOf } from "./words.js";

/** Shows steps; onChoose: called with the index of a token that somebody looks at. */
export class TokenStrip {
  constructor(onChoose) {
    this._host = byId("tokens");
    this._onChoose = onChoose;
    this.chosen = null;
    this._host.onclick = (event) => {
      const token = event.target.closest(".token");
      if (token) this.choose(Number(token.dataset.index), true);
    };
    this._host.onkeydown = (event) => this._onKey(event);
  }

  get length() {
    return this._host.childElementCount;
  }

  /** Other tokens than before. */
  replace(steps) {
    this._host.replaceChildren();
    this.chosen = null;
    this.extend(steps);
  }

  /** More tokens after those that are there. */
  extend(steps) {
    const added = steps.slice(this.length).map((step, place) => tokenElement(step, this.length + place));
    this._host.append(...added);
  }

  /** Keep the newest token in sight, unless somebody looks at another one. It makes the browser lay out the page. */
  follow() {
    if (this.chosen === null) this._host.scrollTop = this._host.scrollHeight;
  }

  /** Look at a token; null: at none. isOwn: somebody asked for it here. */
  choose(index, isOwn = false) {
    this._mark(this.chosen, false);
    this.chosen = index;
    this._mark(index, true);
    this._host.setAttribute("aria-activedescendant", index === null ? "" : `token-${index}`);
    if (isOwn) {
      this._host.children[index]?.scrollIntoView({ block: "nearest" });
      this._onChoose(index);
    }
  }

  /** Mark the tokens of a value: from the first to before the end. */
  relate(from, end) {
    [...this._host.children].forEach((token, index) => token.classList.toggle("related", index >= from && index < end));
  }

  _mark(index, isChosen) {
    const token = index === null ? null : this._host.children[index];
    token?.setAttribute("aria-selected", String(isChosen));
  }

  _onKey(event) {
    const last = this.length - 1;
    const now = this.chosen ?? last;
    const next = { ArrowRight: now + 1, ArrowLeft: now - 1, Home: 0, End: last }[event.key];
    if (next === undefined || last < 0) return;
    this.choose(Math.max(0, Math.min(last, next)), true);
    event.preventDefault();
  }
}

function tokenElement(step, index) {
  const made = element("span", {
    role: "option", id: `token-${index}`, className: `token ${step.kind}${isOverruled(step) ? " overruled" : ""}${step.is_thinking ? " thinking" : ""}`, "aria-selected": "false",
  });
  made.dataset.index = String(index);
  for (const piece of step.text.split(/(\n)/)) {
    if (piece === "\n") made.append(element("span", { className: "mark", textContent: "\u21b5", "aria-hidden": "true" }), "\n");
    else if (piece) made.append(piece);
  }
  if (step.text === "") made.append(element("span", { className: "mark", textContent: visible(nameOf(step)) }));
  return made;
}
