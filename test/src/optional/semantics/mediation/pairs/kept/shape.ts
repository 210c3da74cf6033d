import type { JsonObject } from '../../../../../../../schema/formats.ts';

type Members = Readonly<Record<string, JsonObject>>;

const typed =
  (type: string, said: JsonObject = {}) =>
  (description = '', more: JsonObject = {}): JsonObject => ({
    type,
    ...said,
    ...(description !== '' && { description }),
    ...more,
  });

export const text = typed('string');
export const time = typed('string', { format: 'date-time' });
export const day = typed('string', { format: 'date' });
export const link = typed('string', { format: 'uri' });
export const mail = typed('string', { format: 'email' });
export const number = typed('number');
export const integer = typed('integer');
export const flag = typed('boolean');

/** A text that is one of these. */
export const choice = (values: readonly string[], description = '', more: JsonObject = {}): JsonObject =>
  text(description, { enum: values, ...more });

/** An object: what it must have, what it may have, and what else is said of it. */
export const object = (required: Members, optional: Members = {}, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  ...more,
  properties: { ...required, ...optional },
  ...(Object.keys(required).length > 0 && { required: Object.keys(required) }),
});

export const list = (items: JsonObject, description = '', more: JsonObject = {}): JsonObject => ({
  type: 'array',
  ...(description !== '' && { description }),
  ...more,
  items,
});

/** The predicate of a field. */
export const is = (predicate: string): JsonObject => ({ predicate });

/** The tags of a field. */
export const tagged = (...concepts: readonly string[]): JsonObject => ({ concepts });
