import { trusting } from './approvals.ts';
import { scene, type Given } from './scene.ts';
import { call, draft, plan, writeTool } from './scripted.ts';

const summary = ({ amount, order }: Readonly<Record<string, unknown>>) =>
  `Refund ${String(amount)} EUR for order ${String(order)}.`;

/** The sentence of the proposed refund, the policy's reasons, and the arguments. */
export const sentence = 'Refund 180 EUR for order o-7.';
export const reasons = ['refunds above 100 EUR need a person'];
export const given = { order: 'o-7', amount: 180 };

export type More = NonNullable<Parameters<typeof writeTool>[1]>;

/** A scene whose model proposes a refund, which its tool puts into a sentence and its policy leaves to a person. */
export const refunds = (more: More = {}, rest: Given = {}) =>
  scene({
    model: [plan([call('refund', given)]), draft()],
    tools: [writeTool('refund', { summary, ...more })],
    policy: () => ({ verdict: 'needs_review', reasons }),
    ...rest,
  });

/** The same of high risk, which the policy allows. */
export const highRiskRefunds = (taskClass: Given['taskClass'] = {}) =>
  refunds({ tier: 'write_high_risk' }, { policy: 'allow', taskClass, options: { approvals: trusting } });
