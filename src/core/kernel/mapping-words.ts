import { oneLine } from '../../text/foreign-text.ts';
import type { CallDocument, MappingDocument, OutputDocument } from '../../ports/ledger.ts';
import type { RecordedStep } from './envelopes.ts';
import { contextAt } from './up-context.ts';
import type { Content } from './messages.ts';
import { outputDocument, type CallsOutput, type PlanOutput } from './outputs.ts';

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
): Content => {
  const context = argumentsContext(tool);
  return {
    state: 'submitted',
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
