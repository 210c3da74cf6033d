import type { SnapshotFrom } from 'xstate';
import type { Fact, taskMachine } from '../../machines/index.ts';
import type { ReasonCode } from '../../schema/index.ts';
import type { Actor, RecordPayload } from '../ports/ledger.ts';
import type { Step } from '../ports/store.ts';
import type { Tool } from '../ports/tool.ts';

export type TaskSnapshot = SnapshotFrom<typeof taskMachine>;

/** Who states a fact, and what it brings beside itself. */
export interface Statement {
  readonly actor: Actor;
  readonly brought?: RecordPayload;
  /** Why it is refused, where that is known before the chart is asked. */
  readonly code?: ReasonCode | null;
  /** Why it was refused, where only the chart's answer tells. */
  readonly whyRefused?: () => ReasonCode | null;
  /** Makes a repeated send harmless. */
  readonly key?: string;
  /** The approvals that it uses up. */
  readonly consumedApprovals?: Step['consumedApprovals'];
}

/** The orchestrator itself, when it is the one who acts. */
export const orchestratorActor: Actor = { kind: 'system', id: 'agentcharter' };

/** Facts that say what came of something begun: too late to count, they are kept as orphans. */
const lateFacts: ReadonlySet<Fact['type']> = new Set([
  'call.succeeded',
  'call.failed',
  'call.doubted',
  'policy.decided',
  'verifier.reported',
  'rollback.succeeded',
  'rollback.failed',
] satisfies Fact['type'][]);

/** Returns what a fact is recorded as that was not taken: it came too late, or was not let in. */
export const refusedKind = ({ type }: Fact): 'orphan' | 'refusal' =>
  lateFacts.has(type) ? 'orphan' : 'refusal';

/** A fact that is not let in leaves its code, and nothing that could be used: no token is kept for nothing. */
export const refusedOf = ({ brought = {}, whyRefused, ...statement }: Statement): Statement => {
  const { approval: _approval, ...kept } = brought;
  const { key: _key, ...refused } = statement;
  return { ...refused, code: whyRefused?.() ?? null, brought: kept };
};

/** What this process saw of a call. */
export interface Seen {
  /** The tool that read its arguments. */
  readonly reader?: Tool;
  /** The version of the policy that cleared it. */
  readonly clearedBy?: string | undefined;
}
