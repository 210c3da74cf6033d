import { sizeOfCopy, type Bounds } from './deep-freeze.ts';
import { hashOfText, isDigest } from './digest.ts';
import { frozenCopy, valueBounds } from './freeze.ts';

/** The member that stands in place of a value that is kept beside the ledger. */
export const blobKey = 'agentcharter:blob';

const encodings = ['utf8', 'base64', 'json', 'bytes'] as const;

/** How a value was written as bytes. */
type Encoding = (typeof encodings)[number];

/** What a record has of a value that is kept beside the ledger. */
export interface BlobReference {
  /** `sha256:` and the SHA-256 of the bytes in lower-case hex. */
  readonly digest: string;
  /** In bytes. */
  readonly size: number;
  readonly mediaType: string;
  /** How the value is read from the bytes: a text in UTF-8 or base64, a value in JSON, or the bytes themselves. */
  readonly encoding: Encoding;
}

/** Bytes that are kept beside the ledger, by their digest. */
export type Blobs = ReadonlyMap<string, Uint8Array>;

/** The texts of a value that stay in the record, in UTF-16 code units, whatever its size is. */
const shortest = 4096;

/** Returns the limits of a value as it comes: wider than `otherwise` with this much text, if its large parts are moved out of it. */
export const boundsFor = (most: number | undefined, otherwise: Bounds): Bounds =>
  most === undefined ? otherwise : { ...valueBounds, members: 1_600_000, text: most };

const isContainer = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Returns the reference that stands in place of a value; `undefined` for any other value. */
export const referenceOf = (value: unknown): BlobReference | undefined => {
  if (!isContainer(value) || !Object.hasOwn(value, blobKey) || Object.keys(value).length !== 1)
    return undefined;
  const { [blobKey]: found } = value;
  if (!isContainer(found)) return undefined;
  const { digest, size, mediaType } = found;
  const encoding = encodings.find((one) => one === found['encoding']);
  return isDigest(digest) &&
    typeof size === 'number' &&
    typeof mediaType === 'string' &&
    encoding !== undefined
    ? { digest, size, mediaType, encoding }
    : undefined;
};

/** Returns a copy of a value with others in place of some of its texts and containers, where `change` returns one. */
const changed = (
  value: unknown,
  change: (value: unknown, within: unknown) => unknown,
  within: unknown = null,
): unknown => {
  const other = change(value, within);
  if (other !== undefined) return other;
  if (Array.isArray(value)) return value.map((one) => changed(one, change, value));
  if (!isContainer(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, changed(one, change, value)]));
};

/** Names by which protocols say of what media type the data beside it is. */
const typeNames = ['mimeType', 'mediaType', 'media_type'];

/** A media type as registries have them (RFC 6838 4.2). */
const isMediaType = (value: unknown): value is string =>
  typeof value === 'string' && /^[a-z]{1,20}\/[\w.+-]{1,100}$/i.test(value);

const typeBeside = (within: unknown): string | undefined =>
  isContainer(within) ? typeNames.map((name) => within[name]).find(isMediaType) : undefined;

const textIn = (value: unknown): number =>
  isContainer(value) ? (sizeOfCopy(value)?.text ?? 0) : typeof value === 'string' ? value.length : 0;

/** Moves parts of values out of them, and keeps their bytes. */
export class Separation {
  readonly #blobs = new Map<string, Uint8Array>();
  #left: number;

  /** At most so many bytes of binary data are moved; more is marked. */
  constructor(most: number) {
    this.#left = most;
  }

  get blobs(): Blobs {
    return this.#blobs;
  }

  /** Returns what stands in place of binary data. */
  readonly binary = (data: Uint8Array): unknown => {
    this.#left -= data.length;
    return this.#left < 0
      ? undefined
      : this.#moved(Uint8Array.from(data), 'application/octet-stream', 'bytes');
  };

  /**
   * Returns a frozen value that a record can hold: above a size, without its longer texts, or as a whole in JSON. A text in base64
   * is kept as the bytes that it stands for. Throws `input_unreadable` if neither is possible.
   */
  of(value: unknown, document: string, above: number): unknown {
    const isWhole = this.#blobs.size === 0;
    const parted =
      textIn(value) <= above ? value : changed(value, (part, within) => this.#text(part, within));
    try {
      return frozenCopy(parted, document);
    } catch (error) {
      if (!isWhole) throw error; // the digests of its binary data would stand within JSON that no one reads
      this.#blobs.clear();
      return frozenCopy(
        this.#moved(Buffer.from(JSON.stringify(value)), 'application/json', 'json'),
        document,
      );
    }
  }

  #text(value: unknown, within: unknown): unknown {
    if (typeof value !== 'string' || value.length < shortest) return undefined;
    const bytes = Buffer.from(value, 'base64');
    return bytes.toString('base64') === value
      ? this.#moved(bytes, typeBeside(within) ?? 'application/octet-stream', 'base64')
      : this.#moved(Buffer.from(value), 'text/plain;charset=utf-8', 'utf8');
  }

  #moved(bytes: Uint8Array, mediaType: string, encoding: Encoding): unknown {
    const digest = hashOfText(bytes);
    this.#blobs.set(digest, bytes);
    return { [blobKey]: { digest, size: bytes.length, mediaType, encoding } satisfies BlobReference };
  }
}

/** Returns the references in a value, one for each digest. */
export const referencesIn = (value: unknown): readonly BlobReference[] => {
  const found = new Map<string, BlobReference>();
  changed(value, (part) => {
    const reference = referenceOf(part);
    if (reference !== undefined) found.set(reference.digest, reference);
    return reference;
  });
  return [...found.values()];
};

/** Returns a value with others in place of its references, where `instead` returns one. */
export const withoutReferences = (value: unknown, instead: (reference: BlobReference) => unknown): unknown =>
  changed(value, (part) => {
    const reference = referenceOf(part);
    return reference && instead(reference);
  });

/** Returns whether bytes are those of a digest. */
export const isOfDigest = (bytes: Uint8Array, digest: string): boolean => hashOfText(bytes) === digest;

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // a tool wrote the reference
  }
};

const read = (bytes: Uint8Array, encoding: Encoding): unknown => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  switch (encoding) {
    case 'utf8':
    case 'base64':
      return buffer.toString(encoding);
    case 'json':
      return parsed(buffer.toString());
    case 'bytes':
      return new Uint8Array(bytes);
  }
};

/** Returns a value with what was moved out of it. A reference whose bytes are not there, or are others, stays. */
export const joinBlobs = async (
  value: unknown,
  get: (digest: string) => Promise<Uint8Array | undefined>,
): Promise<unknown> => {
  const references = referencesIn(value);
  if (references.length === 0) return value;
  const blobs = new Map(
    await Promise.all(references.map(async ({ digest }) => [digest, await get(digest)] as const)),
  );
  return withoutReferences(value, ({ digest, encoding }) => {
    const bytes = blobs.get(digest);
    return bytes instanceof Uint8Array && isOfDigest(bytes, digest) ? read(bytes, encoding) : undefined;
  });
};
