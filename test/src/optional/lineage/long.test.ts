import { lineageOf } from 'agentcharter/lineage';
import { describe, expect, it } from 'vitest';
import { messageOf, placesIn } from './made.ts';

const many = 30_000;
const count = <Made>(make: (index: number) => Made): readonly Made[] =>
  Array.from({ length: many }, (_, index) => make(index));

describe(`Of ${many} messages a lineage`, () => {
  it.each([
    ['in one chain', (index: number) => (index === 0 ? {} : { answers: index - 1 }), 0],
    ['in one chain, the last one first', (index: number) => ({ answers: index + 1, second: -index }), 1],
    ['in one circle', (index: number) => ({ answers: (index + 1) % many }), many - 1],
    ['that all answer the first', (index: number) => (index === 0 ? {} : { answers: 0 }), 0],
    ['that all answer themselves', (index: number) => ({ answers: index }), many],
    ['each in a separate thread', (index: number) => ({ thread: index }), 0],
    ['of one messageId', () => ({ id: 0 }), many - 1],
  ])('%s is complete without deep recursion or quadratic work', (_, more, expected) => {
    const given = count((index) => messageOf({ id: index, ...more(index) }));
    const lineage = lineageOf(given);
    const places = placesIn(lineage);
    const lost = lineage.findings.filter(({ code }) => code === 'repeated' || code === 'duplicate');
    expect(places.length).toBe(many - lost.length); // a deep tree would overflow the printer
    expect(new Set(places.map(({ node }) => node.message.messageId)).size).toBe(places.length);
    expect(lineage.findings.length).toBe(expected);
  });
});
