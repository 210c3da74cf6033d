import type { Scale } from './subjects/scale.ts';
import { columns, shown } from './table.ts';

/** CPU milliseconds of each operation, by the number of tasks in the store. */
export type ScaleFigures = Readonly<Record<string, Scale>>;

const whats: Readonly<Record<keyof Scale, string>> = {
  submit: 'submit a task, up to its question',
  question: 'the question of one task',
  answer: 'answer a question, up to the end of its task',
  inbox: 'a page of inbox()',
  list: 'a page of list()',
  consoleInbox: 'the inbox page of the console',
  consoleTasks: 'the task page of the console',
  recover: 'recover()',
};

/** What is measured, in the order of the table. */
export const operations = Object.keys(whats) as readonly (keyof Scale)[];

/** How much more an operation may take in the largest store than in the smallest, and still be flat. */
export const flat = 2;

/** The table of operations: a column for each size, and how the largest compares with the smallest. */
export const scaleLines = (figures: ScaleFigures): readonly (readonly string[])[] => {
  const sizes = Object.keys(figures).toSorted((one, other) => Number(one) - Number(other));
  const [smallest = '', largest = ''] = [sizes[0], sizes.at(-1)];
  const head = ['CPU ms', ...sizes.map((size) => Number(size).toLocaleString('en-US')), 'growth', 'verdict'];
  return [
    head,
    ...operations.map((operation) => {
      const of = (size: string): number => figures[size]?.[operation] ?? Number.NaN;
      const growth = of(largest) / of(smallest);
      const verdict = growth <= flat ? 'met' : 'missed';
      const cells = sizes.map((size) => shown(of(size)));
      return [whats[operation], ...cells, `${shown(growth)} x`, verdict];
    }),
  ];
};

export const scaleTable = (figures: ScaleFigures): string => columns(scaleLines(figures));
