import { tool, ToolLoopAgent, type ToolSet } from 'ai';
import { defineTaskClass } from 'agentcharter';
import { generateGuarded, guardTools } from 'agentcharter/adapters/ai-sdk';
import { createGuard, type GuardOptions } from 'agentcharter/guard';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { remember } from '../../../../src/adapters/ai-sdk/returned.ts';
import type { Step } from '../subject.ts';
import { scripted } from './model.ts';

const identity = { agent_id: 'clerk', owner_id: 'acme', control_class: 'human-supervised' as const };
const messages = [{ role: 'user' as const, content: 'Book it.' }];
const inputSchema = z.object({});
const date = new Date(0);
const call = (id: string): Step => ({ calls: [{ id, tool: 'book', arguments: {} }] });

const booking = tool({
  inputSchema,
  execute: async () => ({ at: date, note: 'secret' }),
  toModelOutput: ({ output }) => ({ type: 'text', value: `${output.at.toISOString()} ${output.note}` }),
});

const review: Partial<GuardOptions> = {
  policy: { decide: () => ({ verdict: 'needs_review', reasons: ['May it?'] }) },
};

/** A guarded agent with one tool, and what its model is told of each call. */
const begun = async (
  book: ToolSet[string],
  contract: object = { tier: 'read_only' },
  options: Partial<GuardOptions> = {},
  script: readonly (Step | string)[] = [call('1'), 'Booked.'],
) => {
  const guarded = guardTools({ book }, { book: contract });
  const guard = createGuard({
    tools: guarded.tools,
    taskClasses: [defineTaskClass({ id: 'desk', tools: ['book'], authorities: ['human'] })],
    policy: { decide: () => ({ verdict: 'allow', reasons: [] }) },
    ...options,
  });
  onTestFinished(() => guard.close());
  const run = await guard.begin({ taskClass: 'desk', payload: {}, identity });
  const model = scripted(script);
  const agent = new ToolLoopAgent(guarded.bind(run, { model }));
  const generate = async () => {
    const { status } = await generateGuarded({ run, agent, messages });
    const parts = model.doGenerateCalls
      .at(-1)
      ?.prompt.flatMap(({ role, content }) => (role === 'tool' ? content : []));
    return { status, told: parts?.map((part) => 'output' in part && part.output) };
  };
  const approve = async () => {
    for (const { message } of await run.questions())
      await guard.orchestrator.respond({ type: 'approve', target: message.messageId }, { by: 'kim' });
  };
  return { run, generate, approve };
};

const warnings = () => {
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  onTestFinished(() => warn.mockRestore());
  return () => warn.mock.calls.map(([warning]) => String(warning));
};

const picture = (given: string) => ({
  type: 'content' as const,
  value: [{ type: 'file' as const, mediaType: 'image/png', data: { type: 'data' as const, data: given } }],
});
const withoutSecret = (value: unknown) =>
  JSON.parse(JSON.stringify(value).replaceAll('secret', '***')) as unknown;

const whole = { type: 'text', value: `${date.toISOString()} secret` };
const recorded = { type: 'json', value: { at: date.toISOString(), note: 'secret' } };

describe('toModelOutput of a tool', () => {
  it('gets what the tool returned, of a read and of an approved write', async () => {
    const read = await begun(booking);
    expect(await read.generate()).toEqual({ status: 'delivered', told: [whole] });
    const write = await begun(booking, { tier: 'write_low_risk' }, review);
    expect((await write.generate()).status).toBe('paused');
    await write.approve();
    expect(await write.generate()).toEqual({ status: 'delivered', told: [whole] });
  });

  it('gets more than a record holds', async () => {
    const data = 'A'.repeat(1_500_000);
    const camera = tool({
      inputSchema,
      execute: async () => ({ data }),
      toModelOutput: ({ output }) => picture(output.data),
    });
    const { told } = await (await begun(camera)).generate();
    expect(told).toEqual([picture(data)]);
  });

  it('gets the recorded JSON elsewhere; if it throws, the model gets that and the host is warned', async () => {
    const warned = warnings();
    const { run, generate, approve } = await begun(booking, { tier: 'write_low_risk' }, review);
    await generate();
    await approve();
    await expect.poll(async () => (await run.progress()).calls[0]?.status).toBe('succeeded');
    for (let at = 0; at < 64; at += 1) remember(`other ${at}`, null); // as in another process, where there is none
    expect(await generate()).toEqual({ status: 'delivered', told: [recorded] });
    expect(warned()).toEqual([
      expect.stringMatching(
        /^toModelOutput of tool "book": TypeError: output\.at\.toISOString is not a function/,
      ),
    ]);
  });

  it('gets the redacted JSON of a redacted result', async () => {
    const seen: unknown[] = [];
    const shown = tool({
      inputSchema,
      execute: async () => ({ at: date, note: 'secret' }),
      toModelOutput: ({ output }) => {
        seen.push(output);
        return { type: 'text', value: 'hush' };
      },
    });
    await (await begun(shown, { tier: 'read_only' }, { redact: withoutSecret })).generate();
    expect(seen).toContainEqual({ at: date.toISOString(), note: '***' });
    expect(JSON.stringify(seen)).not.toContain('secret');
  });

  it('is not asked about a hidden result, or about that of an identical write', async () => {
    const hidden = await begun(booking, { tier: 'read_only', isHidden: true });
    expect(JSON.stringify((await hidden.generate()).told)).not.toContain('secret');
    const twice = await begun(booking, { tier: 'write_low_risk' }, {}, [call('1'), call('2'), 'Booked.']);
    expect((await twice.generate()).told).toEqual([
      whole,
      { type: 'json', value: { note: expect.stringContaining('Not made again'), result: recorded.value } },
    ]);
  });
});
