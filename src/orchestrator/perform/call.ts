import * as z from 'zod';
import type { Call } from '../../../machines/index.ts';
import { Identifier, JsonObject, type EvidenceObject, type ReasonCode } from '../../../schema/index.ts';
import { digest } from '../../canonical/digest.ts';
import { frozenCopy } from '../../canonical/freeze.ts';
import { causeOf } from '../../errors.ts';
import type { CallDocument } from '../../ports/ledger.ts';
import { ToolOutcome, type CallContext, type Tool } from '../../ports/tool.ts';
import { rfc3339 } from '../clock.ts';
import type { Environment } from '../environment.ts';
import { orchestratorActor } from '../record.ts';
import type { Task } from '../task.ts';
import { agentOf, isClosing, systemOf, type Performer } from './performer.ts';

interface Run {
  readonly task: Task;
  readonly environment: Environment;
  readonly tool: Tool;
  readonly call: CallDocument;
  readonly of: { readonly request: string; readonly attempt: number; readonly call: string };
  readonly signal: AbortSignal;
}

const contextFor = ({ task, call, of, signal }: Run): CallContext => {
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

/** What was given up speaks for itself no more once the call is made again. */
const speaks =
  ({ task, of, signal }: Run) =>
  (): boolean =>
    !signal.aborted || task.snapshot.context.calls[of.call]?.status !== 'started';

/** A read that threw has failed; a write that threw may have happened, unless the tool said `notDone`. */
const fail = (run: Run, explanation: string, isCertain: boolean): Promise<boolean> => {
  const { task, tool, of } = run;
  const statement = { actor: systemOf(tool.name), brought: { explanation } };
  return tool.tier === 'read_only' || isCertain
    ? task.insist({ type: 'call.failed', ...of, code: 'TOOL_FAILED' }, statement, speaks(run))
    : task.insist({ type: 'call.doubted', ...of, code: 'EFFECT_IN_DOUBT' }, statement, speaks(run));
};

const succeed = (run: Run, result: unknown): Promise<boolean> => {
  const { task, tool, of } = run;
  let evidence: EvidenceObject;
  try {
    evidence = evidenceOf(run, result);
  } catch (error) {
    return fail(run, causeOf(error), false);
  }
  const { evidence_id: id, evidence_type: type } = evidence;
  return task.insist(
    { type: 'call.succeeded', ...of, evidence: { id, type } },
    { actor: systemOf(tool.name), brought: { evidence } },
  );
};

const SaidByTool = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('notDone'), explanation: z.string() }),
  z.object({ kind: z.literal('needsHuman'), explanation: z.string(), payload: JsonObject }),
  z.object({
    kind: z.literal('notYet'),
    explanation: z.string(),
    dependency: Identifier,
    agent: z.string().min(1).optional(),
  }),
]);

/** What a tool said instead of a result, as plain data; throws where it cannot be read. */
const readOutcome = ({ agent, ...outcome }: ToolOutcome, tool: Tool): z.infer<typeof SaidByTool> =>
  SaidByTool.parse(frozenCopy({ ...outcome, ...(agent !== undefined && { agent }) }, tool.name));

const conclude = (run: Run, outcome: ToolOutcome): Promise<boolean> => {
  const { task, environment, tool, of } = run;
  const actor = systemOf(tool.name);
  let said: z.infer<typeof SaidByTool>;
  try {
    said = readOutcome(outcome, tool);
  } catch {
    return fail(run, `what it said of its outcome cannot be read`, outcome.kind !== 'notYet');
  }
  const { explanation } = said;
  switch (said.kind) {
    case 'notDone':
      return fail(run, explanation, true);
    case 'needsHuman':
      return task.insist(
        { type: 'question.raised', ...of, question: environment.ids.uuid() },
        { actor, brought: { explanation, payload: said.payload } },
        speaks(run),
      );
    case 'notYet': {
      const { dependency, agent } = said;
      return task.insist(
        { type: 'dependency.awaited', ...of, dependency },
        { actor, brought: { explanation, ...(agent !== undefined && { agent }) } },
        speaks(run),
      );
    }
  }
};

const make = async (run: Run): Promise<void> => {
  let result: unknown;
  try {
    result = await run.tool.call(run.call.arguments, contextFor(run));
  } catch (error) {
    // stopped by us, its outcome is unknown: the intent stands, and says so when the task is taken up again
    if (!isClosing(run.signal)) await fail(run, causeOf(error), false);
    return;
  }
  await (result instanceof ToolOutcome ? conclude(run, result) : succeed(run, result));
};

const runOf = (task: Task, environment: Environment, id: string, signal: AbortSignal): Run | undefined => {
  const call = task.dossier.calls[id];
  const tool = call === undefined ? undefined : environment.tools.get(call.tool);
  const { request, attempt } = task.snapshot.context;
  return call === undefined || tool === undefined
    ? undefined
    : { task, environment, tool, call, of: { request, attempt, call: id }, signal };
};

/** Takes a slot, records the intent, then calls the tool, then records the outcome: in that order, or not at all. */
export const call: Performer<'call'> = (task, { call: id }, environment, signal) =>
  environment.slots(async () => {
    const run = runOf(task, environment, id, signal);
    if (run === undefined) return;
    const most = task.taskClass.budget.calls;
    const mayCall = () => task.dossier.spent.calls < most; // asked when its turn comes: reads start together
    const isStarted = await task.insist(
      { type: 'call.started', ...run.of, digest: run.call.digest },
      { actor: agentOf(task) },
      mayCall,
    );
    if (isStarted) return make(run);
    if (signal.aborted || mayCall()) return;
    await task.insist(
      { type: 'run.failed', code: 'BUDGET_SPENT' },
      { actor: orchestratorActor, brought: { explanation: `${most} calls are spent` } },
    );
  }, signal);

/** Watches an intent that this process did not carry out: its outcome is unknown here. */
export const observe: Performer<'observe'> = async (task, { call: id }, environment, signal) => {
  const run = runOf(task, environment, id, signal);
  const status: Call['status'] | undefined = task.snapshot.context.calls[id]?.status;
  if (run === undefined || status !== 'started') return;
  const code: ReasonCode = 'EFFECT_IN_DOUBT';
  await task.insist({ type: 'call.doubted', ...run.of, code }, { actor: orchestratorActor });
};
