import { describe, expect, it } from 'vitest';
import type { UpFeedback } from '../../../../schema/index.ts';
import { fromJsonLines, replay, toJsonLines, verifyLedger } from '../../../../src/core/ledger/index.ts';
import type { Actor } from '../../../../src/base/ports/ledger.ts';
import { digest } from '../../../../src/base/canonical/digest.ts';
import { trusting } from './approvals.ts';
import { scene, type Scene } from './scene.ts';
import { call, draft, identity, plan, readTool, writeTool } from './scripted.ts';
import { settle } from './simulated-clock.ts';

const delivered = async () => {
  const scenario = scene({
    model: [plan([call('read', { amount: 1 }), call('write')]), draft({ greeting: 'Dear Ada' })],
    tools: [
      readTool('read', { call: () => ({ name: 'Ada Lovelace' }) }),
      writeTool('write', { tier: 'write_high_risk' }),
    ],
    options: { approvals: trusting },
  });
  const taskId = await scenario.submit({ wish: 'greet Ada' });
  await scenario.answer('approve', undefined, { approval: 'kim' });
  await scenario.ended(taskId);
  return { ...scenario, taskId, records: await scenario.orchestrator.ledger(taskId) };
};

describe('the ledger of a run [UAICP 5.4]', () => {
  it('chains records with previous hash, payload, emitted documents and resulting state', async () => {
    const { records } = await delivered();
    expect(records.length).toBeGreaterThan(9);
    records.forEach(({ previous }, at) => {
      expect(previous).toBe(at === 0 ? null : records[at - 1]?.hash);
    });
  });

  it('has a snapshot where the task rests, and where a write begins or ends', async () => {
    const { records } = await delivered();
    const write = records.find(({ fact }) => fact?.type === 'approval.granted')?.fact;
    const digest = write?.type === 'approval.granted' ? write.digest : '';
    const calls = records.flatMap(({ brought }) => brought.calls ?? []);
    const call = calls.find((one) => one.digest === digest)?.id;
    const expected = records.map(
      ({ kind, seq, to, fact }) =>
        kind === 'fact' &&
        (seq === 0 ||
          to === 'needsHumanDecision' ||
          to === 'completed.settled' ||
          ((fact?.type === 'call.started' || fact?.type === 'call.succeeded') && fact.call === call)),
    );
    expect(records.map(({ snapshot }) => snapshot !== null)).toEqual(expected);
    expect(expected.filter(Boolean)).toHaveLength(5);
  });

  it('is refused by a replay if a snapshot that it must have is missing', async () => {
    const { records } = await delivered();
    for (const [at, record] of records.entries()) {
      const [finding] = replay(records.with(at, { ...record, snapshot: null })).findings;
      expect(finding?.code).toBe(record.snapshot === null ? undefined : 'snapshot');
    }
  });

  it('records the intent and the outcome of every tool call, with actor and result', async () => {
    const { records } = await delivered();
    const calls = records.filter(
      ({ fact }) => fact?.type === 'call.started' || fact?.type === 'call.succeeded',
    );
    expect(calls.map(({ fact, actor, outcome }) => [fact?.type, actor, outcome])).toEqual(
      [
        ['call.started', 'agent', 'recommender', 'pending'],
        ['call.succeeded', 'system', 'read', 'success'],
        ['call.started', 'agent', 'recommender', 'pending'],
        ['call.succeeded', 'system', 'write', 'success'],
      ].map(([type, kind, id, outcome]) => [type, { kind, id } as Actor, outcome]),
    );
  });

  it('survives a round trip through JSON Lines', async () => {
    const { records } = await delivered();
    const back = fromJsonLines(toJsonLines(records));
    expect(back).toEqual(records);
    expect(await verifyLedger(back)).toMatchObject({ intact: true });
    expect(replay(back)).toMatchObject({ same: true });
  });

  it('detects a changed fact, even when every hash is recomputed', async () => {
    const { records } = await delivered();
    const forged = records.map((record) =>
      record.fact?.type === 'policy.decided'
        ? { ...record, fact: { ...record.fact, verdict: 'deny' } }
        : record,
    );
    expect(await verifyLedger(forged)).toMatchObject({ intact: false });
    expect(replay(forged)).toMatchObject({ same: false });
  });
});

describe('erasure', () => {
  it('removes a document everywhere, records who did it, and keeps the ledger verifiable', async () => {
    const { orchestrator, taskId, records } = await delivered();
    const read = records.find(({ brought }) => brought.evidence?.source === 'read');
    const evidence = read?.documents.evidence ?? '';
    const shown = (await orchestrator.documents(taskId)).find(
      ({ document }) => 'state' in document && document.state === 'needsHumanDecision',
    );
    await orchestrator.erase(taskId, digest(shown?.document), { by: 'privacy-officer' });
    await orchestrator.erase(taskId, evidence, { by: 'privacy-officer' });
    const after = await orchestrator.ledger(taskId);
    const emissions = await orchestrator.documents(taskId);
    expect(after.at(-1)).toMatchObject({
      kind: 'erasure',
      erased: evidence,
      actor: { kind: 'human', id: 'privacy-officer' },
    });
    expect(JSON.stringify([after, emissions])).not.toContain('Ada Lovelace');
    expect(await verifyLedger(after, { emissions })).toMatchObject({ intact: true, erased: 2 });
    expect(replay(after)).toMatchObject({ same: true });
  });

  it('has removed a message for everyone who hears of it', async () => {
    const { orchestrator, taskId } = await delivered();
    const last = (await orchestrator.documents(taskId)).findLast(({ name }) => name === 'UpFormatMessage');
    const heard: Promise<unknown>[] = [];
    orchestrator.on('record', ({ kind }) => {
      if (kind === 'erasure') heard.push(orchestrator.settled(taskId));
    });
    await orchestrator.erase(taskId, digest(last?.document), { by: 'kim' });
    expect(heard).toHaveLength(1);
    expect(await heard[0]).toMatchObject({ message: { explanation: 'This message was erased.' } });
  });

  it('rejects a digest that is no document of the task', async () => {
    const { orchestrator, taskId, records } = await delivered();
    for (const digest of ['sha256:0', `sha256:${'0'.repeat(64)}`, records[0]?.documents.contract ?? '']) {
      await expect(orchestrator.erase(taskId, digest, { by: 'kim' })).rejects.toMatchObject({
        code: 'not_found',
        details: { kind: 'document' },
      });
    }
    expect(await orchestrator.ledger(taskId)).toEqual(records);
  });

  it('removes a message from the thread as well', async () => {
    const { orchestrator, taskId } = await delivered();
    const documents = await orchestrator.documents(taskId);
    const last = documents.findLast(({ name }) => name === 'UpFormatMessage')?.document;
    expect(JSON.stringify(last)).toContain('Dear Ada');
    await orchestrator.erase(taskId, digest(last), { by: 'kim' });
    const { message } = await orchestrator.settled(taskId);
    expect(message).toMatchObject({
      state: 'completed',
      explanation: 'This message was erased.',
      payload: {},
    });
  });

  it('is rejected until the task settles, because its gates need the document', async () => {
    const { orchestrator, submit } = scene({ model: [plan([], { confidence: 0.1 })] });
    const taskId = await submit();
    const before = await orchestrator.ledger(taskId);
    await expect(orchestrator.erase(taskId, 'sha256:0', { by: 'kim' })).rejects.toMatchObject({
      code: 'task_unsettled',
      details: { taskId, state: 'needsHumanDecision' },
    });
    expect(await orchestrator.ledger(taskId)).toEqual(before);
  });
});

const masked = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll('4111 1111', '[card]')) as unknown;

/** Returns stored data without digests, which may contain any four digits. */
const keptIn = (documents: unknown): string =>
  JSON.stringify(documents).replaceAll(/sha256:[0-9a-f]{64}/g, '');

describe('redaction', () => {
  it('runs before anything is hashed, used or stored', async () => {
    const scenario = scene({
      model: ({ asks, request, evidence }: { asks: string; request: unknown; evidence: unknown }) => {
        expect(JSON.stringify([request, evidence])).not.toContain('4111');
        return asks === 'plan' ? plan([call('read'), call('broken')]) : draft();
      },
      tools: [
        readTool('read', { call: () => ({ card: '4111 1111' }) }),
        readTool('broken', { call: () => Promise.reject(new Error('no such card: 4111 1111')) }),
      ],
      taskClass: { limits: { repairs: 0 } },
      options: { redact: masked },
    });
    const taskId = await scenario.submit({ card: '4111 1111' });
    await scenario.ended(taskId);
    const kept = keptIn([
      await scenario.orchestrator.ledger(taskId),
      await scenario.orchestrator.documents(taskId),
    ]);
    expect(kept).not.toContain('4111');
    expect(kept.split('[card]').length).toBeGreaterThan(3);
  });

  it.each<[string, (scenario: Scene, taskId: string) => Promise<unknown>, object]>([
    [
      'the words of a request',
      ({ orchestrator }) =>
        orchestrator.submit({ taskClass: 'work', payload: {}, explanation: 'charge 4111 1111', identity }),
      { model: [plan(), draft()] },
    ],
    [
      'the question of a tool',
      async () => {},
      {
        model: [plan([call('read')]), draft()],
        tools: [
          readTool('read', {
            call: (_, { needsHuman }) =>
              needsHuman({ explanation: 'Is it 4111 1111?', payload: { card: '4111 1111' } }),
          }),
        ],
      },
    ],
    [
      'the value of a resolved dependency',
      ({ orchestrator }, taskId) =>
        orchestrator.resolve(taskId, 'bank', { card: '4111 1111' }, { by: 'kim' }),
      {
        model: [plan([call('read')]), draft()],
        tools: [
          readTool('read', {
            call: (_, { notYet, met }) =>
              met === null ? notYet({ dependency: 'bank', explanation: '' }) : met,
          }),
        ],
      },
    ],
    [
      'the rest of a person’s feedback',
      async ({ orchestrator, question }) =>
        orchestrator.respond(
          { type: 'comment', target: (await question()).message.messageId, metadata: { note: '4111 1111' } },
          { by: 'dana' },
        ),
      { model: [plan([], { confidence: 0.1 })] },
    ],
    [
      'the reasons of a policy, and the details of a check',
      async () => {},
      {
        model: [plan([call('write')]), draft()],
        tools: [writeTool('write')],
        policy: () => ({ verdict: 'allow', reasons: ['card 4111 1111 is known'] }),
        verifiers: { mails: () => ({ checks: [{ check_id: 'a', result: 'pass', details: '4111 1111' }] }) },
        taskClass: { beforeDeliver: { verifiers: ['mails'] } },
      },
    ],
  ])('removes the secret from %s', async (_, act, given) => {
    const scenario = scene({ ...given, options: { redact: masked } });
    const taskId = await scenario.submit();
    await act(scenario, taskId);
    await settle();
    const kept = await Promise.all(
      (await scenario.orchestrator.list()).map(async ({ taskId: id }) => [
        await scenario.orchestrator.ledger(id),
        await scenario.orchestrator.documents(id),
      ]),
    );
    expect(keptIn(kept)).not.toContain('4111');
    expect(JSON.stringify(kept)).toContain('[card]');
  });

  it('removes the secret from a person’s answer', async () => {
    const scenario = scene({
      model: [plan([], { confidence: 0.1 }), plan(), draft()],
      options: { redact: masked },
    });
    const taskId = await scenario.submit();
    await scenario.answer('instruction', { value: 'use 4111 1111' } satisfies UpFeedback['content']);
    await scenario.ended(taskId);
    expect(keptIn(await scenario.orchestrator.ledger(taskId))).not.toContain('4111');
  });
});

it('a ledger records a hundred refusals in a row; the next record counts the rest', async () => {
  const { orchestrator, submit, answer, ended } = scene({ model: [plan([], { confidence: 0.1 }), draft()] });
  const taskId = await submit();
  for (let times = 0; times < 130; times += 1) {
    await orchestrator.resolve(taskId, 'nothing', null, { by: 'mallory' }).catch(() => {});
  }
  await answer('approve');
  await ended(taskId);
  const records = await orchestrator.ledger(taskId);
  expect(records.filter(({ kind }) => kind === 'refusal')).toHaveLength(100);
  expect(records.map(({ omitted }) => omitted).filter((omitted) => omitted > 0)).toEqual([30]);
});

it('a ledger never goes back in time: the record says how far the clock is behind', async () => {
  const { orchestrator, submit, answer, ended, clock } = scene({
    model: [plan([], { confidence: 0.1 }), draft()],
  });
  const taskId = await submit();
  clock.leap(-3_600_000);
  await answer('approve');
  await ended(taskId);
  const records = await orchestrator.ledger(taskId);
  expect(records.map(({ timestamp }) => timestamp)).toEqual(
    records.map(({ timestamp }) => timestamp).toSorted(),
  );
  expect(records.at(-1)?.behind).toBe(3_600_000);
});
