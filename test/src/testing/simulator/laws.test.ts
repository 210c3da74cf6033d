import { expect, it } from 'vitest';
import type { Fact } from '../../../../machines/index.ts';
import type { Step } from '../../../../src/base/ports/store.ts';
import { watchOf } from '../../../../src/testing/simulator/laws.ts';

const of = { request: 'r', attempt: 0, call: 'pay' };
const edited = (digest: string, more: object = {}): Fact => ({
  type: 'human.responded',
  question: 'approval:given',
  feedback: 'edit',
  call: { id: 'pay', tool: 'pay', tier: 'write_high_risk', digest, rollback: true },
  ...more,
});

/** What a watch says of a write of the digest `made`, after a review and these facts. */
const broken = (...facts: readonly Fact[]): readonly string[] => {
  const said: string[] = [];
  const written = [
    { type: 'policy.decided', ...of, digest: 'made', verdict: 'needs_review' },
    ...facts,
    { type: 'call.started', ...of, digest: 'made' },
  ].map((fact) => ({ record: { kind: 'fact', fact, brought: {} } }));
  const watch = watchOf(written as unknown as readonly Step[], (law) => said.push(law)); // what a watch reads of them
  watch({ kind: 'call', key: 'made' } as never, { tier: 'write_high_risk' } as never);
  return said;
};

it.each([
  ['the edit of this call, by whom it counts for', [edited('made', { approves: true })], []],
  ['an edit that does not approve', [edited('made')], ['no write begins before it is cleared']],
  [
    'the edit of another call',
    [edited('other', { approves: true })],
    ['no write begins before it is cleared'],
  ],
  ['nothing', [], ['no write begins before it is cleared']],
] as const)('A write is cleared by %s, or not', (_, facts, laws) => {
  expect(broken(...facts)).toEqual(laws);
});
