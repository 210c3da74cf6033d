/**
 * Widths of Helvetica in thousandths of its size, from space to tilde. Arial and Liberation Sans have the
 * same.
 */
const widths =
  '278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 278 584 584 584 556 1015 ' +
  '667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556 333 ' +
  '556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500 334 260 334 584';
const widthOf: readonly number[] = widths.split(' ').map(Number);

export interface Font {
  readonly size: number;
  readonly bold?: boolean;
}

/**
 * Returns the width of a text. It is computed from a table, so that pictures are the same on every machine.
 */
export const measure = (text: string, { size, bold = false }: Font): number => {
  const thousandths = Array.from(text).reduce(
    (sum, letter) => sum + (widthOf[letter.charCodeAt(0) - 32] ?? 1000),
    0,
  );
  return (thousandths / 1000) * size * (bold ? 1.07 : 1);
};

/**
 * Returns a text on one line, of at most `most` characters. Replaces control and bidirectional characters
 * with U+FFFD.
 */
export const short = (text: string, most: number): string => {
  const characters = Array.from(text.slice(0, 2 * most + 2)); // a character has one or two code units
  return (characters.length > most ? `${characters.slice(0, most).join('')}…` : text)
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/\p{C}/gu, '\ufffd');
};

/** The kinds of label parts. They differ in colour and punctuation. */
export type Kind = 'fact' | 'guard' | 'action' | 'note';

export interface Span {
  readonly kind: Kind;
  readonly text: string;
}

/** A line of a label, and the index of its transition in the walk. */
export interface Line {
  readonly spans: readonly Span[];
  readonly transition: number | null;
}

/** Maximum characters of a name in a picture. Combined guards and action lists may have twice as many. */
const maxNameLength = 60;

/** Returns the title of a state. An invisible name is quoted. */
export const titleText = (name: string): string =>
  short(name.trim() === '' ? JSON.stringify(name) : name, maxNameLength);
export const fact = (name: string): Span => ({ kind: 'fact', text: short(name, maxNameLength) });
export const guard = (name: string): Span => ({ kind: 'guard', text: `[${short(name, 2 * maxNameLength)}]` });
export const actions = (names: readonly string[]): Span => ({
  kind: 'action',
  text: `/ ${short(names.join(', '), 2 * maxNameLength)}`,
});
export const remark = (text: string): Span => ({ kind: 'note', text: short(text, 2 * maxNameLength) });

export const line = (transition: number | null, ...spans: readonly Span[]): Line => ({ spans, transition });
export const note = (text: string): Line => line(null, remark(text));

export const textOf = ({ spans }: Line): string => spans.map(({ text }) => text).join(' ');
