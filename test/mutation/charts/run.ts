import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fateOf } from '../../differential/fate.ts';
import { Survivors } from '../verdict.ts';
import { changeOf, chartMutants, mutantOf, root } from './sources.ts';
import { judgeAll, type Verdict } from './verdict.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { share: { type: 'string' }, seed: { type: 'string' }, worlds: { type: 'string' } },
});
const seed = Number(values.seed ?? process.env['FC_SEED'] ?? 1);

const isWanted = (file: string): boolean =>
  positionals.length === 0 || positionals.some((text) => file.includes(text));
const numbers = chartMutants.flatMap(({ file }, index) => (isWanted(file) ? [index + 1] : []));

/** So many of them, each chosen by a number that the seed decides. */
const shareOf = (most: number): readonly number[] => {
  const { among } = fateOf(seed);
  const left = [...numbers];
  return Array.from({ length: Math.min(most, left.length) }, () => {
    const at = among(left.map((_, index) => index) as [number, ...number[]]);
    return left.splice(at, 1);
  }).flat();
};

const chosen = values.share === undefined ? numbers : shareOf(Number(values.share));
const verdicts = await judgeAll(chosen, values.worlds === 'all' ? 'all' : 'sharp', ({ mutant, by, why }) => {
  const { file, line, code, replacement } = changeOf(mutantOf(mutant));
  console.log(`${by ?? 'SURVIVED'}: ${file}: in \`${line}\`, \`${code}\` made \`${replacement}\` ${why}`);
});

const nameOf = (change: object): string => JSON.stringify(change);

/** The names of some that are not among the others; of equal ones, as many as there are too many. */
const without = (some: readonly string[], others: readonly string[]): readonly string[] => {
  const left = [...others];
  return some.filter((name) => {
    const at = left.indexOf(name);
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
};

const listed = Survivors.parse(
  JSON.parse(readFileSync(join(root, 'test/mutation/charts/survivors.json'), 'utf8')),
)
  .filter(({ file }) => isWanted(file))
  .map(({ reason: _reason, ...change }) => nameOf(change));
const survived = verdicts
  .filter(({ by }) => by === null)
  .map(({ mutant }) => nameOf(changeOf(mutantOf(mutant))));
const unlisted = without(survived, listed);
const gone = values.share === undefined ? without(listed, survived) : [];
const count = (by: Verdict['by']): number => verdicts.filter((verdict) => verdict.by === by).length;
console.log(
  `${chosen.length} of ${numbers.length} mutants (seed ${seed}): ${count('property')} fall to a property, ${count('model')} to the model, ` +
    `${count('error')} throw or have no end, ${count('unit test')} fall to a unit test, ${survived.length} survive, ${unlisted.length} of them unlisted`,
);
for (const name of unlisted) console.error(`survived, and is not listed: ${name}`);
for (const name of gone) console.error(`listed, and did not survive: ${name}`);
if (unlisted.length + gone.length > 0) process.exitCode = 1;
