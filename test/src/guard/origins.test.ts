import { defineTaskClass, type TaskClassDefinition } from 'agentcharter';
import { createGuard, guardTool, type Run } from 'agentcharter/guard';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { identity, isGood } from './bank.ts';

const code = 'AB1'; // too short to be found anywhere
const untrusted = { '': { integrity: 'untrusted' } } as const;

/** A guard whose agent reads mail, hidden or not, and looks up what stands in it. */
const post = (
  isHidden: boolean,
  taskClass: Partial<TaskClassDefinition> = {},
  verdict: 'allow' | 'deny' | 'needs_review' = 'allow',
  mail: Readonly<Record<string, string>> = { code },
) => {
  const looked: unknown[] = [];
  const tools = [
    guardTool(
      { name: 'mail', input: z.object({}), execute: () => mail },
      { tier: 'read_only', labels: untrusted, ...(isHidden && { isHidden }) },
    ),
    guardTool(
      {
        name: 'look',
        input: z.strictObject({ of: z.string() }),
        execute: ({ of }) => {
          looked.push(of);
          return { ok: true };
        },
      },
      { tier: 'read_only', labels: untrusted, flows: { '/of': { from: ['mail'] } } },
    ),
    guardTool(
      { name: 'note', input: z.strictObject({ line: z.string() }), execute: () => ({ ok: true }) },
      { tier: 'write_low_risk', labels: untrusted },
    ),
  ];
  const guard = createGuard({
    tools,
    taskClasses: [
      defineTaskClass({
        id: 'post',
        tools: ['mail', 'look', 'note'],
        authorities: ['human'],
        limits: { rounds: 8, repairs: 2 },
        ...taskClass,
      }),
    ],
    verifiers: [isGood],
    policy: { decide: () => ({ verdict, reasons: [] }) },
  });
  return { guard, looked };
};

const submission = { taskClass: 'post', payload: {}, identity };
const reference = { of: { $from: 'mail#1', pointer: '/code' } };

const reasonsIn = async (run: Run) =>
  (await run.questions()).flatMap(({ question }) => question.reasons ?? []);

describe('A reference in a call', () => {
  it('gives the tool its value, and the agent no hidden result', async () => {
    const { guard, looked } = post(true);
    const run = await guard.begin(submission);
    expect(await run.call('mail', {})).toEqual({
      status: 'done',
      evidence: null,
      result: { $from: 'mail#1', pointer: '' },
    });
    expect(await run.call('look', reference)).toMatchObject({ status: 'done' });
    expect(looked).toEqual([code]);
    expect(JSON.stringify(await run.progress())).not.toContain(code);
    await guard.close();
  });

  it('stands in place of a hidden value where a reason is said in words', async () => {
    const { guard } = post(true, {}, 'deny');
    const run = await guard.begin(submission);
    await run.call('mail', {});
    const ended = await run.call('note', { line: { $from: 'mail#1', pointer: '/code' } });
    expect(ended).toMatchObject({
      status: 'ended',
      reasons: [
        { code: 'POLICY_BLOCKED', says: expect.stringContaining('Call note with line {"$from":"mail#1"') },
      ],
    });
    expect(JSON.stringify([ended, await run.progress()])).not.toContain(code);
    await guard.close();
  });

  it('is shown beside the words of this library, whatever a hidden result has in it', async () => {
    const words = [
      'message',
      'question',
      'action',
      'completed',
      'submitted',
      'approval',
      '&nbsp;&nbsp;',
      '%20%20%20',
    ];
    const { guard } = post(true, {}, 'needs_review', {
      code,
      ...Object.fromEntries(words.map((word) => [word, word])),
    });
    const run = await guard.begin(submission);
    await run.call('mail', {});
    expect(await run.call('note', { line: 'completed' })).toMatchObject({ status: 'paused' });
    const [question] = await run.questions('agent');
    expect(question).toMatchObject({
      question: {
        kind: 'approval',
        id: expect.stringMatching(/^approval:sha256:/),
        accepts: expect.arrayContaining(['approve']),
      },
      message: { payload: { action: { tool: 'note', arguments: { line: '[not shown]' } } } },
    });
    const documents = await run.documents();
    expect(documents.map(({ document }) => ('state' in document ? document.state : 'evidence'))).toContain(
      'submitted',
    );
    await guard.close();
  });

  it('is the same call when it is repeated, and when its value is', async () => {
    const { guard, looked } = post(false);
    const run = await guard.begin(submission);
    await run.call('mail', {});
    const first = await run.call('look', reference, { ref: 'c1' });
    expect(await run.call('look', reference, { ref: 'c1' })).toEqual(first);
    expect(await run.call('look', { of: code }, { ref: 'c1' })).toEqual(first);
    expect(await run.call('look', { of: 'XY2' }, { ref: 'c1' })).toMatchObject({ code: 'PROPOSAL_CHANGED' });
    expect(looked).toEqual([code]);
    await guard.close();
  });

  it('stays one when a repair repeats the call, because its value alone says less', async () => {
    const { guard, looked } = post(true, { beforeDeliver: { verifiers: ['good'] } });
    const run = await guard.begin(submission);
    await run.call('mail', {});
    await run.call('look', reference);
    expect(await run.conclude({ payload: { good: false } })).toMatchObject({ status: 'repairing' });
    expect(await run.conclude({ payload: { good: true } })).toMatchObject({ status: 'delivered' });
    expect(looked).toEqual([code, code]);
    const calls = (await guard.orchestrator.ledger(run.taskId)).flatMap(({ brought }) => brought.calls ?? []);
    expect(calls.filter(({ tool }) => tool === 'look').map(({ origins }) => origins?.values)).toEqual(
      [0, 1].map(() => [
        expect.objectContaining({
          isReference: true,
          found: [{ source: 'mail#1', pointer: '/code', isUntrusted: true, isHidden: true }],
        }),
      ]),
    );
    await guard.close();
  });

  it('to nothing is refused with the names that there are', async () => {
    const { guard } = post(false);
    const run = await guard.begin(submission);
    await run.call('mail', {});
    expect(await run.call('look', { of: { $from: 'mail#2', pointer: '/code' } })).toMatchObject({
      status: 'refused',
      code: 'OUTPUT_INVALID',
      issues: [
        { path: '/arguments/of/$from', message: expect.stringContaining('expected one of request, mail#1') },
      ],
    });
    await guard.close();
  });
});

describe('The mandate of a guarded run', () => {
  it('is what the host says when it begins', async () => {
    const { guard } = post(false);
    const run = await guard.begin({ ...submission, mandate: ['mail'] });
    expect(await run.call('mail', {})).toMatchObject({ status: 'done' });
    expect(await run.call('note', { line: 'a' })).toMatchObject({ status: 'paused' });
    expect(await reasonsIn(run)).toEqual([
      expect.stringContaining('note is not among the tools of this run'),
    ]);
    await guard.close();
  });

  it('has no tool that the task class does not have, and no run begins', async () => {
    const { guard } = post(false);
    const begun = guard.begin({ ...submission, mandate: ['mail', 'nota'] });
    await expect(begun).rejects.toThrow('"/mandate/1": unknown tool "nota": expected one of ');
    await expect(begun).rejects.toThrow('Did you mean "note"?');
    expect(await guard.orchestrator.list()).toEqual([]);
    await guard.close();
  });

  it('is what the agent called before it was shown anything that is not trusted', async () => {
    const { guard } = post(false, { mandate: 'plan' });
    const run = await guard.begin(submission);
    await Promise.all([run.call('note', { line: 'a' }), run.call('mail', {})]);
    expect(await run.call('note', { line: 'b' })).toMatchObject({ status: 'done' });
    expect(await run.call('look', { of: code })).toMatchObject({ status: 'paused' });
    await guard.close();
  });

  it('has the tools that the agent declared before it was shown anything that is not trusted', async () => {
    const { guard } = post(false, { mandate: 'plan' });
    const run = await guard.begin(submission);
    expect(await run.declare(['note'])).toBe(true);
    await run.call('mail', {});
    expect(await run.call('note', { line: 'a' })).toMatchObject({ status: 'done' });
    expect(await run.declare(['note'])).toBe(true);
    expect(await run.declare(['look'])).toBe(false);
    expect(await run.call('look', { of: code })).toMatchObject({ status: 'paused' });
    expect(await reasonsIn(run)).toContainEqual(
      expect.stringContaining('look is not among the tools of this run'),
    );
    const records = await guard.orchestrator.ledger(run.taskId);
    expect(records.flatMap(({ brought }) => brought.output?.declares ?? [])).toEqual(['note']);
    await guard.close();
  });

  it('keeps what was declared when the first proposal is rejected', async () => {
    const { guard } = post(false, { mandate: 'plan' });
    const run: Run = await guard.begin(submission);
    await run.declare(['note']);
    expect(await run.call('note', { lin: 'a' })).toMatchObject({ status: 'refused' });
    await run.call('mail', {});
    expect(await run.call('note', { line: 'a' })).toMatchObject({ status: 'done' });
    await guard.close();
  });

  it('is wider by no declaration if the host gave it', async () => {
    const { guard } = post(false);
    const run = await guard.begin({ ...submission, mandate: ['mail'] });
    expect(await run.declare(['mail'])).toBe(true);
    expect(await run.declare(['note'])).toBe(false);
    expect(await run.call('note', { line: 'a' })).toMatchObject({ status: 'paused' });
    await guard.close();
  });

  it('takes no declared tool that the task class does not have', async () => {
    const { guard } = post(false, { mandate: 'plan' });
    const run: Run = await guard.begin(submission);
    await expect(run.declare(['notes'])).rejects.toThrow('Did you mean "note"?');
    await guard.close();
  });

  it('is not fixed by a result that the agent is not shown', async () => {
    const { guard } = post(true, { mandate: 'plan' });
    const run = await guard.begin(submission);
    await run.call('mail', {});
    expect(await run.call('note', { line: 'a' })).toMatchObject({ status: 'done' });
    await guard.close();
  });
});
