import { beforeEach, expect, test, vi } from 'vitest';
import { executionMachine } from '../../../../machines/index.ts';
import { machines } from './machines.ts';

/** A small machine: its layout takes no time. */
const machine = machines['nested states and targets of every kind']!;

const missing = (name: string) =>
  vi.doMock(name, () => {
    throw new Error(`Cannot find package '${name}'`);
  });

const lacks = (message: string) => ({
  code: 'definition_invalid',
  message: `picture: ${message}`,
  details: { definition: 'picture', issues: [{ path: '', message }] },
});

beforeEach(() => vi.resetModules());

test('A png without its drawing package names the package to install', async () => {
  missing('@resvg/resvg-js');
  const { render } = await import('agentcharter/render');
  expect((await render(machine, { format: 'svg' })).length).toBeGreaterThan(1000);
  await expect(render(machine, { format: 'png' })).rejects.toMatchObject(
    lacks('needs its renderer: npm install @resvg/resvg-js'),
  );
});

test('A picture without its layout package names the package to install, and every text format works', async () => {
  missing('elkjs/lib/elk.bundled.js');
  const { render } = await import('agentcharter/render');
  for (const format of ['svg', 'png'] as const)
    await expect(render(executionMachine, { format })).rejects.toMatchObject(
      lacks('needs its layout engine: npm install elkjs'),
    );
  for (const format of ['mermaid', 'json', 'xstate'] as const)
    expect((await render(executionMachine, { format })).length).toBeGreaterThan(1000);
});
