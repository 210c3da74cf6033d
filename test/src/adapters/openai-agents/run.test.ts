import { Agent, handoff, Runner, RunState } from '@openai/agents';
import { isCharterError } from 'agentcharter';
import type { MessageEnvelope } from 'agentcharter/schema';
import {
  agentTool,
  resumeAgent,
  runAgent,
  sealRun,
  unsealRun,
  waitingCalls,
} from 'agentcharter/adapters/openai-agents';
import type { Run } from 'agentcharter/guard';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import type { Step } from '../subject.ts';
import { approvedInside, approvedKept, key } from './blobs.ts';
import { outputs, Scripted } from './scripted.ts';
import { agentWith, answer, delivered, keptBy, openStage, pay, read, respond, type Stage } from './stage.ts';

const staged = async (...options: Parameters<typeof openStage>): Promise<Stage> => {
  const stage = await openStage(...options);
  onTestFinished(() => stage.guard.close());
  return stage;
};

const begin = (stage: Stage, script: readonly Step[]) =>
  runAgent(stage.agent(script), 'Do it.', stage.options);

const resume = (stage: Stage, script: readonly Step[], kept: string) =>
  resumeAgent(stage.agent(script), kept, stage.options);

const scripted = (stage: Stage, script: readonly Step[]) => {
  const agent = stage.agent(script, stage.bind(stage.run));
  const model = new Scripted(script);
  agent.model = model;
  return { agent, model };
};

/** The same run, as an object whose members may be spied on: a run is frozen. */
const watched = (run: Run): Run => ({
  taskId: run.taskId,
  propose: (...given) => run.propose(...given),
  call: (...given) => run.call(...given),
  clear: (...given) => run.clear(...given),
  report: (...given) => run.report(...given),
  rollbacks: () => run.rollbacks(),
  reportRollback: (...given) => run.reportRollback(...given),
  conclude: (...given) => run.conclude(...given),
  declare: (tools) => run.declare(tools),
  isProposed: (draft) => run.isProposed(draft),
  show: (content) => run.show(content),
  saveState: (state) => run.saveState(state),
  savedState: () => run.savedState(),
  attend: () => run.attend(),
  progress: () => run.progress(),
  questions: (audience) => run.questions(audience),
  documents: () => run.documents(),
});

describe('The calls of one step of the model', () => {
  const both: Step = {
    calls: [
      { id: '1', tool: 'read', arguments: { of: 'a' } },
      { id: '2', tool: 'pay', arguments: { to: 'alice' } },
      { id: '3', tool: 'pay', arguments: { to: 'bob' } },
    ],
  };

  it('are one proposal, and each waiting call has its own question', async () => {
    const stage = await staged();
    const stop = await begin(stage, [both, answer]);
    const proposals = (await stage.guard.orchestrator.ledger(stage.run.taskId)).filter(
      ({ fact }) => fact?.type === 'plan.proposed',
    );
    expect(proposals.map(({ brought }) => brought.calls?.map(({ ref }) => ref))).toEqual([['1', '2', '3']]);
    if (stop.status !== 'paused') throw new Error(stop.status);
    const paired = stop.waiting.filter(({ interruption }) => interruption.name === 'pay');
    expect(paired.map(({ questions }) => questions.map(({ message }) => message.payload))).toMatchObject([
      [{ action: { arguments: { to: 'alice' } } }],
      [{ action: { arguments: { to: 'bob' } } }],
    ]);
    await respond(stage);
    const again = await resume(stage, [both, answer], stop.kept);
    if (again.status !== 'paused') throw new Error(again.status);
    expect(again.waiting.flatMap(({ questions }) => questions)).toHaveLength(1);
    await respond(stage, { type: 'reject' });
    expect(await resume(stage, [both, answer], keptBy(again))).toEqual(delivered);
    expect(stage.done.filter((what) => what.startsWith('pay'))).toHaveLength(1);
  });

  it.each([
    [
      '{"to":',
      /^pay was not called: its arguments are no valid JSON \(.+\)\. Call it again with one JSON object/,
    ],
    ['{"to":"alice"}{"to":"bob"}', /^pay was not called: its arguments are no valid JSON/],
    ['["alice"]', /^pay was not called: its arguments are no JSON object\. Call it again/],
    ['"alice"', /^pay was not called: its arguments are no JSON object/],
    ['null', /^pay was not called: its arguments are no JSON object/],
    ['', /\/arguments\/to\\" must be a string, but is missing/],
  ])('with %s arguments are refused without asking a person, and the model learns why', async (text, why) => {
    const stage = await staged();
    const broken = { calls: [{ id: '1', tool: 'pay', arguments: text as unknown as object }] };
    const { agent, model } = scripted(stage, [broken, answer]);
    expect(await runAgent(agent, 'Do it.', stage.options)).toEqual(delivered);
    expect(outputs(model)).toEqual([expect.stringMatching(why)]);
    expect(stage.done).toEqual([]);
  });

  it('with wrong arguments are refused with the mistakes', async () => {
    const stage = await staged();
    const wrong = { calls: [{ id: '1', tool: 'pay', arguments: { to: 7 } }] };
    const run = watched(stage.run);
    const call = vi.spyOn(run, 'call');
    const { agent, model } = scripted({ ...stage, run }, [wrong, read('2'), answer]);
    expect(await runAgent(agent, 'Do it.', { ...stage.options, run })).toEqual(delivered);
    const [refusal] = outputs(model).map((text): unknown => JSON.parse(text));
    expect(refusal).toMatchObject({
      error: { code: 'OUTPUT_INVALID', explanation: '"/arguments/to" must be a string, was a number' },
    });
    expect(call).toHaveBeenCalledTimes(2); // each is proposed once
  });
});

const unsure = (output: unknown) => ({ payload: { said: String(output) }, confidence: 0.2 });

describe('An answer of an OpenAI agent', () => {
  const beforeDeliver = { evidence: [{ type: 'tool_result', tool: 'read' }] } as const;

  it('without evidence returns to the model with the reason, and is delivered after a repair', async () => {
    const stage = await staged({ beforeDeliver });
    const { agent, model } = scripted(stage, [answer, read('1'), answer]);
    expect(await runAgent(agent, 'Do it.', stage.options)).toEqual(delivered);
    const advice = JSON.stringify(model.requests.map(({ input }) => input));
    expect(advice).toContain('The answer was not delivered');
    expect(advice).toContain('EVIDENCE_MISSING');
  });

  it('that waits for a person is kept, and delivered by another process after the answer', async () => {
    const stage = await staged();
    const options = { ...stage.options, draftOf: unsure };
    const stop = await runAgent(stage.agent([read('1'), answer]), 'Do it.', options);
    expect(stop).toMatchObject({ status: 'paused', waiting: [] });
    await respond(stage);
    const { agent, model } = scripted(stage, []);
    expect(await resumeAgent(agent, keptBy(stop), options)).toMatchObject({ status: 'delivered' });
    expect(model.requests).toEqual([]);
  });

  it('is refused before the first step with a weak key, even if nothing is kept yet', async () => {
    const stage = await staged();
    const { agent, model } = scripted(stage, [answer]);
    const options = { ...stage.options, key: new Uint8Array(31) };
    await expect(runAgent(agent, 'Do it.', options)).rejects.toMatchObject({
      code: 'definition_invalid',
      details: { definition: 'seal', issues: [{ path: '/key' }] },
    });
    expect(model.requests).toEqual([]);
  });

  it('that a person sends back is written again', async () => {
    const stage = await staged();
    const sure = [0.2, 1];
    const draftOf = (output: unknown) => ({
      payload: { said: String(output) },
      confidence: sure.shift() ?? 1,
    });
    const options = { ...stage.options, draftOf };
    const script = [read('1'), answer, { answer: { said: 'it is better' } }];
    const stop = await runAgent(stage.agent(script), 'Do it.', options);
    await respond(stage, { type: 'instruction', content: 'Better.' });
    const better = { status: 'delivered', payload: { said: '{"said":"it is better"}' } };
    expect(await resumeAgent(stage.agent(script), keptBy(stop), options)).toEqual(better);
    const { agent, model } = scripted(stage, []);
    expect(await resumeAgent(agent, keptBy(stop), options)).toMatchObject({ status: 'ended' });
    expect(model.requests).toEqual([]); // of what is delivered nothing is mended
  });

  it('is a text or the agent’s output type by default', async () => {
    const [stage, other] = [await staged(), await staged()];
    const plain = { run: stage.run, key };
    expect(await runAgent(stage.agent([answer]), 'Do it.', plain)).toEqual({
      status: 'delivered',
      payload: { text: '{"said":"it is done"}' },
    });
    const outputType = z.object({ said: z.string() });
    const typed = new Agent({ name: 'typed', model: new Scripted([answer]), outputType });
    expect(await runAgent(typed, 'Do it.', { run: other.run, key })).toEqual(delivered);
  });

  it('in an old state that differs from the delivered one is `ended` without a model call', async () => {
    const stage = await staged();
    const kept = keptBy(await begin(stage, [pay('1'), answer]));
    await respond(stage);
    expect(await resume(stage, [pay('1'), answer], kept)).toEqual(delivered);
    const other = [pay('1'), { answer: { said: 'something else' } }];
    expect(await resume(stage, other, kept)).toMatchObject({ status: 'ended' });
    expect(stage.done).toEqual(['pay alice']);
  });
});

describe('A RunState', () => {
  it('is no input of runAgent, because its answer has no seal', async () => {
    const stage = await staged();
    const first = new Agent({ name: 'teller', model: new Scripted([answer]) });
    const text = (await new Runner().run(first, 'Do it.')).state.toString();
    const agent = stage.agent([answer]);
    const state = await RunState.fromString(agent, text.replaceAll('it is done', 'forged'));
    const begun = runAgent(agent, state as unknown as string, stage.options);
    await expect(begun).rejects.toMatchObject({
      code: 'input_unreadable',
      message: expect.stringContaining('call runAgent again for the same run'),
    });
    expect((await stage.run.progress()).draft).toBeNull();
  });
});

describe('A kept agent', () => {
  it('is refused in another run', async () => {
    const [stage, other] = [await staged(), await staged()];
    const kept = keptBy(await begin(stage, [pay('1'), answer]));
    const resumed = resume(other, [pay('1'), answer], kept);
    await expect(resumed).rejects.toSatisfy((error) => isCharterError(error, 'input_unreadable'));
  });

  it('waits for every call, even if the SDK approved the tool for ever', async () => {
    const stage = await staged();
    const script = [pay('1'), pay('2', 'bob'), answer];
    const kept = keptBy(await begin(stage, script));
    const { state: text } = await unsealRun(kept, key, stage.run.taskId);
    const state = await RunState.fromString(stage.agent(script), text);
    for (const item of state.getInterruptions()) state.approve(item, { alwaysApprove: true });
    const run = { taskId: stage.run.taskId, state: state.toString(), draft: null };
    expect(await resume(stage, script, await sealRun(run, key))).toMatchObject({ status: 'paused' });
    await expect(new Runner().run(stage.agent(script), state)).rejects.toThrow('pay waits');
    expect(stage.done).toEqual([]);
  });

  it('reads a person’s remark on a call, and does not ask the same again', async () => {
    const stage = await staged();
    const script = [pay('1'), pay('2', 'bob'), answer];
    const kept = keptBy(await begin(stage, script));
    await respond(stage, { type: 'instruction', content: 'Pay Bob.' });
    const { agent, model } = scripted(stage, script);
    const stop = await resumeAgent(agent, kept, stage.options);
    const [first = ''] = outputs(model);
    expect(JSON.parse(first)).toMatchObject({
      error: { code: 'REPAIRING', answers: [{ feedback: { type: 'instruction', content: 'Pay Bob.' } }] },
    });
    await respond(stage);
    expect(await resume(stage, script, keptBy(stop))).toEqual(delivered);
    expect(stage.done).toEqual(['pay bob']);
  });

  it('receives the recorded results of an aborted attempt', async () => {
    const stage = await staged();
    const script = [pay('1'), pay('2', 'bob'), pay('3', 'carol'), answer];
    const first = keptBy(await begin(stage, script));
    await respond(stage);
    const second = keptBy(await resume(stage, script, first));
    await respond(stage, { type: 'instruction', content: 'Pay Carol.' });
    expect(await resume(stage, script, second)).toMatchObject({ status: 'paused' });
    const { agent, model } = scripted(stage, script);
    await resumeAgent(agent, first, stage.options);
    expect(outputs(model)).toEqual(['null']); // what the payment returned
    expect(stage.done).toEqual(['pay alice']);
  });

  it('resumes after its signal aborted it', async () => {
    const controller = new AbortController();
    const stage = await staged();
    stage.guard.orchestrator.on('record', ({ fact }) => {
      if (fact?.type === 'call.succeeded') controller.abort();
    });
    const script = [read('1'), answer];
    const begun = runAgent(stage.agent(script), 'Do it.', { ...stage.options, signal: controller.signal });
    await expect(begun).rejects.toThrow('aborted');
    expect(await begin(stage, script)).toEqual(delivered);
    expect(stage.done).toEqual(['read all']);
  });
});

describe('An agent among several', () => {
  it('stays under the run after a handoff', async () => {
    const stage = await staged();
    const clerk = agentWith([answer, pay('2'), answer], stage.bind(stage.run), 'clerk');
    const teller = stage.agent([{ calls: [{ id: '1', tool: 'transfer_to_clerk', arguments: {} }] }]);
    teller.handoffs = [handoff(clerk)];
    const stop = await runAgent(teller, 'Do it.', stage.options);
    expect(stop).toMatchObject({
      status: 'paused',
      waiting: [{ interruption: { name: 'pay' }, questions: [{}] }],
    });
    await respond(stage);
    expect(await resumeAgent(teller, keptBy(stop), stage.options)).toEqual(delivered);
    expect(stage.done).toEqual(['pay alice']);
  });

  it('reads why its answer was held back after a handoff', async () => {
    const stage = await staged({ beforeDeliver: { evidence: [{ type: 'tool_result', tool: 'read' }] } });
    const clerk = agentWith([answer, answer, read('2'), answer], stage.bind(stage.run), 'clerk');
    const { agent, model } = scripted(stage, [
      { calls: [{ id: '1', tool: 'transfer_to_clerk', arguments: {} }] },
    ]);
    agent.handoffs = [clerk];
    expect(await runAgent(agent, 'Do it.', stage.options)).toEqual(delivered);
    expect(model.requests).toHaveLength(1);
  });

  it('asks through the outer agent when it is a tool, whatever the SDK approved in either', async () => {
    const stage = await staged();
    const script = [{ calls: [{ id: '1', tool: 'clerk', arguments: { input: 'Pay.' } }] }, answer];
    const inner = () => agentWith([pay('2'), answer], stage.bind(stage.run), 'clerk');
    const outer = () => stage.agent(script, [agentTool(inner(), stage.run, { toolName: 'clerk' })]);
    const stop = await runAgent(outer(), 'Do it.', stage.options);
    expect(stop).toMatchObject({ waiting: [{ interruption: { name: 'pay' }, questions: [{}] }] });
    const kept = keptBy(stop);
    for (const approved of [
      await approvedKept(outer(), kept, stage.run.taskId),
      await approvedInside(inner(), kept, stage.run.taskId),
    ])
      expect(await resumeAgent(outer(), approved, stage.options)).toMatchObject({ status: 'paused' });
    expect(stage.done).toEqual([]);
    await respond(stage);
    expect(await resumeAgent(outer(), kept, stage.options)).toEqual(delivered);
    expect(stage.done).toEqual(['pay alice']);
  });
});

describe('A streamed text', () => {
  it('is marked as unverified, and equals the delivered answer', async () => {
    const stage = await staged();
    const finalText = JSON.stringify({ said: 'it is done' });
    const chunks: MessageEnvelope[] = [];
    stage.guard.orchestrator.on('chunk', ({ envelope }) => chunks.push(envelope));
    const { agent, model } = scripted(stage, [read('1'), answer]);
    // the first letter is shown as soon as there is a draft to write
    model.beforeText = async () => {
      await expect.poll(() => stage.run.show(finalText.slice(0, 1))).toBe(true);
      return 1;
    };
    expect(await runAgent(agent, 'Do it.', { ...stage.options, shows: true })).toEqual(delivered);
    const shown = chunks.flatMap(({ metadata }) => {
      const content = metadata?.['agentcharter:content'];
      return typeof content === 'string' ? content : [];
    });
    expect(shown.join('')).toBe(finalText);
    expect(shown.length).toBeGreaterThan(2);
    expect(chunks.map(({ state, metadata }) => [state, metadata?.['agentcharter:unverified']])).toEqual([
      ...shown.map(() => ['execute', true]),
      ['deliver', false],
    ]);
  });

  it('is never shown from its middle', async () => {
    const stage = await staged();
    const run = watched(stage.run);
    const show = vi.spyOn(run, 'show').mockReturnValue(true).mockReturnValueOnce(false);
    const agent = stage.agent([answer], stage.bind(run));
    expect(await runAgent(agent, 'Do it.', { ...stage.options, run, shows: true })).toEqual(delivered);
    expect(show).toHaveBeenCalledTimes(1);
  });

  it('is delivered even if it arrived too early to be streamed', async () => {
    const stage = await staged();
    const chunks: unknown[] = [];
    stage.guard.orchestrator.on('chunk', (chunk) => chunks.push(chunk));
    expect(await runAgent(stage.agent([answer]), 'Do it.', { ...stage.options, shows: true })).toEqual(
      delivered,
    );
    expect(chunks).toEqual([]);
  });
});

describe('waitingCalls', () => {
  it('returns what blocks the whole run when no call has a question', async () => {
    const stage = await staged();
    const stop = await begin(stage, [pay('1'), answer]);
    if (stop.status !== 'paused') throw new Error(stop.status);
    const [first] = stop.waiting;
    if (first === undefined) throw new Error('one waits');
    await respond(stage);
    expect(await waitingCalls(stage.run, [first.interruption])).toMatchObject([{ questions: [] }]);
  });
});
