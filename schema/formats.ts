import * as z from 'zod';

/** A UUID in its hexadecimal form, of any version (RFC 9562, section 4); the `urn:uuid:` form is not read. */
export const Uuid = z.guid();

/** An instant as RFC 3339 writes it: upper-case `T` and `Z`, seconds, and an offset. */
export const DateTime = z.iso.datetime({ offset: true });

/** A name from outside: 1 to 128 characters of printable ASCII, safe to print in a log line. */
export const Identifier = z
  .string()
  .regex(/^[\x20-\x7e]{1,128}$/, 'must be 1 to 128 printable ASCII characters');

/** A location inside a JSON value (RFC 6901); the empty string is the whole value. */
export const JsonPointer = z
  .string()
  .regex(
    /^(?:\/(?:[^~/]|~[01])*)*$/,
    'must be a JSON Pointer: "", or one that begins with /, such as /order/id',
  );

/** A JSON object whose members are opaque and unchanged. */
export const JsonObject = z.record(z.string(), z.unknown());
export type JsonObject = z.infer<typeof JsonObject>;

/**
 * A JSON value, checked by its outermost type only. Its members are neither walked nor copied, so a hash covers the
 * value as received.
 */
export const JsonValue = z.union([
  JsonObject,
  z.array(z.unknown()),
  z.string(),
  z.number(),
  z.boolean(),
  z.null(),
]);
export type JsonValue = z.infer<typeof JsonValue>;
