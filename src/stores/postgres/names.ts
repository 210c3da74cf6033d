/** Returns the bytes that are stored for a name: any text, also with U+0000, which PostgreSQL keeps in no text. */
export const bytesOfName = (name: string): Buffer => Buffer.from(name);

/** Returns the name of stored bytes. */
export const nameOfBytes = (bytes: Buffer): string => bytes.toString();
