import type { Fact } from '../../../../machines/index.ts';
import { isObject } from '../../../base/boundary/is-object.ts';
import { invalidText } from '../../../base/boundary/parse-document.ts';
import { deepFreeze, ownCopy } from '../../../base/canonical/deep-freeze.ts';
import { jsonSchemaOf } from '../../../base/define/json-schema-of.ts';
import { CharterError, causeOf, isCharterError } from '../../../base/errors.ts';
import { messageIdOf } from '../../../base/feedback/target.ts';
import { withReferences } from '../../../gates/origins/referable.ts';
import { hiddenKey, isHidden, listedSources } from '../../../gates/origins/sources.ts';
import type { RecordPayload } from '../../../base/ports/ledger.ts';
import type { ToolListing, Turn } from '../../../base/ports/model.ts';
import type { Tool } from '../../../base/ports/tool.ts';
import { proposedDraft } from '../../kernel/outputs.ts';
import type { Projection } from '../../kernel/projection/projection.ts';
import { lookupIn } from '../../kernel/projection/provenance.ts';
import { askedBy, reviewsIn } from '../../kernel/projection/thread.ts';
import { orchestratorActor } from '../../kernel/statement.ts';
import type { TaskView } from '../../kernel/view.ts';
import { readProposal } from '../adoption.ts';
import type { Environment } from '../environment.ts';
import { emitCallbackFailed } from '../events.ts';
import { callsOf, unmetOf } from '../progress.ts';
import type { RejectedOutput } from '../read-arguments.ts';
import { readCorrection, readOutput } from '../read-output.ts';
import { redactedText } from '../redact.ts';
import { rejectionSentence } from '../rejection.ts';
import type { Drafting } from '../streams.ts';
import { stated, type LiveTask, type Stating } from '../live-task.ts';
import { withHostSignal } from '../work-signal.ts';
import { counting } from '../meter.ts';
import { answerByHand } from '../by-hand.ts';
import { askInstead, modelName } from './attempts.ts';
import type { Performer, Ports, Work } from './performer.ts';

/** The tools as a model sees them; each schema is printed once. */
const listings = new WeakMap<Tool, ToolListing>();

const inputOf = (tool: Tool): ToolListing['input'] => {
  try {
    return ownCopy(withReferences(tool, jsonSchemaOf(tool.input, 'input', true))); // the schema's owner may still change it
  } catch {
    return null;
  }
};

const listingOf = (tool: Tool): ToolListing => {
  const { name, description, tier } = tool;
  const listing = listings.get(tool) ?? { name, description, tier, input: inputOf(tool) };
  listings.set(tool, listing);
  return listing;
};

type Asks = Pick<Turn, 'asks' | 'wants'>;

/** Returns the names by which the model may refer to values, if a tool asks where its arguments come from. */
const sourcesFor = (
  projection: Projection,
  tools: Environment['tools'],
  allowed: readonly string[],
): Pick<Turn, 'sources'> => {
  const asks = allowed.some((name) => {
    const { flows, labels, isHidden: hides } = tools.get(name) ?? {};
    return flows !== undefined || labels === 'arguments' || hides === true;
  });
  return asks ? { sources: listedSources(lookupIn(projection).sources) } : {};
};

/** Returns the aliases of the results that the model is not shown. */
const hiddenAliases = (projection: Projection): ReadonlySet<unknown> => {
  if (!Object.values(projection.evidence).some(isHidden)) return new Set();
  return new Set(
    lookupIn(projection).sources.flatMap(({ alias, evidence }) =>
      evidence && isHidden(evidence) ? alias : [],
    ),
  );
};

/** Returns whether a message to people has a hidden result, or names one as the place of a value. */
const isAbout = (value: unknown, hidden: ReadonlySet<unknown>): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  if (isObject(value) && (value[hiddenKey] === true || hidden.has(value['source']))) return true;
  return Object.values(value).some((one) => isAbout(one, hidden));
};

/** Returns the answers of people; the message of one is left out if it has what the model is not shown. */
const answersIn = (projection: Projection): Turn['answers'] => {
  const hidden = hiddenAliases(projection);
  return projection.answers.map((answer) => {
    const message = askedBy(projection, messageIdOf(answer.feedback))?.message ?? null;
    return { ...answer, message: hidden.size > 0 && isAbout(message, hidden) ? null : message };
  });
};

const turnOf = (view: TaskView, environment: Pick<Environment, 'tools'>, asks: Asks): Turn => {
  const { tools } = environment;
  const { context, projection, taskClass, allowed, evidence } = view;
  return deepFreeze({
    ...asks,
    taskClass: taskClass.id,
    request: projection.request.payload,
    attempt: context.attempt,
    tools: allowed.flatMap((name) => {
      const tool = tools.get(name);
      return tool === undefined ? [] : [listingOf(tool)];
    }),
    answers: answersIn(projection),
    reviews: reviewsIn(projection),
    calls: callsOf(view, environment),
    evidence: evidence.filter((one) => !isHidden(one)),
    ...sourcesFor(projection, tools, allowed),
    rejected: asks.asks === 'correction' ? projection.rejected : null,
    unmet: unmetOf(view, environment),
  });
};

const readableOutput = (value: unknown): unknown => {
  try {
    return readOutput('output', value);
  } catch {
    return null; // unreadable output is not shown to the model again
  }
};

/** Emits an `error` event for an output that a person is asked about, with what its schema reported. */
const emitRejected = (
  { emit, redact }: Ports,
  { taskId, taskClass, view }: LiveTask,
  wants: Asks['wants'],
  { issues, cause }: RejectedOutput,
): void => {
  const document = `the ${wants} of ${view.agent.id} for ${taskClass.id}`;
  const message = redactedText(redact, invalidText(document, issues));
  const error = new CharterError('document_invalid', message, { document, issues }, { cause });
  emit('error', { taskId, error });
};

/**
 * States that an output could not be read. The model corrects it with the issues of the schema; after its last
 * attempt a person is asked, in a sentence.
 */
async function* reject(
  { task, environment }: Work,
  wants: Asks['wants'],
  given: unknown,
  rejected: RejectedOutput,
): Stating {
  const { counters, taskClass } = task.view.context;
  const [attempt, attempts] = [counters.corrections + 1, taskClass.limits.corrections + 1];
  const { issues } = rejected;
  const output = readableOutput(given);
  const isAgent = environment.model.isElsewhere === true;
  const tools = task.view.allowed;
  const explanation = rejectionSentence({ wants, output, issues, tools, isAgent, attempt, attempts });
  const isRecorded = yield stated(
    { type: 'output.rejected', question: environment.ids.uuid() },
    { actor: task.view.agent, brought: { rejected: { output, issues }, explanation } },
  );
  if (isRecorded && attempt >= attempts) emitRejected(environment, task, wants, rejected);
}

interface Asked {
  readonly answer: unknown;
  /** The turn's stream. */
  readonly drafting: Drafting;
}

/** Asks the model. Returns `undefined` if the turn was aborted, or if the model failed, which is stated. */
async function* ask(work: Work, asks: Asks): Stating<Asked | undefined> {
  const { task, environment, signal } = work;
  const { taskId } = task;
  const { model, meter, quotas, pauses } = environment;
  // an agent that the host runs is held at its calls
  if (model.isElsewhere !== true) {
    const id = task.deadlines.find(({ of }) => of === 'model')?.id ?? '';
    await pauses.wait(task, { of: 'model', id }, quotas.subjects(task.view, null), signal);
  }
  if (yield* askInstead(work)) return undefined;
  const drafting = task.streams.open(asks.asks, signal);
  const { stream, end } = drafting;
  const answered = async (): Promise<unknown> => {
    const turn = turnOf(task.view, environment, asks);
    const span = task.tracing.span({ kind: 'model', asks: asks.asks, attempt: turn.attempt }, signal);
    try {
      const options = withHostSignal({ taskId, stream, usage: counting(meter), ...span.at }, signal);
      const answer = await span.run(async () => answerByHand(turn) ?? model.answer(turn, options));
      span.end('answered');
      return answer;
    } catch (error) {
      span.end('failed', 'MODEL_ERROR');
      throw error;
    } finally {
      end();
    }
  };
  try {
    const answer = await (model.isElsewhere === true ? answered() : environment.slots(answered, signal));
    signal.begin(); // what it proposed is recorded
    return signal.aborted ? undefined : { answer, drafting };
  } catch (error) {
    if (signal.aborted) return undefined;
    emitCallbackFailed(environment, task, modelName(work), 'MODEL_ERROR', error);
    yield stated(
      { type: 'run.failed', code: 'MODEL_ERROR' },
      { actor: orchestratorActor, brought: { explanation: causeOf(error) } },
    );
    return undefined;
  }
}

/**
 * Reads an output. A schema that returns a value other than JSON is the developer's error, which no model can
 * correct. It is emitted as an error and ends the run; the result is `undefined`.
 */
async function* readJsonOutput(
  { task, environment, signal }: Work,
  output: 'plan' | 'draft',
  value: unknown,
): Stating<Awaited<ReturnType<typeof readProposal>> | undefined> {
  try {
    return await readProposal(task, environment, output, value);
  } catch (error) {
    if (!isCharterError(error, 'value_not_json')) throw error;
    if (signal.aborted) return undefined;
    environment.emit('error', { taskId: task.taskId, error });
    const brought = { explanation: error.message };
    yield stated({ type: 'run.failed', code: 'GUARD_ERROR' }, { actor: orchestratorActor, brought });
    return undefined;
  }
}

async function* read(work: Work, output: 'plan' | 'draft', { answer: value, drafting }: Asked): Stating {
  const { task, signal } = work;
  const reading = yield* readJsonOutput(work, output, value);
  if (reading === undefined || signal.aborted) return;
  if ('issues' in reading) return yield* reject(work, output, value, reading);
  const { fact, brought: given }: { fact: Fact; brought: RecordPayload } = reading;
  const isDraft = fact.type === 'draft.proposed' && given.output !== undefined;
  const stream = isDraft
    ? drafting.onDraft({ digest: fact.digest, output: proposedDraft(given.output, 'read') })
    : undefined;
  const brought: RecordPayload = { ...given, ...(stream && { stream }) };
  if ((yield stated(fact, { actor: task.view.agent, brought })) || signal.aborted) return;
  const message = `${fact.type} is not taken here: expected a whole ${output}, needHuman or beyondCapability`;
  yield* reject(work, output, value, { issues: [{ path: '', message }] });
}

export const propose: Performer<'propose'> = async function* (work) {
  const asked = yield* ask(work, { asks: 'plan', wants: 'plan' });
  if (asked !== undefined) yield* read(work, 'plan', asked);
};

export const conclude: Performer<'conclude'> = async function* (work) {
  const asked = yield* ask(work, { asks: 'draft', wants: 'draft' });
  if (asked !== undefined) yield* read(work, 'draft', asked);
};

/** Returns an output to the model with its issues; the model chooses, code sets the state (UpFormat 2.3). */
export const correct: Performer<'correct'> = async function* (work, { output }) {
  const { task, environment } = work;
  const asked = yield* ask(work, { asks: 'correction', wants: output });
  if (asked === undefined) return;
  const reading = readCorrection(asked.answer);
  if ('issues' in reading) return yield* reject(work, output, asked.answer, reading);
  const { value } = reading;
  const { explanation } = value;
  const statement = { actor: task.view.agent, brought: { explanation } };
  switch (value.choice) {
    case 'fixed':
      return yield* read(work, output, { ...asked, answer: value.output });
    case 'needHuman':
      yield stated({ type: 'help.requested', question: environment.ids.uuid() }, statement);
      return undefined;
    case 'beyondCapability':
      yield stated({ type: 'capability.exceeded' }, statement);
      return undefined;
  }
};
