import type { CallDocument } from '../../ports/ledger.ts';
import type { Work } from '../../ports/telemetry.ts';
import type { RiskTier } from '../../../schema/index.ts';

/** Work on a call, as telemetry is told of it: never its arguments. */
export const workOn = (
  kind: 'tool' | 'rollback' | 'policy',
  { id: call, tool, version }: CallDocument,
  tier: RiskTier,
  attempt: number,
): Work => ({ kind, tool, version, call, tier, attempt });
