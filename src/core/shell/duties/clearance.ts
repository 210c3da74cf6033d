import type { Call } from '../../../../machines/index.ts';
import type { ReasonCode } from '../../../../schema/index.ts';
import type { Decision } from '../../../base/define/policy-decision.ts';
import { isObject } from '../../../base/boundary/is-object.ts';
import { flowsNow } from '../../../base/define/formerly.ts';
import { causeOf } from '../../../base/errors.ts';
import type { CallDocument } from '../../../base/ports/ledger.ts';
import type { Tool } from '../../../base/ports/tool.ts';
import { orchestratorActor } from '../../kernel/statement.ts';
import { approvalFault, approvalRefusal } from '../approvals.ts';
import { actionOf, type ActionOwner, type ActionPorts } from '../calls.ts';
import type { Environment } from '../environment.ts';
import { emitCallbackFailed } from '../events.ts';
import { readArguments } from '../read-arguments.ts';
import { issueText } from '../read-output.ts';
import { redactedText } from '../redact.ts';
import { inTime } from '../slots.ts';
import { stated, type LiveTask, type Stated, type Stating } from '../live-task.ts';
import { WorkAbort } from '../work-signal.ts';
import { askPolicy, policyEnds, runFailed, type Undecided } from './ask-policy.ts';
import { systemOf, type Performer, type CallRun, type Work } from './performer.ts';

/** Returns why a call that comes after another is not made: the other one was not; `null` if it may be. */
const unmadeBefore = ({ view: { context, projection } }: LiveTask, id: string): string | null => {
  const unmade = context.calls[id]?.after?.find((earlier) => {
    const status = context.calls[earlier]?.status;
    return status === 'refused' || status === 'failed' || status === 'dropped';
  });
  if (unmade === undefined) return null;
  const { tool, ref } = projection.calls[unmade] ?? {};
  return `It comes after ${tool} (${ref}), which was not made.`;
};

/** Returns the decision on a write that another one does not rule out; `needs_review` in place of a policy that ends its process. */
const decisionFor = async (work: Work, call: CallDocument): Promise<Decision | Undecided | null> => {
  const { task, environment } = work;
  const { quotas, clock, store } = environment;
  const full = await quotas.refusal(task.view, call, clock.now(), store);
  if (full !== null && typeof full !== 'string') {
    emitCallbackFailed(environment, task, full.callback, 'POLICY_BLOCKED', full.error);
    return { verdict: 'deny', ends: 'call', reasons: [`${full.callback} does not say how much it is`] };
  }
  const denied = unmadeBefore(task, call.id) ?? full;
  if (denied !== null) return { verdict: 'deny', ends: 'call', reasons: [denied] };
  const reason = policyEnds(work);
  if (reason !== null) return { verdict: 'needs_review', reasons: [reason] };
  return askPolicy(work, call);
};

/** States the authority of a system that allows a write, if the task class accepts systems (UAICP 5.3). */
async function* authorize(
  task: LiveTask,
  { id, digest }: CallDocument,
  { verdict, authority, reasons }: Decision,
): Stating {
  const { request, taskClass, calls } = task.view.context;
  if (calls[id]?.held !== undefined) return; // a person endorses it, and no system
  if (verdict !== 'allow' || authority === undefined || !taskClass.authorities.includes('system')) return;
  const refusal = approvalRefusal(task.view, digest, authority);
  if (refusal !== null) {
    const { refused: code, explanation } = refusal;
    const statement = { actor: systemOf(authority), code, brought: { reasons, explanation } };
    if (code === 'APPROVER_IS_REQUESTER') yield { as: 'refusal', statement };
    return;
  }
  yield stated(
    { type: 'approval.granted', request, digest, authority: 'system', approver: authority },
    { actor: systemOf(authority), brought: { reasons } },
  );
}

/** Submits a write to the policy (UAICP 5.3). */
export const decide: Performer<'decide'> = async function* (work, { call: id }) {
  const { task, environment } = work;
  const { request, attempt } = task.view.context;
  const call = task.view.projection.calls[id];
  if (call === undefined) return;
  const { version } = environment.policy;
  const { summaryFault } = call; // only the tool's author can repair it
  const decision =
    summaryFault === undefined
      ? await decisionFor(work, call)
      : ({ fails: 'GUARD_ERROR', explanation: summaryFault } as const);
  if (decision === null) return;
  if ('fails' in decision) {
    yield runFailed(decision);
    return;
  }
  yield* authorize(task, call, decision);
  const { verdict, reasons, ends } = decision;
  const decided = { verdict, ...(verdict === 'deny' && ends === 'call' && { ends }) };
  task.knownCalls.set(id, { ...task.knownCalls.get(id), clearedBy: version });
  yield stated(
    { type: 'policy.decided', request, attempt, call: id, digest: call.digest, ...decided },
    { actor: systemOf('policy'), brought: { reasons } },
  );
};

/**
 * Returns whether this process cleared a call under this version of the policy, and the clearance still holds. A
 * policy without a version may change at any time.
 */
const isStillCleared = ({ knownCalls, view }: LiveTask, call: string, version: string | undefined): boolean =>
  version !== undefined &&
  knownCalls.get(call)?.clearedBy === version &&
  view.context.calls[call]?.cleared === true;

/** Why a clearance no longer holds. */
export interface Lapse {
  readonly code: ReasonCode;
  readonly explanation: string;
}

const shown = (value: unknown): string => JSON.stringify(value) ?? 'none';

/** Returns what was given with what a schema added to it, which a default may make anew each time. */
const withDefaults = (given: unknown, made: unknown): unknown =>
  isObject(given) && isObject(made)
    ? {
        ...made,
        ...Object.fromEntries(
          Object.entries(given).map(([name, one]) => [name, withDefaults(one, made[name])]),
        ),
      }
    : given;

/** A call with the tool that would make it now, and what is known of its task. */
export interface Compared {
  readonly task: ActionOwner &
    Pick<LiveTask, 'knownCalls'> & {
      readonly view: { readonly context: { readonly calls: Readonly<Record<string, Pick<Call, 'tier'>>> } };
    };
  readonly environment: ActionPorts & Pick<Environment, 'tools'>;
  readonly tool: Tool;
  readonly call: CallDocument;
}

/** What is different about the tool of a call, in words. */
interface ContractChange {
  readonly kind: 'contract_changed' | 'arguments_refused';
  readonly why: string;
}

const contractChanged = (why: string): ContractChange => ({ kind: 'contract_changed', why });

/**
 * Returns why the same arguments no longer make the same action. Schemas and rollbacks can only be compared by their
 * results.
 */
const actionChange = async ({ task, environment, tool, call }: Compared): Promise<ContractChange | null> => {
  const { raw = call.arguments, id, ref, performs } = call;
  const identity = { id, ...(ref !== undefined && { ref }), ...(performs && { performs }) };
  for (const given of [raw, withDefaults(raw, call.arguments)]) {
    const read = await readArguments(tool, given, '');
    if ('issues' in read)
      return {
        kind: 'arguments_refused',
        why: `its schema does not take the arguments of this call any more: ${redactedText(environment.redact, issueText(read.issues))}`,
      };
    const current = actionOf(task, environment, tool, read, identity);
    if (current.document.digest === call.digest) return null;
  }
  return contractChanged('its schema or its rollback makes another action of these arguments now');
};

/** Returns the difference between the tool at the time of the proposal and now; `null` for none. */
export const contractChange = async (compared: Compared): Promise<ContractChange | null> => {
  const {
    task,
    tool,
    call,
    environment: { tools },
  } = compared;
  if (task.knownCalls.get(call.id)?.reader === tool) return null;
  const members = [
    ['version', call.version, tool.version],
    ['tier', task.view.context.calls[call.id]?.tier ?? tool.tier, tool.tier],
    ['doubt', call.doubt ?? tool.doubt, tool.doubt],
    ['performs', call.performs, tool.performs ?? call.performs],
    ['flows', shown(flowsNow(call.origins?.flows, tools)), shown(flowsNow(tool.flows, tools))],
  ] as const;
  const [changed] = members.filter(([, was, is]) => was !== is);
  const change =
    changed === undefined
      ? await actionChange(compared).catch((error: unknown) => contractChanged(causeOf(error)))
      : contractChanged(`its ${changed[0]} was ${shown(changed[1])} and is ${shown(changed[2])}`);
  if (change === null) task.knownCalls.set(call.id, { ...task.knownCalls.get(call.id), reader: tool });
  return change;
};

/** Returns why a call is not made any more because its tool changed; `null` if it is the same. */
export const contractFault = async (run: CallRun): Promise<Lapse | null> => {
  const change = await contractChange(run);
  return (
    change && { code: 'TOOL_CHANGED', explanation: `${run.tool.name} is not what it was: ${change.why}` }
  );
};

/** Returns whether the system that authorized the write still does. */
const isStillAuthorized = ({ task, call }: CallRun, { authority }: Decision): boolean => {
  const made = task.view.context.calls[call.id];
  return made?.authority !== 'system' || (authority !== undefined && made.approvers.includes(authority));
};

/** The result of checking a clearance: it holds, it lapsed, the run ends, or the duty is over. */
type Verdict = Lapse | Undecided | 'holds' | 'ended';

/** Asks the current policy about a write that it allowed before. */
const policyVerdict = async (run: CallRun): Promise<Verdict> => {
  const { task, environment, call, signal } = run;
  const reason = policyEnds(run);
  if (reason !== null) return { code: 'POLICY_ERROR', explanation: reason };
  const late = new WorkAbort(signal);
  const asked = askPolicy({ ...run, signal: late }, call);
  const decision = await inTime(environment.clock, task.taskClass.deadlines.policy, asked).catch(
    (error: unknown) => {
      late.abort(error);
      return undefined;
    },
  );
  if (decision === undefined) return { fails: 'POLICY_UNAVAILABLE', explanation: null };
  if (decision === null || signal.aborted) return 'ended';
  if ('fails' in decision) return decision;
  const isAllowed =
    decision.verdict === 'allow' ||
    (decision.verdict === 'needs_review' && task.view.context.calls[call.id]?.authority !== null);
  if (isAllowed && isStillAuthorized(run, decision)) return 'holds';
  const reasons = decision.reasons.join('; ');
  return { code: 'POLICY_CHANGED', explanation: `the policy decides ${decision.verdict} now: ${reasons}` };
};

/** Whether no policy is asked about a call: its tool reads, and did when it was proposed. */
const isRead = ({ task, tool, call }: CallRun): boolean =>
  tool.tier === 'read_only' && task.view.context.calls[call.id]?.tier === 'read_only';

const isHeld = ({ task, call }: CallRun): boolean => task.view.context.calls[call.id]?.held !== undefined;

/** Checks everything that a clearance depends on, as it is now. */
const verdictOn = async (run: CallRun): Promise<Verdict> => {
  const { task, environment, call } = run;
  const unmade = unmadeBefore(task, call.id);
  if (unmade !== null) return { code: 'POLICY_CHANGED', explanation: unmade };
  const contract = await contractFault(run);
  if (contract !== null) return contract;
  if (isRead(run) && !isHeld(run)) return 'holds';
  const approval = await approvalFault(run);
  if (approval !== null) return { code: approval.refused, explanation: approval.explanation };
  return isRead(run) || isStillCleared(task, call.id, environment.policy.version)
    ? 'holds'
    : policyVerdict(run);
};

/** Returns whether a call's effect may begin again, after the same checks as the first time. */
export async function* mayBegin(run: CallRun): Stating<boolean> {
  const { task, call, environment } = run;
  const begins = environment.quotas.subjects(task.view, call);
  const isPaused = (await environment.store.obstacle({ begins, claims: [], releases: [] })) !== null;
  const verdict = isPaused ? 'ended' : await verdictOn(run);
  if (typeof verdict === 'object' && 'fails' in verdict) yield runFailed(verdict);
  return verdict === 'holds';
}

/** States that a clearance no longer holds: the call returns to its gate. */
export const callRefused = ({ of }: CallRun, { code, explanation }: Lapse): Stated =>
  stated({ type: 'call.refused', ...of, code }, { actor: orchestratorActor, brought: { explanation } });

/**
 * Checks the clearance of a call right before its effect, and states the result. Returns `false` if the call may
 * not begin (UAICP 5.3).
 */
export async function* clear(run: CallRun): Stating<boolean> {
  const { task, environment, call, of, signal } = run;
  const { version } = environment.policy;
  const isKnown = isRead(run) || isStillCleared(task, call.id, version);
  const verdict = await verdictOn(run);
  if (signal.aborted || verdict === 'ended') return false;
  if (verdict !== 'holds') {
    yield 'fails' in verdict ? runFailed(verdict) : callRefused(run, verdict);
    return false;
  }
  if (isKnown) return true;
  task.knownCalls.set(call.id, { ...task.knownCalls.get(call.id), clearedBy: version });
  return yield stated({ type: 'call.cleared', ...of, digest: call.digest }, { actor: orchestratorActor });
}
