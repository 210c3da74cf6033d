// Identifiers and digests as bytes: a UUID takes 16 in place of 36, a digest 32 in place of 71.

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const digest = /^sha256:[0-9a-f]{64}$/;

/** The first byte of any other text. UTF-8 never contains it. */
const mark = 0xff;

const markedText = (text: string): Uint8Array => {
  const bytes = Buffer.from(text);
  // Two marks where one would give the text the length of a UUID or a digest.
  const marks = bytes.length === 15 || bytes.length === 31 ? [mark, mark] : [mark];
  return Buffer.concat([Buffer.from(marks), bytes]);
};

/** Returns the bytes that are stored for a name: 16 for a UUID, 32 for a digest, marked UTF-8 for any other text. */
export const bytesOfName = (name: string): Uint8Array => {
  if (name.length === 36 && uuid.test(name)) return Buffer.from(name.replaceAll('-', ''), 'hex');
  if (name.length === 71 && digest.test(name)) return Buffer.from(name.slice(7), 'hex');
  return markedText(name);
};

/** Invalid UTF-8 becomes U+FFFD: the hashes of the task then fail, and no other task is affected. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export const textOfBytes = (bytes: Uint8Array | ArrayBuffer): string => decoder.decode(bytes);

export const uuidOfHex = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;

/** Returns the name of stored bytes. */
export const nameOfBytes = (stored: ArrayBuffer): string => {
  const bytes = Buffer.from(stored);
  if (bytes.length === 16) return uuidOfHex(bytes.toString('hex'));
  if (bytes.length === 32) return `sha256:${bytes.toString('hex')}`;
  return textOfBytes(bytes.subarray(bytes[1] === mark ? 2 : 1));
};

const hex = '[0-9a-f]';
const uuidGlob = [8, 4, 4, 4, 12].map((length) => hex.repeat(length)).join('-');

/** Returns SQL for the stored bytes of a text column, as `bytesOfName` makes them. Published migrations contain it. */
export const nameInSql = (column: string): string => `CASE
  WHEN ${column} GLOB '${uuidGlob}' THEN unhex(replace(${column}, '-', ''))
  WHEN ${column} GLOB 'sha256:${hex.repeat(64)}' THEN unhex(substr(${column}, 8))
  WHEN length(CAST(${column} AS BLOB)) IN (15, 31) THEN CAST(x'ffff' || ${column} AS BLOB)
  ELSE CAST(x'ff' || ${column} AS BLOB) END`;
