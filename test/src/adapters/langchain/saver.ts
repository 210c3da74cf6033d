import { MemorySaver } from '@langchain/langgraph';
import { isObject } from '../../../../src/base/boundary/is-object.ts';

/** Bytes as text, for what a checkpointer keeps is JSON. */
const asText = (_: string, value: unknown): unknown =>
  value instanceof Uint8Array ? { bytes: Buffer.from(value).toString('utf8') } : value;

const asBytes = (_: string, value: unknown): unknown =>
  isObject(value) && typeof value['bytes'] === 'string' ? new TextEncoder().encode(value['bytes']) : value;

/** All that a checkpointer keeps, as text: what a database would hold. */
export const textOf = ({ storage, writes }: MemorySaver): string =>
  JSON.stringify({ storage, writes }, asText);

/** A checkpointer of another process, with what was kept. */
export const saverOf = (text: string): MemorySaver => {
  const { storage, writes } = JSON.parse(text, asBytes) as Pick<MemorySaver, 'storage' | 'writes'>;
  const saver = new MemorySaver();
  Object.assign(saver.storage, storage);
  Object.assign(saver.writes, writes);
  return saver;
};

const edit = (value: unknown, call: string, args: object): unknown => {
  if (Array.isArray(value)) return value.map((member) => edit(member, call, args));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(
    ([key, member]) => [key, edited(key, member, call, args)] as const,
  );
  const copy = Object.fromEntries(members);
  return value['id'] === call && 'args' in value ? { ...copy, args } : copy;
};

const edited = (key: string, member: unknown, call: string, args: object): unknown =>
  key === 'bytes' && typeof member === 'string'
    ? JSON.stringify(edit(JSON.parse(member), call, args))
    : edit(member, call, args);

/** What was kept, in which somebody gave a call other arguments, wherever it stands. */
export const editedText = (text: string, call: string, args: object): string =>
  JSON.stringify(edit(JSON.parse(text), call, args));
