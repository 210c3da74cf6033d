import * as z from 'zod';
import type { Call, Context, Violation } from '../../../machines/index.ts';
import type { EvidenceObject, ReasonCode, UpFeedback } from '../../../schema/index.ts';
import { messageIdOf } from '../../base/feedback/target.ts';
import { holdWords } from '../../gates/origins/hold-words.ts';
import { isHidden, listedSources } from '../../gates/origins/sources.ts';
import type { CallDocument } from '../../base/ports/ledger.ts';
import type { AnswerListing, CallListing, SourceListing } from '../../base/ports/model.ts';
import { oneLine, quotedText } from '../../base/text/foreign-text.ts';
import { failureWords, type ExplainedReason, type ExplainedViolation } from '../kernel/failure-words.ts';
import type { Projection } from '../kernel/projection/projection.ts';
import { editorOf } from '../kernel/projection/proposals.ts';
import { lookupIn } from '../kernel/projection/provenance.ts';
import { askedBy } from '../kernel/projection/thread.ts';
import type { TaskSummary } from '../kernel/summary.ts';
import { isChild, summaryOf, type TaskView } from '../kernel/view.ts';
import { callForAgent, textForAgent } from './agent-view.ts';
import type { Environment } from './environment.ts';

/** The progress of a task, visible to its agent at any time. */
export interface Progress extends TaskSummary {
  /** Why nothing was delivered; empty while the run goes on. */
  readonly reasons: readonly ExplainedReason[];
  readonly request: Readonly<Record<string, unknown>>;
  /** 0 for the first attempt of the run. */
  readonly attempt: number;
  /** The calls of this attempt, in the order in which they were proposed. */
  readonly calls: readonly CallListing[];
  /** The valid evidence of this attempt. */
  readonly evidence: readonly EvidenceObject[];
  /** The draft under review, or the delivered payload. */
  readonly draft: Readonly<Record<string, unknown>> | null;
  /** Why the previous attempt was abandoned; empty in the first. */
  readonly unmet: readonly ExplainedViolation[];
  /** The answers of people, in order. */
  readonly answers: readonly AnswerListing[];
  /** What calls may refer to; present if a result is hidden from the agent. */
  readonly sources?: readonly SourceListing[];
  /** The outside dependencies that calls wait for, in this task and its children. */
  readonly awaits: readonly string[];
}

/** Returns the text of feedback on one line; empty if it has none. */
export const textOf = ({ content }: UpFeedback): string => {
  const { data = '' } = z
    .union([z.string(), z.object({ text: z.string() }).transform(({ text }) => text)])
    .safeParse(content);
  return oneLine(data.replaceAll(/\s+/gu, ' ').trim());
};

const quoted = (who: string, quote: string): string =>
  `${who} said: ${quote}${/[.!?]"$/.test(quote) ? '' : '.'}`;

/** Returns what the person who rejected a call, its question or its effect said; none if no one did, or without a word. */
export const rejectedFor = (projection: Projection, { id, digest }: CallDocument): readonly string[] => {
  const isAbout = ({ feedback }: AnswerListing): boolean =>
    feedback.type === 'reject' &&
    [id, digest].includes(askedBy(projection, messageIdOf(feedback))?.question.about ?? '');
  const answer = projection.answers.findLast(isAbout);
  const text = answer === undefined ? '' : textOf(answer.feedback);
  return answer === undefined || text === '' ? [] : [quoted(oneLine(answer.by), JSON.stringify(text))];
};

/** Returns what the policy said against a call: why it is denied, or why a person was asked. */
const decidedOn = ({ decisions }: Projection, id: string): readonly string[] => {
  const { verdict, reasons = [] } = decisions[id] ?? {};
  if (verdict === 'allow' || reasons.length === 0) return [];
  return verdict === 'deny' ? reasons : [`The policy asked a person: ${JSON.stringify(reasons.join('; '))}.`];
};

/** Returns why a call was refused, in words: what a person said, where its values come from, what the policy said. */
const refusedFor = (projection: Projection, id: string): Pick<CallListing, 'reasons'> => {
  const call = projection.calls[id];
  const reasons = [
    ...(call === undefined ? [] : rejectedFor(projection, call)),
    ...holdWords(call?.origins),
    ...decidedOn(projection, id),
  ];
  return reasons.length > 0 ? { reasons } : {};
};

/** Returns what the tool of a call, or a verifier, said of its failure; nothing of a result that the agent is not shown, or of another task. */
const toldBy = (
  projection: Projection,
  about: string,
  { tools }: Pick<Environment, 'tools'>,
  who: 'It' | 'The tool',
): string | undefined => {
  const words = Object.hasOwn(projection.failures, about) ? projection.failures[about] : undefined;
  const call = projection.calls[about];
  const tool = tools.get(call?.tool ?? '');
  const isUnsaid =
    call !== undefined && (tool === undefined || tool.isHidden === true || tool.child !== undefined);
  if (words === undefined || isUnsaid) return undefined;
  const line = textForAgent(words, projection).replaceAll(/\s+/gu, ' ');
  return quoted(who, quotedText(line));
};

/** Returns what was said of a failure: by its tool or its verifier, and by the person who rejected it. */
const saidOf = (
  projection: Projection,
  { code, about }: { readonly code: ReasonCode | null; readonly about: string },
  environment: Pick<Environment, 'tools'>,
  isListed = false,
): readonly string[] => {
  const isRejected = code === 'HUMAN_REJECTED';
  const told = toldBy(projection, about, environment, isListed || isRejected ? 'The tool' : 'It');
  const call = isRejected ? projection.calls[about] : undefined;
  return [
    ...(call === undefined ? [] : rejectedFor(projection, call)),
    ...(told === undefined ? [] : [told]),
  ];
};

/** Returns why something was not met, in words for the agent. */
const explained = <Reason extends Violation>(
  reasons: readonly Reason[],
  { context, projection }: TaskView,
  environment: Pick<Environment, 'tools'>,
) =>
  reasons.map((reason) => {
    const words = failureWords(reason, context, projection, (call) => callForAgent(projection, call));
    const says = [words.says, ...saidOf(projection, reason, environment)].join(' ');
    return { ...reason, says, remedy: words.remedy };
  });

/** Returns why the previous attempt was abandoned, in words for the agent. */
export const unmetOf = (
  view: TaskView,
  environment: Pick<Environment, 'tools'>,
): readonly ExplainedViolation[] =>
  explained(view.context.unmet, view, environment).map(({ remedy: _remedy, ...unmet }) => unmet);

/** Returns the state of a call: on record it is allowed also while a person is asked to approve it. */
const statusOf = ({ questions }: Context, { digest, status }: Call): string => {
  const isAsked = Object.values(questions).some(({ kind, about }) => kind === 'approval' && about === digest);
  return status === 'allowed' && isAsked ? 'asked' : status;
};

/** Returns the call whose result a write has that was not made itself; nothing if it was made, perhaps by an earlier attempt. */
const madeBy = (
  { proposals }: Projection,
  id: string,
  { tier, status, digest }: Call,
): Pick<CallListing, 'of'> => {
  if (tier === 'read_only' || status !== 'succeeded' || proposals.made.has(id)) return {};
  const identical = [...proposals.made].flatMap((made) => proposals.calls.get(made)?.call ?? []);
  const maker = identical.findLast((call) => call.digest === digest);
  const isOwn = maker?.ref !== undefined && maker.ref === proposals.calls.get(id)?.call.ref;
  return maker === undefined || isOwn ? {} : { of: maker.ref ?? maker.id };
};

/** Returns the calls of this attempt, as a model sees them. */
export const callsOf = (
  { context, projection }: TaskView,
  environment: Pick<Environment, 'tools'>,
): readonly CallListing[] =>
  Object.entries(context.calls).map(([id, call]) => {
    const document = projection.calls[id];
    const editor = document && editorOf(projection.proposals, document);
    const said =
      call.status === 'failed' ? saidOf(projection, { code: call.code, about: id }, environment, true) : [];
    return {
      id,
      ref: document?.ref ?? null,
      tool: call.tool,
      arguments: document === undefined ? null : callForAgent(projection, document).arguments,
      status: statusOf(context, call),
      code: call.code,
      ...(call.status === 'refused' && refusedFor(projection, id)),
      ...(said.length > 0 && { reasons: said }),
      evidence: call.evidence?.id ?? null,
      ...madeBy(projection, id, call),
      ...(editor !== undefined && { changedBy: editor }),
    };
  });

export const progressOf = (view: TaskView, environment: Pick<Environment, 'tools'>): Progress => {
  const { context, projection, evidence } = view;
  return {
    ...summaryOf(view),
    reasons: explained(context.reasons, view, environment),
    request: projection.request.payload,
    attempt: context.attempt,
    calls: callsOf(view, environment),
    evidence,
    draft: context.draft === null ? null : (projection.draft?.payload ?? null),
    unmet: unmetOf(view, environment),
    answers: projection.answers,
    ...(evidence.some(isHidden) && { sources: listedSources(lookupIn(projection).sources) }),
    awaits: Object.keys(context.dependencies).filter(
      (dependency) => !isChild(context, dependency, environment),
    ),
  };
};
