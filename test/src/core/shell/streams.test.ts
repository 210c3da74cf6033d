import { describe, expect, it } from 'vitest';
import { createActor } from 'xstate';
import { taskMachine } from '../../../../machines/index.ts';
import type { MessageEnvelope } from '../../../../schema/index.ts';
import { defineTaskClass, type CharterError } from '../../../../src/index.ts';
import type { StreamChunk } from '../../../../src/base/ports/model.ts';
import { randomIds } from '../../../../src/core/shell/clock.ts';
import { emptyProjection } from '../../../../src/core/kernel/projection/projection.ts';
import { steadyClock } from '../../../../src/core/shell/steady-clock.ts';
import { Streams } from '../../../../src/core/shell/streams.ts';
import { chartedIn } from '../../../../src/core/kernel/chart.ts';
import { WorkAbort } from '../../../../src/core/shell/work-signal.ts';
import { viewOf } from '../../../../src/core/kernel/view.ts';
import { streamOf } from '../../../../src/optional/streaming/index.ts';
import { final, refusal, says, streamed, streaming } from '../../optional/streaming/scenario.ts';
import type { passes, Given } from './scene.ts';
import { call, draft, identity, later, never, plan, readTool, writeTool } from './scripted.ts';
import { simulatedClock } from './simulated-clock.ts';

const [a, b] = [
  { index: 0, content: 'a' },
  { index: 1, content: 'b' },
];

/** Returns the reasons with which the chunks of one draft turn are rejected. */
const refused = async (given: readonly unknown[], options: Given = {}, first: object = plan()) => {
  const reasons: unknown[] = [];
  const scenario = streaming(
    [
      first,
      (_, { stream }) => {
        for (const chunk of given) {
          try {
            stream(chunk as Parameters<StreamChunk>[0]);
          } catch (error) {
            reasons.push((error as CharterError<'chunk_refused'>).details);
          }
        }
        return draft({ answer: 'ab' });
      },
    ],
    options,
  );
  expect(await scenario.ended(await scenario.submit())).toMatchObject({ outcome: 'success' });
  return { reasons, scenario };
};

describe('a rejected chunk', () => {
  it.each([
    ['twice', [a, a, b], { index: 0, expected: 1 }],
    ['over a gap', [a, { index: 2, content: 'c' }, b], { index: 2, expected: 1 }],
    ['before the first', [b, a, b], { index: 1, expected: 0 }],
    ['below zero', [{ index: -1, content: 'x' }, a, b], { index: null, expected: 0 }],
    ['between two', [a, { index: 0.5, content: 'x' }, b], { index: null, expected: 1 }],
    ['without an index', [a, { content: 'x' }, b], { index: null, expected: 1 }],
    ['without content', [a, { index: 1 }, b], { index: null, expected: 1 }],
    ['with more than a chunk has', [a, { ...b, state: 'deliver' }, b], { index: null, expected: 1 }],
    ['that is no object', [a, 'b', b], { index: null, expected: 1 }],
    ['with a lone surrogate', [a, { index: 1, content: '\udc00' }, b], { index: 1, expected: 1 }],
    ['that is too long', [a, { index: 1, content: 'x'.repeat(65_537) }, b], { index: 1, expected: 1 }],
  ])('(%s) leaves the stream open', async (_, given, details) => {
    const { reasons, scenario } = await refused(given);
    expect(reasons).toMatchObject([details]);
    expect(scenario.read()).toMatchObject([{ state: 'final', verified: 'ab' }]);
  });

  it('belongs to a run with a write, and the draft still counts [UAICP 4.2]', async () => {
    const { reasons, scenario } = await refused([a, b], { tools: [writeTool('pay')] }, plan([call('pay')]));
    expect(reasons).toMatchObject([
      { index: 0, expected: null },
      { index: 1, expected: null },
    ]);
    expect(scenario.chunks).toEqual([]);
  });

  it('belongs to a run whose earlier attempt planned a write that was never made', async () => {
    const reasons: string[] = [];
    const scenario = streaming(
      [
        plan([call('pay')]),
        plan([call('search')]),
        (_, { stream }) => {
          reasons.push(refusal(stream, a).reason);
          return draft();
        },
      ],
      {
        tools: [writeTool('pay', { call: (_, { notDone }) => notDone('closed') }), readTool('search')],
        taskClass: { repairTo: 'plan' },
      },
    );
    const taskId = await scenario.submit();
    expect(await scenario.ended(taskId)).toMatchObject({ outcome: 'success' });
    expect(await scenario.facts(taskId)).toContain('call.failed');
    expect(reasons).toEqual([expect.stringMatching(/write/)]);
    expect(scenario.chunks).toEqual([]);
  });

  it('is not one of a run without a write, although its task class may write', async () => {
    const { reasons, scenario } = await refused([a, b], { tools: [writeTool('pay'), readTool('search')] });
    expect(reasons).toEqual([]);
    expect(scenario.chunks).toHaveLength(3);
  });

  it('belongs to a plan', async () => {
    const reasons: string[] = [];
    const scenario = streaming([
      (_, { stream }) => {
        reasons.push(refusal(stream, a).reason);
        return plan();
      },
      draft(),
    ]);
    await scenario.ended(await scenario.submit());
    expect(reasons).toEqual(['a plan is not streamed']);
  });

  it('comes after the answer, while the task verifies', async () => {
    const findings = later<Awaited<ReturnType<typeof passes>>>();
    let held: StreamChunk | undefined;
    const scenario = streaming(
      [
        plan(),
        (turn, options) => {
          held = options.stream;
          return says(turn, options);
        },
      ],
      {
        verifiers: { facts: () => findings.promise },
        taskClass: { beforeDeliver: { verifiers: ['facts'] } },
      },
    );
    const taskId = await scenario.submit();
    expect(refusal(held!, { index: 3, content: '!' })).toMatchObject({ expected: null });
    expect(scenario.ends()).toEqual([]);
    findings.resolve({ checks: [{ check_id: 'looks right', result: 'pass' }] });
    await scenario.ended(taskId);
    expect(refusal(held!, { index: 3, content: '!' })).toMatchObject({ expected: null });
    expect(scenario.ends()).toEqual([final]);
  });

  it('comes after the answer, before its record is stored', async () => {
    const taken = later();
    let held: StreamChunk | undefined;
    const scenario = streaming([
      plan(),
      (turn, options) => {
        held = options.stream;
        scenario.store.delay(() => taken.promise);
        return says(turn, options);
      },
    ]);
    const taskId = await scenario.submit();
    expect(refusal(held!, { index: 3, content: '!' }).reason).toBe('its stream has ended');
    taken.resolve(null);
    await scenario.ended(taskId);
    expect(scenario.read()).toMatchObject([{ state: 'final', chunks: 3 }]);
  });

  it('comes from a listener that handles the discard of the stream', async () => {
    let held: StreamChunk | undefined;
    const reasons: string[] = [];
    const scenario = streaming([
      plan(),
      (_, { signal, stream }) => {
        held = stream;
        stream(a);
        return never(signal);
      },
    ]);
    scenario.orchestrator.on('chunk', ({ envelope }) => {
      if (envelope.metadata?.['agentcharter:discard'] === true) reasons.push(refusal(held!, b).reason);
    });
    const taskId = await scenario.submit();
    await scenario.orchestrator.cancel(taskId, { by: 'dana' });
    await scenario.ended(taskId);
    expect(reasons).toEqual(['its stream has ended']);
    expect(scenario.read()).toMatchObject([{ state: 'discarded', chunks: 1 }]);
  });

  it('comes after the orchestrator closed, and the stream stays open', async () => {
    let held: StreamChunk | undefined;
    const scenario = streaming([
      plan(),
      (_, { signal, stream }) => {
        held = stream;
        stream(a);
        return never(signal);
      },
    ]);
    await scenario.submit();
    const closed = scenario.orchestrator.close();
    expect(refusal(held!, b).reason).toBe('it is no longer needed');
    await scenario.clock.advance(5_000);
    await closed;
    expect(scenario.ends()).toEqual([]);
  });

  it('fails the model that does not catch the error', async () => {
    const scenario = streaming([plan(), streamed(['a'], draft())], { tools: [writeTool('pay')] });
    expect(await scenario.ended(await scenario.submit())).toMatchObject({ outcome: 'success' });
    const careless = streaming([plan([call('pay')]), streamed(['a'], draft())], {
      tools: [writeTool('pay')],
    });
    expect(await careless.ended(await careless.submit())).toMatchObject({
      reasons: [{ code: 'MODEL_ERROR' }],
    });
  });
});

describe('a repeated turn', () => {
  it('discards the open stream of the earlier turn', () => {
    const emitted: MessageEnvelope[] = [];
    const actor = createActor(taskMachine, {
      input: { taskClass: { id: 'work' }, request: '00000000-0000-4000-8000-000000000001' },
    }).start();
    const request = { taskClass: 'work', threadId: 'thread', payload: {}, explanation: '', identity };
    const of = { taskId: 'task', taskClass: defineTaskClass({ id: 'work', tools: [] }), tools: new Map() };
    const drafter = {
      view: viewOf(of, chartedIn(actor.getSnapshot()), emptyProjection(request, 'a'.repeat(32))),
    };
    const streams = new Streams(drafter, {
      clock: steadyClock(simulatedClock()),
      emit: (_, event) => void ('envelope' in event && emitted.push(event.envelope)),
      ids: randomIds,
      tools: new Map(),
      streamSecret: null,
    });
    const signal = new WorkAbort();
    const first = streams.open('draft', signal);
    first.stream(a);
    const second = streams.open('draft', signal);
    expect(refusal(first.stream, b).reason).toBe('its stream has ended');
    expect(first.onDraft({ digest: 'sha256:0', output: draft({ answer: 'a' }) })).toBeUndefined();
    second.stream(a);
    expect(emitted.map(({ metadata }) => metadata?.['agentcharter:discard'] ?? false)).toEqual([
      false,
      true,
      false,
    ]);
    expect(new Set(emitted.map(streamOf)).size).toBe(2);
  });
});
