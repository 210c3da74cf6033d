import { defineTaskClass } from 'agentcharter';
import { createGuard } from 'agentcharter/guard';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { memoryDatabase } from '../../../src/stores/memory/database.ts';
import { kept } from './stage.ts';
import type { Step, ToolSpec } from './subject.ts';
import { subjectOf } from './subjects.ts';

const friend = 'DE89370400440532013000';
const stranger = 'GB29NWBK60161331926819';
const secret = 'the words of a stranger';
const identity = { agent_id: 'clerk', owner_id: 'acme', control_class: 'human-supervised' } as const;

const script = (to: unknown): readonly Step[] => [
  { calls: [{ id: 'call-1', tool: 'read_mail', arguments: {} }] },
  { calls: [{ id: 'call-2', tool: 'pay', arguments: { to, cents: 5 } }] },
  { answer: { said: 'paid' } },
];

/** An agent that reads mail which it is not shown, and pays an account of the request without asking. */
const post = async (name: string) => {
  const paid: unknown[] = [];
  const specs: readonly ToolSpec[] = [
    {
      name: 'read_mail',
      description: 'Reads the mail.',
      input: z.object({}),
      execute: () => ({ account: stranger, text: secret }),
      contract: { tier: 'read_only', isHidden: true },
    },
    {
      name: 'pay',
      description: 'Pays.',
      input: z.strictObject({ to: z.string().regex(/^[A-Z]{2}\d{2}/), cents: z.int() }),
      execute: ({ to }) => {
        paid.push(to);
        return { done: true };
      },
      contract: {
        tier: 'write_low_risk',
        flows: { '/to': { integrity: 'trusted' } },
        labels: { '': { integrity: 'trusted' } },
      },
    },
  ];
  const subject = await subjectOf(name);
  const database = memoryDatabase();
  const open = async () => {
    const opened = await subject.open(specs, []);
    const guard = createGuard({
      tools: opened.tools,
      taskClasses: [
        defineTaskClass({
          id: 'post',
          tools: opened.tools.map((tool) => tool.name),
          authorities: ['human'],
          limits: { rounds: 8 },
        }),
      ],
      policy: { decide: () => ({ verdict: 'allow', reasons: [] }) },
      store: database.connect(),
    });
    return { opened, guard };
  };
  const first = await open();
  const { prefix = '' } = first.opened;
  const run = await first.guard.begin({ taskClass: 'post', payload: { friend }, identity });
  const mailed = { $from: `${prefix}read_mail#1`, pointer: '/account' };
  return { ...first, open, run, mailed, paid };
};

const close = async ({ guard, opened }: Awaited<ReturnType<Awaited<ReturnType<typeof post>>['open']>>) => {
  await guard.close();
  await opened.close?.();
};

const delivered = { status: 'delivered', payload: { said: 'paid' } };

/** Those whose tools bring their results as they are; servers and remote agents wrap them. */
const bindings = ['by-hand', 'ai-sdk', 'langchain', 'openai-agents', 'http'];

describe.each(bindings)('%s', (name) => {
  it('takes an argument from where the model refers to', async () => {
    const stage = await post(name);
    const steps = script({ $from: 'request', pointer: '/friend' });
    expect(await stage.opened.begin({ run: stage.run, script: steps })).toEqual(delivered);
    expect(stage.paid).toEqual([friend]);
    await close(stage);
  });

  it('waits for a person with a reference to a result that it is not shown, and goes on after a restart', async () => {
    const stage = await post(name);
    const steps = script(stage.mailed);
    const state = kept(await stage.opened.begin({ run: stage.run, script: steps }));
    for (const hidden of [stranger, secret]) {
      // an interrupt of LangGraph holds the question that a person reads
      if (name !== 'langchain') expect(state).not.toContain(hidden);
      expect(JSON.stringify(await stage.run.progress())).not.toContain(hidden);
      expect(JSON.stringify(await stage.run.savedState())).not.toContain(hidden);
    }
    const { taskId } = stage.run;
    const records = JSON.stringify(await stage.guard.orchestrator.ledger(taskId));
    expect(records).toContain(secret);
    await close(stage);

    const again = await stage.open();
    await again.guard.orchestrator.recover();
    const run = await again.guard.resume(taskId);
    const [asked] = await run.questions();
    expect(asked?.question.reasons).toEqual(['/to: expected a trusted value; it was found in read_mail#1.']);
    const target = asked?.message.messageId ?? '';
    await again.guard.orchestrator.respond({ type: 'approve', target }, { by: 'kim' });
    expect(await again.opened.goOn({ run, script: steps }, state)).toEqual(delivered);
    expect(stage.paid).toEqual([stranger]);
    await close(again);
  });
});
