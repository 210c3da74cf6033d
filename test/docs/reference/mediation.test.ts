import { mediate } from 'agentcharter/semantics';
import { expect, it } from 'vitest';
import { misleading as literalPairs } from '../../src/optional/semantics/mediate/literal-pairs.ts';
import { figuresOf, methods, outcomeOf } from '../../src/optional/semantics/mediation/figures.ts';
import { pairs } from '../../src/optional/semantics/mediation/pairs/index.ts';
import { beyond, hostile } from '../../src/optional/semantics/mediation/pairs/hostile.ts';
import { kept } from '../../src/optional/semantics/mediation/pairs/kept/index.ts';
import type { Pair } from '../../src/optional/semantics/mediation/pairs/pair.ts';
import { expectPrinted, testEveryPageIsPrinted } from '../printed.ts';
import { mediationPage, type Half } from './mediation.ts';

const halfOf = (title: string, about: string, some: readonly Pair[]): Half => ({
  title,
  about,
  methods: Object.fromEntries(
    Object.entries(methods).map(([name, method]) => [name, figuresOf(some, method)]),
  ),
  pairs: some.map((pair) => {
    const { right, wanted } = figuresOf([pair], methods.mediate);
    return [pair.name, pair.expects, outcomeOf(pair), `${right} of ${wanted}`];
  }),
});

const halves = [
  halfOf('Known pairs', 'The thresholds were set on these.', pairs),
  halfOf(
    'Unseen pairs',
    'Written without knowledge of the method. On the first run three links were wrong, none in a safe pair. Rules added since ask more often.',
    kept,
  ),
];

/** What each of the misleading pairs comes to. */
const misleading = hostile.map(
  (pair) => [pair.name, outcomeOf(pair), beyond.includes(pair.name) ? 'yes' : ''] as const,
);

/** What each of the misleading pairs without schemas comes to. */
const literal = literalPairs.map(
  ([name, source, target]) => [name, mediate({ fields: source }, { fields: target }).outcome] as const,
);

it.each(halves)(
  '$title: presents no wrong mapping as safe, and finds more than names do',
  ({ methods: by }) => {
    const { mediate: ours, ...baselines } = by;
    expect(ours?.pairs).toBeGreaterThanOrEqual(30);
    expect(ours).toMatchObject({ wrong: 0, unsafe: [] });
    for (const baseline of Object.values(baselines)) {
      expect(baseline.unsafe.length).toBeGreaterThan(0);
      expect(baseline.right).toBeLessThan(ours?.right ?? 0);
    }
  },
);

it('each pair has the printed outcome', async () => {
  const lines = [...halves.flatMap(({ pairs: some }) => some), ...misleading, ...literal].map((cells) =>
    cells.join(' | '),
  );
  expect(lines.length).toBe(pairs.length + kept.length + hostile.length + literal.length);
  await expect(lines.join('\n').concat('\n')).toMatchFileSnapshot('printed/mediation.txt');
});

it('docs/reference/mediation.md prints these figures', async () => {
  await expectPrinted('docs/reference/mediation.md', mediationPage(halves, misleading, literal));
});

testEveryPageIsPrinted();
