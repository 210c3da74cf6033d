import type { ProposedCall } from '../../../machines/index.ts';

const proposed =
  (tier: ProposedCall['tier'], rollback: boolean) =>
  (id: string, digest = `action-${id}`): ProposedCall => ({ id, tool: `tool-${id}`, tier, digest, rollback });

/** Returns a call, chosen by what guards distinguish: its tier, and whether it has a rollback. */
export const callOf = {
  read: proposed('read_only', false),
  note: proposed('write_low_risk', false),
  undoable: proposed('write_low_risk', true),
  send: proposed('write_high_risk', true),
  irrevocable: proposed('write_high_risk', false),
} as const;
