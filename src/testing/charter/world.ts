import type { FeedbackType } from '../../../schema/index.ts';
import type {
  DeadlineOf,
  FactOf,
  FactType,
  ProposedCall,
  RunInput,
  TaskClassInput,
} from '../../../machines/index.ts';

/** A task class, and what the world may say under it: one case for each class that a guard can tell apart. */
export interface World {
  /** What it tells of. */
  readonly name: string;
  readonly taskClass: Omit<TaskClassInput, 'id'>;
  /** The plans that the model, or a person in its place, may propose. */
  readonly plans: readonly (readonly ProposedCall[])[];
  /** The further calls that it may propose while concluding. */
  readonly further?: readonly ProposedCall[];
  /** What a person replaces a call with. */
  readonly edited?: ProposedCall;
  /** Identifiers are used twice, edits bring too much, and tools give codes that are not theirs. */
  readonly careless?: boolean;
  /** What the evidence of calls may say of itself; nothing by default. */
  readonly brings?: readonly Pick<FactOf<'call.succeeded'>['evidence'], 'empty' | 'meets' | 'subjects'>[];
  /** A stricter version of the task class, which comes into force on the way. */
  readonly tightened?: Omit<TaskClassInput, 'id'>;
  /** Who may approve, by whichever authority; elsewhere each authority has one approver. */
  readonly approvers?: readonly string[];
  /** Calls are tasks of their own, which say why they failed. */
  readonly children?: boolean;
  /** Verifiers say why a report of theirs does not count. */
  readonly faulty?: boolean;
  /** Facts, deadlines and answers that this world never sees. */
  readonly never?: readonly (FactType | DeadlineOf | FeedbackType | 'unsure' | 'needs_review')[];
}

/** The request that a run in a world begins with, and the one that asks for changes. */
export const requests = [
  '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  '3f2504e0-4f89-41d3-9a0c-0305e82c3302',
] as const;

/** What a chart begins with in a world. */
export const inputIn = ({ taskClass }: World): RunInput => ({
  taskClass: { id: 'class', ...taskClass },
  request: requests[0],
});
