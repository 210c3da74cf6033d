import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { mocking } from './vitest.config.ts';

const sources = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.includes('node_modules'))
  .map((file) => ({ file: `test/${file}`, text: readFileSync(`test/${file}`, 'utf8') }));

it('A module that several test files share registers no hooks, because it is loaded once', () => {
  const setup = 'test/differential/watched/setup.ts'; // vitest loads it for every test file
  const sharing = sources.filter(({ file }) => !file.endsWith('.test.ts') && file !== setup);
  expect(sharing.length).toBeGreaterThan(50);
  expect(sharing.filter(({ text }) => /^(?:before|after)(?:Each|All)\(/m.test(text))).toEqual([]);
});

it('A test file that mocks a module runs isolated', () => {
  const replacing = sources.filter(({ text }) => /^\s*vi\.(?:mock|doMock|resetModules)\(/m.test(text));
  expect(replacing.map(({ file }) => file).toSorted()).toEqual(mocking.toSorted());
});
