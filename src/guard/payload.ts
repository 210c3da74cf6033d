import { JsonObject } from '../../schema/index.ts';

/** What an agent's last words deliver: the JSON object that they are, or themselves. */
export const payloadIn = (text: string): JsonObject => {
  try {
    return JsonObject.safeParse(JSON.parse(text)).data ?? { text };
  } catch {
    return { text }; // it is prose
  }
};
