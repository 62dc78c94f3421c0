// The server's endpoints. An answer is {answer}, or {failure: {message, code, param, place}}; nothing is thrown.
import { byId } from "./dom.js";

const BASE = new URL(".", document.baseURI);

/** POST a body; signal: ends the request. */
export async function post(path, body, signal) {
  try {
    const response = await send(path, body, signal);
    const answer = await response.json();
    return response.ok ? { answer } : { failure: answer.error };
  } catch (error) {
    return { failure: unreachable(error) };
  }
}

/** GET what is at a path. */
export async function get(path) {
  try {
    const response = await fetch(new URL(path, BASE), { headers: keyHeader() });
    noteStatus(response);
    const answer = await response.json();
    return response.ok ? { answer } : { failure: answer.error };
  } catch (error) {
    return { failure: unreachable(error) };
  }
}

/**
 * The events of a POST that is answered by server-sent events: `onEvent(name, data)` for each, with JSON data.
 * Returns null at the stream's end, else the failure.
 */
export async function stream(path, body, signal, onEvent) {
  try {
    const response = await send(path, body, signal);
    if (!response.ok) return (await response.json()).error;
    for await (const { name, data } of events(response.body)) {
      if (data === "[DONE]") return null;
      const read = JSON.parse(data);
      if (name === "error" || read.error) return read.error ?? read;
      onEvent(name, read);
    }
    return null;
  } catch (error) {
    return unreachable(error);
  }
}

async function send(path, body, signal) {
  const headers = { "Content-Type": "application/json", ...keyHeader() };
  const response = await fetch(new URL(path, BASE), { method: "POST", headers, body: JSON.stringify(body), signal });
  noteStatus(response);
  return response;
}

function keyHeader() {
  const key = byId("key").value;
  return key ? { Authorization: `Bearer ${key}` } : {};
}

function noteStatus(response) {
  if (response.status === 401) byId("key-field").hidden = false; // the server wants a key: ask for it
}

function unreachable(error) {
  if (error.name === "AbortError") return { message: "stopped", code: "aborted" };
  return { message: `The server can't be reached: ${error.message}`, code: "unreachable" };
}

/** The events of a body, as they come. */
async function* events(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  while (true) {
    const { value, done } = await reader.read();
    if (done) return;
    const pieces = (rest + value).replaceAll("\r\n", "\n").split("\n\n");
    rest = pieces.pop();
    for (const piece of pieces) {
      const lines = piece.split("\n");
      const of = (field) => lines.filter((line) => line.startsWith(`${field}:`)).map((line) => line.slice(field.length + 1).trimStart());
      const data = of("data");
      if (data.length) yield { name: of("event")[0] ?? "message", data: data.join("\n") };
    }
  }
}
