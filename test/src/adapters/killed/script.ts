import type { Step } from '../subject.ts';

/** A read, a payment that a person has to approve, and an answer. */
export const script: readonly Step[] = [
  { calls: [{ id: 'call-1', tool: 'read_balance', arguments: { account: 'a-1' } }] },
  { calls: [{ id: 'call-2', tool: 'send_money', arguments: { to: 'alice', cents: 100 } }] },
  { answer: { said: 'paid' } },
];
