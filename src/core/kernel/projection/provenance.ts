import type { Fact } from '../../../../machines/index.ts';
import type { UpFeedback } from '../../../../schema/index.ts';
import {
  afterAnswer,
  afterEvidence,
  afterFailure,
  afterReasons,
  afterRewrittenPlan,
  afterTools,
  afterWords,
  type Provenance,
} from '../../../gates/origins/provenance.ts';
import { endorsedSource, endorsementsIn, isEndorsing } from '../../../gates/origins/endorsed.ts';
import { sourcesOf, type Source } from '../../../gates/origins/sources.ts';
import type { LedgerEntry } from '../../../base/ports/ledger.ts';
import type { Projection } from './projection.ts';

type Known = Pick<Projection, 'request' | 'evidence' | 'calls' | 'provenance'>;

/** Returns what values are looked for in; what people endorsed is trusted there. */
export const sourcesIn = ({ request, evidence, calls, provenance }: Known): readonly Source[] => {
  const { answers, results, endorsed } = provenance;
  const recorded = results.flatMap((id) => evidence[id] ?? []); // an object would put an id such as `7` first
  return sourcesOf({ request, answers, evidence: recorded, calls }).map((one) =>
    endorsedSource(one, endorsed),
  );
};

/** Returns the provenance after a person's answer, if there is one. */
const answered = (projection: Known, feedback: UpFeedback | undefined): Provenance => {
  const { request, evidence, provenance } = projection;
  if (feedback === undefined) return provenance;
  const { endorsed } = endorsementsIn(feedback, isEndorsing(feedback) ? sourcesIn(projection) : []);
  return afterAnswer(provenance, feedback, request, Object.values(evidence), endorsed);
};

type ToolFact = Extract<
  Fact,
  { type: 'call.failed' | 'call.doubted' | 'question.raised' | 'dependency.awaited' }
>;

const toolFacts: ReadonlySet<string> = new Set<ToolFact['type']>([
  'call.failed',
  'call.doubted',
  'question.raised',
  'dependency.awaited',
]);

/** Returns whether a fact has words of a tool that are no result. */
const hasToolWords = (fact: Fact | null): fact is ToolFact => fact !== null && toolFacts.has(fact.type);

/** Returns whether a call waits for its own task: the words are ours, and the agent's run waits in its own name. */
const isDelegated = ({ fact, actor }: LedgerEntry): boolean =>
  fact?.type === 'dependency.awaited' && actor.kind === 'agent';

/** Returns what a fact's documents say that is no evidence: whole outputs, and the words of tools. */
const wordsIn = ({ fact, brought }: LedgerEntry): unknown => {
  const { output, rejected, payload, explanation } = brought;
  if (hasToolWords(fact)) return { payload, explanation };
  return fact?.type === 'human.responded' ? undefined : (output ?? rejected?.output);
};

/** Returns the provenance after the tools that a proposal has, or a person's edit of one. */
const withTools = (provenance: Provenance, isFurther: boolean, record: LedgerEntry): Provenance => {
  const { fact, brought } = record;
  const tools = [...(brought.calls ?? []).map(({ tool }) => tool), ...(brought.output?.declares ?? [])];
  const isPersons = fact?.type === 'human.responded';
  if (isPersons && fact.plan !== undefined && !isFurther) return afterRewrittenPlan(provenance, tools);
  return tools.length > 0 ? afterTools(provenance, tools, isPersons) : provenance;
};

/** Returns the provenance of a run after a fact; `isFurther`: it answers a question about further calls. */
export const provenanceAfter = (projection: Known, record: LedgerEntry, isFurther: boolean): Provenance => {
  const { fact, brought } = record;
  let provenance = answered(projection, brought.feedback);
  const words = wordsIn(record);
  provenance = withTools(provenance, isFurther, record);
  if (words !== undefined) provenance = afterWords(provenance, words);
  if (brought.reasons !== undefined)
    provenance = afterReasons(provenance, brought.reasons, Object.values(projection.evidence));
  if (brought.evidence !== undefined)
    provenance = afterEvidence(provenance, brought.evidence, projection.calls);
  if (hasToolWords(fact) && !isDelegated(record))
    provenance = afterFailure(provenance, projection.calls[fact.call]);
  return provenance;
};

/** What the values of a proposal are looked for in: the documents of its run, and the answer that brings it. */
export interface Lookup {
  readonly sources: readonly Source[];
  readonly provenance: Provenance;
}

/** Returns what the values of a proposal are looked for in; `feedback` is the person's edit that brings it. */
export const lookupIn = (projection: Known, feedback?: UpFeedback): Lookup => {
  const provenance = answered(projection, feedback);
  return { provenance, sources: sourcesIn({ ...projection, provenance }) };
};
