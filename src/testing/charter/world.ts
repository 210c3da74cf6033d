import type { FeedbackType } from '../../../schema/index.ts';
import type {
  DeadlineOf,
  FactOf,
  FactType,
  ProposedCall,
  RunInput,
  TaskClassInput,
} from '../../../machines/index.ts';

type Evidence = FactOf<'call.succeeded'>['evidence'];

/** A task class and the facts to explore under it: one case for each class that a guard distinguishes. */
export interface World {
  /** Its name in test titles. */
  readonly name: string;
  /** Its `limits.rounds` is 3 by default, and not 32: each round multiplies the states. */
  readonly taskClass: Omit<TaskClassInput, 'id'>;
  /** The plans that the model or a person can propose. */
  readonly plans: readonly (readonly ProposedCall[])[];
  /** The additional calls that the model can propose while it concludes. */
  readonly further?: readonly ProposedCall[];
  /** The call with which a person replaces another. */
  readonly edited?: ProposedCall;
  /** Whether ids repeat, edits have extra content, and tools return foreign codes. */
  readonly careless?: boolean;
  /** Variants of the evidence of calls. By default none. */
  readonly evidenceCases?: readonly Pick<Evidence, 'empty' | 'meets' | 'subjects'>[];
  /** The types of evidence by tool. By default `tool_result`. */
  readonly evidenceTypes?: ReadonlyMap<string, readonly Evidence['type'][]>;
  /** A stricter version of the task class that takes effect during the run. */
  readonly tightened?: Omit<TaskClassInput, 'id'>;
  /** The names of approvers. By default one for each authority. */
  readonly approvers?: readonly string[];
  /** Whether calls are nested tasks, with failure reasons of their own. */
  readonly children?: boolean;
  /** Whether verifiers state why a report is invalid. */
  readonly faulty?: boolean;
  /** Facts, deadlines and answers that this world never sends; `ends` stands for a denial of one call. */
  readonly never?: readonly (FactType | DeadlineOf | FeedbackType | 'unsure' | 'needs_review' | 'ends')[];
}

/** The requests of a world: the first one, and a request for changes. */
export const requests = [
  '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  '3f2504e0-4f89-41d3-9a0c-0305e82c3302',
] as const;

const rounds = 3;

/** Returns the input of a chart in a world. */
export const inputIn = ({ taskClass }: World): RunInput => ({
  taskClass: { id: 'class', ...taskClass, limits: { rounds, ...taskClass?.limits } },
  request: requests[0],
});
