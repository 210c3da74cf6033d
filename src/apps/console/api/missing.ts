import type { Context, Violation } from '../../../../machines/index.ts';
import { reasonMeaning, type ReasonCode } from '../../../../schema/index.ts';
import { callSentence } from '../../../base/boundary/call-sentence.ts';
import { oneLine } from '../../../base/text/foreign-text.ts';
import type { CallDocument } from '../../../base/ports/ledger.ts';
import type { Reason } from '../wire.ts';

/** What the words for a violation are made of. */
export interface Surroundings {
  readonly context: Pick<Context, 'questions' | 'calls' | 'draft'>;
  /** The calls, by id and by digest. */
  readonly calls: ReadonlyMap<string, CallDocument>;
  /** The texts of the open questions, by their ids. */
  readonly asked: ReadonlyMap<string, string>;
}

/** Returns whether an open question is about this call: the person's answer is what is missing then. */
const isAsked = ({ questions, calls }: Surroundings['context'], id: string): boolean =>
  Object.values(questions).some(({ about }) => about === id || about === calls[id]?.digest);

const callIn = ({ calls }: Surroundings, about: string): string => {
  const call = calls.get(about);
  return call === undefined ? oneLine(about) : callSentence(call);
};

const outputs: Readonly<Record<string, string>> = { plan: 'A plan', draft: 'The agent’s answer' };

const evidenceIn = (about: string): string => oneLine(about.replaceAll(':', ' from '));

/** Says what is missing; `null` for what follows from something else that is missing. */
type Says = (given: Surroundings, about: string) => string | null;

const proposalSays: Says = ({ context }) =>
  Object.values(context.questions).some(({ kind }) => kind === 'plan' || kind === 'draft')
    ? null
    : 'An output that the agent is sure of.';

const callSays: Says = (given, about) =>
  isAsked(given.context, about) ? null : `The result of: ${callIn(given, about)}`;

const says: Readonly<Partial<Record<ReasonCode, Says>>> = {
  INPUT_REQUIRED: ({ asked }, about) => {
    const text = asked.get(about) ?? '';
    return text === '' ? 'A person’s answer.' : `A person’s answer: ${oneLine(text)}`;
  },
  OUTPUT_MISSING: (_, about) => `${outputs[about] ?? about}.`,
  CANNOT_PROCEED: proposalSays,
  CONFIDENCE_LOW: proposalSays,
  VERIFICATION_FAILED: ({ context }, about) =>
    context.draft === null ? null : `A pass of the check ${oneLine(about)}.`,
  EVIDENCE_MISSING: (_, about) => `Evidence: ${evidenceIn(about)}.`,
  EVIDENCE_STALE: ({ calls }, about) => `Newer evidence: ${calls.get(about)?.tool ?? evidenceIn(about)}.`,
  AUDIT_INCOMPLETE: callSays,
  APPROVAL_REQUIRED: callSays,
  EFFECT_IN_DOUBT: callSays,
};

/** Returns what the gate still needs, in words and once each. */
export const missingInWords = (
  violations: readonly Violation[],
  surroundings: Surroundings,
): readonly Reason[] => {
  const seen = new Set<string>();
  return violations.flatMap((violation) => {
    const { code, about } = violation;
    const words = (says[code] ?? (() => reasonMeaning[code]))(surroundings, about);
    if (words === null || seen.has(words)) return [];
    seen.add(words);
    return [{ ...violation, meaning: words }];
  });
};
