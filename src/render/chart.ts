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
export const legendGap = 26;

export const isGroup = (look: Look): boolean => look === 'group' || look === 'region';

/** Returns the indentation of a title. A group's title leaves its corner free for edges. */
export const indent = ({ look, isTitledAside = false }: Box): number =>
  isGroup(look) && !isTitledAside ? 34 : 12;

/** Returns the size of a title and its rows. */
export const header = (box: Box): { width: number; height: number } => ({
  width:
    indent(box) +
    10 +
    Math.max(measure(box.title, fonts.title), ...box.rows.map((row) => measure(textOf(row), fonts.label))),
  height: titleHeight + (box.rows.length === 0 ? 6 : box.rows.length * lineHeight + 8),
});
