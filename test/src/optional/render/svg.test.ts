import { render } from 'agentcharter/render';
import { expect, test } from 'vitest';
import { machines } from './machines.ts';
import { drawn, testPictures } from './pictures.ts';

testPictures(Object.entries(machines));

test('A dot in a state’s name differs from a nested state', async () => {
  const picture = await render(machines['names that mean something elsewhere']!, { format: 'svg' });
  expect(drawn(picture, 'data-state')).toEqual(expect.arrayContaining([String.raw`a\.b`, 'a.b']));
});
