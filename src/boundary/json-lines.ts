/** Returns values as JSON Lines: one a line, keys in their order, each line ended by a line feed. */
export const toLines = (values: readonly unknown[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join('');

/** Yields the lines of a text or of bytes, without their line feeds; the last one may lack it. */
export function* linesOf(text: string | Uint8Array): Generator<string | Uint8Array> {
  const feed = (from: number): number =>
    typeof text === 'string' ? text.indexOf('\n', from) : text.indexOf(0x0a, from);
  let start = 0;
  while (start < text.length) {
    const found = feed(start);
    const end = found === -1 ? text.length : found;
    yield typeof text === 'string' ? text.slice(start, end) : text.subarray(start, end);
    start = end + 1;
  }
}
