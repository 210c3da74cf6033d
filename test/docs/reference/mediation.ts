import type { Figures } from '../../src/optional/semantics/mediation/figures.ts';
import { figures } from '../../bench/table.ts';
import { page } from './markdown.ts';

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
  literal: readonly (readonly [name: string, outcome: string])[],
): string => {
  const misled = misleading.filter(([, , isMisled]) => isMisled !== '');
  return page(
    'Mediation',
    'See how often [payload mapping](../embed/meaning.md) is right. The [pairs](../../test/src/optional/semantics/mediation/pairs) are schemas of real systems, with the answer of a careful person: the pair maps (`mapping`), a person must choose (`ambiguous`), or a required value has no source (`none`). Two baselines link fields of equal or similar names (Dice coefficient of letter pairs, at least 0.6).',
    halves.map(({ title, about, pairs }) => `- _${title}_: ${pairs.length} pairs. ${about}`).join('\n'),
    figures([
      ['pairs', 'method', 'right links', 'wrong links', 'with a person', 'safe', 'wrongly safe'],
      ...halves.flatMap(({ title, methods }) => Object.entries(methods).map((one) => rowOf(title, one))),
    ]),
    '- _With a person_: the right links if a person takes the first alternative.\n- _Safe_: pairs whose required fields are all linked. _Wrongly safe_: with a wrong link, or stopped by a person.',
    '## Where it asks a person',
    'Rows: the person. Columns: `mediate`.',
    figures([['a person says', ...verdicts], ...agreement(halves.flatMap(({ pairs }) => pairs))]),
    '## Misleading pairs',
    `${misleading.length} more pairs were written to mislead it: descriptions agree in all but what matters. ${misled.length} still map. Most use the same words for two things, which only a person or an ontology term tells apart. To be safe, let a person confirm each mapping once. Some of the ${misled.length} ([all](../../test/docs/reference/printed/mediation.txt)):`,
    misled
      .slice(0, 6)
      .map(([name]) => `- ${name}`)
      .join('\n'),
    '## Without schemas',
    `The paper's example maps: \`candidates[].email\` (contact address) to \`recipients[]\` (email addresses). Of ${literal.length} pairs written with this rule to mislead it, ${literal.filter(([, outcome]) => outcome === 'mapping').length} map. Equal descriptions still mislead: "the email" maps to "emails".`,
  );
};
