import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { UpFormatMessage } from '../../../../schema/index.ts';
import { defineTaskClass, defineTaskTool } from '../../../../src/index.ts';
import {
  call,
  draft,
  further,
  plan,
  readTool,
  scriptedPolicy,
  writeTool,
} from '../../core/shell/scripted.ts';
import { fixtureOf, type FixtureOptions } from './fixture.ts';
import { eras } from './served.ts';

const secret = 'DE89370400440532013000';
const mail = readTool('mail', { call: () => ({ account: secret }), isHidden: true });
const thoughts = { reasoning: ['It is due.'], questions: ['Is it?'], alternatives: [plan()] };

const followup = () => ({ explanation: 'Shorter?', payload: {}, byDefault: {} });

/** A model whose task has a clerk send, in a task of its own. */
const delegating = ({ taskClass }: { taskClass: string }) =>
  plan([taskClass === 'work' ? call('clerk') : call('send', { amount: 77_321 })]);

describe.each(['MCP 2026-07-28', 'MCP 2025-11-25, client and server 1'] as const)(
  'The result of a task tool, over %s [UpFormat 4]',
  (era) => {
    const called = async (given: FixtureOptions, tools = [readTool('look'), writeTool('send')]) => {
      const { orchestrator } = fixtureOf(tools, given);
      const client = await eras[era](orchestrator, {});
      const result = await client.callTool({ name: 'research', arguments: { topic: 'tides' } });
      const [task] = await orchestrator.list();
      const thread = await orchestrator.thread(task?.threadId ?? '');
      return { result, thread, message: result._meta?.['agentcharter/message'] };
    };

    it('carries the message that delivered, whole', async () => {
      const output = z.object({ found: z.number().describe('how many') });
      const model = [plan([call('look')]), draft({ found: 3 }, thoughts)];
      const { message, thread } = await called({ model, taskClass: { output } });
      expect(message).toEqual(thread.at(-1));
      expect(message).toMatchObject({
        state: 'completed',
        payload: { found: 3 },
        upThought: { ...thoughts, canProceed: true, confidence: 0.9 },
        upContext: { fields: { found: 'how many' } },
      });
      expect(UpFormatMessage.parse(message)).toEqual(message);
    });

    it('carries the message that delivered, beside an optional refinement', async () => {
      const { message, thread } = await called({
        model: [plan(), draft({}, thoughts)],
        taskClass: { followup },
      });
      expect(message).toEqual(thread.find(({ state }) => state === 'completed'));
      expect(message).toMatchObject({ upThought: thoughts });
    });

    it('carries the message of a failure', async () => {
      const options = { policy: scriptedPolicy('deny').policy };
      const { message, thread } = await called({ calls: [call('send')], options });
      expect(message).toEqual(thread.at(-1));
      expect(message).toMatchObject({ state: 'failed', payload: { reasonCodes: ['POLICY_BLOCKED'] } });
    });

    it('carries the message of a question', async () => {
      const { message, result, thread } = await called({
        model: [plan([], { ...thoughts, confidence: 0.1 })],
      });
      expect(result).toMatchObject({ isError: true, _meta: { 'agentcharter/state': 'needsHumanDecision' } });
      expect(message).toEqual(thread.at(-1));
      expect(message).toMatchObject({ state: 'needsHumanDecision', upThought: thoughts });
    });

    it('carries no hidden result with the message of a question', async () => {
      const pays = call('send', { to: { $from: 'mail#1', pointer: '/account' } });
      const model = [plan([call('mail')]), further(pays), draft()];
      const send = writeTool('send', { input: z.strictObject({ to: z.string() }), tier: 'write_high_risk' });
      const { message, result, thread } = await called({ model }, [mail, send]);
      expect(JSON.stringify(thread.at(-1))).toContain(secret); // a person sees it
      expect(message).toMatchObject({ messageId: thread.at(-1)?.messageId, state: 'needsHumanDecision' });
      expect(JSON.stringify(result)).not.toContain(secret);
    });

    it('carries no words of a tool whose effect is in doubt', async () => {
      const send = writeTool('send', {
        isHidden: true,
        call: () => {
          throw new Error(secret);
        },
      });
      const { message, result, thread } = await called({ calls: [call('send')] }, [send]);
      expect(JSON.stringify(thread.at(-1))).toContain(secret);
      expect(message).toMatchObject({ payload: { question: { kind: 'doubt' } } });
      expect(JSON.stringify(result)).not.toContain(secret);
    });

    it('carries nothing that a nested task has read', async () => {
      const clerk = defineTaskTool({
        name: 'clerk',
        description: 'Has a clerk send it.',
        input: z.object({}),
        taskClass: 'clerk',
        tier: 'write_low_risk',
        request: () => ({ payload: {} }),
      });
      const { policy } = scriptedPolicy(({ action }) => ({
        verdict: action === 'send' ? 'needs_review' : 'allow',
        reasons: [],
      }));
      const taskClasses = [
        defineTaskClass({ id: 'work', tools: ['clerk'], authorities: ['human'] }),
        defineTaskClass({ id: 'clerk', tools: ['send'], authorities: ['human'] }),
      ];
      const { message, result } = await called({ model: delegating, options: { taskClasses, policy } }, [
        clerk,
        writeTool('send'),
      ]);
      expect(message).toMatchObject({
        state: 'needsHumanDecision',
        explanation: 'A nested task waits for a person.',
      });
      expect(JSON.stringify(result)).not.toContain('77321');
    });
  },
);
