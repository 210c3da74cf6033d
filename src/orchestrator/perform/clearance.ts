import type { ReasonCode } from '../../../schema/index.ts';
import { causeOf } from '../../errors.ts';
import { actionOf } from '../action.ts';
import { inTime } from '../in-time.ts';
import { readArguments } from '../read-output.ts';
import { orchestratorActor } from '../record.ts';
import { isReader, isStillCleared, noteCleared, noteReader } from '../seen.ts';
import { approvalFault } from './approvals.ts';
import { askPolicy, type Decision } from './decision.ts';
import type { Run } from './run.ts';

/** Why a clearance does not hold any more. */
export interface Lapse {
  readonly code: ReasonCode;
  readonly explanation: string;
}

const shown = (value: unknown): string => JSON.stringify(value) ?? 'none';

/** Whether the same arguments still make the same action: a schema and a rollback have no identity to compare. */
const actionFault = async ({ task, environment, tool, call }: Run): Promise<string | null> => {
  const read = await readArguments(tool, call.raw ?? call.arguments, '');
  if ('issues' in read) return 'its schema does not take the arguments of this call any more';
  const again = actionOf(task, environment, tool, read, { id: call.id });
  return again.document.digest === call.digest
    ? null
    : 'its schema or its rollback makes another action of these arguments now';
};

/** What differs between the tool that a call was proposed to and the tool of that name now; `null` for nothing. */
export const contractFault = async (run: Run): Promise<Lapse | null> => {
  const { task, tool, call } = run;
  if (isReader(task, call.id, tool)) return null;
  const tier = task.view.context.calls[call.id]?.tier ?? tool.tier;
  const members = [
    ['version', call.version, tool.version],
    ['tier', tier, tool.tier],
    ['doubt', call.doubt, tool.doubt],
  ] as const;
  const [changed] = members.filter(([, was, is]) => was !== is);
  const why =
    changed === undefined
      ? await actionFault(run).catch(causeOf)
      : `its ${changed[0]} was ${shown(changed[1])} and is ${shown(changed[2])}`;
  if (why === null) noteReader(task, call.id, tool);
  return why === null
    ? null
    : { code: 'TOOL_CHANGED', explanation: `${tool.name} is not what it was: ${why}` };
};

/** A system whose own authority cleared the write must still stand behind it. */
const isVouchedFor = ({ task, call }: Run, { authority }: Decision): boolean => {
  const made = task.view.context.calls[call.id];
  return made?.authority !== 'system' || (authority !== undefined && made.approvers.includes(authority));
};

/** What came of asking the policy in force: nothing against the write, a lapse, or the end of the run. */
type Verdict = Lapse | 'stands' | 'over';

/** Asks the policy in force about a write that it allowed before. */
const policyVerdict = async (run: Run): Promise<Verdict> => {
  const { task, environment, call, signal } = run;
  const late = new AbortController();
  const asked = askPolicy(task, call, environment, AbortSignal.any([signal, late.signal]));
  const decision = await inTime(environment.clock, task.taskClass.deadlines.policy, asked).catch(() => {
    late.abort();
    return undefined;
  });
  if (decision === undefined) {
    await task.submitWithRetry(
      { type: 'run.failed', code: 'POLICY_UNAVAILABLE' },
      { actor: orchestratorActor },
    );
    return 'over';
  }
  if (decision === null || signal.aborted) return 'over';
  const isAllowed =
    decision.verdict === 'allow' ||
    (decision.verdict === 'needs_review' && task.view.context.calls[call.id]?.authority !== null);
  if (isAllowed && isVouchedFor(run, decision)) return 'stands';
  const reasons = decision.reasons.join('; ');
  return { code: 'POLICY_CHANGED', explanation: `the policy says ${decision.verdict} now: ${reasons}` };
};

/** Looks at everything that a clearance rests on, as it is now. */
const verdictOn = async (run: Run): Promise<Verdict> => {
  const { task, environment, tool, call } = run;
  const contract = await contractFault(run);
  if (contract !== null) return contract;
  if (tool.tier === 'read_only') return 'stands';
  const approval = await approvalFault(run);
  if (approval !== null) return { code: approval.refused, explanation: approval.explanation };
  return isStillCleared(task, call.id, environment.policy.version) ? 'stands' : policyVerdict(run);
};

/** Whether the effect of a call may begin once more: its clearance is looked at as for the first time. */
export const mayBegin = async (run: Run): Promise<boolean> => (await verdictOn(run)) === 'stands';

/** Records that a clearance does not hold any more: the call goes back to its gate. */
export const refuseCall = ({ task, of }: Run, { code, explanation }: Lapse): Promise<boolean> =>
  task.submitWithRetry(
    { type: 'call.refused', ...of, code },
    { actor: orchestratorActor, brought: { explanation } },
  );

/**
 * Looks at the clearance of a call where its effect is about to begin, and records what it finds; `false` where the call
 * may not begin (UAICP 5.3).
 */
export const clear = async (run: Run): Promise<boolean> => {
  const { task, environment, tool, call, of, signal } = run;
  const { version } = environment.policy;
  const isKnown = tool.tier === 'read_only' || isStillCleared(task, call.id, version);
  const verdict = await verdictOn(run);
  if (signal.aborted || verdict === 'over') return false;
  if (verdict !== 'stands') {
    await refuseCall(run, verdict);
    return false;
  }
  if (isKnown) return true;
  noteCleared(task, call.id, version);
  return task.submitWithRetry(
    { type: 'call.cleared', ...of, digest: call.digest },
    { actor: orchestratorActor },
  );
};
