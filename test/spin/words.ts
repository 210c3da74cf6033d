/** Returns steps in words: what one process does in a row is one clause. */
export const inWords = (steps: readonly string[]): string => {
  const clauses: string[] = [];
  let last = '';
  for (const step of steps) {
    const [, who = '', does = step] = /^(\d+): (.*)$/.exec(step) ?? [];
    const before = clauses.at(-1);
    if (before !== undefined && (does.startsWith('but ') || (who !== '' && who === last)))
      clauses[clauses.length - 1] = `${before}, ${does}`;
    else clauses.push(`${who} ${does}`.trim());
    if (!does.startsWith('but ')) last = who;
  }
  return clauses.join('; ');
};
