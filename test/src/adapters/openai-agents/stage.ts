import { Agent, setTracingDisabled, type Tool } from '@openai/agents';
import { defineTaskClass, type InboxEntry, type TaskClassDefinition } from 'agentcharter';
import { guardTools, tool, type SealedRunOptions, type SdkTool } from 'agentcharter/adapters/openai-agents';
import { createGuard, type Guard, type GuardOptions, type Patience, type Run } from 'agentcharter/guard';
import { z } from 'zod';
import type { Feedback } from '../../../../src/base/feedback/feedback.ts';
import type { Step } from '../subject.ts';
import { key } from './blobs.ts';
import { Scripted } from './scripted.ts';

setTracingDisabled(true);

export const identity = { agent_id: 'teller', owner_id: 'acme', control_class: 'human-supervised' } as const;

/** A read and a write whose answers a person's word lets through. */
export interface Stage {
  readonly guard: Guard;
  readonly run: Run;
  readonly done: string[];
  readonly bind: (run: Run, patience?: Patience) => SdkTool[];
  readonly options: SealedRunOptions;
  /** Another agent in each process; its model follows the script. */
  readonly agent: (script: readonly Step[], tools?: Tool[]) => Agent;
}

export const agentWith = (script: readonly Step[], tools: Tool[], name = 'teller'): Agent =>
  new Agent({ name, model: new Scripted(script), tools });

const toolsOf = (done: string[]) =>
  guardTools(
    [
      tool({
        name: 'read',
        description: 'Reads.',
        parameters: z.object({ of: z.string() }),
        execute: ({ of }) => {
          done.push(`read ${of}`);
          return { of };
        },
      }),
      tool({
        name: 'pay',
        description: 'Pays.',
        parameters: z.object({ to: z.string() }),
        execute: ({ to }) => void done.push(`pay ${to}`),
      }),
    ],
    {
      read: { tier: 'read_only' },
      pay: {
        rollback: {
          describe: ({ to }: { to: string }) => ({ type: 'recall', target: to, payload: {} }),
          run: async () => ({}),
        },
      },
    },
  );

export const openStage = async (
  contract: Partial<TaskClassDefinition> = {},
  options: Partial<GuardOptions> = {},
): Promise<Stage> => {
  const done: string[] = [];
  const { tools, bind } = toolsOf(done);
  const guard = createGuard({
    tools,
    taskClasses: [
      defineTaskClass({
        id: 'job',
        tools: ['read', 'pay'],
        authorities: ['human'],
        limits: { rounds: 8, repairs: 2 },
        ...contract,
      }),
    ],
    policy: { decide: () => ({ verdict: 'allow', reasons: [] }) },
    ...options,
  });
  const run = await guard.begin({ taskClass: 'job', payload: {}, identity });
  const agent: Stage['agent'] = (script, bound = bind(run)) => agentWith(script, bound);
  return { guard, run, done, bind, agent, options: { run, key, draftOf } };
};

const draftOf = (output: unknown) => ({
  payload: z.record(z.string(), z.unknown()).parse(JSON.parse(String(output))),
});

export const read = (id: string, of = 'all'): Step => ({ calls: [{ id, tool: 'read', arguments: { of } }] });
export const pay = (id: string, to = 'alice'): Step => ({ calls: [{ id, tool: 'pay', arguments: { to } }] });
export const answer: Step = { answer: { said: 'it is done' } };
export const delivered = { status: 'delivered', payload: { said: 'it is done' } };

/** Answers the one question that is open, as Kim. */
export const respond = async (
  { guard, run }: Stage,
  feedback: Omit<Feedback, 'target'> = { type: 'approve' },
): Promise<InboxEntry> => {
  const [entry] = await run.questions();
  if (entry === undefined) throw new Error('nothing is asked');
  await guard.orchestrator.respond({ ...feedback, target: entry.message.messageId }, { by: 'kim' });
  return entry;
};

export const keptBy = (stop: { readonly status: string }): string => {
  if ('kept' in stop && typeof stop.kept === 'string') return stop.kept;
  throw new Error(`expected a pause, not ${stop.status}`);
};
