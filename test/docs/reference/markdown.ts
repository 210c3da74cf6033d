import { readdirSync } from 'node:fs';

/** A name of the code, as Markdown shows it. */
export const code = (name: string): string => `\`${name}\``;
export const codes = (names: readonly string[]): string => names.map(code).join(', ');

const row = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

/** A table that says so when a caller hands it a row of another width. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string => {
  if (rows.some(({ length }) => length !== head.length)) throw new TypeError('A row does not fit its table.');
  return [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');
};

/** How many rows the tables of a page hold: counted from the page, not from what was to be printed. */
export const rowsIn = (page: string): number => {
  const lines = page.split('\n').filter((line) => line.startsWith('|'));
  return lines.length - 2 * lines.filter((line) => /^\|( --- \|)+$/.test(line)).length;
};

const decisions: ReadonlyMap<string, string> = new Map(
  readdirSync(new URL('../../../docs/decisions', import.meta.url))
    .filter((file) => file.endsWith('.md'))
    .map((file) => [file.slice(0, 4), file]),
);

/** A list of names and what they mean. */
export const list = (items: readonly (readonly [name: string, meaning: string])[]): string =>
  items.map(([name, meaning]) => `- ${name}: ${meaning}`).join('\n');

/** How many items the lists of a page hold. */
export const itemsIn = (page: string): number => page.match(/^- /gm)?.length ?? 0;

/** A citation; an interpretation is a link to its decision record. */
export const source = (cites: string | null): string => {
  const [kind, number = ''] = cites?.split(' ') ?? [];
  const file = kind === 'interpretation' ? decisions.get(number) : undefined;
  return file === undefined ? (cites ?? '') : `[${number}](../decisions/${file})`;
};

/** A printed page: its title, in a comment what prints it, and its parts. */
export const page = (title: string, ...parts: readonly string[]): string =>
  [`# ${title}`, '<!-- Printed by test/docs/reference. -->', ...parts].join('\n\n').concat('\n');
