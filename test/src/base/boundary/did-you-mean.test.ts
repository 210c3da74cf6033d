import { expect, it } from 'vitest';
import { didYouMean, unknownAmong } from '../../../../src/base/boundary/did-you-mean.ts';

it.each<[string, readonly string[], string]>([
  ['beforeDelivery', ['beforeWrite', 'beforeDeliver'], '. Did you mean "beforeDeliver"?'],
  ['weather.raed', ['weather.read', 'weather.send'], '. Did you mean "weather.read"?'],
  ['ver', ['verify', 'show'], '. Did you mean "verify"?'],
  ['colour', ['tools', 'model'], ''],
  ['d', ['c'], ''],
  ['ab', ['cd'], ''],
  ['a'.repeat(41), ['a'.repeat(40)], ''],
  ['tools', [], ''],
])('compares %j with %j', (word, known, said) => {
  expect(didYouMean(word, known)).toBe(said);
});

it('finds the names that are not known, in order, each with the nearest one', () => {
  expect(unknownAmong(['tols', 'model', 'colour'], ['tools', 'model'])).toEqual([
    { name: 'tols', hint: '. Did you mean "tools"?' },
    { name: 'colour', hint: '' },
  ]);
});
