import { stripVTControlCharacters } from 'node:util';

/** Returns how many tests a line of Vitest says have run: 0 for any other line. */
export const testsIn = (line: string): number => {
  const [, counts = ''] = /^\s*Tests {2}(.*)/.exec(stripVTControlCharacters(line)) ?? [];
  return [...counts.matchAll(/(\d+) (?:passed|failed)/g)].reduce((sum, [, count]) => sum + Number(count), 0);
};
