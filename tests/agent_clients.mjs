// The AI SDK's agent loop: see agent_clients.py, which runs this.
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, stepCountIs, streamText, tool } from "ai";
import { z } from "zod";

const [baseUrl, model, ...turns] = process.argv.slice(2);
const weather = tool({
  description: "The weather of a city.",
  inputSchema: z.object({ city: z.string().max(20) }),
  execute: async ({ city }) => `${city.length} degrees in ${city}`,
});
const responses = createOpenAI({ baseURL: `${baseUrl}/v1`, apiKey: "none" });
const chats = createOpenAICompatible({ name: "here", baseURL: `${baseUrl}/v1` });

for (const made of [responses(model), chats(model)]) {
  const messages = [];
  for (const turn of turns) {
    messages.push({ role: "user", content: turn });
    const options = {
      model: made,
      messages,
      tools: { weather },
      stopWhen: stepCountIs(3),
      maxOutputTokens: 100,
      maxRetries: 0,
      prepareStep: ({ stepNumber }) => ({ toolChoice: stepNumber === 0 ? "required" : "auto" }),
    };
    const whole = await generateText(options);
    messages.push(...(await whole.response).messages);
    const streamed = streamText({ ...options, messages: [...messages, { role: "user", content: "Again." }] });
    for await (const part of streamed.fullStream) {
      if (part.type === "error") throw part.error;
    }
  }
}
