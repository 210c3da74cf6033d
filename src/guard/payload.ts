import { JsonObject } from '../../schema/index.ts';

/** Returns the payload in an agent's last message: its JSON object, or the text as `{ text }`. */
export const payloadIn = (text: string): JsonObject => {
  try {
    return JsonObject.safeParse(JSON.parse(text)).data ?? { text };
  } catch {
    return { text }; // not JSON
  }
};
