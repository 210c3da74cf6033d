import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fateOf } from '../../differential/fate.ts';
import { Survivors } from '../verdict.ts';
import type { SourceMutant } from './mutants.ts';
import { root } from './trial.ts';
import { changeOf, chartMutants, verdictOn, type Verdict } from './verdict.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { share: { type: 'string' }, seed: { type: 'string' }, worlds: { type: 'string' } },
});
const seed = Number(values.seed ?? process.env['FC_SEED'] ?? 1);
const mutants = chartMutants(positionals);

/** So many of them, each chosen by a number that the seed decides. */
const shareOf = (most: number): readonly SourceMutant[] => {
  const { among } = fateOf(seed);
  const left = [...mutants];
  return Array.from({ length: Math.min(most, left.length) }, () => {
    const at = among(left.map((_, index) => index) as [number, ...number[]]);
    return left.splice(at, 1)[0];
  }).flatMap((mutant) => mutant ?? []);
};

const chosen = values.share === undefined ? mutants : shareOf(Number(values.share));
const worlds = values.worlds === 'all' ? 'all' : 'sharp';
const verdicts: Verdict[] = [];
for (const mutant of chosen) {
  const verdict = await verdictOn(mutant, worlds);
  verdicts.push(verdict);
  const { file, line, code, replacement } = changeOf(mutant);
  console.log(
    `${verdict.by ?? 'SURVIVED'}: ${file}: in \`${line}\`, \`${code}\` made \`${replacement}\` ${verdict.why}`,
  );
}

const nameOf = (change: object): string => JSON.stringify(change);
const listed = Survivors.parse(
  JSON.parse(readFileSync(join(root, 'test/mutation/charts/survivors.json'), 'utf8')),
);
const expected = new Set(listed.map(({ reason: _reason, ...change }) => nameOf(change)));
const survived = verdicts.filter(({ by }) => by === null).map(({ mutant }) => nameOf(changeOf(mutant)));
const unlisted = survived.filter((name) => !expected.has(name));
const gone =
  values.share === undefined && positionals.length === 0
    ? [...expected].filter((name) => !survived.includes(name))
    : [];
const count = (by: Verdict['by']): number => verdicts.filter((verdict) => verdict.by === by).length;
console.log(
  `${chosen.length} of ${mutants.length} mutants (seed ${seed}): ${count('property')} fall to a property, ${count('model')} to the model, ` +
    `${count('error')} throw or have no end, ${count('unit test')} fall to a unit test alone, ${survived.length} survive, ${unlisted.length} of them unlisted`,
);
for (const name of unlisted) console.error(`survived, and is not listed: ${name}`);
for (const name of gone) console.error(`listed, and did not survive: ${name}`);
if (unlisted.length + gone.length > 0) process.exitCode = 1;
