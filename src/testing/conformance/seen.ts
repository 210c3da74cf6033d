import type { Phase } from '../../../schema/index.ts';
import type { Documents, Fact, Findings, Json } from './subject.ts';

/** What happened in a scenario, as the kit saw it from outside. */
export type Happening =
  | { readonly kind: 'planned'; readonly attempt: number }
  | { readonly kind: 'drafted'; readonly attempt: number }
  | {
      readonly kind: 'called';
      readonly tool: string;
      readonly arguments: Json;
      readonly request_id: string;
      readonly trace_id: string;
    }
  | { readonly kind: 'answered'; readonly tool: string; readonly evidence: Json | null }
  | { readonly kind: 'failed'; readonly tool: string }
  | { readonly kind: 'undone'; readonly tool: string; readonly arguments: Json }
  | {
      readonly kind: 'verified';
      readonly verifier: string;
      readonly said: Findings | 'throws' | 'held';
      /** How many pieces of evidence it was shown. */
      readonly evidence: number;
    }
  | { readonly kind: 'decided'; readonly tool: string; readonly said: 'allow' | 'deny' | 'throws' }
  | { readonly kind: 'stated'; readonly fact: Fact; readonly answer: 'taken' | 'refused' }
  | { readonly kind: 'released' }
  /** The run has ended, or waits. */
  | { readonly kind: 'rested'; readonly phase: Phase }
  | { readonly kind: 'emitted'; readonly name: EmittedName; readonly document: unknown }
  | { readonly kind: 'admitted'; readonly version: string; readonly isLetIn: boolean }
  | { readonly kind: 'threw'; readonly error: string };

/** What a document is, by the list that it stands in. */
export type EmittedName = 'envelope' | 'evidence' | 'report' | 'audit' | 'chunk' | 'result';

/** A happening and its hour, RFC 3339, by the scenario's clock. */
export type TraceStep = Happening & { readonly at: string };

/** A scenario as it was played with a subject. */
export interface Seen {
  readonly scenario: string;
  readonly trace: readonly TraceStep[];
  /** As they were when it was over. */
  readonly documents: Documents;
  /** The phase each time that the run rested: first after its beginning, then after each step of the scenario. */
  readonly phases: readonly Phase[];
  /** Why it could not be played to its end: what the subject threw, or that it did not come to rest. */
  readonly error: string | null;
}

/** The happenings of one kind, in order. */
export const happenings = <Kind extends Happening['kind']>(
  { trace }: Pick<Seen, 'trace'>,
  kind: Kind,
): readonly Extract<TraceStep, { readonly kind: Kind }>[] =>
  trace.filter((step): step is Extract<TraceStep, { readonly kind: Kind }> => step.kind === kind);

/** The phase in which a scenario ended. */
export const endOf = ({ phases }: Seen): Phase => phases.at(-1) ?? 'intake';

/** The calls of a tool, in order. */
export const callsOf = (seen: Seen, tool: string) =>
  happenings(seen, 'called').filter((call) => call.tool === tool);
