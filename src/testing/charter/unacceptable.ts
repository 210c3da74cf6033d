import type { ProposedCall } from '../../../machines/index.ts';

/** Returns a read that is held: it would not come to the gate where a person endorses it. */
export const heldRead = (call: ProposedCall): ProposedCall => ({
  ...call,
  tier: 'read_only',
  held: ['FLOW_FORBIDDEN'],
});

/** Returns plans with two calls of one id, with an id that no store can hold, and with a held read. */
export const unacceptable = (calls: readonly ProposedCall[]): readonly (readonly ProposedCall[])[] => {
  const one = calls[0] ?? { id: 'twice', tool: 'tool', tier: 'read_only', digest: 'twice', rollback: false };
  return [
    [...calls, one, one],
    [...calls, { ...one, id: 'sessionId' }],
    [...calls, heldRead({ ...one, id: 'held-read' })],
  ];
};
