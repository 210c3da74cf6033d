import { isMet, type Figure, type Goal, type Row, type Unit } from './goals.ts';

const digitsOf = (value: number): number => {
  if (value >= 100) return 0;
  return value >= 10 ? 1 : 2;
};

/** Writes a number with three digits that count, and thousands apart. */
export const shown = (value: number): string =>
  Number.isFinite(value)
    ? value.toLocaleString('en-US', {
        minimumFractionDigits: digitsOf(value),
        maximumFractionDigits: digitsOf(value),
      })
    : 'none';

const inUnit = (value: string, unit: Unit): string => (unit === 'x' ? `${value} x` : `${value} ${unit}`);

const goalText = (goal: Goal | null, unit: Unit): string =>
  goal === null ? '' : `${goal.is} ${inUnit(goal.value.toLocaleString('en-US'), unit)}`;

const judged = (row: Row, figure: Figure | undefined): string => {
  if (figure === undefined) return 'not measured';
  const met = isMet(row, figure);
  if (met === null) return '';
  return met ? 'met' : 'missed';
};

export const heads = ['what', 'beside', 'measured', 'goal', 'verdict', 'figures'] as const;

/** The cells of a line of the table. */
export const cellsOf = (row: Row, figure: Figure | undefined): readonly string[] => [
  row.what,
  row.unit === 'x' ? row.beside : '',
  figure === undefined ? '' : inUnit(shown(figure.value), row.unit),
  goalText(row.goal, row.unit),
  judged(row, figure),
  figure?.of ?? '',
];

/** Lays out lines of text in columns. */
export const columns = (lines: readonly (readonly string[])[]): string => {
  const widths = (lines[0] ?? []).map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
};

/** Lays out figures for a page, as a command prints them: bars around numbers only hide them. */
export const figures = (lines: readonly (readonly string[])[]): string =>
  `\`\`\`text\n${columns(lines)}\n\`\`\``;
