import * as z from 'zod';
import type { JsonObject } from '../../../../schema/formats.ts';
import { memberIri, upformat } from './vocabulary.ts';
import type { Linking } from './scopes.ts';

/** Returns the IRI of a member of a message. */
export const term = (...names: string[]): string => memberIri(upformat, names);

/** The class of messages. */
export const messageClass = `${upformat}:Message`;

/** The property that holds a `Spelling`, as JSON. It cannot be a member, because `#` is missing. */
export const spellingIri = `${upformat}:spelling`;

/**
 * What RDF does not keep of a message: the letter case of its identifiers, and the spelling and order of its tags.
 */
export const Spelling = z.strictObject({
  messageId: z.string().optional(),
  threadId: z.string().optional(),
  parentMessageId: z.string().optional(),
  concepts: z.array(z.string()).optional(),
});
export type Spelling = z.infer<typeof Spelling>;

/** The prefix of identifiers. */
export const uuidPrefix = 'urn:uuid:';

/** The prefix of states. */
export const statePrefix = `${upformat}:`;

/** Finds members by name, in a namespace. */
export const byName = (namespace: string): Linking => ({
  iriOf: (_, names) => memberIri(namespace, names),
  classesAt: () => [],
});

/** Returns what RDF does not keep of a message; `undefined` if it keeps everything. */
export function spellingOf(
  ids: Readonly<Record<string, string | undefined>>,
  concepts: unknown,
): JsonObject | undefined {
  const upper = Object.entries(ids).filter(([, id]) => id !== undefined && id !== id.toLowerCase());
  const spelling = { ...Object.fromEntries(upper), ...(concepts !== undefined && { concepts }) };
  return Object.keys(spelling).length === 0 ? undefined : spelling;
}
