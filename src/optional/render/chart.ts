import type { Look } from './looks.ts';
import { measure, textOf, type Font, type Line } from './text.ts';

export interface Box {
  readonly id: string;
  readonly title: string;
  readonly look: Look;
  readonly isInitial: boolean;
  /** The state's duties, and its transitions without a target. */
  readonly rows: readonly Line[];
  readonly children: readonly Box[];
  /** The direction in which its children are laid out. */
  readonly direction?: 'DOWN' | 'RIGHT';
  /** Whether edges may end inside it. A closed box is laid out separately. */
  readonly isOpen?: boolean;
  /** Whether siblings keep the order of the chart. ELK cannot do this across borders. */
  readonly isOrdered?: boolean;
  /** Whether its title is beside its children, so that incoming edges do not cross it. */
  readonly isTitledAside?: boolean;
}

export interface Edge {
  readonly from: string;
  readonly to: string;
  /** Set if the edge returns to the previous state through history. */
  readonly returns?: 'H' | 'H*' | undefined;
  readonly lines: readonly Line[];
}

export interface Chart {
  readonly title: string;
  readonly description: string;
  /** The kinds of label, each in its colour. */
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

export const isGroup = (look: Look): boolean => look === 'group' || look === 'region';

/** Returns the indentation of a title. A group's title leaves its corner free for edges. */
export const indent = ({ look, isTitledAside = false }: Box): number =>
  isGroup(look) && !isTitledAside ? 34 : 12;

/** A group is wide, and its rows are not: above it, they stand in columns of at least four. */
const columnsOf = ({ look, rows, isTitledAside = false }: Box): number =>
  isGroup(look) && !isTitledAside ? Math.max(1, Math.min(4, Math.ceil(rows.length / 4))) : 1;

const columnGap = 24;

const columnWidth = ({ rows }: Box): number =>
  Math.max(0, ...rows.map((row) => measure(textOf(row), fonts.label)));

const rowsInColumn = (box: Box): number => Math.ceil(box.rows.length / columnsOf(box));

/** Returns the place of a row, from the first one. */
export const rowPlace = (box: Box, index: number): { readonly x: number; readonly y: number } => ({
  x: Math.floor(index / rowsInColumn(box)) * (columnWidth(box) + columnGap),
  y: (index % rowsInColumn(box)) * lineHeight,
});

/** Returns the size of a title and its rows. */
export const header = (box: Box): { width: number; height: number } => {
  const columns = columnsOf(box);
  const rowsWidth = columns * columnWidth(box) + (columns - 1) * columnGap;
  return {
    width: indent(box) + 10 + Math.max(measure(box.title, fonts.title), rowsWidth),
    height: titleHeight + (box.rows.length === 0 ? 6 : rowsInColumn(box) * lineHeight + 8),
  };
};
