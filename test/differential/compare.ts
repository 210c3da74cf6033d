import { isDeepStrictEqual } from 'node:util';
import type { Story } from './chart.ts';
import { read, type Said } from './model.ts';
import type { Fact, TaskClass } from './vocabulary.ts';
import { requests } from '../../src/testing/charter/world.ts';

/** Where two readings of one story part: the fact, and what each says after it. */
export interface Difference {
  readonly at: number;
  readonly chart: Said;
  readonly model: Said;
}

/** The first fact after which the chart and the model do not agree. */
export const differenceIn = ({ taskClass, facts, shown }: Story): Difference | null => {
  const said = read(taskClass, requests[0], facts);
  const at = shown.findIndex((chart, index) => !isDeepStrictEqual(chart, said[index]));
  const chart = shown[at];
  const model = said[at];
  return chart === undefined || model === undefined ? null : { at, chart, model };
};

/** The same difference without what it does not need: facts are left out one after another as long as it stays. */
export const shortest = (story: Story, tellAgain: (facts: readonly Fact[]) => Story): Story => {
  let short = story;
  for (;;) {
    const found = differenceIn(short);
    if (found === null) return short;
    const facts = short.facts.slice(0, found.at + 1);
    const shorter = facts
      .map((_, index) => tellAgain(facts.filter((__, other) => other !== index)))
      .find((one) => differenceIn(one) !== null);
    if (shorter === undefined) return tellAgain(facts);
    short = shorter;
  }
};

const factText = ({ type, ...fields }: Fact): string =>
  `${type} ${JSON.stringify(fields)
    .replaceAll(/"request":"[^"]*(..)",?/g, '')
    .replaceAll('"', '')}`;

const said = (one: Said): string => JSON.stringify(one).replaceAll('"', '');

/** A difference as it is read: the contract, the facts that were told, and both views after the last. */
export const textOf = (story: Story): string => {
  const found = differenceIn(story);
  if (found === null) return 'no difference';
  const told = story.facts.slice(0, found.at + 1).map((fact, index) => {
    const how = story.shown[index]?.taken === true ? '  ' : ' x';
    return `${how} ${factText(fact)}`;
  });
  const contract = JSON.stringify(story.taskClass satisfies TaskClass).replaceAll('"', '');
  return [contract, ...told, `chart: ${said(found.chart)}`, `model: ${said(found.model)}`].join('\n');
};
