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

const rowOf = ([name, { wanted, right, wrong, safe, unsafe, first }]: [
  string,
  Figures,
]): readonly string[] => [
  name,
  `${right} of ${wanted}`,
  String(wrong),
  percent(right, right + wrong),
  percent(right, wanted),
  percent(right + first, wanted),
  String(safe),
  String(unsafe.length),
];

export const mediationPage = (
  halves: readonly Half[],
  misleading: readonly (readonly [name: string, outcome: string, isMisled: string])[],
): string =>
  page(
    'Mediation',
    'Pairs of schemas that real systems have, with the right answer of a careful person for each: a pair `maps`, a person has to choose (`ambiguous`), or a required value has no source (`none`). `mediate` is measured beside two baselines: fields of equal names are the same, and fields whose names look alike (Dice coefficient of letter pairs, at least 0.6).',
    '- _precision_: of the fields that a method links, how many are right; _recall_: of the fields that have a right source, how many it links.\n- _with a person_: the same, where a person takes the first of the alternatives that are offered; the baselines offer none.\n- _presented as safe_: pairs of which every required field is linked; _wrongly_: those with a wrong link in them, or that a person would not have let pass.',
    ...halves.flatMap(({ title, about, methods, pairs }) => [
      `## ${title}`,
      `${pairs.length} pairs. ${about}`,
      table(
        ['method', 'right', 'wrong', 'precision', 'recall', 'with a person', 'presented as safe', 'wrongly'],
        Object.entries(methods).map(rowOf),
      ),
      table(['pair', 'a person says', 'mediate says', 'right fields'], pairs),
    ]),
    '## Pairs that were made to mislead it',
    `${misleading.length} pairs, by somebody who knew every rule: descriptions that agree in all but what matters. None of them may pass. The first time, 92 did; ${misleading.filter(([, , isMisled]) => isMisled !== '').length} still do, and are marked. In most of these, both sides say the same words of two things: only a person, or a term of an ontology, tells them apart. Whoever cannot afford that lets a person confirm each mapping once: it is plain data, and can be kept.`,
    table(['pair', 'mediate says', 'misled'], misleading),
  );
