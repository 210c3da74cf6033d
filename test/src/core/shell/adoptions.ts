import type { UpFormatMessage } from '../../../../schema/index.ts';
import type { Turn } from '../../../../src/index.ts';
import type { LedgerRecord } from '../../../../src/base/ports/ledger.ts';
import { scene, type Given, type Scene } from './scene.ts';
import { call, draft, plan, readTool, writeTool } from './scripted.ts';
import { settle } from './simulated-clock.ts';

export const critic = { agent_id: 'critic', owner_id: 'acme' };

/** The messageId of the n-th message of another agent. */
export const reviewId = (at = 1): string =>
  `00000000-0000-4000-8000-0000000abc${String(at).padStart(2, '0')}`;

/** A model's answer that adopts a review; the last one by default. */
export const adopts =
  (more: object = {}) =>
  ({ reviews, asks }: Turn): unknown => {
    const output = {
      adopts: reviews.at(-1)?.message.messageId ?? 'none',
      canProceed: true,
      confidence: 0.9,
      explanation: 'The review is right.',
      ...more,
    };
    return asks === 'correction' ? { choice: 'fixed', output, explanation: 'Another one.' } : output;
  };

/** A task whose open question another agent reviews, after which a person sends the model on. */
export const reviewing = async (given: Given) => {
  const made = scene(given);
  const taskId = await made.submit();
  let sent = 0;
  const thread = async (): Promise<readonly UpFormatMessage[]> =>
    made.orchestrator.thread((await made.orchestrator.list())[0]?.threadId ?? '');
  const review = async (upFeedback: object, more: object = {}, from = critic): Promise<void> => {
    const all = await thread();
    const target = (await made.orchestrator.inbox())[0]?.message.messageId ?? all.at(-1)?.messageId;
    await made.orchestrator.receive(
      {
        messageId: reviewId((sent += 1)),
        threadId: all[0]?.threadId,
        timestamp: '2026-11-21T05:00:00Z',
        state: 'submitted',
        payload: {},
        explanation: 'This is better.',
        upFeedback: { target, ...upFeedback },
        ...more,
      },
      from,
    );
    await settle();
  };
  const goOn = (): Promise<void> => made.answer('instruction', 'Look at the review.');
  return { ...made, taskId, thread, review, goOn };
};

/** Returns the record of the last proposal of a task that the model made. */
export const lastProposal = async (
  { orchestrator }: Pick<Scene, 'orchestrator'>,
  taskId: string,
): Promise<LedgerRecord | undefined> =>
  (await orchestrator.ledger(taskId)).findLast(({ fact }) => fact?.type.endsWith('.proposed'));

export const unsure = { confidence: 0.1 };
export const pays = (amount: number) => [call('pay', { amount })];
export const edit = (content: object, part?: string) => (target: string) => ({
  type: 'edit',
  content,
  ...(part !== undefined && { target: { messageId: target, part } }),
});
export const value = (calls: unknown, more: object = {}) => edit({ value: { ...more, calls } });

export type Review = (target: string) => object;

/** A task whose plan to pay 5 is reviewed; the model then gives the last answers. */
export const planReviewed = async (review: Review, then: readonly unknown[], given: Given = {}) => {
  const alternatives = [{ id: 'less', ...plan(pays(1)) }, plan(pays(2))];
  const made = await reviewing({
    model: [plan(pays(5), { ...unsure, alternatives }), ...then],
    tools: [writeTool('pay'), readTool('look')],
    ...given,
  });
  await made.review(review((await made.question()).message.messageId));
  await made.goOn();
  return made;
};

/** A task whose draft is reviewed; the model plans anew, and then gives the last answers. */
export const draftReviewed = async (review: Review, then: readonly unknown[], given: Given = {}) => {
  const alternatives = [{ id: 'short', ...draft({ text: 'short' }) }, draft({ text: 'long' })];
  const first = draft({ text: 'old', note: 'kept' }, { ...unsure, alternatives });
  const made = await reviewing({ model: [plan(), first, plan(), ...then], ...given });
  await made.review(review((await made.question()).message.messageId));
  await made.goOn();
  return made;
};

export const paidIn = ({ invocations }: { invocations: readonly { readonly arguments: unknown }[] }) =>
  invocations.map((one) => one.arguments);
