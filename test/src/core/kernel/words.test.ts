import { expect, it } from 'vitest';
import type { Context } from '../../../../machines/index.ts';
import { identicalWrites } from '../../../../src/core/kernel/words.ts';
import type { CallDocument } from '../../../../src/base/ports/ledger.ts';

const call = (id: string, more: object = {}): CallDocument =>
  ({ id, tool: 'next', arguments: { in: 'b' }, digest: `d-${id}`, occurrence: id, ...more }) as CallDocument; // what is read of it

it.each([
  ['that stands', 'committed', {}, 1],
  ['that was undone', 'undone', {}, 0],
  ['that did not happen, as a person says', 'closed', {}, 0],
  ['with other arguments', 'committed', { arguments: { in: 'c' } }, 0],
  ['of another tool', 'committed', { tool: 'back' }, 0],
])('counts an identical write %s', (_, status, more, expected) => {
  const context = { effects: [{ status, digest: 'd-c1' }] } as unknown as Context;
  const calls = { c1: call('c1', more), c2: call('c2') };
  expect(identicalWrites(context, { calls }, calls.c2)).toBe(expected);
});

it('counts none of a tool that does not repeat', () => {
  const { occurrence: _, ...once } = call('c2');
  const context = { effects: [{ status: 'committed', digest: 'd-c1' }] } as unknown as Context;
  expect(identicalWrites(context, { calls: { c1: call('c1'), c2: once } }, once)).toBe(0);
});
