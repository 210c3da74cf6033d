import { describe, expect, it } from 'vitest';
import { isCharterError, type TaskClassDefinition } from '../../../../src/index.ts';
import { scene, type Given } from './scene.ts';
import { call, draft, never, plan, readTool, writeTool } from './scripted.ts';

const down = new Error('the directory of alice@example.org is down');
const breaks = (): never => {
  throw down;
};
const redact = (document: unknown) =>
  typeof document === 'string' ? document.replace('alice@example.org', '…') : document;
const writes: Given = { model: [plan([call('write')]), draft()], tools: [writeTool('write')] };
const unsummarized: Given = { ...writes, tools: [writeTool('write', { summary: breaks })] };
const judged: Given = {
  model: [plan(), draft()],
  verifiers: { mails: breaks },
  taskClass: { beforeDeliver: { verifiers: ['mails'] }, limits: { repairs: 0 } },
};
const refines: TaskClassDefinition['followup'] = breaks;

describe('a host callback that throws', () => {
  it.each<[callback: string, code: string | null, given: Given]>([
    ['model.answer', 'MODEL_ERROR', { model: breaks }],
    ['policy.decide', 'POLICY_ERROR', { ...writes, policy: breaks }],
    ['policy.decide', 'POLICY_ERROR', { ...writes, policy: () => Promise.reject(down) }],
    ['summary of tool "write"', 'GUARD_ERROR', unsummarized],
    ['attest', 'GUARD_ERROR', { ...writes, options: { attest: breaks } }],
    ['accept', 'GUARD_ERROR', { taskClass: { accept: breaks } }],
    ['verifier "mails"', 'VERIFIER_ERROR', judged],
    ['followup', null, { taskClass: { followup: refines } }],
  ])('emits one error event that names it: %s, %s', async (callback, code, given) => {
    const scenario = scene(given);
    const taskId = await scenario.submit();
    await scenario.ended(taskId);
    const [error, ...more] = scenario.failedCallbacks;
    expect(more).toEqual([]);
    expect(isCharterError(error, 'callback_failed')).toBe(true);
    expect(error).toMatchObject({ details: { taskId, callback, code }, cause: down });
    expect(error?.message).toBe(`${callback} failed: Error: ${down.message}`);
  });

  it('stops its run with a reason that names the callback', async () => {
    const scenario = scene({ model: breaks });
    const { outcome, reasons, message } = await scenario.ended(await scenario.submit());
    expect({ outcome, reasons }).toMatchObject({ outcome: 'failure', reasons: [{ code: 'MODEL_ERROR' }] });
    expect(message.explanation).toContain(down.message);
    expect(message.explanation).not.toContain('deadline');
  });

  it('adds a redacted line without a stack to the ledger and the event message', async () => {
    const scenario = scene({ model: breaks, options: { redact } });
    const taskId = await scenario.submit();
    const text = JSON.stringify(await scenario.orchestrator.ledger(taskId));
    expect(text).toContain('the directory of … is down');
    expect(text).not.toContain('alice@example.org');
    expect(text).not.toContain('callback-failed.test.ts');
    expect(scenario.failedCallbacks[0]?.message).toBe(
      'model.answer failed: Error: the directory of … is down',
    );
  });

  it('is named when the lookup of an effect in doubt throws, and the effect stays in doubt', async () => {
    const scenario = scene({
      model: [plan([call('write')]), draft()],
      tools: [writeTool('write', { call: breaks, doubt: 'reconcilable', lookup: breaks })],
    });
    const taskId = await scenario.submit();
    expect((await scenario.question()).question).toMatchObject({
      kind: 'doubt',
      reasons: [`Error: ${down.message}`],
    });
    expect(scenario.failedCallbacks.slice(0, 2)).toMatchObject([
      { details: { taskId, callback: 'tool "write"', code: 'TOOL_FAILED' }, cause: down },
      { details: { taskId, callback: 'lookup of tool "write"', code: null }, cause: down },
    ]);
    await scenario.answer('reject');
  });

  it('is named when the lookup of a rollback throws, and the rollback fails', async () => {
    const rollback = {
      describe: () => ({ type: 'inverse', target: 'write', payload: {} }),
      run: breaks,
      doubt: 'reconcilable',
      lookup: breaks,
    } as const;
    const scenario = scene({
      model: [plan([call('write')]), draft()],
      tools: [writeTool('write', { rollback })],
      taskClass: { beforeDeliver: { evidence: [{ type: 'custom' }] }, limits: { repairs: 0 } },
    });
    expect((await scenario.ended(await scenario.submit())).reasons).toContainEqual(
      expect.objectContaining({ code: 'ROLLBACK_REQUIRED' }),
    );
    expect(scenario.failedCallbacks).toMatchObject([
      { details: { callback: 'rollback lookup of tool "write"' }, cause: down },
    ]);
  });
});

describe('a host callback that timed out', () => {
  it('emits no error when it throws later', async () => {
    const scenario = scene({ model: (_, signal) => never(signal) });
    const taskId = await scenario.submit();
    await scenario.clock.advance(120_000);
    expect(await scenario.ended(taskId)).toMatchObject({ reasons: [{ code: 'MODEL_UNAVAILABLE' }] });
    expect(scenario.failedCallbacks).toEqual([]);
  });

  it('uses the timeout code of the policy', async () => {
    const scenario = scene({ ...writes, policy: (_, signal) => never(signal) });
    const taskId = await scenario.submit();
    await scenario.clock.advance(10_000);
    expect(await scenario.ended(taskId)).toMatchObject({ reasons: [{ code: 'POLICY_UNAVAILABLE' }] });
    expect(scenario.failedCallbacks).toEqual([]);
  });
});

describe('a tool that throws', () => {
  it('records a failed call and emits one error event with the original error', async () => {
    const scenario = scene({
      model: [plan([call('read')]), draft()],
      tools: [readTool('read', { call: breaks })],
      taskClass: { limits: { repairs: 0 } },
    });
    expect(await scenario.ended(await scenario.submit())).toMatchObject({
      reasons: [{ code: 'TOOL_FAILED' }],
    });
    expect(scenario.failedCallbacks).toMatchObject([
      {
        message: `tool "read" failed: Error: ${down.message}`,
        details: { code: 'TOOL_FAILED' },
        cause: down,
      },
    ]);
  });

  it('emits no error event once its call is aborted', async () => {
    const scenario = scene({
      model: [plan([call('read')]), draft()],
      tools: [
        readTool('read', {
          call: (_, { signal }) =>
            new Promise((__, reject) => signal.addEventListener('abort', () => reject(down))),
        }),
      ],
      taskClass: { limits: { repairs: 0 } },
    });
    const taskId = await scenario.submit();
    await scenario.clock.advance(10 * 60_000);
    expect(await scenario.ended(taskId)).toMatchObject({ outcome: 'failure' });
    expect(scenario.failedCallbacks).toEqual([]);
  });

  it('is named where the run says why it failed, and its call is not', async () => {
    const scenario = scene({
      model: [plan([call('read')]), draft()],
      tools: [readTool('read', { call: breaks })],
      taskClass: { limits: { repairs: 0 } },
    });
    const { message, reasons } = await scenario.ended(await scenario.submit());
    expect(message.payload).toMatchObject({ reasons: [{ code: 'TOOL_FAILED', tool: 'read' }] });
    expect(message.explanation).toContain('Call read: A tool answered with an error.');
    expect(message.explanation).not.toContain(reasons[0]?.about);
  });
});
