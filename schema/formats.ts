import * as z from 'zod';

/** A UUID in its hexadecimal form, of any version (RFC 9562, section 4). The `urn:uuid:` form is not accepted. */
export const Uuid = z.guid();

/** An instant in the format of RFC 3339: upper-case `T` and `Z`, seconds, and an offset. */
export const DateTime = z.iso.datetime({ offset: true });

/** A name or id from outside the library: 1 to 128 characters of printable ASCII, safe to print in a log line. */
export const Identifier = z
  .string()
  .regex(/^[\x20-\x7e]{1,128}$/, 'must be 1 to 128 printable ASCII characters');

/** A location inside a JSON value (RFC 6901). The empty string is the whole value. */
export const JsonPointer = z
  .string()
  .regex(
    /^(?:\/(?:[^~/]|~[01])*)*$/,
    'must be a JSON Pointer: "", or one that begins with /, such as /order/id',
  );

/** A JSON object. Its members are not checked or changed. */
export const JsonObject = z.record(z.string(), z.unknown());
export type JsonObject = z.infer<typeof JsonObject>;

/**
 * A JSON value. Only its outermost type is checked. Its members are neither checked nor copied, so a hash covers the
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
