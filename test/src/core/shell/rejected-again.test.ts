import { describe, expect, it } from 'vitest';
import { scene, type Given } from './scene.ts';
import { call, draft, identity, plan, writeTool, readTool } from './scripted.ts';
import { settle } from './simulated-clock.ts';

const minute = 60_000;

/** A write under way that dana approved, who lost the permission, and that the next person is asked about. */
const askedAgain = async (options: Given['options'], mandate?: readonly string[]) => {
  const approvers = new Set(['dana', 'erin']);
  const made = scene({
    model: [plan([call('pay')]), draft()],
    taskClass: { limits: { repairs: 0 }, deadlines: { question: minute }, defaults: { approval: 'refuse' } },
    tools: [
      readTool('look'),
      writeTool('pay', {
        doubt: 'idempotent',
        call: (_, { met, notYet }) => met ?? notYet({ dependency: 'bank', explanation: '' }),
      }),
    ],
    options: { mayRespond: (name) => approvers.has(name), ...options },
  });
  const { orchestrator, answer, invocations, question } = made;
  const request = { taskClass: 'work', payload: {}, identity, ...(mandate && { mandate }) };
  const { taskId } = await orchestrator.submit(request);
  await settle();
  await answer('approve', undefined, { by: 'dana' });
  expect(invocations).toHaveLength(1);
  approvers.delete('dana');
  await orchestrator.resolve(taskId, 'bank', { paid: true }, { by: 'bank' });
  await settle();
  expect((await question()).question.kind).toBe('approval');
  return made;
};

/** A policy with a version, which need not be asked twice. */
const deciding = (verdict: 'allow' | 'needs_review') => ({
  policy: { version: '1', decide: () => ({ verdict, reasons: [] }) },
});

describe('a write under way that a person rejects [UAICP 5.3]', () => {
  it.each([
    ['the policy wants reviewed', deciding('needs_review')],
    ['its mandate does not contain', deciding('allow'), ['look']],
  ] as const)('is not made again, if it is one that %s', async (_, options, mandate?) => {
    const { invocations, orchestrator, answer } = await askedAgain(options, mandate);
    await answer('reject', undefined, { by: 'erin' });
    expect(invocations).toHaveLength(1);
    expect((await orchestrator.inbox()).map(({ question: { kind } }) => kind)).toEqual(['doubt']);
  });

  it('is not made again, if no one answers in time', async () => {
    const { invocations, orchestrator, clock } = await askedAgain(deciding('allow'), ['look']);
    await clock.advance(minute);
    expect(invocations).toHaveLength(1);
    expect((await orchestrator.inbox()).map(({ question: { kind } }) => kind)).toEqual(['doubt']);
  });

  it.each(['idempotent', 'reconcilable'] as const)(
    'is not made again, if its %s tool asked after a wait',
    async (doubt) => {
      const { orchestrator, submit, answer, question, invocations } = scene({
        model: [plan([call('pay')]), draft()],
        taskClass: { limits: { repairs: 0 } },
        tools: [
          writeTool('pay', {
            doubt,
            ...(doubt === 'reconcilable' && { lookup: async () => ({ found: 'absent' }) as const }),
            call: (_, { met, notYet, needsHuman }) =>
              met === null
                ? notYet({ dependency: 'bank', explanation: '' })
                : needsHuman({ explanation: 'The amount differs. Pay?' }),
          }),
        ],
      });
      const taskId = await submit();
      await orchestrator.resolve(taskId, 'bank', { differs: true }, { by: 'bank' });
      await settle();
      expect((await question()).question.kind).toBe('tool');
      await answer('reject');
      expect(invocations).toHaveLength(2);
      const asked = (await orchestrator.inbox()).map(({ question: { kind } }) => kind);
      expect(asked).toEqual(doubt === 'idempotent' ? ['doubt'] : []);
    },
  );
});
