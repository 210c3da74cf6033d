import type { ProposedCall } from '../../../machines/index.ts';

const proposed =
  (tier: ProposedCall['tier'], rollback: boolean) =>
  (id: string, digest = `action-${id}`): ProposedCall => ({ id, tool: `tool-${id}`, tier, digest, rollback });

/** A call of a world, by what a guard can tell of it: its tier, and whether it can be undone. */
export const callOf = {
  read: proposed('read_only', false),
  note: proposed('write_low_risk', false),
  undoable: proposed('write_low_risk', true),
  send: proposed('write_high_risk', true),
  irrevocable: proposed('write_high_risk', false),
} as const;
