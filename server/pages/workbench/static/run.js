// What the model has written: steps, one a token, in one or more forks; and the requests that make them.
import { stream } from "./api.js";
import { grammarFields, promptFields, samplingFields } from "./settings.js";
import { NUM_LOOKED_AT } from "./words.js";

/** A text that was written token by token. steps: as the server tells them. from: {name, index} of a fork, or null. */
class Fork {
  constructor(name, steps = [], from = null) {
    Object.assign(this, { name, steps, from, finish: null });
  }

  /** The answer so far, without what was thought before it. */
  get text() {
    return this.steps.map((step) => (step.is_thinking ? "" : step.text)).join("");
  }
}

/**
 * The writer: runs, pauses, goes on token by token, goes back, forks, looks ahead, draws the next token again.
 *
 * onChange(what): "tokens" for more of them, "fork" for another list of tokens, "state" for all else. A token that was
 * asked for comes: what is asked while an answer is awaited waits for its turn.
 */
export class Writer {
  constructor(settings, onChange) {
    this.settings = settings;
    this._onChange = onChange;
    this._stop = null; // ends the stream that is read
    this._isLong = false;
    this._stopLook = null; // ends a look; whatever is asked for later does so
    this._stopDraw = null; // ends a draw; only `clear` and another fork do so
    this._turns = Promise.resolve();
    this._age = 0; // what is asked for is of an age; `clear` begins another one
    this._reset();
  }

  get isRunning() {
    return this._stop !== null && this._isLong;
  }

  get steps() {
    return this.current.steps;
  }

  get isComplete() {
    return this.current.finish === "stop";
  }

  /** Write until the end, or until `pause`. */
  run() {
    return this._inTurn(() => this._ask(null));
  }

  /** Write one token. */
  step() {
    return this._inTurn(() => this._ask(1));
  }

  /** Stop after the tokens that are there. */
  pause() {
    this._stop?.abort();
  }

  /** Take the last token away. */
  back() {
    return this._inTurn(() => {
      this.steps.pop();
      this.current.finish = null;
      this._show(this.current);
    });
  }

  /** Begin anew; what is still asked for is not wanted any more. */
  clear() {
    this.pause();
    this._age += 1;
    this._reset();
    this._show(this.current);
  }

  /** Go on from another token at a step, or at the next one: a new fork. token: of the step's lists. */
  fork(index, token) {
    this.pause();
    return this._inTurn(() => {
      const from = this.current;
      const step = from.steps[index] ?? this.ahead;
      const rawProb = step.top_raw.find((one) => one.token_id === token.token_id)?.prob ?? null;
      const text = token.special ? "" : token.text.replaceAll("\ufffd", "");
      const bytes = [...new TextEncoder().encode(token.text)];
      const chosen = { ...step, token_id: token.token_id, text, bytes, kind: "chosen", raw_prob: rawProb, prob: token.prob };
      this._numForks += 1;
      const fork = new Fork(`${this._numForks}`, [...from.steps.slice(0, index), chosen], { name: from.name, index });
      this.forks.push(fork);
      this._show(fork);
      return this._ask(null);
    });
  }

  /** Show another fork. */
  show(fork) {
    this.pause();
    this._inTurn(() => this._show(fork));
  }

  /** See what the next token would be, as `ahead`, without writing it. */
  look() {
    if (this.isRunning) return this._turns;
    const stop = new AbortController();
    const turn = this._inTurn(() => this._look(this.settings, stop));
    this._stopLook = stop;
    return turn;
  }

  /** Draw the next token with a seed, without writing it: it is `ahead`, and the last one of `draws`. */
  sample(seed) {
    return this._inTurn(async () => {
      this._stopDraw = new AbortController();
      const step = await this._look({ ...this.settings, seed }, this._stopDraw);
      if (step !== null) this.draws.push({ step, seed });
    });
  }

  /** The step that comes next with these settings; null where there is none, or something else was asked for meanwhile. */
  async _look(settings, stop) {
    if (this.isComplete || stop.signal.aborted) return null;
    this.ahead = null;
    let seen = null;
    const failure = await this._request(settings, 1, NUM_LOOKED_AT, stop.signal, (step) => { seen = step; });
    if (stop.signal.aborted) return null;
    this.ahead = seen;
    this.failure = failure;
    return seen;
  }

  /** The sampling has changed: what runs goes on with it, else the next token is looked at. */
  resample() {
    if (!this.isRunning) return this.look();
    this.pause();
    return this.run();
  }

  _reset() {
    this._stopLooks();
    this.current = new Fork("first");
    this.forks = [this.current];
    this._numForks = 1;
    this.ahead = null;
    this.draws = []; // of the next token: {step, seed} each
    this.failure = null;
  }

  _stopLooks() {
    this._stopLook?.abort();
    this._stopDraw?.abort();
  }

  _show(fork) {
    this._stopLooks();
    Object.assign(this, { current: fork, ahead: null, draws: [], failure: null });
    this._onChange("fork");
  }

  _inTurn(action) {
    this._stopLook?.abort();
    const age = this._age;
    this._turns = this._turns.then(async () => {
      if (age === this._age) await action();
      this._onChange("state");
    });
    return this._turns;
  }

  /** maxTokens: null for all that are left. */
  async _ask(maxTokens) {
    const fork = this.current;
    if (this.isComplete) return;
    const stop = new AbortController();
    Object.assign(this, { _stop: stop, _isLong: maxTokens === null, ahead: null, draws: [], failure: null });
    this._onChange("state");
    const failure = await this._request(this.settings, maxTokens, undefined, stop.signal, (step) => {
      fork.steps.push(step);
      fork.finish = step.finish_reason;
      if (fork === this.current) this._onChange("tokens");
    });
    this._stop = null;
    if (fork === this.current && !stop.signal.aborted) this.failure = failure;
  }

  async _request(settings, maxTokens, numTop, signal, onStep) {
    let body;
    try {
      body = stepsRequest(settings, this.steps, maxTokens, numTop);
    } catch (error) {
      return { message: error.message };
    }
    return stream("v1/workbench/steps", body, signal, (name, step) => { if (!signal.aborted) onStep(step); });
  }
}

/** The body of a request for steps. Throws an Error for settings that can't be sent. */
export function stepsRequest(settings, written, maxTokens, numTop) {
  return {
    model: settings.model || undefined, ...promptFields(settings), ...grammarFields(settings), ...samplingFields(settings),
    max_answer_tokens: settings.max_tokens, max_tokens: maxTokens ?? undefined, num_top: numTop,
    prefix_token_ids: written.map((step) => step.token_id),
  };
}
