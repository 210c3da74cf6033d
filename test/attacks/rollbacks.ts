import { expect } from 'vitest';
import type { RollbackAction } from '../../schema/index.ts';
import { actionDigest, approvalSubject, summaryDigest } from '../../src/gates/approvals/subject.ts';
import type { Rollback, Tool } from '../../src/index.ts';
import { scene } from '../src/core/shell/scene.ts';
import { call, draft, plan, writeTool } from '../src/core/shell/scripted.ts';
import { errorOf, failedSafe, type Attack } from './attack.ts';
import { bank, order, payment } from './bank.ts';

const described = { type: 'recall', target: 'order o-7', payload: { cents: 180 } };
const saying = (describe: () => unknown): Rollback => ({
  describe: describe as Rollback['describe'],
  run: async () => null,
});

const throws = (): never => {
  throw new Error('down');
};

/** What a rollback says of itself, and the member that its refusal names. */
const empty: readonly (readonly [what: string, describe: () => unknown, member: string])[] = [
  ['an empty object', () => ({}), '/type'],
  ['no type', () => ({ ...described, type: undefined }), '/type'],
  ['an empty type', () => ({ ...described, type: '' }), '/type'],
  ['no target', () => ({ type: 'recall', payload: {} }), '/target'],
  ['a target of blanks', () => ({ ...described, target: ' \n' }), '/target'],
  ['no payload', () => ({ type: 'recall', target: 'order o-7' }), '/payload'],
  ['an empty text as payload', () => ({ ...described, payload: '' }), '/payload'],
  ['a list as payload', () => ({ ...described, payload: [] }), '/payload'],
  ['a payload that is no JSON', () => ({ ...described, payload: { at: 1n } }), '/payload'],
  ['a promise', async () => described, 'rollback'],
  ['null', () => null, 'rollback'],
  ['an error that it throws', throws, 'Error: down'],
];

const transfer = (paid: unknown[], rollback: Rollback): Tool => ({ ...payment('transfer', paid), rollback });

/** A write whose rollback has no description is not made, and its end names the tool and the member. */
const unnamedRollback = (attempt: string, member: string, tool: (effects: unknown[]) => Tool): Attack => ({
  number: 42,
  attempt,
  expected: 'ROLLBACK_REQUIRED',
  source: 'UAICP 5.3',
  run: async () => {
    const effects: unknown[] = [];
    const made = tool(effects);
    const one = scene({
      model: [plan([call(made.name, order)]), draft()],
      tools: [made],
      taskClass: { authorities: ['approval', 'human', 'system'], limits: { repairs: 0 } },
    });
    const taskId = await one.submit();
    const stop = await failedSafe(one, taskId);
    expect(effects).toEqual([]);
    expect(await one.orchestrator.inbox()).toEqual([]);
    const { explanation } = (await one.ended(taskId)).message;
    expect(explanation).toContain(`rollback.describe of tool "${made.name}"`);
    expect(explanation).toContain(member);
    expect(one.failedCallbacks).toMatchObject([{ details: { taskId, code: 'ROLLBACK_REQUIRED' } }]);
    return stop;
  },
});

const highRisk = empty.map(([what, describe, member]) =>
  unnamedRollback(`a high-risk write whose rollback returns ${what}`, member, (paid) =>
    transfer(paid, saying(describe)),
  ),
);

/** A model that proposes it again, and again: each attempt is refused, and the run ends. */
const again: Attack = {
  number: 42,
  attempt: 'a high-risk write whose rollback has no description, proposed in every repair',
  expected: 'ROLLBACK_REQUIRED',
  source: 'UAICP 5.3',
  run: async () => {
    const paid: unknown[] = [];
    const one = scene({
      model: [plan([call('transfer', order)])],
      tools: [
        transfer(
          paid,
          saying(() => ({})),
        ),
      ],
      taskClass: { limits: { repairs: 2 } },
    });
    const stop = await failedSafe(one, await one.submit());
    expect(one.turns).toHaveLength(3);
    expect(paid).toEqual([]);
    return stop;
  },
};

/** An approver is shown what is signed: a desk signs no high-risk action of which nobody says how it is undone. */
const unsigned = (attempt: string, rollback: RollbackAction | null): Attack => ({
  number: 42,
  attempt,
  expected: 'document_invalid',
  source: 'UAICP 5.3',
  run: async () => {
    const one = bank();
    await one.submit();
    const { question, message } = await one.question();
    const { subject, claims } = approvalSubject({ question, message });
    const action = { ...subject.action, rollback };
    const action_digest = actionDigest(claims.request_id, action);
    const payload = { ...message.payload, action: { ...action, digest: action_digest } };
    const forged = { ...message, payload };
    const approval = { ...claims, action_digest, summary_digest: summaryDigest(forged) };
    const error = await errorOf(() => approvalSubject({ question: { approval }, message: forged }));
    expect(error.message).toContain('expected the rollback of a high-risk write');
    expect(one.paid).toEqual([]);
    return error.code;
  },
});

export const rollbacks: readonly Attack[] = [
  ...highRisk,
  unnamedRollback('a low-risk write whose declared rollback says nothing', '/target', (effects) =>
    writeTool('note', {
      call: () => effects.push('written'),
      rollback: saying(() => ({ type: 'erase', payload: {} })),
    }),
  ),
  again,
  unsigned('an approval question whose rollback has no description', {}),
  unsigned('a question of approval without its rollback', null),
];
