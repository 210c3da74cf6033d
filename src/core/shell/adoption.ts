import * as z from 'zod';
import type { UpFormatMessage } from '../../../schema/index.ts';
import { didYouMean } from '../../base/boundary/did-you-mean.ts';
import { isObject } from '../../base/boundary/is-object.ts';
import { shownPointer } from '../../base/canonical/unreadable.ts';
import { isCharterError } from '../../base/errors.ts';
import { messageIdOf } from '../../base/feedback/target.ts';
import type { AdoptedDocument, OutputDocument } from '../../base/ports/ledger.ts';
import type { Review, Turn } from '../../base/ports/model.ts';
import { oneLine, shownName } from '../../base/text/foreign-text.ts';
import { AdoptionOutput, DraftOutput, PlanOutput, digestOfOutput } from '../kernel/outputs.ts';
import type { Projection } from '../kernel/projection/projection.ts';
import { askedBy, reviewsIn } from '../kernel/projection/thread.ts';
import { followupKey } from '../kernel/settled.ts';
import { reviewName } from '../kernel/words.ts';
import { type CallPorts } from './calls.ts';
import {
  changedBeside,
  changedProposal,
  draftProposal,
  planProposal,
  restated,
  type Replacement,
} from './answers/proposal.ts';
import { rejected, type RejectedOutput } from './read-arguments.ts';
import { guarded, issueText, parseOutput, readConclusion, readOutput, readPlan } from './read-output.ts';
import type { LiveTask } from './live-task.ts';

type Wants = Turn['wants'];

/** The plan or the draft that a message shows; without a document if it could not be read. */
interface Reviewed {
  readonly kind: Wants;
  readonly document?: OutputDocument;
}

/** A review that can be adopted in a turn, and the output that it is about. */
interface Adoptable {
  readonly review: Review;
  readonly reviewed: Reviewed;
}

/** Returns the output of a message. That of a question has the question in its payload. */
const documentOf = ({
  payload,
  explanation,
  upThought = {},
  upContext,
}: UpFormatMessage): OutputDocument => ({
  payload,
  explanation,
  upThought,
  ...(upContext && { upContext }),
});

const draftAsked = ({ proposals }: Projection, message: UpFormatMessage, about: string): OutputDocument => {
  const { question: _question, ...payload } = message.payload;
  const draft = proposals.drafts.findLast((one) => one !== null && digestOfOutput(one) === about);
  return draft ?? documentOf({ ...message, payload });
};

/** Returns the output that a message of the task shows; `undefined` for none that can stand in for what a turn wants. */
const outputShown = (projection: Projection, messageId: string, wants: Wants): Reviewed | undefined => {
  const asked = askedBy(projection, messageId);
  if (asked === undefined) {
    const sent = projection.messages.find((one) => one.messageId === messageId);
    const isDelivery = sent?.state === 'completed' && !(followupKey in sent);
    return isDelivery ? { kind: 'draft', document: documentOf(sent) } : undefined;
  }
  const { question, message } = asked;
  switch (question.kind) {
    case 'plan': {
      const { calls } = message.payload;
      return { kind: 'plan', document: documentOf({ ...message, payload: { calls } }) };
    }
    case 'draft':
      return { kind: 'draft', document: draftAsked(projection, message, question.about) };
    case 'help':
      return { kind: wants };
    case 'information':
    case 'approval':
    case 'doubt':
    case 'tool':
    case 'host':
    case 'limit':
    case 'followup':
      return undefined;
  }
};

/** Returns the output that a review can stand in for; `undefined` for a review that cannot be adopted in this turn. */
const reviewedBy = (projection: Projection, { feedback }: Review, wants: Wants): Reviewed | undefined => {
  if (feedback.type !== 'edit' && feedback.type !== 'rank') return undefined;
  const reviewed = outputShown(projection, messageIdOf(feedback), wants);
  return wants === 'plan' && reviewed?.kind === 'draft' ? undefined : reviewed; // a draft may be further calls
};

const adoptableIn = (projection: Projection, wants: Wants): readonly Adoptable[] =>
  reviewsIn(projection).flatMap((review) => {
    const reviewed = reviewedBy(projection, review, wants);
    return reviewed === undefined ? [] : [{ review, reviewed }];
  });

const adoptedIn = ({ by, feedback, message: { messageId } }: Review): AdoptedDocument => ({
  messageId,
  by,
  type: feedback.type === 'rank' ? 'rank' : 'edit',
});

/** The maximum number of reviews that an issue offers. */
const mostOffered = 10;

const offer = (known: readonly Adoptable[]): string => {
  if (known.length === 0) return 'turn.reviews has none: answer with an output of your own';
  const last = known.slice(-mostOffered).map(({ review }) => adoptedIn(review));
  const names = last.map((one) => `${one.messageId} (${reviewName(one)})`).join(', ');
  return known.length > mostOffered ? `the last ${mostOffered} are ${names}` : `there is ${names}`;
};

interface Asked {
  readonly wants: Wants;
  readonly known: readonly Adoptable[];
}

/** Returns the rejection of an adoption: what is wrong, what is accepted, and what could be adopted. */
const notAdopted = (reason: string, { wants, known }: Asked, cause?: unknown): RejectedOutput => {
  const of = wants === 'plan' ? 'a plan' : 'a draft or a plan';
  const accepted = `expected the messageId of an edit or a ranking of ${of} in turn.reviews: ${offer(known)}`;
  return rejected([{ path: '/adopts', message: `${reason}; ${accepted}` }], cause);
};

/** Returns the reviews of a `messageId`: several, if several agents chose the same one. */
const reviewsOf = (projection: Projection, messageId: string): readonly Review[] =>
  reviewsIn(projection).filter(({ message }) => message.messageId === messageId);

/** Returns why a reference names no review that can be adopted. */
const referenceFault = (projection: Projection, adopts: string): string => {
  const named = reviewsOf(projection, adopts);
  const [review] = named;
  if (review === undefined) {
    const near = didYouMean(
      adopts,
      reviewsIn(projection).map(({ message }) => message.messageId),
    );
    return `there is no review ${shownName(adopts)}${near}`;
  }
  if (named.length > 1) return `${named.length} agents sent a review ${shownName(adopts)}`;
  const { type } = review.feedback;
  const by = oneLine(review.by);
  return type === 'edit' || type === 'rank'
    ? `the ${type} of agent ${by} is about another message than that of an output wanted here`
    : `what agent ${by} sent is of type ${type}`;
};

/** The members that a review may bring. Only `calls` or `payload` is taken. */
const contents = {
  plan: z.strictObject({ ...PlanOutput.partial().shape, calls: PlanOutput.shape.calls }),
  draft: z.strictObject({ ...DraftOutput.partial().shape, payload: DraftOutput.shape.payload }),
};

/** What is taken from a review; `kept` is what its draft showed and what it changed. */
interface Taken {
  readonly content: Pick<PlanOutput, 'calls'> | Pick<DraftOutput, 'payload'>;
  readonly kept?: NonNullable<Replacement['kept']>;
}

/** Returns the calls or the payload that a review puts in place of an output. Throws `feedback_inapplicable` or `document_invalid`. */
const takenFrom = ({ review, reviewed: { kind, document } }: Adoptable): Taken | RejectedOutput => {
  const { feedback } = review;
  const proposal = document && (kind === 'plan' ? planProposal : draftProposal)(document);
  const alternatives = document?.upThought.alternatives ?? [];
  const { value } = changedProposal({ proposal, alternatives }, feedback);
  if (kind === 'plan') {
    const read = parseOutput(contents.plan, value);
    return 'issues' in read ? read : { content: { calls: read.value.calls } };
  }
  const read = parseOutput(contents.draft, value);
  if ('issues' in read) return read;
  const { payload: given } = read.value;
  if (document === undefined || feedback.type === 'rank') return { content: { payload: given } };
  const { payload: shown, raw = shown } = document;
  const payload = restated(raw, shown, given) as DraftOutput['payload']; // of objects
  return { content: { payload }, kept: { shown, given } };
};

/** Converts the error of a review that does not apply to issues. */
const applied = (read: () => Taken | RejectedOutput): Taken | RejectedOutput => {
  try {
    return read();
  } catch (error) {
    if (isCharterError(error, 'feedback_inapplicable'))
      return rejected([{ path: error.details.path, message: error.details.reason }], error);
    if (isCharterError(error, 'document_invalid')) return rejected(error.details.issues, error);
    throw error;
  }
};

const readAdoption = async (task: LiveTask, environment: CallPorts, wants: Wants, value: unknown) => {
  const output = parseOutput(AdoptionOutput, value);
  if ('issues' in output) return output;
  const { adopts, ...thinking } = output.value;
  const { projection } = task.view;
  const known = adoptableIn(projection, wants);
  const asked = { wants, known };
  const adoptable = known.find(({ review }) => review.message.messageId === adopts);
  if (adoptable === undefined || reviewsOf(projection, adopts).length > 1)
    return notAdopted(referenceFault(projection, adopts), asked);
  const adopted = adoptedIn(adoptable.review);
  const misfit = ({ issues, cause }: RejectedOutput): RejectedOutput =>
    notAdopted(`${reviewName(adopted)} does not fit: ${issueText(issues)}`, asked, cause);
  const taken = applied(() => takenFrom(adoptable));
  if ('issues' in taken) return misfit(taken);
  const read = wants === 'plan' ? readPlan : readConclusion;
  const reading = await read(task, environment, { ...thinking, ...taken.content }, { adopted });
  if ('issues' in reading) return misfit(reading);
  const { kept } = taken;
  const changed = kept ? changedBeside(kept.shown, kept.given, reading.brought.output?.payload) : null;
  if (changed === null) return reading;
  const message = `with this change its schema reads ${changed === '' ? 'it' : shownPointer(changed)} differently from what was reviewed`;
  return misfit({ issues: [{ path: '/payload', message }] });
};

/**
 * Reads what a model proposes: a plan, or a draft or further calls. An answer with `adopts` takes the calls or the
 * payload from another agent's review; everything else of it is the model's.
 */
export const readProposal = (task: LiveTask, environment: CallPorts, wants: Wants, value: unknown) =>
  guarded(async () => {
    const output = readOutput(wants === 'plan' ? 'PlanOutput' : 'DraftOutput', value);
    if (isObject(output) && Object.hasOwn(output, 'adopts'))
      return readAdoption(task, environment, wants, output);
    return (wants === 'plan' ? readPlan : readConclusion)(task, environment, output);
  });
