// The quiz of the tab on sampling.
import { byId, element } from "./dom.js";

export const QUESTIONS = [
  ["A model is 96 % sure of one token. How many tokens does top-p 0.9 keep?", [
    ["1", true, "Right: the first token alone holds more than 0.9."],
    ["As many as top-k", false, "Top-p knows nothing of a number of tokens: it looks at their mass."],
    ["90 % of the vocabulary", false, "p is a share of the probability, not of the tokens."],
  ]],
  ["What does temperature 0.5 do to the order of the tokens by probability?", [
    ["It reverses it", false, "Dividing by a positive number keeps the order of the logits."],
    ["Nothing", true, "Right: it only changes how far apart they are."],
    ["It shuffles the tail", false, "Nothing random happens before the draw."],
  ]],
  ["You ask twice at temperature 0. Are both answers the same?", [
    ["Always: nothing is drawn", false, "Nothing is drawn, but the last bits of the logits depend on the device and on what is computed together."],
    ["Mostly, but that is no guarantee", true, "Right: where two tokens are nearly equal, last bits of the logits decide, and they may differ. A fixed seed has the same limit."],
    ["No: it draws still", false, "Temperature 0 takes the most probable token each time; there is no draw."],
  ]],
  ["You extract the date from an invoice. Which settings suit?", [
    ["Temperature 1.0, top-p 0.95", false, "It draws other dates now and then, and only one is on the invoice."],
    ["Temperature 0, with a schema for the form", true, "Right: one answer is right; the schema keeps its form."],
    ["Temperature 0.7, several times, any of them", false, "Each is another draw; nothing makes one of them right."],
  ]],
  ["You want a story, and another one each time. Which settings suit?", [
    ["Temperature 0", false, "Greedy tells the same story each time, and long ones repeat themselves."],
    ["Temperature 2, no filter", false, "The tail wins: words that fit nothing before them."],
    ["Temperature 1.0, top-p 0.95", true, "Right: varied, and the tail that makes no sense is cut off."],
  ]],
  ["Where does the randomness happen?", [
    ["In the model, which thinks of something else each time", false, "The same text gives the same logits, but for last bits."],
    ["In the softmax, which temperature makes noisier", false, "Softmax and temperature are arithmetic: nothing is random in them."],
    ["In the draw of a token from what is left", true, "Right: all before it is computed; the seed decides the draw alone."],
  ]],
  ["Text at temperature 1.8 falls apart. Which single change helps most?", [
    ["Another seed", false, "It draws other tokens from the same flat distribution."],
    ["A filter such as min-p 0.05 or top-p 0.9", true, "Right: it cuts off the tail that the temperature has lifted."],
    ["Top-k 50000", false, "That keeps about everything; the tail is what has to go."],
  ]],
  ["The mask took 98 % of the probability at a token. What does that say?", [
    ["The grammar is wrong", false, "It may be just what you want; the model wanted something else there."],
    ["The model wanted to write something else there", true, "Right: look at what it wanted, then at the prompt or the schema."],
    ["The token is 98 % right", false, "It says nothing of the token that was drawn, only of those that were not allowed."],
  ]],
];

/** Show the questions; each answer says why it is right or wrong. */
export function setUpQuiz() {
  QUESTIONS.forEach(([question, answers], number) => {
    const verdict = element("p", { "aria-live": "polite" });
    const options = answers.map(([text, isRight, reason]) => {
      const radio = element("input", { type: "radio", name: `question-${number}` });
      radio.onchange = () => { verdict.className = isRight ? "right" : "wrong"; verdict.textContent = reason; };
      return element("p", {}, element("label", {}, radio, " ", text));
    });
    byId("quiz").append(element("fieldset", {}, element("legend", { textContent: question }), ...options, verdict));
  });
}
