// The tab where one watches the model write: buttons, tokens, the step that is looked at, the document, the time.
import { byId, counted, debounced, element, visible } from "./dom.js";
import { Writer } from "./run.js";
import { markStale, showStep } from "./step_panel.js";
import { TokenStrip } from "./token_strip.js";
import { showTree } from "./tree_view.js";
import { nameOf } from "./words.js";

const SHOW_EVERY_MS = 120; // the parts that take longer to draw
const FINISHED = { stop: "The text is complete.", length: "The most tokens are written: the budget has cut the text.", pause: "Paused." };

export class WatchPanel {
  /**
   * onPlace(place): what the step that is looked at says of its place in the grammar; null: nothing.
   * onSeed(seed): a draw has another seed than the settings.
   */
  constructor(settings, { onPlace, onSeed }) {
    this._onPlace = onPlace;
    this._onSeed = onSeed;
    this.writer = new Writer(settings, (what) => this._onWritten(what));
    this._strip = new TokenStrip((index) => this._look(index));
    this._isDue = false;
    this._isSound = false;
    this._lookSoon = debounced(300, () => { if (this._isSound && !this.writer.steps.length) this.writer.look(); });
    this._resampleSoon = debounced(150, () => { if (this._isSound) this.writer.resample(); });
    this._drawSlowly = throttled(SHOW_EVERY_MS, () => this._drawRest());
    byId("run").onclick = () => (this.writer.isRunning ? this.writer.pause() : this._write(() => this.writer.run()));
    byId("step").onclick = () => this._write(() => this.writer.step());
    byId("back").onclick = () => this._go(() => this.writer.back());
    byId("clear").onclick = () => this.writer.clear();
    byId("sample").onclick = () => this._sample(1);
    byId("again").onclick = () => this._sample(0);
    this._drawState();
  }

  /** What is written does not belong to the grammar or the prompt any more. */
  setUpChanged() {
    this.writer.clear();
    this._lookSoon();
  }

  /** The grammar was checked: only with a sound one there is a next token. */
  grammarChecked(isSound) {
    this._isSound = isSound;
    this._lookSoon();
  }

  /** The sampling is another one: what runs goes on with it, else the next token is shown. */
  samplingChanged() {
    this._choose(null);
    if (!this.writer.isRunning && !this.writer.isComplete && this._isSound) markStale(true);
    this._resampleSoon();
  }

  /** Draw the next token again, with a seed so much higher. */
  _sample(more) {
    this._choose(null);
    this._onSeed(this.writer.settings.seed + more);
    this.writer.sample(this.writer.settings.seed);
  }

  /** Write, with the tokens in sight. */
  _write(action) {
    const { top, bottom } = byId("tokens").getBoundingClientRect();
    if (bottom < 0 || top > innerHeight - 100) byId("see").scrollIntoView();
    this._go(action);
  }

  _go(action) {
    this._choose(null);
    action();
  }

  _onWritten(what) {
    if (what === "fork") {
      this._strip.replace(this.writer.steps);
      this._choose(null);
    }
    if (this._isDue) return;
    this._isDue = true;
    requestAnimationFrame(() => this._draw());
  }

  _draw() {
    this._isDue = false;
    this._strip.extend(this.writer.steps);
    this._drawState();
    this._drawSlowly();
  }

  _drawState() {
    const { writer } = this;
    byId("run").textContent = writer.isRunning ? "Pause" : writer.steps.length ? "Go on" : "Run";
    const isDone = writer.isComplete;
    byId("run").disabled = isDone && !writer.isRunning;
    byId("step").disabled = isDone || writer.isRunning;
    byId("back").disabled = writer.isRunning || writer.steps.length === 0;
    byId("clear").disabled = writer.steps.length === 0 && !writer.failure && !writer.draws.length;
    for (const name of ["sample", "again"]) byId(name).disabled = isDone || writer.isRunning;
    byId("draws").replaceChildren(...writer.draws.map(({ step, seed }) =>
      element("code", { textContent: visible(nameOf(step)), title: `seed ${seed}` })));
    byId("watch-error").textContent = writer.failure?.message ?? "";
    byId("watch-status").textContent = statusOf(writer);
    this._drawForks();
  }

  _drawForks() {
    const { forks, current } = this.writer;
    const key = forks.map((fork) => fork.name).join() + current.name;
    if (this._forksShown === key) return;
    this._forksShown = key;
    byId("forks").replaceChildren(...(forks.length > 1 ? forks : []).map((fork) => {
      const title = fork.from ? `From ${fork.from.name === "first" ? "the first text" : `fork ${fork.from.name}`}, at token ${fork.from.index + 1}` : "The first text";
      const text = fork.from ? `fork ${fork.name}` : "first";
      const button = element("button", { type: "button", textContent: text, title, "aria-pressed": String(fork === current) });
      button.onclick = () => this.writer.show(fork);
      return button;
    }));
  }

  _drawRest() {
    const { writer } = this;
    const { steps } = writer;
    this._strip.follow();
    if (this._strip.chosen === null) this._look(writer.ahead ? steps.length : newest(steps));
    showTree(writer.current.text, steps, writer.settings, (range) => {
      this._strip.relate(range.from, range.end);
      this._choose(Math.min(range.from, steps.length - 1));
      this._look(this._strip.chosen);
    });
    drawTimes(steps);
  }

  _choose(index) {
    this._strip.choose(index);
    if (index === null) this._strip.relate(0, 0);
  }

  /** Look at a step; behind the last one, at what would come next. */
  _look(index) {
    const { steps, ahead } = this.writer;
    const step = steps[index] ?? ahead;
    showStep(step, { isAhead: step !== null && step === ahead, onFork: (token) => this.writer.fork(index, token) });
    this._onPlace(step?.place ?? null);
  }
}

/** The newest step that has a text; the end of the answer has none. */
function newest(steps) {
  const place = steps.findLastIndex((step) => step.text !== "");
  return place < 0 ? steps.length - 1 : place;
}

function statusOf({ steps, current, isRunning }) {
  if (!steps.length) return isRunning ? "Waiting for the first token\u2026" : "";
  const of = (kind) => steps.filter((step) => step.kind === kind).length;
  const parts = [counted(steps.length, "token"), `${of("forced")} forced`];
  if (of("closing")) parts.push(`${of("closing")} to close in time`);
  const end = isRunning ? "" : FINISHED[current.finish] ?? (current.finish ? `Ended: ${current.finish}.` : "Paused.");
  return `${parts.join(", ")}. ${end}`;
}

function drawTimes(steps) {
  const sums = {};
  for (const step of steps) {
    for (const [name, ms] of Object.entries(step.times_ms ?? {})) if (ms) sums[name] = (sums[name] ?? 0) + ms;
  }
  byId("timing").hidden = Object.keys(sums).length === 0;
  const rows = Object.entries(sums).flatMap(([name, ms]) => [
    element("dt", { textContent: name }),
    element("dd", { textContent: name === "compile" ? `${ms.toFixed(1)} ms` : `${ms.toFixed(1)} ms, ${(ms / steps.length).toFixed(2)} ms a token` }),
  ]);
  byId("times").replaceChildren(...rows);
}

/** A function that runs at most once in a while, and once more after the last call. */
function throttled(ms, action) {
  let timer = null;
  let last = 0;
  return () => {
    if (timer !== null) return;
    timer = setTimeout(() => {
      timer = null;
      last = performance.now();
      action();
    }, Math.max(0, last + ms - performance.now()));
  };
}
