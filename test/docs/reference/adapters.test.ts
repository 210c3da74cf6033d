import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { attacked, attacks } from '../../src/adapters/attacks.ts';
import { behaviours } from '../../src/adapters/suite.ts';
import type { Subject } from '../../src/adapters/subject.ts';
import { subjects } from '../../src/adapters/subjects.ts';
import { Backend } from '../../src/adapters/backend.ts';
import { expectPrinted, testEveryPageIsPrinted } from '../printed.ts';
import { adaptersPage, type Shown, type Swapped, type Withstood } from './adapters.ts';
import { rowsIn } from './markdown.ts';

const bindings = await subjects();
const shown: Shown[] = [];
const withstood: Withstood[] = [];

const swappedIn = async ({ framework, open }: Subject): Promise<Swapped> => {
  const { swaps, close } = await open(new Backend().specs, []);
  await close?.();
  return { framework, swaps };
};

/** Read from the file: not every package lets its own be imported. */
const versionOf = (name: string): string => {
  if (name === 'agentcharter') return 'this one';
  const { resolve } = createRequire(import.meta.url);
  for (const folder of resolve.paths(name) ?? []) {
    const file = `${folder}/${name}/package.json`;
    if (existsSync(file))
      return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(file, 'utf8'))).version;
  }
  throw new Error(`${name} is not installed`);
};

describe.each(bindings)('$framework', (subject) => {
  test.each(behaviours)('$sentence', async ({ name, show }) => {
    await show(subject);
    shown.push({ framework: subject.framework, behaviour: name });
  });

  test.each(attacks)('$name', async (attack) => {
    const { guarded, unguarded } = await attacked(subject, attack);
    withstood.push({ framework: subject.framework, attack: attack.name, guarded, unguarded });
    expect(attack.withstood).toContain(guarded);
  });
});

test('docs/reference/adapters.md prints the behaviours and the results of the attacks', async () => {
  const swapped = await Promise.all(bindings.map(swappedIn));
  const named = bindings.map((subject) => ({ ...subject, version: versionOf(subject.package) }));
  const printed = adaptersPage(named, behaviours, shown, withstood, swapped);
  expect(rowsIn(printed)).toBe(bindings.length + attacks.length);
  for (const { sentence } of behaviours) expect(printed).toContain(`- ${sentence}\n`);
  await expectPrinted('docs/reference/adapters.md', printed);
});

testEveryPageIsPrinted();
