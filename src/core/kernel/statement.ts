import { ruleOf } from '../../../machines/facts/index.ts';
import type { Fact } from '../../../machines/index.ts';
import type { ReasonCode } from '../../../schema/index.ts';
import type { Actor, RecordPayload } from '../../base/ports/ledger.ts';
import type { Step } from '../../base/ports/store.ts';
import type { Tool } from '../../base/ports/tool.ts';

/** The actor of a fact, and its documents. */
export interface Statement {
  readonly actor: Actor;
  readonly brought?: RecordPayload;
  /** The code of a refusal, if it is known beforehand. */
  readonly code?: ReasonCode | null;
  /** Returns the code of a refusal by the chart. */
  readonly refusalCode?: () => ReasonCode | null;
  /** An idempotency key. */
  readonly key?: string;
  /** The approvals that the fact uses up. */
  readonly consumedApprovals?: Step['consumedApprovals'];
}

/** The actor of the orchestrator's own records. */
export const orchestratorActor: Actor = { kind: 'system', id: 'agentcharter' };

/** Returns the record kind of a fact that was not accepted: too late, or refused. */
export const refusedKind = ({ type }: Fact): 'orphan' | 'refusal' =>
  ruleOf(type).mayBeLate ? 'orphan' : 'refusal';

/** Returns the statement of a refusal: its code, and no key or approval token. */
export const refusalOf = ({ brought = {}, refusalCode, ...statement }: Statement): Statement => {
  const { approval: _approval, ...kept } = brought;
  const { key: _key, ...refused } = statement;
  return { ...refused, code: refusalCode?.() ?? null, brought: kept };
};

/** What this process knows of a call. */
export interface KnownCall {
  /** The tool that read its arguments. */
  readonly reader?: Tool;
  /** The version of the policy that cleared it. */
  readonly clearedBy?: string | undefined;
}

/** Whether a fact lets an effect begin: nothing has happened before it is stored, so that it has no earlier time to count from. */
export const isBeginning = ({ type }: Fact, { brought }: Statement): boolean =>
  type === 'call.started' || brought?.recovery?.resolution === 'repeated';
