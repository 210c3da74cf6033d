import { ClientFactory, type Client } from '@a2a-js/sdk/client';
import { AgentEvent, InMemoryTaskStore, type AgentExecutor } from '@a2a-js/sdk/server';
import { TaskState, type Task } from '@a2a-js/sdk';
import * as z from 'zod';
import {
  a2aMessage,
  remoteAgent,
  textPart,
  type RemoteAgentOptions,
} from '../../../../src/adapters/a2a/index.ts';
import type { InboxEntry, Orchestrator } from '../../../../src/index.ts';
import { call, draft, plan } from '../../core/shell/scripted.ts';
import { serve, stage, type Staged } from './stage.ts';

const rollback = { describe: () => ({ type: 'undo', target: 'remote', payload: {} }), run: async () => ({}) };

/** Has every request of a client say who is signed in. */
const signedIn = (url: string, user: string): Promise<Client> =>
  new ClientFactory({
    ...new ClientFactory().options,
    clientConfig: {
      interceptors: [
        {
          before: async (args) => {
            const serviceParameters = { ...args.options?.serviceParameters, 'x-user': user };
            args.options = { ...args.options, serviceParameters };
          },
          after: async () => {},
        },
      ],
    },
  }).createFromUrl(url);

export type Remote = Partial<RemoteAgentOptions<Record<string, unknown>>>;

/** Our orchestrator, whose tool is an agent behind a server. */
export const outerOf = async (url: string, remote: Remote = {}, given: Staged = {}) => {
  const tool = remoteAgent({
    agent: await signedIn(url, 'outer'),
    name: 'remote',
    description: 'Somebody else.',
    tier: 'read_only',
    input: z.looseObject({}),
    rollback,
    patience: 2_000,
    every: 5,
    ...remote,
  });
  const outer = await stage({
    model: [plan([call('remote', { room: 7 })]), draft()],
    taskClass: { authorities: ['approval', 'human', 'system'], limits: { repairs: 0 } },
    ...given,
    options: { tools: [tool], ...given.options },
  });
  return { ...outer, tool };
};

export const begin = ({ submit }: Orchestrator) =>
  submit({
    taskClass: 'work',
    payload: {},
    identity: { agent_id: 'outer', owner_id: 'acme', control_class: 'human-supervised' },
  });

export const questionOf = (orchestrator: Orchestrator, after?: string): Promise<InboxEntry> =>
  new Promise((resolve) => {
    const stop = orchestrator.on('question', (entry) => {
      if (entry.message.messageId === after) return;
      stop();
      resolve(entry);
    });
  });

/** What the remote agent delivered, as evidence here. */
export const evidenceIn = async (orchestrator: Orchestrator, taskId: string): Promise<readonly unknown[]> =>
  (await orchestrator.documents(taskId)).flatMap(({ name, document }) =>
    name === 'EvidenceObject' ? [document.payload] : [],
  );

/** An agent that never heard of us: it fails, asks in words, or answers at once. */
export const foreign = async (does: 'fail' | 'ask' | 'say' | 'complete', store = new InMemoryTaskStore()) => {
  const received: string[] = [];
  const executor: AgentExecutor = {
    cancelTask: async () => {},
    execute: async ({ taskId, contextId, userMessage, task }, bus) => {
      received.push(
        userMessage.parts.map(({ content }) => (content?.$case === 'text' ? content.value : '')).join(''),
      );
      if (does === 'say')
        return bus.publish(
          AgentEvent.message(a2aMessage({ messageId: 'm', contextId, parts: [textPart('Hi.')] })),
        );
      const ends = { fail: TaskState.TASK_STATE_FAILED, ask: TaskState.TASK_STATE_INPUT_REQUIRED };
      const state = does === 'complete' || task !== undefined ? TaskState.TASK_STATE_COMPLETED : ends[does];
      const message = a2aMessage({
        messageId: `m${received.length}`,
        contextId,
        taskId,
        parts: [textPart('Which?')],
      });
      const status: Task['status'] = { state, message, timestamp: '2026-01-01T00:00:00Z' };
      bus.publish(
        AgentEvent.task({ id: taskId, contextId, status, artifacts: [], history: [], metadata: undefined }),
      );
      bus.publish(AgentEvent.statusUpdate({ taskId, contextId, status, metadata: undefined }));
    },
  };
  const served = await serve(executor, store, {
    capabilities: { streaming: true, extensions: [] },
  });
  return { ...served, heard: received, store };
};
