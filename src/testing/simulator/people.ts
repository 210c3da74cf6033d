import { isObject } from '../../base/boundary/is-object.ts';
import { isCharterError } from '../../base/errors.ts';
import type { ApprovalClaims } from '../../base/ports/approvals.ts';
import type { Person } from '../../base/ports/ledger.ts';
import type { InboxEntry } from '../../core/kernel/summary.ts';
import type { Orchestrator } from '../../core/shell/surface.ts';
import type { ScenarioResponse } from '../scenario/run.ts';
import type { Choices, Choose } from './choices.ts';
import type { Effects } from './effects.ts';

/** A person who answers questions. */
export interface SimulatedPerson {
  /** As your host would authenticate them. */
  readonly by: string | Person;
  /** Signs the claims of an approval at this time (milliseconds since 1970). */
  readonly approval?: (claims: ApprovalClaims, now: number) => string | Promise<string>;
}

/** Returns an answer to a question; `undefined` for the default one, `null` to leave it open until its deadline. */
export type Answers = (entry: InboxEntry, choose: Choose) => ScenarioResponse | null | undefined;

/** Returns the answer of somebody who looked whether an effect in doubt happened. */
const aboutDoubt = ({ message: { payload } }: InboxEntry, effects: Effects): ScenarioResponse | null => {
  const { action = {} } = payload as { readonly action?: Partial<Record<'digest' | 'tool', string>> };
  const { digest = '', tool = '' } = action;
  if (effects.tasks.has(tool)) return null;
  const isDone = effects.isFound(digest);
  return { type: 'edit', content: { value: { effect: isDone ? 'done' : 'absent' } } };
};

/** Returns an answer that needs no knowledge of the charter: approval before rejection, an instruction last. */
const usual = ({ question: { accepts } }: InboxEntry, choices: Choices): ScenarioResponse | undefined => {
  const isRefusing = choices.isRare(150);
  if (accepts.includes('reject') && isRefusing) return { type: 'reject', content: 'no' };
  if (accepts.includes('approve')) return { type: 'approve' };
  if (accepts.includes('instruction')) return { type: 'instruction', content: 'go on' };
  return undefined;
};

/** Lets a person answer an open question, or leave it; tells the code of each answer that is refused, and `null` of one that is left. */
export const answerOne = async (
  orchestrator: Orchestrator,
  entry: InboxEntry,
  person: SimulatedPerson,
  answers: Answers | undefined,
  { choices, effects, now }: { readonly choices: Choices; readonly effects: Effects; readonly now: number },
  away: (reason: string | null) => void,
): Promise<void> => {
  const given = entry.question.kind === 'doubt' ? aboutDoubt(entry, effects) : answers?.(entry, choices.of);
  const response = given === null ? undefined : (given ?? usual(entry, choices));
  if (response === undefined) return away(null);
  const { rollback } = entry.message.payload;
  if (response.type === 'approve' && isObject(rollback))
    effects.undo(rollback['target'], rollback['payload']);
  const { by, approval } = person;
  const { approval: claims } = entry.question;
  const token = claims && response.type !== 'reject' ? await approval?.(claims, now) : undefined;
  const send = (): Promise<void> =>
    orchestrator.respond(
      { ...response, target: entry.message.messageId },
      { by, ...(token !== undefined && { approval: token }) },
    );
  const isSentTwice = choices.isRare(50);
  const sent = await Promise.allSettled(isSentTwice ? [send(), send()] : [send()]);
  for (const one of sent)
    if (one.status === 'rejected') {
      if (!isCharterError(one.reason)) throw one.reason as Error;
      away(one.reason.code);
    }
};
