/** Widths of Helvetica in thousandths of its size, from the space to the tilde; Arial and Liberation Sans are as wide. */
const widths =
  '278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 278 584 584 584 556 1015 ' +
  '667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556 333 ' +
  '556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500 334 260 334 584';
const widthOf: readonly number[] = widths.split(' ').map(Number);

export interface Font {
  readonly size: number;
  readonly bold?: boolean;
}

/** How wide a text is set, measured without a browser, so that a picture is the same wherever it is drawn. */
export const measure = (text: string, { size, bold = false }: Font): number => {
  const thousandths = Array.from(text).reduce(
    (sum, letter) => sum + (widthOf[letter.charCodeAt(0) - 32] ?? 1000),
    0,
  );
  return (thousandths / 1000) * size * (bold ? 1.07 : 1);
};

/** What a part of a label is; a reader tells them apart by their colour and by their punctuation. */
export type Kind = 'fact' | 'guard' | 'action' | 'note';

export interface Span {
  readonly kind: Kind;
  readonly text: string;
}

/** One line of a label, and the transition of the chart that it stands for, by its number in the walk. */
export interface Line {
  readonly spans: readonly Span[];
  readonly transition: number | null;
}

export const note = (text: string): Line => ({ spans: [{ kind: 'note', text }], transition: null });

export const textOf = ({ spans }: Line): string => spans.map(({ text }) => text).join(' ');
