import type { Call } from '../../../machines/index.ts';
import { Identifier, type EvidenceObject, type ReasonCode } from '../../../schema/index.ts';
import { digest } from '../../canonical/digest.ts';
import { frozenCopy } from '../../canonical/freeze.ts';
import type { CallDocument } from '../../ports/ledger.ts';
import { ToolOutcome, type CallContext, type Tool } from '../../ports/tool.ts';
import { rfc3339 } from '../clock.ts';
import type { Environment } from '../environment.ts';
import { orchestratorActor, type Task } from '../task.ts';
import { agentOf, causeOf, systemOf, type Performer } from './performer.ts';

interface Run {
  readonly task: Task;
  readonly environment: Environment;
  readonly tool: Tool;
  readonly call: CallDocument;
  readonly of: { readonly request: string; readonly attempt: number; readonly call: string };
}

const contextFor = ({ task, call, of }: Run, signal: AbortSignal): CallContext => {
  const resumed = task.dossier.resumed[call.id];
  return {
    key: call.digest,
    attempt: of.attempt,
    requestId: of.request,
    traceId: task.dossier.traceId,
    signal,
    answer: resumed?.answer ?? null,
    met: resumed?.met ?? null,
    notYet: (wait) => new ToolOutcome('notYet', wait),
    needsHuman: (need) => new ToolOutcome('needsHuman', need),
    notDone: (explanation) => new ToolOutcome('notDone', { explanation }),
  };
};

/** Evidence made by us of what a tool returned: hashed over its canonical form, bound to request, trace and call. */
const evidenceOf = ({ task, environment, tool, call, of }: Run, result: unknown): EvidenceObject => {
  const payload = frozenCopy(result ?? null, tool.name) as EvidenceObject['payload'];
  const { parentTraceId } = task.dossier.request;
  return {
    evidence_id: environment.ids.uuid(),
    evidence_type: tool.evidenceType,
    source: tool.name,
    request_id: of.request,
    trace_id: task.dossier.traceId,
    ...(parentTraceId !== undefined && { parent_trace_id: parentTraceId }),
    actor: tool.name,
    hash: digest(payload),
    collected_at: rfc3339(environment.clock.now()),
    payload,
    'agentcharter:call': call.id,
  };
};

const succeed = ({ task, tool, of }: Run, evidence: EvidenceObject): Promise<boolean> => {
  const { evidence_id: id, evidence_type: type } = evidence;
  return task.state(
    { type: 'call.succeeded', ...of, evidence: { id, type } },
    { actor: systemOf(tool.name), brought: { evidence } },
  );
};

/** A read that threw has failed; a write that threw may have happened, unless the tool said `notDone`. */
const fail = ({ task, tool, of }: Run, explanation: string, isCertain: boolean): Promise<boolean> => {
  const statement = { actor: systemOf(tool.name), brought: { explanation } };
  return tool.tier === 'read_only' || isCertain
    ? task.state({ type: 'call.failed', ...of, code: 'TOOL_FAILED' }, statement)
    : task.state({ type: 'call.doubted', ...of, code: 'EFFECT_IN_DOUBT' }, statement);
};

const conclude = (run: Run, outcome: ToolOutcome): Promise<boolean> => {
  const { task, environment, tool, of } = run;
  const { explanation, dependency, agent, payload } = outcome;
  const actor = systemOf(tool.name);
  switch (outcome.kind) {
    case 'notDone':
      return fail(run, explanation, true);
    case 'needsHuman':
      return task.state(
        { type: 'question.raised', ...of, question: environment.ids.uuid() },
        { actor, brought: { explanation, payload } },
      );
    case 'notYet':
      if (!Identifier.safeParse(dependency).success)
        return fail(run, `the name of its dependency is not printable ASCII`, false);
      return task.state(
        { type: 'dependency.awaited', ...of, dependency },
        { actor, brought: { explanation, ...(agent !== undefined && { agent }) } },
      );
  }
};

const make = async (run: Run, signal: AbortSignal): Promise<void> => {
  const { environment, tool, call } = run;
  try {
    const result = await environment.slots(() => tool.call(call.arguments, contextFor(run, signal)));
    if (result instanceof ToolOutcome) await conclude(run, result);
    else await succeed(run, evidenceOf(run, result));
  } catch (error) {
    await fail(run, causeOf(error), false);
  }
};

const runOf = (task: Task, environment: Environment, id: string): Run | undefined => {
  const call = task.dossier.calls[id];
  const tool = call === undefined ? undefined : environment.tools.get(call.tool);
  const { request, attempt } = task.snapshot.context;
  return call === undefined || tool === undefined
    ? undefined
    : { task, environment, tool, call, of: { request, attempt, call: id } };
};

/** Records the intent, then calls the tool, then records the outcome: in that order, or not at all. */
export const call: Performer<'call'> = async (task, { call: id }, environment, signal) => {
  const run = runOf(task, environment, id);
  if (run === undefined) return;
  if (task.dossier.spent.calls >= task.taskClass.budget.calls) {
    const explanation = `${task.taskClass.budget.calls} calls are spent`;
    await task.state(
      { type: 'run.failed', code: 'BUDGET_SPENT' },
      { actor: orchestratorActor, brought: { explanation } },
    );
    return;
  }
  const isStarted = await task.state(
    { type: 'call.started', ...run.of, digest: run.call.digest },
    { actor: agentOf(task) },
  );
  if (isStarted) await make(run, signal);
};

/** Watches an intent that this process did not carry out: its outcome is unknown here. */
export const observe: Performer<'observe'> = async (task, { call: id }, environment) => {
  const run = runOf(task, environment, id);
  const status: Call['status'] | undefined = task.snapshot.context.calls[id]?.status;
  if (run === undefined || status !== 'started') return;
  const code: ReasonCode = 'EFFECT_IN_DOUBT';
  await task.state({ type: 'call.doubted', ...run.of, code }, { actor: orchestratorActor });
};
