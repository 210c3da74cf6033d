import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { digest } from '../../canonical/digest.ts';
import type { Emission } from '../../ports/emission.ts';
import type { LedgerRecord } from '../../ports/ledger.ts';
import { dictionary } from './dictionary.ts';
import { textOfBytes } from './names.ts';
import { createReader, createWriter, isReplaceable } from './tokens.ts';

// A pack holds several steps of a task, and what is stored beside them, as one deflated text. Deflate finds what repeats;
// digests that follow from a document of the step are computed again when the pack is read.

/** A step as it is stored. An erased emission is `null`, so that the others keep their places. */
export interface StepBody {
  readonly record: LedgerRecord;
  readonly emissions: readonly (Emission | null)[];
}

/** The JSON texts of a task that the next step replaces; `snapshot` is `null` if an earlier pack has it. */
export interface Beside {
  readonly summary: string;
  readonly intents: string;
  readonly deadlines: string;
  readonly snapshot: string | null;
}

/** The first byte of a pack. A step that is stored alone is JSON and begins with `{`. */
const version = 1;

/** The bytes before the values: the version, the length of the values, and the hash of the last record. */
const headerBytes = 35;
const headAt = 3;

/** The maximum length of the text of new steps. A longer one would hold the event loop: its steps stay apart. */
export const maxLength = 2 ** 17;

/** The maximum length of an inflated pack in bytes; a forged one ends there. Erasures make no pack this long. */
const maxInflated = maxLength * 4;

const options = { level: 6, dictionary };

/** Stands for a digest that follows from its document. */
const derived = 0;

const mapDigests = (
  { record, emissions }: StepBody,
  map: (stored: unknown, document: unknown) => unknown,
): StepBody => {
  const brought = new Map<string, unknown>(Object.entries(record.brought));
  const documents = Object.entries(record.documents).map(([name, stored]) => [
    name,
    brought.has(name) ? map(stored, brought.get(name)) : stored,
  ]);
  // the layouts before 4 kept no place for an erased emission: which digest is whose is then not known
  const hasPlaces = emissions.length === record.emitted.length;
  const emitted = record.emitted.map((stored, index) => {
    const document = emissions[index]?.document;
    return document === undefined || !hasPlaces ? stored : map(stored, document);
  });
  // a pack is read with the same function, which puts the digests back
  const mapped = { ...record, documents: Object.fromEntries(documents), emitted } as LedgerRecord;
  return { record: mapped, emissions };
};

/**
 * Leaves out the digests of the documents that a step has. They are not checked here: a document that was edited before is
 * reported by the hash of its record, which its digest is a part of.
 */
const withoutDigests = (body: StepBody): StepBody => mapDigests(body, () => derived);

const withDigests = (body: StepBody): StepBody =>
  mapDigests(body, (stored, document) => (stored === derived ? digest(document) : stored));

const none = { summary: null, intents: null, deadlines: null, snapshot: null };

const headPattern = /^sha256:[0-9a-f]{64}$/;

/** Returns the digits of the hash of the last record. The pack has it in its header, where it is found quickly. */
const headOf = (bodies: readonly StepBody[]): string | null => {
  const hash = bodies.at(-1)?.record.hash ?? '';
  return headPattern.test(hash) ? hash.slice(-64) : null;
};

/** Returns a pack of steps; `null` if they have to be stored one by one, or if their text is longer than `limit`. */
export const pack = (
  bodies: readonly StepBody[],
  beside: Beside | null,
  limit = maxLength,
): Uint8Array | null => {
  const { summary, intents, deadlines, snapshot } = beside ?? none;
  const [head, texts] = [headOf(bodies), [summary, intents, deadlines, snapshot]];
  const all = [...texts, JSON.stringify(bodies.map(withoutDigests))];
  const length = all.reduce((sum, text) => sum + (text?.length ?? 0), 0);
  if (head === null || length > limit || !texts.every((text) => text === null || isReplaceable(text)))
    return null;
  const { write, values } = createWriter(head);
  const written = all.map((text) => (text === null ? null : write(text)));
  const lengths = written.map((text) => text?.length ?? -1).join(' ');
  const bytes = values();
  const header = Buffer.of(version, bytes.length >> 8, bytes.length & 0xff);
  const deflated = deflateRawSync(`${lengths};${written.join('')}`, options);
  return Buffer.concat([header, Buffer.from(head, 'hex'), bytes, deflated]);
};

export const isPack = (stored: ArrayBuffer): boolean => new Uint8Array(stored)[0] === version;

/** Returns the texts of a pack, of which each is restored after those before it. */
const sectionsOf = (stored: ArrayBuffer): readonly (() => string | null)[] => {
  const bytes = Buffer.from(stored);
  const end = headerBytes + bytes.readUInt16BE(1);
  const inflated = inflateRawSync(bytes.subarray(end), { dictionary, maxOutputLength: maxInflated });
  const text = textOfBytes(inflated);
  const restore = createReader(bytes.subarray(headerBytes, end), bytes.toString('hex', headAt, headerBytes));
  const head = text.slice(0, text.indexOf(';'));
  let at = head.length + 1;
  return head.split(' ').map((part) => {
    const [from, length] = [at, Number(part)];
    at += Math.max(0, length);
    return () => (length < 0 ? null : restore(text.slice(from, from + length)));
  });
};

const besideOf = (sections: readonly (() => string | null)[]): Beside | null => {
  const [summary, intents, deadlines, snapshot = null] = sections.slice(0, 4).map((restore) => restore());
  return typeof summary === 'string' && typeof intents === 'string' && typeof deadlines === 'string'
    ? { summary, intents, deadlines, snapshot }
    : null;
};

/** Returns what a pack has beside its steps. Throws if it was damaged. */
export const besideIn = (stored: ArrayBuffer): Beside | null => besideOf(sectionsOf(stored));

/** Returns the hash of the last record in a pack. */
export const headIn = (stored: ArrayBuffer): string =>
  `sha256:${Buffer.from(stored).toString('hex', headAt, headerBytes)}`;

/** Returns the summary in a pack; empty if it was damaged. */
export const summaryIn = (stored: ArrayBuffer): string => {
  try {
    return sectionsOf(stored)[0]?.() ?? '';
  } catch {
    return '';
  }
};

export interface Unpacked {
  readonly beside: Beside | null;
  readonly bodies: readonly StepBody[];
}

/** Reads a pack. Throws if it was damaged. */
export const unpack = (stored: ArrayBuffer): Unpacked => {
  const sections = sectionsOf(stored);
  const beside = besideOf(sections);
  const bodies = JSON.parse(sections[4]?.() ?? '') as readonly StepBody[]; // pack wrote it
  return { beside, bodies: bodies.map(withDigests) };
};
