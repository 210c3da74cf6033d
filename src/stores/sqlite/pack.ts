import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { digest, hashOfText } from '../../base/canonical/digest.ts';
import type { LedgerRecord } from '../../base/ports/ledger.ts';
import type { StoredStep } from '../../base/ports/store.ts';
import { firstDictionary } from './dictionary-1.ts';
import { dictionary } from './dictionary.ts';
import { textOfBytes } from './names.ts';
import { createReader, createWriter, isReplaceable } from './tokens.ts';

// A pack holds several steps of a task, and what is stored beside them, as one deflated text. Deflate finds what repeats;
// digests that follow from a document of the step are computed again when the pack is read.

/** The JSON texts of a task that the next step replaces; `snapshot` is `null` if an earlier pack has it. */
export interface Beside {
  readonly summary: string;
  readonly intents: string;
  readonly deadlines: string;
  readonly snapshot: string | null;
}

/** The first byte of a pack. A step that is stored alone is JSON and begins with `{`. */
const version = 2;

/** Ends each text of a pack but the last; a text that is missing is empty. */
const separator = '\0';

/** Returns the texts of a pack of version 1: their lengths stand before them, and that of a missing one is -1. */
const firstTexts = (inflated: string): readonly string[] => {
  const lengths = inflated.slice(0, inflated.indexOf(';'));
  let at = lengths.length + 1;
  return lengths.split(' ').map((length) => inflated.slice(at, (at += Math.max(0, Number(length)))));
};

/** How the packs of each version are read. */
const formats = new Map([
  [1, { dictionary: firstDictionary, textsIn: firstTexts }],
  [version, { dictionary, textsIn: (inflated: string) => inflated.split(separator) }],
]);

/** The bytes before the values: the version, the length of the values, and the hash of the last record. */
const headerBytes = 35;
const headAt = 3;

/** The maximum length of the text of new steps. A longer one would hold the event loop: its steps stay apart. */
export const maxLength = 2 ** 17;

/** The maximum length of an inflated pack in bytes; a forged one ends there. Erasures make no pack this long. */
const maxInflated = maxLength * 4;

const options = { level: 6, dictionary };

/** Stands for a digest that follows from its document, or from the snapshot beside the steps. */
const derived = 0;

const mapDigests = (
  { record, emissions }: StoredStep,
  map: (stored: unknown, document: unknown) => unknown,
  snapshot: unknown,
): StoredStep => {
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
  const mapped = { ...record, documents: Object.fromEntries(documents), emitted, snapshot } as LedgerRecord;
  return { record: mapped, emissions };
};

/** Returns the digest of the snapshot beside steps; `null` if there is none. */
const snapshotDigest = (beside: Beside | null): string | null =>
  typeof beside?.snapshot === 'string' ? hashOfText(beside.snapshot) : null;

/**
 * Leaves out the digests of the documents that a step has. They are not checked here: a document that was edited before is
 * reported by the hash of its record, which its digest is a part of. The digest of a snapshot is left out if it is `taken`,
 * that of the snapshot in the same pack.
 */
const withoutDigests = (body: StoredStep, taken: string | null): StoredStep => {
  const { snapshot } = body.record;
  return mapDigests(body, () => derived, snapshot !== null && snapshot === taken ? derived : snapshot);
};

const withDigests = (body: StoredStep, taken: string | null): StoredStep => {
  const { snapshot }: { readonly snapshot: unknown } = body.record;
  const put = (stored: unknown, document: unknown): unknown =>
    stored === derived ? digest(document) : stored;
  return mapDigests(body, put, snapshot === derived ? taken : snapshot);
};

const none = { summary: null, intents: null, deadlines: null, snapshot: null };

const headPattern = /^sha256:[0-9a-f]{64}$/;

/** Returns the digits of the hash of the last record. The pack has it in its header, where it is found quickly. */
const headOf = (bodies: readonly StoredStep[]): string | null => {
  const hash = bodies.at(-1)?.record.hash ?? '';
  return headPattern.test(hash) ? hash.slice(-64) : null;
};

const isPackable = (text: string | null): boolean =>
  text === null || (text !== '' && !text.includes(separator) && isReplaceable(text));

/** Returns a pack of steps; `null` if they have to be stored one by one, or if their text is longer than `limit`. */
export const pack = (
  bodies: readonly StoredStep[],
  beside: Beside | null,
  limit = maxLength,
): Uint8Array | null => {
  const { summary, intents, deadlines, snapshot } = beside ?? none;
  const [head, texts] = [headOf(bodies), [summary, intents, deadlines, snapshot]];
  const taken = snapshotDigest(beside);
  const all = [...texts, JSON.stringify(bodies.map((body) => withoutDigests(body, taken)))];
  const length = all.reduce((sum, text) => sum + (text?.length ?? 0), 0);
  if (head === null || length > limit || !texts.every(isPackable)) return null;
  const { write, values } = createWriter(head);
  const written = all.map((text) => write(text ?? ''));
  const bytes = values();
  const header = Buffer.of(version, bytes.length >> 8, bytes.length & 0xff);
  const deflated = deflateRawSync(written.join(separator), options);
  return Buffer.concat([header, Buffer.from(head, 'hex'), bytes, deflated]);
};

/** Returns how a stored body is read; `undefined` if it is no pack. */
const formatOf = (stored: ArrayBuffer) => formats.get(new Uint8Array(stored)[0] ?? 0);

export const isPack = (stored: ArrayBuffer): boolean => formatOf(stored) !== undefined;

/** Returns the texts of a pack, of which each is restored after those before it. */
const sectionsOf = (stored: ArrayBuffer): readonly (() => string | null)[] => {
  const format = formatOf(stored);
  if (format === undefined) throw new TypeError('it is no pack');
  const bytes = Buffer.from(stored);
  const end = headerBytes + bytes.readUInt16BE(1);
  const given = { dictionary: format.dictionary, maxOutputLength: maxInflated };
  const inflated = textOfBytes(inflateRawSync(bytes.subarray(end), given));
  const restore = createReader(bytes.subarray(headerBytes, end), bytes.toString('hex', headAt, headerBytes));
  return format.textsIn(inflated).map((text) => () => (text === '' ? null : restore(text)));
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
  readonly bodies: readonly StoredStep[];
}

/** Reads a pack. Throws if it was damaged. */
export const unpack = (stored: ArrayBuffer): Unpacked => {
  const sections = sectionsOf(stored);
  const beside = besideOf(sections);
  const bodies = JSON.parse(sections[4]?.() ?? '') as readonly StoredStep[]; // pack wrote it
  const taken = snapshotDigest(beside);
  return { beside, bodies: bodies.map((body) => withDigests(body, taken)) };
};
