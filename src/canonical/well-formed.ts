/** Returns data as JSON writes it, with U+FFFD in place of half a surrogate pair in its texts. */
export const wellFormed = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_, member: unknown) =>
    typeof member === 'string' ? member.toWellFormed() : member,
  );
