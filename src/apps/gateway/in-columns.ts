/** Returns the rows of a table, each column as wide as its widest cell. */
export const inColumns = (rows: readonly (readonly string[])[]): readonly string[] => {
  const widths = rows.reduce<readonly number[]>(
    (most, row) => row.map((cell, at) => Math.max(cell.length, most[at] ?? 0)),
    [],
  );
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
};
