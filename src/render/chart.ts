import type { Look } from './looks.ts';
import { measure, textOf, type Font, type Line } from './text.ts';

export interface Box {
  readonly id: string;
  readonly title: string;
  readonly look: Look;
  readonly isInitial: boolean;
  /** What the state does by itself: its duties, and the facts that it takes and stays. */
  readonly rows: readonly Line[];
  readonly children: readonly Box[];
  /** Which way its children follow one another. */
  readonly direction?: 'DOWN' | 'RIGHT';
  /** Whether an edge may end inside it; a box that is closed is laid out by itself. */
  readonly isOpen?: boolean;
  /** Whether its children keep to the order of the chart side by side as well; ELK cannot do this across borders. */
  readonly isOrdered?: boolean;
  /** Whether its title stands beside its children, out of the way of what goes in to them. */
  readonly isTitledAside?: boolean;
}

export interface Edge {
  readonly from: string;
  readonly to: string;
  /** Comes back to where the state was left, through history. */
  readonly returns?: 'H' | 'H*' | undefined;
  readonly lines: readonly Line[];
}

export interface Chart {
  readonly title: string;
  readonly description: string;
  /** What the kinds of label are, each in its own colour. */
  readonly legend: readonly Line[];
  readonly root: Box;
  readonly edges: readonly Edge[];
}

export const fonts = {
  title: { size: 14, bold: true },
  label: { size: 12 },
} as const satisfies Record<string, Font>;
export const lineHeight = 15;
export const titleHeight = 24;
export const legendGap = 26;

export const isGroup = (look: Look): boolean => look === 'group' || look === 'region';

/** A group's heading stands clear of the corner, where edges go in. */
export const indent = ({ look, isTitledAside = false }: Box): number =>
  isGroup(look) && !isTitledAside ? 34 : 12;

/** The room that a title and the rows below it take. */
export const header = (box: Box): { width: number; height: number } => ({
  width:
    indent(box) +
    10 +
    Math.max(measure(box.title, fonts.title), ...box.rows.map((row) => measure(textOf(row), fonts.label))),
  height: titleHeight + (box.rows.length === 0 ? 6 : box.rows.length * lineHeight + 8),
});
