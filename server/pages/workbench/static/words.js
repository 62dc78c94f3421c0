// What happened at a step, in words.
import { counted, percent, quoted } from "./dom.js";

/** Of the likeliest tokens, how many a look at the next one asks for. */
export const NUM_LOOKED_AT = 50;

export const KIND_WORDS = { drawn: "drawn", forced: "forced", closing: "closing in time", chosen: "your choice" };

const decoder = new TextDecoder();

/** A step's token as one reads it: its text; of one without a text (the end of the answer) its name. */
export const nameOf = (step) => step.text || decoder.decode(Uint8Array.from(step.bytes));

/** Whether the model's favourite was ruled out, and something else is there in its place. */
export function isOverruled(step) {
  const favourite = step.top_raw[0];
  return step.kind !== "forced" && favourite !== undefined && !favourite.allowed && favourite.token_id !== step.token_id;
}

/** Whether a grammar had a say at this step. */
export const hasGrammar = ({ num_allowed: allowed }) => allowed !== null && allowed !== undefined;

/** Why this token stands here: a sentence or two. */
export function why(step) {
  const written = quoted(nameOf(step));
  const favourite = step.top_raw[0];
  if (step.kind === "forced") {
    const wanted = favourite && favourite.token_id !== step.token_id ? ` The model itself would have begun with ${quoted(favourite.text)} (${percent(favourite.prob)}).` : "";
    return `The grammar left only one way to go on, so nothing was drawn.${wanted}`;
  }
  if (step.kind === "closing") return "The tokens that are left are just enough to complete the text, so only those that lead to its end were allowed.";
  if (step.kind === "chosen") return `You chose ${written} here; the model gave it ${percent(step.prob) || "little"}${hasGrammar(step) ? " of what the grammar allows" : ""}.`;
  if (!favourite) return `${written} was drawn.`;
  if (favourite.token_id === step.token_id) {
    return `The model\u2019s own first choice (${percent(step.raw_prob)})${hasGrammar(step) ? ", and the grammar allows it" : ""}.`;
  }
  if (!favourite.allowed) {
    return `The model would rather have written ${quoted(favourite.text)} (${percent(favourite.prob)}), which the grammar rules out here. ` +
      `Of what it allows, ${written} had ${percent(step.prob)}.`;
  }
  const best = step.top[0];
  return best && best.token_id !== step.token_id
    ? `Drawn at random: ${quoted(best.text)} was likelier (${percent(best.prob)}), ${written} had ${percent(step.prob)}.`
    : `Of what ${hasGrammar(step) ? "the grammar allows" : "is left to draw from"}, ${written} was the likeliest (${percent(step.prob)}).`;
}

/** How many tokens are left to draw from. */
export function leftWords({ top }) {
  if (top.length >= NUM_LOOKED_AT) return `More than ${NUM_LOOKED_AT - 1} tokens are left to draw from.`;
  return `${counted(top.length, "token")} ${top.length === 1 ? "is" : "are"} left to draw from.`;
}

/** How much the mask took. */
export function maskWords({ masked_mass: mass, num_allowed: allowed }) {
  const left = allowed === null || allowed === undefined ? "" : `${counted(allowed, "token")} allowed`;
  if (mass === null || mass === undefined) return left;
  return `${percent(mass)} of the model\u2019s probability ruled out${left ? `; ${left}` : ""}`;
}
