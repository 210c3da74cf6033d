import { describe, expect, it } from 'vitest';
import {
  patternsBelow,
  patternsOver,
  joined,
  labelAt,
  labelIn,
  labelOf,
  lowered,
  trusted,
  unlabelled,
} from '../../../../src/gates/origins/label.ts';
import type { Label, Labels } from '../../../../src/base/ports/origin.ts';

const integrity = (labels: Labels, pointer: string) => labelAt(labels, pointer).integrity;

describe('the label of a value', () => {
  it.each<[string, Labels, string, Label['integrity']]>([
    ['is untrusted without labels', {}, '/a', 'untrusted'],
    ['covers everything below its pointer', { '/a': { integrity: 'trusted' } }, '/a/b/0', 'trusted'],
    ['covers nothing beside its pointer', { '/a': { integrity: 'trusted' } }, '/ab', 'untrusted'],
    ['covers nothing above its pointer', { '/a/b': { integrity: 'trusted' } }, '/a', 'untrusted'],
    ['covers any one member with a star', { '/*/id': { integrity: 'trusted' } }, '/x/id', 'trusted'],
    ['covers one level only with a star', { '/*/id': { integrity: 'trusted' } }, '/x/y/id', 'untrusted'],
    ['has a slash in a name', { '/a~1b': { integrity: 'trusted' } }, '/a~1b', 'trusted'],
    [
      'is that of the longest pattern',
      { '/a/*': { integrity: 'untrusted' }, '/a': { integrity: 'trusted' } },
      '/a/b',
      'untrusted',
    ],
    [
      'prefers a name to a star',
      { '/a/b': { integrity: 'trusted' }, '/a/*': { integrity: 'untrusted' } },
      '/a/b',
      'trusted',
    ],
    [
      'prefers the earlier name',
      { '/*/b': { integrity: 'untrusted' }, '/a/*': { integrity: 'trusted' } },
      '/a/b',
      'trusted',
    ],
  ])('%s', (_, labels, pointer, expected) => expect(integrity(labels, pointer)).toBe(expected));

  it('is decided member by member', () => {
    const labels: Labels = { '': { integrity: 'trusted', readers: ['ada'] }, '/a': { readers: 'anyone' } };
    expect(labelAt(labels, '/a')).toEqual({ integrity: 'trusted', readers: 'anyone' });
  });

  it('lists the patterns that cover it, the most specific first', () => {
    expect(patternsOver(['', '/*', '/a', '/a/b'], '/a')).toEqual(['/a', '/*', '']);
  });

  it.each([3, 31, 32, 33, 60, 1_100])('prefers the longer pattern at %i tokens', (depth) => {
    const pointer = '/a'.repeat(depth);
    const [names, star] = [pointer, `${pointer}/*`];
    const longer = `${'/*'.repeat(depth)}/*`;
    expect(patternsOver([names, longer, star], `${pointer}/a`)).toEqual([star, longer, names]);
    const [early, late] = [`/a${'/*'.repeat(depth)}`, `/*${'/a'.repeat(depth)}`];
    expect(patternsOver([late, early], `${pointer}/a`)).toEqual([early, late]);
  });

  it('lists the patterns that cover only its members', () => {
    expect(patternsBelow(['', '/*', '/a', '/a/*', '/*/b/c', '/x/*'], '/a')).toEqual(['/a/*', '/*/b/c']);
    expect(patternsBelow(['/*'], '')).toEqual(['/*']);
  });
});

describe('the join of labels', () => {
  it('is as trusted as the less trusted, and has the readers of both', () => {
    const ada: Label = { integrity: 'trusted', readers: ['ada', 'bob'] };
    const bob: Label = { integrity: 'untrusted', readers: ['bob', 'eve'] };
    expect(joined(ada, bob)).toEqual({ integrity: 'untrusted', readers: ['bob'] });
    expect(joined(bob, ada)).toEqual({ integrity: 'untrusted', readers: ['bob'] });
    expect(joined(ada, trusted)).toEqual(ada);
    expect(joined(trusted, bob)).toEqual(bob);
  });

  it('is over every pattern of a value, and what none covers', () => {
    expect(labelOf({ '/a': { integrity: 'trusted', readers: ['ada'] } })).toEqual({
      integrity: 'untrusted',
      readers: ['ada'],
    });
    expect(labelOf({ '': { integrity: 'trusted' } })).toEqual(trusted);
    expect(labelOf({ '': { integrity: 'trusted' }, '/a': { integrity: 'untrusted' } })).toEqual(unlabelled);
  });
});

describe('lowered labels', () => {
  const labels: Labels = { '/a': { integrity: 'trusted' }, '/b': { readers: ['ada', 'bob'] } };

  it('are nowhere more trusted than what lowers them', () => {
    const low = lowered(labels, unlabelled, trusted);
    for (const pointer of ['', '/a', '/a/x', '/b', '/c']) expect(integrity(low, pointer)).toBe('untrusted');
  });

  it('are read by no one that may not read what lowers them', () => {
    const low = lowered(labels, { integrity: 'trusted', readers: ['bob'] }, trusted);
    for (const pointer of ['', '/a', '/b', '/c']) expect(labelAt(low, pointer).readers).toEqual(['bob']);
  });

  it('are as they were under a label of full trust', () => {
    const same = lowered(labels, trusted, unlabelled);
    for (const pointer of ['', '/a', '/b', '/c'])
      expect(labelAt(same, pointer)).toEqual(labelAt(labels, pointer));
  });
});

it.each([
  ['in', '{"name":"x"}', 'untrusted'],
  ['not where it is no text, in', { name: 'x' }, 'trusted'],
])('a label of a member counts for the whole %s %j', (_, document, integrityOf) => {
  const labels: Labels = { '': { integrity: 'trusted' }, '/name': { integrity: 'untrusted' } };
  expect(labelIn(document, labels, '').integrity).toBe(integrityOf);
});
