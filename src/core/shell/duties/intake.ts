import * as z from 'zod';
import type { Fact } from '../../../../machines/index.ts';
import { JsonObject, ReasonCode, UpContext } from '../../../../schema/index.ts';
import { parseDocument } from '../../../base/boundary/parse-document.ts';
import { deepFreeze } from '../../../base/canonical/deep-freeze.ts';
import { jsonValue } from '../../../base/canonical/json-value.ts';
import { causeOf } from '../../../base/errors.ts';
import type { RecordPayload } from '../../../base/ports/ledger.ts';
import { contextOf } from '../../kernel/outputs.ts';
import { orchestratorActor } from '../../kernel/statement.ts';
import type { TaskView } from '../../kernel/view.ts';
import { emitCallbackFailed } from '../events.ts';
import { stated } from '../live-task.ts';
import { tooManyAttempts, unlessTooMany } from './attempts.ts';
import type { Performer, Work } from './performer.ts';

const Accepted = z.union([
  z.strictObject({ accepted: z.literal(true) }),
  z.strictObject({ refused: ReasonCode, explanation: z.string() }),
  z.strictObject({ missing: z.record(z.string(), z.string()), explanation: z.string() }),
]);

/** Returns a plain copy of a task class's decision. An unreadable decision throws, and accepts nothing. */
const decisionOn = async ({ projection, taskClass }: TaskView): Promise<z.infer<typeof Accepted>> => {
  if (taskClass.accept === undefined) return { accepted: true };
  const { payload, identity } = projection.request;
  const decision = await taskClass.accept(deepFreeze({ payload, identity, answers: projection.answers }));
  const name = `what accept of task class ${taskClass.id} returned`;
  return parseDocument(name, Accepted, jsonValue(decision, name));
};

const refusedFor = (explanation: string) => ({
  fact: { type: 'request.refused', code: 'GUARD_ERROR' } as const,
  brought: { explanation },
});

const acceptance = async (work: Work): Promise<{ readonly fact: Fact; readonly brought: RecordPayload }> => {
  const { task, environment, signal } = work;
  const callback = { name: 'accept', during: 'it was accepted', code: 'GUARD_ERROR' } as const;
  const reason = task.taskClass.accept === undefined ? null : tooManyAttempts(work, callback);
  if (reason !== null) return refusedFor(reason);
  try {
    const decision = await decisionOn(task.view);
    if ('accepted' in decision) return { fact: { type: 'request.accepted' }, brought: {} };
    const { explanation } = decision;
    if ('refused' in decision)
      return { fact: { type: 'request.refused', code: decision.refused }, brought: { explanation } };
    const upContext = contextOf(decision.missing);
    return {
      fact: { type: 'information.requested', question: environment.ids.uuid() },
      brought: { output: { payload: {}, explanation, upThought: {}, ...(upContext && { upContext }) } },
    };
  } catch (error) {
    if (!signal.aborted) emitCallbackFailed(environment, task, 'accept', 'GUARD_ERROR', error);
    return refusedFor(causeOf(error));
  }
};

/** Accepts a request, refuses it, or asks for missing information. */
export const accept: Performer<'accept'> = async function* (work) {
  const { fact, brought } = await acceptance(work);
  if (!work.signal.aborted) yield stated(fact, { actor: orchestratorActor, brought });
};

const Offer = z.strictObject({
  explanation: z.string(),
  payload: JsonObject,
  byDefault: JsonObject,
  upContext: UpContext.optional(),
});

const offered = (work: Work): { readonly fact: Fact; readonly brought: RecordPayload } => {
  const { task, environment } = work;
  const { draft, request } = task.view.projection;
  try {
    const delivered = deepFreeze({ payload: draft?.payload ?? {}, request: request.payload });
    const asked = (): unknown => task.taskClass.followup?.(delivered);
    const made = unlessTooMany(work, 'its refinement was offered', asked)();
    const name = `what followup of task class ${task.taskClass.id} returned`;
    const { byDefault, upContext, ...offer } = parseDocument(name, Offer, jsonValue(made, name));
    const output = { ...offer, upThought: {}, ...(upContext && { upContext }) };
    return { fact: { type: 'followup.offered' }, brought: { output, payload: byDefault } };
  } catch (error) {
    emitCallbackFailed(environment, task, 'followup', null, error);
    const fact = { type: 'deadline.passed', of: 'offer', id: task.view.context.request } as const;
    return { fact, brought: { explanation: causeOf(error) } };
  }
};

/** Offers the refinement that the task class declares; an invalid offer is dropped. */
export const offer: Performer<'offer'> = async function* (work) {
  const { fact, brought } = offered(work);
  yield stated(fact, { actor: orchestratorActor, brought });
};
