import type { Phase } from '../../../schema/index.ts';
import type { Documents, Fact, Findings, Json } from './subject.ts';

/** An event of a scenario, as observed by the kit. */
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
      readonly reported: Findings | 'throws' | 'held';
      /** The number of evidence objects that it received. */
      readonly evidence: number;
    }
  | { readonly kind: 'decided'; readonly tool: string; readonly verdict: 'allow' | 'deny' | 'throws' }
  | { readonly kind: 'stated'; readonly fact: Fact; readonly answer: 'taken' | 'refused' }
  | { readonly kind: 'released' }
  /** The run ended or waits. */
  | { readonly kind: 'rested'; readonly phase: Phase }
  | { readonly kind: 'emitted'; readonly name: EmittedName; readonly document: unknown }
  | { readonly kind: 'admitted'; readonly version: string; readonly isLetIn: boolean }
  | { readonly kind: 'threw'; readonly error: string };

/** The kind of a document, by its list. */
export type EmittedName = 'envelope' | 'evidence' | 'report' | 'audit' | 'chunk' | 'result';

/** An event and its time by the scenario's clock, RFC 3339. */
export type TraceStep = Happening & { readonly at: string };

/** A played scenario. */
export interface Seen {
  readonly scenario: string;
  readonly trace: readonly TraceStep[];
  /** The documents at the end. */
  readonly documents: Documents;
  /** The phase each time the run rested: after its start, and after each step. */
  readonly phases: readonly Phase[];
  /** Why the scenario was not completed: an error of the subject, or a timeout. */
  readonly error: string | null;
}

/** Returns the events of one kind, in order. */
export const happenings = <Kind extends Happening['kind']>(
  { trace }: Pick<Seen, 'trace'>,
  kind: Kind,
): readonly Extract<TraceStep, { readonly kind: Kind }>[] =>
  trace.filter((step): step is Extract<TraceStep, { readonly kind: Kind }> => step.kind === kind);

/** Returns the final phase. */
export const endOf = ({ phases }: Seen): Phase => phases.at(-1) ?? 'intake';

/** Returns the calls of a tool, in order. */
export const callsOf = (seen: Seen, tool: string) =>
  happenings(seen, 'called').filter((call) => call.tool === tool);
