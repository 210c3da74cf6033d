import * as z from 'zod';
import type { CallStatus } from '../../../../machines/index.ts';
import { parseDocument } from '../../../base/boundary/parse-document.ts';
import { frozenCopy } from '../../../base/canonical/freeze.ts';
import { readResult } from '../../../base/define/output.ts';
import { CharterError, causeOf } from '../../../base/errors.ts';
import type { CallerOutcome, ClearedForCaller } from '../../../base/ports/caller.ts';
import type { CallDocument } from '../../../base/ports/ledger.ts';
import { oneLine } from '../../../base/text/foreign-text.ts';
import { rfc3339 } from '../../kernel/now.ts';
import type { TaskView } from '../../kernel/view.ts';
import { refOf } from '../callers.ts';
import { stated, type LiveTask, type Stated, type Stating } from '../live-task.ts';
import { WorkAbort } from '../work-signal.ts';
import { fail, succeed } from './outcome.ts';
import type { Ports, CallRun } from './performer.ts';

const explanation = z.string().max(65_536);

/** What came of a call, or of a rollback, that its caller performed: `done` has the result of a call. */
export const OutcomeReport = z.discriminatedUnion('status', [
  z.strictObject({ status: z.literal('done'), result: z.unknown().optional() }),
  z.strictObject({ status: z.enum(['notDone', 'unknown']), explanation }),
]);

/** Makes a cleared call wait for the report of its caller. */
export const leftToCaller = ({ task, call, of }: CallRun): Stated => {
  const { agent } = task.view;
  const explanation = `${oneLine(agent.id)} performs it, and reports what came of it.`;
  const fact = { type: 'dependency.awaited', ...of, dependency: call.id } as const;
  return stated(fact, { actor: agent, brought: { explanation } });
};

/** Returns the call under a ref that its caller performs: of the present attempt, or else the last one. Throws `not_found`. */
const callUnder = (
  { taskId, view }: LiveTask,
  ref: string,
): { readonly call: CallDocument; readonly status: CallStatus | 'replaced' } => {
  const { context, projection } = view;
  const own = Object.values(projection.calls).filter(({ performs }) => performs !== undefined);
  const named = own.filter((one) => refOf(one) === ref);
  const call = named.find(({ id }) => id in context.calls) ?? named.at(-1);
  if (call !== undefined) return { call, status: context.calls[call.id]?.status ?? 'replaced' };
  const message = `task ${taskId} has no call ${JSON.stringify(ref)} that its caller performs: propose it with \`performs: 'caller'\` first`;
  throw new CharterError('not_found', message, { kind: 'call', id: ref, known: own.map(refOf).slice(0, 10) });
};

/** Returns what a caller needs to perform a call; `null` if it is not cleared. */
export const clearedFor = (
  { view, deadlines, taskId }: LiveTask,
  { holds, clock }: Pick<Ports, 'holds' | 'clock'>,
  ref: string,
): ClearedForCaller | null => {
  const call = Object.values(view.projection.calls).find(
    (one) => refOf(one) === ref && isWithCaller(view, one),
  );
  if (call === undefined) return null;
  const ends = deadlines.find(({ of, id }) => of === 'dependency' && id === call.id)?.at ?? clock.now();
  return { ref, intent: call.digest, fence: holds.fenceOf(taskId), expiresAt: rfc3339(ends) };
};

/** Returns whether a call was cleared for its caller, who has not reported yet. */
const isWithCaller = ({ context }: TaskView, { id, performs }: CallDocument): boolean =>
  performs !== undefined && context.calls[id]?.status === 'waiting';

/** Returns the run of a call that its caller performs. Throws `not_found` if its tool is gone. */
const callRunOf = (
  task: LiveTask,
  environment: Ports,
  call: CallDocument,
  began: CallRun['of'] | null,
): CallRun => {
  const { request, attempt } = task.view.context;
  const tool = environment.tools.get(call.tool);
  const of = began ?? { request, attempt, call: call.id };
  if (tool !== undefined) return { task, environment, tool, call, of, signal: new WorkAbort() };
  const message = `tool ${JSON.stringify(call.tool)} is not here any more: expected it among the tools of this orchestrator`;
  throw new CharterError('not_found', message, { kind: 'tool', id: call.tool, known: [] });
};

/** Returns where a call was left to its caller before; `null` if it never was. */
const begunIn = async (
  { taskId }: LiveTask,
  { store }: Pick<Ports, 'store'>,
  { id }: CallDocument,
): Promise<CallRun['of'] | null> => {
  const { records = [] } = (await store.load(taskId)) ?? {};
  for (const { fact } of records.toReversed())
    if (fact?.type === 'dependency.awaited' && fact.dependency === id)
      return { request: fact.request, attempt: fact.attempt, call: id };
  return null;
};

const notCleared = ({ taskId, view }: LiveTask, ref: string): CharterError<'fact_refused'> => {
  const message = `task ${taskId} does not accept the outcome of call ${JSON.stringify(ref)}: it was not cleared; propose it again with \`performs: 'caller'\` and wait for \`cleared\``;
  const details = { taskId, fact: 'call.succeeded', state: view.state, accepts: [] };
  return new CharterError('fact_refused', message, details);
};

/** States a result as the schema of its tool reads it. One that it refuses leaves a write in doubt, as one of the tool itself would. */
async function* takeResult(run: CallRun, result: unknown): Stating {
  const { tool } = run;
  let read: unknown;
  try {
    read = tool.output === undefined ? result : await readResult(tool.name, tool.output, result);
  } catch (error) {
    return void (yield* fail(run, causeOf(error), false));
  }
  yield* succeed(run, read);
}

/** Reads what a caller reports. Throws `document_invalid` and `value_not_json`. */
export const readReport = (given: unknown): CallerOutcome =>
  parseDocument('outcome', OutcomeReport, frozenCopy(given, 'outcome'));

/**
 * States what a caller reports of a call, once: what is known already stays as it is. Throws `not_found`, and `fact_refused` for a call
 * that was not cleared.
 */
export async function* report(
  task: LiveTask,
  environment: Ports,
  ref: string,
  outcome: CallerOutcome,
): Stating {
  const { call, status } = callUnder(task, ref);
  const isOpen = status === 'waiting' || status === 'doubted';
  const began = isOpen ? null : await begunIn(task, environment, call);
  if (!isOpen && began === null) {
    if (status === 'refused' || status === 'failed' || status === 'succeeded' || status === 'dropped') return;
    throw notCleared(task, ref);
  }
  // a person may have said that it did not happen: that it did is recorded as of any tool that answers late, and undone
  if (!isOpen && (status === 'succeeded' || outcome.status !== 'done')) return;
  const run = callRunOf(task, environment, call, began);
  switch (outcome.status) {
    case 'done':
      return yield* takeResult(run, outcome.result ?? null);
    case 'notDone':
      return void (yield* fail(run, outcome.explanation, true));
    case 'unknown':
      if (status === 'waiting') yield* fail(run, outcome.explanation, false);
  }
}
