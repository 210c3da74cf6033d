import type { ProposedCall } from '../../machines/index.ts';
import type { RollbackAction } from '../../schema/index.ts';
import { actionDigest } from '../approvals/subject.ts';
import { describeRollback } from '../define/rollback.ts';
import { causeOf } from '../errors.ts';
import { subjectsOf } from '../evidence/checks.ts';
import type { CallDocument } from '../ports/ledger.ts';
import type { Tool } from '../ports/tool.ts';
import { emitCallbackFailed } from './callback-failed.ts';
import type { Environment } from './environment.ts';
import { redactedText } from './redact.ts';
import type { Task } from './task.ts';

/** What a schema read, frozen; and what it was given, where that is something else. */
export interface Read {
  readonly value: unknown;
  readonly raw?: unknown;
}

interface Described {
  readonly rollback: RollbackAction | null;
  readonly rollbackFault?: string;
}

/** The rollback of a call, or why it is not described: the mistake is its author's, and no output of the model mends it. */
const describedBy = (task: Task, environment: Environment, tool: Tool, input: unknown): Described => {
  if (tool.rollback === null) return { rollback: null };
  try {
    return { rollback: describeRollback(tool.name, tool.rollback, input) };
  } catch (error) {
    const callback = `rollback.describe of tool ${JSON.stringify(tool.name)}`;
    emitCallbackFailed(environment, task, callback, 'ROLLBACK_REQUIRED', error);
    const rollbackFault = redactedText(environment.redact, `${callback} failed: ${causeOf(error)}`);
    return { rollback: null, rollbackFault };
  }
};

/**
 * The action of a call: its digest covers the request, the tool, its version, the arguments and the rollback.
 *
 * A write whose declared rollback says nothing is proposed as `write_high_risk` without one, so that the gate refuses it.
 */
export const actionOf = (
  task: Task,
  environment: Environment,
  tool: Tool,
  { value: input, raw }: Read,
  identity: Pick<CallDocument, 'id' | 'ref'>,
): { readonly document: CallDocument; readonly proposed: ProposedCall } => {
  const described = describedBy(task, environment, tool, input);
  const { rollback, rollbackFault } = described;
  const { name, version } = tool;
  const digest = actionDigest(task.view.context.request, {
    tool: name,
    version,
    arguments: input,
    rollback,
  });
  const isRaised = rollbackFault !== undefined && tool.tier !== 'read_only';
  const tier = isRaised ? 'write_high_risk' : tool.tier;
  return {
    document: {
      ...identity,
      tool: name,
      version,
      arguments: input,
      ...(raw !== undefined && { raw }),
      ...described,
      doubt: tool.doubt,
      digest,
    },
    proposed: {
      id: identity.id,
      tool: name,
      tier,
      digest,
      rollback: rollback !== null,
      ...subjectsOf(task.taskClass.checks, input),
    },
  };
};
