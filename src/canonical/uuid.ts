import { createHash, randomBytes } from 'node:crypto';

const written = (bytes: Buffer, version: number): string => {
  bytes.writeUInt8((version << 4) | (bytes.readUInt8(6) & 0x0f), 6);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
  const hex = bytes.toString('hex', 0, 16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
};

/**
 * Returns a maker of UUIDs of version 7 (RFC 9562, section 5.7). Each is greater than the one before it, also within a
 * millisecond and while the clock is set back: 32 bits behind the time count up from a random start (section 6.2).
 */
export const createUuids = (
  now: () => number = () => Date.now(),
  random: (length: number) => Buffer = randomBytes,
): (() => string) => {
  let time = -1;
  let count = 0;
  const advance = (seed: number): void => {
    const current = now();
    if (current > time) {
      time = current;
      count = seed >>> 1; // room for 2^31 more of the same millisecond
    } else count = (count + 1) >>> 0;
  };
  return () => {
    const bytes = random(16);
    advance(bytes.readUInt32BE(11));
    bytes.writeUIntBE(time, 0, 6);
    bytes.writeUInt16BE(count >>> 20, 6); // 12 bits beside the version
    bytes.writeUInt16BE((count >>> 6) & 0x3fff, 8); // 14 bits beside the variant
    bytes.writeUInt8(((count & 0x3f) << 2) | (bytes.readUInt8(10) & 0x03), 10); // the last 6
    return written(bytes, 7);
  };
};

/** The namespace of names that are URLs (RFC 9562, section 6.6). */
export const urlNames = '6ba7b811-9dad-11d1-80b4-00c04fd430c8';

/** Returns the UUID of version 5 of a name (RFC 9562, section 5.5): the same for the same name. `space` is a UUID. */
export const uuidOfName = (name: string, space: string): string => {
  const spaceBytes = Buffer.from(space.replaceAll('-', ''), 'hex');
  return written(createHash('sha1').update(spaceBytes).update(name).digest(), 5);
};
