import { oneLine } from '../../text/foreign-text.ts';
import type { AdoptedDocument, LedgerEntry, OutputDocument } from '../../ports/ledger.ts';
import { shownOutput } from './outputs.ts';

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
