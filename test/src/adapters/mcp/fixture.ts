import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as FirstStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { createRequire } from 'node:module';
import { onTestFinished } from 'vitest';
import type { Feedback } from '../../../../src/base/feedback/feedback.ts';
import {
  createOrchestrator,
  defineTaskClass,
  type InboxEntry,
  type OrchestratorOptions,
  type TaskClassDefinition,
  type Tool,
} from '../../../../src/index.ts';
import type { EvidenceObject } from '../../../../schema/index.ts';
import {
  identity,
  plan,
  scriptedModel,
  draft,
  type ProposedCall,
  type Script,
} from '../../core/shell/scripted.ts';

const require = createRequire(import.meta.url);
const info = { name: 'desk', version: '1' };

/** A server of the registry, as its own process, and a client of either SDK that is connected to it, and closes it. */
export const spawned = async (
  server: 'server-filesystem' | 'server-everything',
  args: readonly string[],
  make: (which: { first: FirstClient; second: Client }) => FirstClient | Client = ({ second }) => second,
) => {
  const entry = require.resolve(`@modelcontextprotocol/${server}/dist/index.js`);
  const command = { command: process.execPath, args: [entry, ...args], stderr: 'ignore' as const };
  const capabilities = { elicitation: {} };
  const second = new Client(info, { capabilities });
  const first = new FirstClient(info, { capabilities });
  const client = make({ first, second });
  if (client === first) await first.connect(new FirstStdio(command));
  else await second.connect(new StdioClientTransport(command));
  return client;
};

export interface FixtureOptions {
  readonly calls?: readonly ProposedCall[];
  readonly model?: Script;
  readonly taskClass?: Partial<TaskClassDefinition>;
  readonly options?: Partial<OrchestratorOptions>;
}

/** An orchestrator of one task class, whose model proposes the calls and concludes. */
export const fixtureOf = (
  tools: readonly Tool[],
  { calls = [], model, taskClass, options }: FixtureOptions = {},
) => {
  const script = {
    plan: plan(calls),
    draft: draft(),
    correction: { choice: 'beyondCapability', explanation: 'no other way' },
  };
  const scripted = scriptedModel(model ?? (({ asks }) => script[asks]));
  const orchestrator = createOrchestrator({
    taskClasses: [
      defineTaskClass({
        id: 'work',
        tools: tools.map(({ name }) => name),
        limits: { repairs: 0 },
        authorities: ['approval', 'human'],
        ...taskClass,
      }),
    ],
    tools,
    model: scripted.model,
    policy: { decide: async () => ({ verdict: 'allow', reasons: [] }) },
    ...options,
  });
  onTestFinished(() => orchestrator.close());
  const asked: InboxEntry[] = [];
  const listeners: ((entry: InboxEntry) => void)[] = [];
  orchestrator.on('question', (entry) => {
    const next = listeners.shift();
    if (next === undefined) asked.push(entry);
    else next(entry);
  });
  return {
    orchestrator,
    turns: scripted.turns,
    submit: async () => (await orchestrator.submit({ taskClass: 'work', payload: {}, identity })).taskId,
    /** The next question that is asked. */
    question: (): Promise<InboxEntry> => {
      const entry = asked.shift();
      return entry === undefined ? new Promise((resolve) => listeners.push(resolve)) : Promise.resolve(entry);
    },
    answer: (entry: InboxEntry, type: Feedback['type'], content?: Feedback['content']) =>
      orchestrator.respond(
        { type, target: entry.message.messageId, ...(content !== undefined && { content }) },
        { by: 'kim' },
      ),
    evidence: async (taskId: string): Promise<readonly EvidenceObject[]> =>
      (await orchestrator.documents(taskId)).flatMap(({ name, document }) =>
        name === 'EvidenceObject' ? [document] : [],
      ),
  };
};
