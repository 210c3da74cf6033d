import type { Figures } from '../../src/semantics/mediation/figures.ts';
import { page, table } from './markdown.ts';

/** Some pairs, and how each method does on them. */
export interface Half {
  readonly title: string;
  readonly about: string;
  readonly methods: Readonly<Record<string, Figures>>;
  /** Each pair: what a person says of it, and what mediation says. */
  readonly pairs: readonly (readonly [name: string, expected: string, outcome: string, links: string])[];
}

const percent = (part: number, whole: number): string =>
  whole === 0 ? '' : `${((100 * part) / whole).toFixed(1)} %`;

const rowOf = (
  title: string,
  [name, { wanted, right, wrong, safe, unsafe, first }]: [string, Figures],
): readonly string[] => [
  title,
  name,
  `${right} of ${wanted} (${percent(right, wanted)})`,
  String(wrong),
  percent(right + first, wanted),
  String(safe),
  String(unsafe.length),
];

const verdicts = ['mapping', 'ambiguous', 'none'] as const;

/** How often a person and `mediate` say what. */
const agreement = (pairs: Half['pairs']): readonly (readonly string[])[] =>
  verdicts.map((wanted) => [
    wanted,
    ...verdicts.map((found) =>
      String(pairs.filter(([, expected, outcome]) => expected === wanted && outcome === found).length),
    ),
  ]);

export const mediationPage = (
  halves: readonly Half[],
  misleading: readonly (readonly [name: string, outcome: string, isMisled: string])[],
): string => {
  const misled = misleading.filter(([, , isMisled]) => isMisled !== '');
  return page(
    'Mediation',
    'See how often [payload mapping](../embed/meaning.md) is right, before you rely on it. The pairs are schemas of real systems, with the answer of a careful person: the pair maps (`mapping`), a person must choose (`ambiguous`), or a required value has no source (`none`). Two baselines link fields of equal names, and fields of similar names (Dice coefficient of letter pairs, at least 0.6).',
    halves.map(({ title, about, pairs }) => `- _${title}_: ${pairs.length} pairs. ${about}`).join('\n'),
    table(
      ['pairs', 'method', 'right links', 'wrong links', 'with a person', 'safe', 'wrongly safe'],
      halves.flatMap(({ title, methods }) => Object.entries(methods).map((one) => rowOf(title, one))),
    ),
    '- _With a person_: the right links if a person takes the first alternative that is offered.\n- _Safe_: pairs whose required fields are all linked. _Wrongly safe_: those with a wrong link, or that a person would have stopped.',
    '## Where it asks a person',
    'A row is the answer of the person, a column that of `mediate`. The pairs are in [test/src/semantics/mediation/pairs](../../test/src/semantics/mediation/pairs).',
    table(['a person says', ...verdicts], agreement(halves.flatMap(({ pairs }) => pairs))),
    '## Misleading pairs',
    `${misleading.length} more pairs were written to mislead it: the descriptions agree in everything but what matters. ${misled.length} of them still map. In most, both sides use the same words for two things. Only a person or a term of an ontology tells them apart. If you cannot afford such a mapping, let a person confirm each mapping once: it is plain data that you can keep. The ${misled.length} are:`,
    misled.map(([name]) => `- ${name}`).join('\n'),
  );
};
