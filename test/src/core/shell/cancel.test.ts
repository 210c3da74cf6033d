import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scene, passes } from './scene.ts';
import { call, draft, plan, readTool, writeTool } from './scripted.ts';
import { settle } from './simulated-clock.ts';
import { share } from '../../../share.ts';

/** A run with every feature and a ledger of about thirty records. */
const run = () =>
  scene({
    model: ({ asks, answers }) =>
      asks === 'draft'
        ? draft()
        : plan(
            [call('read'), call('ask'), call('low'), call('high')],
            answers.length > 1 ? {} : { confidence: 0.3 },
          ),
    tools: [
      readTool('read'),
      readTool('ask', {
        call: (_, { answer, needsHuman }) => (answer === null ? needsHuman({ explanation: '?' }) : 1),
      }),
      writeTool('low', {
        call: async () => {
          await settle();
          return 1;
        },
      }),
      writeTool('high', { tier: 'write_high_risk' }),
    ],
    verifiers: { mails: passes },
    taskClass: {
      authorities: ['human'],
      beforeWrite: { verifiers: ['mails'] },
      beforeDeliver: { evidence: [{ type: 'tool_result' }], verifiers: ['mails'] },
      accept: ({ answers }) =>
        answers.length > 0 ? { accepted: true } : { missing: { location: 'where' }, explanation: '?' },
      followup: () => ({ explanation: '?', payload: {}, byDefault: {} }),
    },
  });

const answers = ['edit', 'approve', 'approve', 'approve', 'approve'] as const;

describe('a cancel at any record of a run', () => {
  it('ends it as cancelled or completed, never stuck, and makes no write without clearance', async () => {
    const ends = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(fc.nat(45), fc.boolean(), async (at, isSync) => {
        const scenario = run();
        let cancelled: Promise<void> | undefined;
        scenario.orchestrator.on('record', ({ taskId, seq }) => {
          if (seq !== at) return;
          const cancel = () => scenario.orchestrator.cancel(taskId, { by: 'dana' });
          cancelled = isSync ? cancel() : settle().then(cancel);
          cancelled.catch(() => {});
        });
        const taskId = await scenario.submit();
        for (const type of answers) {
          await settle();
          if ((await scenario.orchestrator.inbox()).length > 0)
            await scenario.answer(type, type === 'edit' ? { value: 1 } : undefined).catch(() => {});
        }
        await settle();
        const [result] = await Promise.allSettled([cancelled]);
        const { state } = await scenario.ended(taskId);
        ends.set(state, (ends.get(state) ?? 0) + 1);
        if (result?.status === 'rejected') expect(result.reason).toMatchObject({ code: 'fact_refused' });
        const facts = await scenario.facts(taskId);
        const wasDelivered = (await scenario.states(taskId)).includes('completed');
        expect(state).toBe(
          facts.includes('task.cancelled') && !wasDelivered ? 'cancelled' : 'completed.settled',
        );
        const intents = (await scenario.orchestrator.ledger(taskId)).filter(
          ({ fact }) => fact?.type === 'call.started',
        );
        expect(scenario.invocations.length).toBeLessThanOrEqual(intents.length);
        if (state === 'cancelled') {
          const written = scenario.invocations.filter(({ tool }) => tool === 'low' || tool === 'high');
          expect(scenario.undone.toSorted()).toEqual(written.map(({ tool }) => tool).toSorted());
        } else expect(scenario.undone).toEqual([]);
        expect(scenario.clock.sleeping()).toBe(0);
        await scenario.orchestrator.close();
      }),
      {
        numRuns: Number(process.env['FC_RUNS'] ?? share(100, 30)),
      },
    );
    expect([...ends.keys()].toSorted()).toEqual(['cancelled', 'completed.settled']);
  });

  it('is refused once a task has settled', async () => {
    const scenario = scene();
    const taskId = await scenario.submit();
    await scenario.ended(taskId);
    await expect(scenario.orchestrator.cancel(taskId, { by: 'dana' })).rejects.toMatchObject({
      code: 'fact_refused',
      details: { taskId, fact: 'task.cancelled', state: 'completed.settled', accepts: [] },
    });
  });
});
