import type { ProposedCall } from '../../../machines/index.ts';

/** Returns plans with two calls of one id, and with an id that no store can hold. */
export const unacceptable = (calls: readonly ProposedCall[]): readonly (readonly ProposedCall[])[] => {
  const one = calls[0] ?? { id: 'twice', tool: 'tool', tier: 'read_only', digest: 'twice', rollback: false };
  return [
    [...calls, one, one],
    [...calls, { ...one, id: 'sessionId' }],
  ];
};
