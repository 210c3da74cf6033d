import { refusal } from './parse-document.ts';

/** Returns values as JSON Lines: one a line, keys in their order, each line ended by a line feed. */
export const toLines = (values: readonly unknown[]): string => {
  if (!Array.isArray(values))
    throw refusal('JSON Lines', [{ path: '', message: 'expected an array of values' }]);
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
};

/** Yields the lines of a text or of bytes, without their line feeds; the last one may lack it. */
export function* linesOf(text: string | Uint8Array): Generator<string | Uint8Array> {
  if (typeof text !== 'string' && !(text instanceof Uint8Array))
    throw refusal('JSON Lines', [{ path: '', message: 'expected a text or bytes' }]);
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
