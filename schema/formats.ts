import * as z from 'zod';

/** A UUID in its hexadecimal form, of any version (RFC 9562, section 4); the `urn:uuid:` form is not read. */
export const Uuid = z.guid();

/** An instant as RFC 3339 writes it: upper-case `T` and `Z`, seconds, and an offset. */
export const DateTime = z.iso.datetime({ offset: true });

/** A name that comes from outside: 1 to 128 characters of printable ASCII, so that it can stand in a log line. */
export const Identifier = z.string().regex(/^[\x20-\x7e]{1,128}$/);

/** A place inside a JSON value (RFC 6901); the empty string is the whole value. */
export const JsonPointer = z.string().regex(/^(?:\/(?:[^~/]|~[01])*)*$/);

/** A JSON object, its members opaque and kept as they came. */
export const JsonObject = z.record(z.string(), z.unknown());
export type JsonObject = z.infer<typeof JsonObject>;

/**
 * A JSON value, judged by its outermost type and otherwise opaque: no depth is walked and nothing inside is copied,
 * so what is hashed is what came.
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
