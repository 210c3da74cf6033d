import { describe, expect, it } from 'vitest';
import type { CharterError, StreamChunk } from '../../../src/index.ts';
import { final, refusal, says, streamed, streaming, type Say } from '../streaming/told.ts';
import { fails, passes, type Given } from './scene.ts';
import { call, draft, later, never, plan, readTool, writeTool } from './scripted.ts';

/** The reasons that the lines of one draft turn get. */
const refused = async (given: readonly unknown[], scenery: Given = {}, first: object = plan()) => {
  const reasons: unknown[] = [];
  const told = streaming(
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
    scenery,
  );
  expect(await told.ended(await told.submit())).toMatchObject({ outcome: 'success' });
  return { reasons, told };
};

describe('a chunk is refused', () => {
  const [a, b] = [
    { index: 0, content: 'a' },
    { index: 1, content: 'b' },
  ];

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
  ])('%s, and the stream goes on', async (_, given, details) => {
    const { reasons, told } = await refused(given);
    expect(reasons).toMatchObject([details]);
    expect(told.read()).toMatchObject([{ state: 'final', verified: 'ab' }]);
  });

  it('in a run that has a write, and the draft counts all the same [UAICP 4.2]', async () => {
    const { reasons, told } = await refused([a, b], { tools: [writeTool('pay')] }, plan([call('pay')]));
    expect(reasons).toMatchObject([
      { index: 0, expected: null },
      { index: 1, expected: null },
    ]);
    expect(told.chunks).toEqual([]);
  });

  it('in a run whose attempt before had a write, though this one has none', async () => {
    let asked = 0;
    const { told } = await refused([a], { tools: [writeTool('pay'), readTool('search')] });
    expect(told.chunks).toHaveLength(2); // a task class that may write is no run that writes
    const facts: typeof passes = (subject, signal) => ((asked += 1) === 1 ? fails : passes)(subject, signal);
    const reasons: string[] = [];
    const tried: Say = (_, { stream }) => {
      reasons.push(refusal(stream, a).reason);
      return draft();
    };
    const again = streaming([plan([call('pay')]), tried, plan([call('search')]), tried], {
      tools: [writeTool('pay'), readTool('search')],
      verifiers: { facts },
      taskClass: { repairTo: 'plan', beforeDeliver: { verifiers: ['facts'] } },
    });
    await again.ended(await again.submit());
    expect(reasons).toHaveLength(2);
    expect(reasons[1]).toMatch(/write/);
    expect(again.chunks).toEqual([]);
  });

  it('in a plan', async () => {
    const reasons: string[] = [];
    const told = streaming([
      (_, { stream }) => {
        reasons.push(refusal(stream, a).reason);
        return plan();
      },
      draft(),
    ]);
    await told.ended(await told.submit());
    expect(reasons).toEqual(['a plan is not streamed']);
  });

  it('after the answer, though the task still verifies', async () => {
    const findings = later<Awaited<ReturnType<typeof passes>>>();
    let held: StreamChunk | undefined;
    const told = streaming(
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
    const taskId = await told.submit();
    expect(refusal(held!, { index: 3, content: '!' })).toMatchObject({ expected: null });
    expect(told.ends()).toEqual([]);
    findings.resolve({ checks: [{ check_id: 'looks right', result: 'pass' }] });
    await told.ended(taskId);
    expect(refusal(held!, { index: 3, content: '!' })).toMatchObject({ expected: null });
    expect(told.ends()).toEqual([final]);
  });

  it('once the orchestrator has closed, and the stream has no end', async () => {
    let held: StreamChunk | undefined;
    const told = streaming([
      plan(),
      (_, { signal, stream }) => {
        held = stream;
        stream(a);
        return never(signal);
      },
    ]);
    await told.submit();
    const closed = told.orchestrator.close();
    expect(refusal(held!, b).reason).toBe('nobody waits for it any more');
    await told.clock.advance(5_000);
    await closed;
    expect(told.ends()).toEqual([]);
  });

  it('and a model that does not mind its refusal is not there', async () => {
    const told = streaming([plan(), streamed(['a'], draft())], { tools: [writeTool('pay')] });
    expect(await told.ended(await told.submit())).toMatchObject({ outcome: 'success' });
    const careless = streaming([plan([call('pay')]), streamed(['a'], draft())], {
      tools: [writeTool('pay')],
    });
    expect(await careless.ended(await careless.submit())).toMatchObject({
      reasons: [{ code: 'MODEL_UNAVAILABLE' }],
    });
  });
});
