import type { Context } from '../../../machines/index.ts';
import type { RiskTier } from '../../../schema/index.ts';
import { digest } from '../../base/canonical/digest.ts';
import { holdWords } from '../../gates/origins/hold-words.ts';
import type {
  AdoptedDocument,
  CallDocument,
  LedgerEntry,
  MappingDocument,
  OutputDocument,
} from '../../base/ports/ledger.ts';
import type { OpenQuestion } from '../../base/ports/open-question.ts';
import { oneLine } from '../../base/text/foreign-text.ts';
import type { RecordedStep } from './envelopes.ts';
import { outputDocument, shownOutput, type CallsOutput, type PlanOutput } from './outputs.ts';
import type { Projection } from './projection/projection.ts';
import { contextAt } from './up-context.ts';

/** The message key for the review that was adopted: its `messageId`. */
export const adoptsKey = 'agentcharter:adopts';

interface Adopts {
  readonly [adoptsKey]?: string;
}

/** Returns the review that an output was taken from, for its message. */
export const adoptsIn = ({ adopted }: OutputDocument): Adopts =>
  adopted === undefined ? {} : { [adoptsKey]: adopted.messageId };

/** Returns the name of a review: `the edit of agent critic`. */
export const reviewName = ({ by, type }: Pick<AdoptedDocument, 'by' | 'type'>): string =>
  `the ${type === 'edit' ? 'edit' : 'ranking'} of agent ${oneLine(by)}`;

/**
 * Returns an output as the person sees it who is asked about it. The payload of a plan has the tools that it declares; the
 * explanation names the agent whose words were adopted.
 */
export const askedOutput = (output: OutputDocument): ReturnType<typeof shownOutput> & Adopts => {
  const { adopted, declares, explanation } = output;
  const shown = shownOutput(output);
  return {
    ...shown,
    ...(declares && { payload: { ...shown.payload, declares: [...declares] } }),
    ...(adopted && {
      explanation: `The model adopted ${reviewName(adopted)}. ${explanation}`,
      ...adoptsIn(output),
    }),
  };
};

type Payload = Readonly<Record<string, unknown>>;

/** What a member called `question` has before its name where a question is shown beside it; one of that longer name has it twice. */
const prefix = 'agentcharter:';
const [isPlain, isShown] = [/^(?:agentcharter:)*question$/, /^(?:agentcharter:)+question$/];

const renamed = (payload: Payload, rename: (key: string) => string): Payload =>
  Object.keys(payload).some((key) => isPlain.test(key))
    ? Object.fromEntries(Object.entries(payload).map(([key, member]) => [rename(key), member]))
    : payload;

/** Returns a payload as the message shows it that asks about it: nothing of it is hidden by the question. */
export const asShown = (payload: Payload): Payload =>
  renamed(payload, (key) => (isPlain.test(key) ? `${prefix}${key}` : key));

/** Returns the payload that a message shows beside its question. */
export const asGiven = (payload: Payload): Payload =>
  renamed(payload, (key) => (isShown.test(key) ? key.slice(prefix.length) : key));

const outputNames: Readonly<Partial<Record<string, string>>> = {
  'plan.proposed': 'its plan',
  'calls.proposed': 'its further calls',
  'draft.proposed': 'its draft',
};

/** Returns the message of the orchestrator about a review that the model adopted. */
export const adoptionMessage = ({ actor, fact }: LedgerEntry, adopted: AdoptedDocument) => ({
  state: 'submitted' as const,
  payload: {},
  explanation: `${oneLine(actor.id)} adopted ${reviewName(adopted)} as ${outputNames[fact?.type ?? ''] ?? 'its output'}.`,
  [adoptsKey]: adopted.messageId,
});

/** Arguments that were mapped from another form, and how. */
export interface MappedArguments {
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly mapping: MappingDocument;
}

/** Arguments that could be meant in several ways: a person chooses. */
export interface UnclearArguments {
  readonly tool: string;
  readonly from: string;
  readonly questions: readonly string[];
  readonly alternatives: readonly MappedArguments[];
}

/** The first call of an output that a person must choose a mapping for, and its place. */
export interface UnclearCall {
  readonly unclear: UnclearArguments;
  readonly at: number;
}

/** Returns the links of a mapping as text: `candidates[].email becomes recipients[]`. */
const linksLine = ({ links, constants }: MappingDocument): string =>
  oneLine(
    [
      ...links.map(({ from, to }) => `${from} becomes ${to}`),
      ...constants.map(
        ({ to, value }) => `${to} is ${JSON.stringify(value)}, which nothing but your choice says`,
      ),
    ].join(', '),
  );

/** Returns the message of the orchestrator about arguments that it mapped (UpFormat 3.2). */
export const mappedMessage = (
  { argumentsContext }: Pick<RecordedStep, 'argumentsContext'>,
  { id, tool, arguments: mapped }: CallDocument,
  mapping: MappingDocument,
) => {
  const context = argumentsContext(tool);
  return {
    state: 'submitted' as const,
    payload: { call: id, tool, ...mapping, arguments: mapped },
    explanation: `The arguments of ${tool} were mapped from ${oneLine(mapping.from)}: ${linksLine(mapping)}.`,
    ...(context && { upContext: contextAt(context, 'arguments') }),
  };
};

/**
 * Returns a plan with a call that could be mapped in several ways. It makes no call; each alternative is the whole
 * plan with one mapping, for a person to rank first.
 */
export const unclearDocument = (
  { explanation, calls, confidence, ...thinking }: PlanOutput | CallsOutput,
  { unclear, at }: UnclearCall,
): OutputDocument => {
  const { tool, from, questions } = unclear;
  const alternatives = unclear.alternatives.map(({ arguments: given, mapping }) => ({
    canProceed: true,
    confidence,
    explanation: `${linksLine(mapping)}. ${explanation}`,
    calls: calls.map((call, place) => (place === at ? { ...call, arguments: given } : call)),
  }));
  const asked = `${tool} takes another form than ${oneLine(from)}, and what becomes what is not certain.`;
  const plan = { ...thinking, canProceed: false, confidence: 0, questions: [...questions], alternatives };
  return {
    ...outputDocument({ ...plan, explanation: asked, calls: [] }, { explanation, calls }),
    mediation: { tool, from },
  };
};

/** Returns how many writes of the request stand that are the same but for their `ref`: of a tool that `repeats`, else none. */
export const identicalWrites = (
  { effects }: Context,
  { calls }: Pick<Projection, 'calls'>,
  { id, tool, arguments: given, occurrence }: CallDocument,
): number => {
  if (occurrence === undefined) return 0;
  const same = Object.values(calls).filter(
    (one) => one.id !== id && one.tool === tool && digest(one.arguments) === digest(given),
  );
  return effects.filter(
    (one) => one.status === 'committed' && same.some((call) => call.digest === one.digest),
  ).length;
};

/** Returns why a person is asked about a write: the policy's reasons, or the tier that the policy does not decide. */
export const reasonsToAsk = (
  context: Context,
  projection: Pick<Projection, 'calls' | 'decisions'>,
  call: CallDocument,
  tier: RiskTier,
): readonly string[] => {
  const { approvers } = context.taskClass;
  const { verdict, reasons: decided = [] } = projection.decisions[call.id] ?? {};
  const times = identicalWrites(context, projection, call);
  const before = times === 0 ? [] : [`Identical writes that this request has made before: ${times}.`];
  const own =
    call.performs === undefined ? [] : ['Its agent performs it itself, and reports what came of it.'];
  const reasons = [...holdWords(call.origins), ...own, ...before];
  if (verdict === 'needs_review' || tier !== 'write_high_risk') return [...reasons, ...decided];
  const people = approvers > 1 ? `${approvers} people approve` : 'a person approves';
  return [...reasons, `${oneLine(call.tool)} is a high-risk write: ${people} each one.`];
};

/** Returns the consequence of approving a write: what else it takes, and who may not give it. */
export const approvalConsequence = (
  { taskClass: { approvers, selfApproval } }: Context,
  { request: { identity } }: Pick<Projection, 'request'>,
  tier: RiskTier | undefined,
  needsToken: boolean,
): string => {
  const made = `The ${tier === 'read_only' ? 'read' : 'write'} is made, as shown`;
  const when =
    approvers > 1 && tier === 'write_high_risk'
      ? `${made}, once ${approvers} people have approved it.`
      : `${made}.`;
  if (!needsToken) return when;
  const behind = [...new Set([identity.user_id ?? identity.owner_id, identity.owner_id])];
  const others = selfApproval ? '' : `, of someone other than ${behind.map(oneLine).join(' or ')}`;
  return `${when} This takes a signed approval${others}.`;
};

/** The task class, and its tool, in which a person undoes a write by hand. */
export const manualRollback = 'agentcharter:rollback';

/** What a person says who is asked to undo a write by hand. */
export const undoingByHand: Pick<OpenQuestion, 'accepts' | 'consequences'> = {
  accepts: ['approve', 'reject', 'comment'],
  consequences: {
    approve: 'The write counts as undone.',
    reject: 'The write counts as not undone, and the last message of its task says so.',
  },
};
