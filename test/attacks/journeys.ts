import { types } from 'node:util';
import * as fc from 'fast-check';
import {
  createOrchestrator,
  defineTaskClass,
  isCharterError,
  type Findings,
  type OrchestratorOptions,
  type Tool,
} from '../../src/index.ts';
import { unreadFeedback } from '../../src/base/feedback/feedback.ts';
import type { PolicyDecision } from '../../src/base/ports/policy.ts';
import { fitting } from '../schema/arbitraries.ts';
import { call, draft, identity, plan, readTool, writeTool } from '../src/core/shell/scripted.ts';
import { settle, simulatedClock } from '../src/core/shell/simulated-clock.ts';
import { malformed } from './malformed.ts';

/** A whole task that meets one malformed answer; how it ends. */
export interface Journey {
  readonly given: fc.Arbitrary<unknown>;
  readonly run: (value: unknown) => Promise<string>;
  /** Nothing else tries what reads it, so that it is tried as often as a parser; a tenth as often where left out. */
  readonly isAlone?: true;
}

interface World extends Partial<OrchestratorOptions> {
  /** What somebody outside does while the task is open. */
  readonly outsider?: (
    orchestrator: ReturnType<typeof createOrchestrator>,
    taskId: string,
  ) => Promise<unknown>;
}

const day = 86_400_000;

/** One task from its request to its end: nobody answers, so that every deadline passes. */
const journey = async (tool: Tool, { outsider, ...options }: World = {}): Promise<string> => {
  const clock = simulatedClock();
  const orchestrator = createOrchestrator({
    taskClasses: [
      defineTaskClass({
        id: 'work',
        tools: [tool.name],
        limits: { repairs: 0 },
        ...(options.verifiers && { beforeDeliver: { verifiers: ['judge'] } }),
      }),
    ],
    model: { answer: async ({ asks }) => (asks === 'plan' ? plan([call(tool.name)]) : draft()) },
    tools: [tool],
    policy: { decide: () => ({ verdict: 'allow', reasons: [] }) },
    clock,
    ...options,
  });
  const errors: unknown[] = [];
  // what a callback, a model or a tool said that cannot be read or kept is the host's to hear: nothing escaped
  const heard = ['callback_failed', 'document_invalid', 'value_not_json'] as const;
  orchestrator.on('error', ({ error }) => {
    if (!heard.some((code) => isCharterError(error, code))) errors.push(error);
  });
  const { taskId } = await orchestrator.submit({ taskClass: 'work', payload: {}, identity });
  await settle();
  let told = '';
  try {
    await outsider?.(orchestrator, taskId);
  } catch (error) {
    if (!isCharterError(error)) throw new Error('it was refused by no CharterError', { cause: error });
    told = 'refused';
  }
  await clock.advance(9 * day);
  const [{ state } = { state: 'nowhere' }] = await orchestrator.list();
  if (errors.length > 0) throw new Error(`an error escaped in ${state}`, { cause: errors[0] });
  return /^(?:completed\.settled|failed)$/.test(state) ? told || state : `stuck in ${state}`;
};

// A value too deep to be stored is another matter: boundary.ts tries it.
const shallow = { deep: false };

const decisions = fc.constantFrom<unknown>(
  { verdict: 'allow', reasons: ['small'], authority: 'treasury' },
  { verdict: 'needs_review', reasons: [] },
);
const waits = fc.constantFrom<unknown>(
  { explanation: 'soon', dependency: 'd', agent: 'scout' },
  { explanation: 'which?', payload: { options: ['a'] } },
);
const facts = fc.constantFrom<unknown>(
  { type: 'dependency.met', dependency: 'd' },
  { type: 'xstate.done.actor.0.task', output: {} },
  { type: 'call.succeeded', request: '00000000-0000-4000-8000-000000000001', attempt: 0, call: 'c' },
);

const unfinished = () =>
  readTool('read', { call: (_, { notYet }) => notYet({ explanation: '', dependency: 'x' }) });

export const journeys: Readonly<Record<string, Journey>> = {
  'the decision of a policy': {
    isAlone: true,
    given: malformed(decisions, shallow),
    run: (value) => journey(writeTool('write'), { policy: { decide: () => value as PolicyDecision } }),
  },
  'the report of a verifier': {
    given: malformed(fitting['verification-report'], shallow),
    run: (value) =>
      journey(readTool('read'), { verifiers: [{ id: 'judge', verify: () => value as Findings }] }),
  },
  'the output of a model': {
    given: malformed(fc.constantFrom<unknown>(plan([call('read')]), draft()), shallow),
    run: (value) => journey(readTool('read'), { model: { answer: async () => value } }),
  },
  'the result of a tool': {
    isAlone: true,
    given: malformed(fc.constantFrom<unknown>({ rows: [1, 2] }, 'text', null), shallow),
    run: (value) => journey(readTool('read', { call: () => value })),
  },
  'the result of a write': {
    isAlone: true,
    given: malformed(fc.constantFrom<unknown>({ written: true }), shallow),
    run: (value) => journey(writeTool('write', { call: () => value })),
  },
  'the evidence that a tool hands on': {
    given: malformed(fitting['evidence-object'], shallow),
    run: (value) => journey(readTool('read', { call: (_, { evidence }) => evidence(value) })),
  },
  'what a tool waits for': {
    isAlone: true,
    given: malformed(waits, shallow),
    run: (value) => journey(readTool('read', { call: (_, { notYet }) => notYet(value as never) })),
  },
  'what a tool asks a person': {
    isAlone: true,
    given: malformed(waits, shallow),
    run: (value) => journey(readTool('read', { call: (_, { needsHuman }) => needsHuman(value as never) })),
  },
  'a fact of an outsider': {
    given: malformed(facts, shallow),
    run: (value) =>
      journey(unfinished(), { outsider: (one, taskId) => one.tell(taskId, value, { by: 'kim' }) }),
  },
  'the answer of a dependency': {
    given: malformed(fc.constantFrom<unknown>({ a: 1 }), shallow),
    run: (value) =>
      journey(unfinished(), { outsider: (one, taskId) => one.resolve(taskId, 'x', value, { by: 'kim' }) }),
  },
  'the message of another agent': {
    given: malformed(fitting['upformat-message'], shallow),
    run: (value) =>
      journey(unfinished(), {
        outsider: (one) => one.receive(value, { agent_id: 'scout', owner_id: 'acme' }),
      }),
  },
  'the feedback of a person': {
    given: malformed(fitting['up-feedback'], shallow),
    run: (value) =>
      journey(readTool('read', { call: (_, { needsHuman }) => needsHuman({ explanation: 'Which?' }) }), {
        outsider: async (one) => {
          const target = (await one.inbox())[0]?.message.messageId;
          const isObject = typeof value === 'object' && value !== null && !types.isProxy(value);
          const aimed = isObject && {
            ...Object.getOwnPropertyDescriptors(value), // a copy that reads no getter
            target: { value: target, enumerable: true },
          };
          const feedback: unknown = aimed ? Object.defineProperties({}, aimed) : value;
          await one.respond(unreadFeedback(feedback), { by: 'kim' });
        },
      }),
  },
  'a request': {
    given: malformed(fc.constant({ taskClass: 'work', payload: {}, explanation: '', identity }), shallow),
    run: (value) => journey(readTool('read'), { outsider: (one) => one.submit(value as never) }),
  },
};
