/** Returns whether a text is canonical base64url without padding (RFC 4648, sections 3.5 and 5). */
export const isBase64url = (text: string): boolean =>
  Buffer.from(text, 'base64url').toString('base64url') === text;

/** Returns the bytes of a text for which `isBase64url` holds. */
export const bytesOf = (text: string): Uint8Array => Buffer.from(text, 'base64url');
