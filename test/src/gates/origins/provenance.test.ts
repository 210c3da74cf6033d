import { describe, expect, it } from 'vitest';
import { replay } from '../../../../src/core/ledger/index.ts';
import type { OriginsDocument } from '../../../../src/base/ports/origin.ts';
import { digest } from '../../../../src/base/canonical/digest.ts';
import { settle } from '../../core/shell/simulated-clock.ts';
import type { Scene } from '../../core/shell/scene.ts';
import { call, draft, further, plan, readTool } from '../../core/shell/scripted.ts';
import {
  friend,
  mailTools,
  pay,
  paying,
  read,
  request,
  stranger,
  strictTo,
  trusted,
  trustedTo,
} from './mailbox.ts';

/** What was recorded of the payments of a task, in order. */
const origins = async ({ orchestrator }: Scene, taskId: string): Promise<readonly OriginsDocument[]> =>
  (await orchestrator.ledger(taskId)).flatMap(({ brought }) =>
    (brought.calls ?? []).flatMap((one) => (one.tool === 'pay' && one.origins ? [one.origins] : [])),
  );

const strict = mailTools({ pay: { flows: strictTo } });
const refuses = { flows: 'refuse' } as const;
/** Redacts the account of the stranger; the copy has the form of what is given. */
const redact = <Given>(document: Given): Given =>
  JSON.parse(JSON.stringify(document).replaceAll(stranger, '[account]')) as Given;

const integrityOf = async (one: Scene, taskId: string) => (await origins(one, taskId))[0]?.shown.integrity;

describe('what a model was shown', () => {
  it.each([
    ['is trusted after its request', [], 'trusted'],
    ['is trusted after a trusted result', [call('contacts.find')], 'trusted'],
    ['is not trusted after a result without labels', [read], 'untrusted'],
    ['is not trusted after one of two results', [call('contacts.find'), read], 'untrusted'],
  ])('%s', async (_, calls, expected) => {
    const one = paying([], {
      tools: strict,
      model: [...(calls.length === 0 ? [plan([pay(friend)])] : [plan(calls), further(pay(friend))]), draft()],
      taskClass: refuses,
    });
    const taskId = await one.submit(request);
    await one.ended(taskId);
    expect(await integrityOf(one, taskId)).toBe(expected);
  });

  it('is trusted beside a result that is hidden from it', async () => {
    const tools = mailTools({ read: { isHidden: true } });
    const one = paying([pay(friend)], { tools, taskClass: refuses });
    const taskId = await one.submit(request);
    await one.ended(taskId);
    expect(await integrityOf(one, taskId)).toBe('trusted');
  });

  it('is trusted for a call in the same output as the first read, which was chosen before', async () => {
    const one = paying([], { tools: strict, model: [plan([read, pay(friend)]), draft()] });
    const taskId = await one.submit(request);
    await one.ended(taskId);
    expect(await integrityOf(one, taskId)).toBe('trusted');
  });

  it('is not trusted in a second attempt after an untrusted result of the first', async () => {
    const failing = readTool('failing', { labels: trusted, call: (_, { notDone }) => notDone('not now') });
    const one = paying([], {
      tools: [...strict, failing],
      model: [plan([read]), further(call('failing')), plan([pay(friend)]), draft()],
      taskClass: { ...refuses, limits: { repairs: 1 } },
    });
    const taskId = await one.submit(request);
    await one.ended(taskId);
    expect(await integrityOf(one, taskId)).toBe('untrusted');
  });

  it('is as trusted as its request, where a task class says that requests are not', async () => {
    const one = paying([], {
      tools: strict,
      model: [plan([pay(friend)]), draft()],
      taskClass: { ...refuses, labels: { request: { '/wish': { integrity: 'untrusted' } } } },
    });
    const taskId = await one.submit(request);
    await one.ended(taskId);
    expect((await origins(one, taskId))[0]).toMatchObject({
      shown: { integrity: 'untrusted' },
      values: [{}, { at: '/to', integrity: 'untrusted', found: [{ source: 'request', pointer: '/wish' }] }],
    });
    expect(one.invocations).toEqual([]);
  });
});

describe('an answer after changes were requested', () => {
  it.each([
    ['in the request for changes', `Was ${stranger} in it?`, 'Go on.'],
    ['in a later answer', 'Once more.', `Was ${stranger} in it?`],
  ])('endorses nothing that it repeats of an earlier result, %s', async (_, changes, later) => {
    const unsure = plan([], { confidence: 0.1 });
    const one = paying([], {
      tools: mailTools({ pay: { flows: trustedTo } }),
      model: [plan([read]), draft(), unsure, plan([pay(stranger)]), draft()],
      taskClass: { ...refuses, followup: () => ({ explanation: 'More?', payload: {}, byDefault: {} }) },
    });
    const taskId = await one.submit(request);
    await settle();
    await one.answer('instruction', changes);
    await one.answer('instruction', later);
    await settle();
    expect((await origins(one, taskId))[0]?.values.at(-1)).toMatchObject({
      at: '/to',
      integrity: 'untrusted',
    });
    expect(one.invocations.filter(({ tool }) => tool === 'pay')).toEqual([]);
  });
});

describe('a ledger with origins', () => {
  it('replays without a finding after a document was erased that they come from', async () => {
    const one = paying([pay(stranger)], { taskClass: refuses });
    const taskId = await one.submit(request);
    await one.ended(taskId);
    const before = await one.orchestrator.ledger(taskId);
    expect((await origins(one, taskId))[0]?.holds).toHaveLength(2);
    const erased = before.find(({ documents }) => documents.evidence !== undefined)?.documents.evidence;
    await one.orchestrator.erase(taskId, erased ?? '', { by: 'dana' });
    const records = await one.orchestrator.ledger(taskId);
    expect(records.some(({ brought }) => brought.evidence !== undefined)).toBe(false);
    expect(replay(records)).toMatchObject({ same: true, findings: [] });
  });

  it('replays without a finding where results and answers are redacted', async () => {
    const one = paying([pay(stranger), pay(friend)], { taskClass: refuses, options: { redact } });
    const taskId = await one.submit(request);
    await one.ended(taskId);
    expect(replay(await one.orchestrator.ledger(taskId))).toMatchObject({ same: true, findings: [] });
    expect(one.invocations.map(({ arguments: input }) => input)).toEqual([{}, { to: friend, amount: 50 }]);
  });

  it('replays without a finding after a person approved, edited and answered', async () => {
    const one = paying([pay(stranger)], { model: [plan([read]), further(pay(stranger)), draft()] });
    const taskId = await one.submit(request);
    await one.answer('edit', { value: { to: friend, amount: 7 } });
    await one.ended(taskId);
    expect(one.invocations.at(-1)).toMatchObject({ arguments: { to: friend, amount: 7 } });
    expect((await origins(one, taskId)).at(-1)?.holds).toBeUndefined();
    expect(replay(await one.orchestrator.ledger(taskId))).toMatchObject({ same: true, findings: [] });
  });
});

it('numbers results in the order in which they were recorded, whatever their identifiers', async () => {
  const ids = ['b', '7'];
  const foreign = readTool('foreign', {
    call: (_, { evidence, requestId, traceId, call: of }) => {
      const payload = { text: `evidence ${ids[0]}` };
      return evidence({
        evidence_id: ids.shift(),
        evidence_type: 'tool_result',
        source: 'foreign',
        request_id: requestId,
        trace_id: traceId,
        hash: digest(payload),
        collected_at: '2026-11-20T09:00:00Z',
        payload,
        'agentcharter:call': of,
      });
    },
  });
  const { submit, ended, turns } = paying([], {
    tools: [...mailTools(), foreign],
    model: [plan([call('foreign')]), further(call('foreign')), draft()],
  });
  await ended(await submit(request));
  expect(turns.at(-1)?.sources?.slice(1)).toEqual([
    { alias: 'foreign#1', evidence: 'b' },
    { alias: 'foreign#2', evidence: '7' },
  ]);
});
