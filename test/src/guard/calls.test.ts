import { describe, expect, it } from 'vitest';
import { shownResult } from '../../../src/guard/tool-feedback.ts';
import { memoryDatabase } from '../../../src/stores/memory/database.ts';
import { answer, openBank } from './bank.ts';

const codes = async ({ guard }: ReturnType<typeof openBank>, taskId: string) =>
  (await guard.orchestrator.ledger(taskId)).map(({ kind, fact, code }) => code ?? fact?.type ?? kind);

describe('A call', () => {
  it('is made once per reference', async () => {
    const bank = openBank();
    await using _ = bank.guard;
    const run = await bank.begin();
    const [one, other] = await Promise.all([
      run.call('note', { line: 'a' }, { ref: 'c1' }),
      run.call('note', { line: 'a' }, { ref: 'c1' }),
    ]);
    expect(one).toMatchObject({ status: 'done', result: { line: 'a' } });
    expect(other).toEqual(one);
    expect(await run.call('note', { line: 'a' }, { ref: 'c1' })).toEqual(one);
    expect(bank.done).toEqual(['note a']);
  });

  it('is the same call when its schema fills in defaults', async () => {
    const bank = openBank();
    await using _ = bank.guard;
    const run = await bank.begin();
    await run.call('read', {}, { ref: 'c1' });
    expect(await run.call('read', { of: 'all' }, { ref: 'c1' })).toMatchObject({ status: 'done' });
    expect(bank.done).toEqual(['read all']);
  });

  it('with other arguments or of another tool under a used reference is refused, on record', async () => {
    const bank = openBank();
    await using _ = bank.guard;
    const run = await bank.begin();
    await run.call('note', { line: 'a' }, { ref: 'c1' });
    for (const [tool, input] of [
      ['note', { line: 'b' }],
      ['pay', { to: 'a' }],
    ] as const)
      expect(await run.call(tool, input, { ref: 'c1' })).toMatchObject({
        status: 'refused',
        code: 'PROPOSAL_CHANGED',
      });
    expect(bank.done).toEqual(['note a']);
    const recorded = await codes(bank, run.taskId);
    expect(recorded.filter((code) => code === 'PROPOSAL_CHANGED')).toHaveLength(2);
  });

  it('that repeats a write under another reference is not made again, and says so', async () => {
    const bank = openBank();
    await using _ = bank.guard;
    const run = await bank.begin();
    const first = await run.call('note', { line: 'a' }, { ref: 'c1' });
    expect(first).not.toHaveProperty('isRepeated');
    for (const options of [{ ref: 'c2' }, {}])
      expect(await run.call('note', { line: 'a' }, options)).toEqual({
        ...first,
        isRepeated: true,
        of: 'c1',
      });
    expect(await run.call('note', { line: 'a' }, { ref: 'c1' })).toEqual(first);
    expect((await run.progress()).calls.map(({ of }) => of)).toEqual([undefined, 'c1', 'c1']);
    expect(bank.done).toEqual(['note a']);
  });

  it('that the next attempt repeats is the same call, and no other one', async () => {
    const bank = openBank();
    await using _ = bank.guard;
    const run = await bank.begin();
    await run.call('note', { line: 'a' }, { ref: 'c1' });
    bank.breaks.push('read');
    expect(await run.call('read', {}, { ref: 'c2' })).toMatchObject({ status: 'repairing' });
    await run.call('read', {}, { ref: 'c3' });
    const { attempt, calls } = await run.progress();
    expect([attempt, calls.map(({ ref, of }) => [ref, of])]).toEqual([
      1,
      [
        ['c1', undefined],
        ['c3', undefined],
      ],
    ]);
    expect(await run.call('note', { line: 'a' }, { ref: 'c1' })).not.toHaveProperty('isRepeated');
    expect(bank.done).toEqual(['note a', 'read all']);
  });

  it('may ask as often as a long task needs, and what people approved stays', async () => {
    const policy = { decide: () => ({ verdict: 'needs_review' as const, reasons: ['a person checks'] }) };
    const bank = openBank({ limits: { rounds: 32 } }, { policy });
    await using _ = bank.guard;
    const run = await bank.begin();
    for (let line = 0; line < 20; line += 1) {
      await run.call('note', { line: String(line) }, { ref: `c${line}` });
      await answer(bank, run, { type: 'approve' });
      await run.call('note', { line: String(line) }, { ref: `c${line}` });
    }
    expect(await run.conclude({ payload: {} })).toMatchObject({ status: 'delivered' });
    expect(bank.done).toHaveLength(20);
  });

  it('without a reference is a call of its own', async () => {
    const bank = openBank();
    await using _ = bank.guard;
    const run = await bank.begin();
    await run.call('read', {});
    await run.call('read', {});
    expect(bank.done).toEqual(['read all', 'read all']);
  });

  it('that comes with others is one round with them', async () => {
    const bank = openBank({ atLimit: 'stop', limits: { rounds: 1 } });
    await using _ = bank.guard;
    const run = await bank.begin();
    const made = await Promise.all(['a', 'b', 'c'].map((of) => run.call('read', { of })));
    expect(made.map(({ status }) => status)).toEqual(['done', 'done', 'done']);
    expect(await run.call('read', { of: 'd' })).toMatchObject({
      status: 'ended',
      reasons: [{ code: 'BUDGET_SPENT' }],
    });
  });

  it('with a member that is undefined, as frameworks write them, is made without it', async () => {
    const bank = openBank();
    await using _ = bank.guard;
    const run = await bank.begin();
    expect(await run.call('read', { of: 'a', note: undefined })).toMatchObject({ status: 'done' });
    expect((await run.progress()).calls[0]?.arguments).toEqual({ of: 'a' });
  });

  it('with arguments that its schema rejects is refused with its issues, and its siblings are made', async () => {
    const bank = openBank();
    await using _ = bank.guard;
    const run = await bank.begin();
    const [good, bad, unknown] = await Promise.all([
      run.call('read', { of: 'a' }),
      run.call('read', { of: 7 }),
      run.call('burn', {}),
    ]);
    expect(good).toMatchObject({ status: 'done' });
    expect(bad).toMatchObject({
      status: 'refused',
      code: 'OUTPUT_INVALID',
      issues: [{ path: expect.stringMatching(/of$/) }],
    });
    expect(unknown).toMatchObject({
      explanation: expect.stringContaining('expected one of read, note, pay'),
    });
    expect(bank.done).toEqual(['read a']);
  });

  it.each([
    ['undefined', undefined],
    ['a list', []],
    [
      'a value that leads to itself',
      (() => {
        const own: Record<string, unknown> = {};
        own['own'] = own;
        return own;
      })(),
    ],
    ['an own __proto__', JSON.parse('{"__proto__": {"of": "a"}}')],
    [
      'a getter that throws',
      {
        get of() {
          throw new Error('no');
        },
      },
    ],
  ])('with %s as arguments is refused, and nothing is proposed', async (_, input: unknown) => {
    const bank = openBank();
    await using __ = bank.guard;
    const run = await bank.begin();
    expect(await run.call('read', input)).toMatchObject({ status: 'refused', code: 'OUTPUT_INVALID' });
    expect(await codes(bank, run.taskId)).not.toContain('plan.proposed');
  });

  it('with low confidence asks a person first', async () => {
    const bank = openBank();
    await using _ = bank.guard;
    const run = await bank.begin();
    const call = () => run.call('read', {}, { ref: 'c1', confidence: 0.4 });
    expect(await call()).toMatchObject({ status: 'paused', questions: [{ question: { kind: 'plan' } }] });
    await answer(bank, run, { type: 'approve' });
    expect(await call()).toMatchObject({ status: 'done' });
  });

  it('that a person edited is made as edited, stays the same call, and its agent reads who changed it, and to what', async () => {
    const bank = openBank();
    await using _ = bank.guard;
    const run = await bank.begin();
    const call = () => run.call('pay', { to: 'alice' }, { ref: 'c1' });
    expect(await call()).toMatchObject({ status: 'paused' });
    await answer(bank, run, { type: 'edit', content: { value: { to: 'bob' } } });
    const changed = { by: 'kim', arguments: { to: 'bob' } };
    const made = await call();
    expect(made).toMatchObject({ status: 'done', result: { to: 'bob' }, changed });
    expect(made.status === 'done' && shownResult(made)).toEqual({
      note: 'kim changed this call: it was made with {"to":"bob"}.',
      result: { to: 'bob' },
    });
    expect((await run.progress()).calls).toMatchObject([{ arguments: { to: 'bob' }, changedBy: 'kim' }]);
    expect(bank.done).toEqual(['pay bob']);
  });

  it('that a person answers with an instruction returns the instruction to its agent', async () => {
    const bank = openBank();
    await using _ = bank.guard;
    const run = await bank.begin();
    const call = () => run.call('pay', { to: 'alice' }, { ref: 'c1', waits: true });
    const made = call();
    await expect.poll(() => run.questions()).toHaveLength(1);
    expect((await run.progress()).calls).toMatchObject([{ tool: 'pay', status: 'asked' }]);
    await answer(bank, run, { type: 'instruction', content: 'Pay Bob.' });
    expect(await made).toMatchObject({
      status: 'repairing',
      attempt: 1,
      answers: [{ question: 'approval', feedback: { content: 'Pay Bob.' } }],
    });
    expect(bank.done).toEqual([]);
  });

  it('with an unknown outcome asks whether it happened and accepts the answer', async () => {
    const bank = openBank();
    await using _ = bank.guard;
    bank.breaks.push('note');
    const run = await bank.begin();
    const call = () => run.call('note', { line: 'a' }, { ref: 'c1' });
    expect(await call()).toMatchObject({ status: 'paused', questions: [{ question: { kind: 'doubt' } }] });
    await answer(bank, run, { type: 'approve' });
    expect(await call()).toMatchObject({
      status: 'done',
      result: null,
      evidence: { evidence_type: 'custom', actor: 'kim', source: 'note' },
    });
    expect(bank.done).toEqual([]);
  });

  it('is reported as cleared by propose() without waiting for its result', async () => {
    const bank = openBank();
    await using _ = bank.guard;
    const run = await bank.begin();
    expect(['cleared', 'done']).toContain((await run.propose('read', {}, { ref: 'c1' })).status);
    expect(await run.propose('pay', { to: 'alice' }, { ref: 'c2' })).toMatchObject({ status: 'paused' });
    expect(await run.call('read', {}, { ref: 'c1' })).toMatchObject({ status: 'done' });
    expect(bank.done).toEqual(['read all']);
  });

  it('is made even when its caller stopped waiting', async () => {
    const bank = openBank();
    await using _ = bank.guard;
    const run = await bank.begin();
    const signal = AbortSignal.abort(new Error('gone'));
    await expect(run.call('note', { line: 'a' }, { ref: 'c1', signal })).rejects.toThrow('gone');
    expect(await run.call('note', { line: 'a' }, { ref: 'c1' })).toMatchObject({ status: 'done' });
    expect(bank.done).toEqual(['note a']);
  });

  it('changes nothing after the end', async () => {
    const bank = openBank();
    await using _ = bank.guard;
    const run = await bank.begin();
    await run.conclude({ payload: {} });
    expect(await run.call('note', { line: 'a' })).toMatchObject({ status: 'ended', reasons: [] });
    expect(bank.done).toEqual([]);
  });

  it('rejects when its guard closes', async () => {
    const bank = openBank();
    const run = await bank.begin();
    const waiting = run.call('pay', { to: 'alice' }, { waits: true });
    const rejected = expect(waiting).rejects.toMatchObject({ code: 'closed' });
    await expect.poll(() => run.questions()).toHaveLength(1);
    await bank.guard.close();
    await rejected;
  });
});

describe('A person’s feedback that no caller waited for', () => {
  it.each(['here', 'in another process'])('reaches the agent once, at its next call: %s', async (where) => {
    const database = memoryDatabase();
    const first = openBank({}, { store: database.connect() });
    const begun = await first.begin();
    expect(await begun.call('pay', { to: 'alice' }, { ref: 'c1' })).toMatchObject({ status: 'paused' });
    await answer(first, begun, { type: 'instruction', content: 'Pay Bob.' });
    const isElsewhere = where !== 'here';
    if (isElsewhere) await first.guard.close();
    const bank = isElsewhere ? openBank({}, { store: database.connect() }) : first;
    await using _ = bank.guard;
    const run = await bank.guard.resume(begun.taskId);
    const again = () => run.call('pay', { to: 'alice' }, { ref: 'c1' });
    expect(await again()).toMatchObject({
      status: 'repairing',
      answers: [{ feedback: { content: 'Pay Bob.' } }],
    });
    expect(await run.questions()).toEqual([]);
    expect(await again()).toMatchObject({ status: 'paused' }); // the repeated call asks a person again
  });

  it.each(['here', 'in another process'])('on its conclusion reaches it once too: %s', async (where) => {
    const database = memoryDatabase();
    const first = openBank({}, { store: database.connect() });
    const begun = await first.begin();
    const draft = { payload: { a: 1 }, confidence: 0.3 };
    expect(await begun.conclude(draft)).toMatchObject({ status: 'paused' });
    await answer(first, begun, { type: 'reject' });
    const isElsewhere = where !== 'here';
    if (isElsewhere) await first.guard.close();
    const bank = isElsewhere ? openBank({}, { store: database.connect() }) : first;
    await using _ = bank.guard;
    const run = await bank.guard.resume(begun.taskId);
    expect(await run.conclude(draft)).toMatchObject({ status: 'repairing', attempt: 1 });
    expect(await run.conclude({ payload: { a: 2 } })).toMatchObject({ status: 'delivered' });
  });

  it('leaves a delivered conclusion unchanged, also in another process', async () => {
    const database = memoryDatabase();
    const first = openBank({}, { store: database.connect() });
    const { taskId } = await first.begin().then(async (run) => {
      await run.conclude({ payload: { a: 1 } });
      return run;
    });
    await first.guard.close();
    const bank = openBank({}, { store: database.connect() });
    await using _ = bank.guard;
    const run = await bank.guard.resume(taskId);
    expect(await run.conclude({ payload: { a: 2 } })).toMatchObject({ status: 'ended' });
    expect(await run.conclude({ payload: { a: 1 } })).toEqual({ status: 'delivered', payload: { a: 1 } });
  });
});

describe('A reference that is no identifier', () => {
  it.each([
    ['long', 'call_1__thought__'.padEnd(300, 'A')],
    ['not of ASCII', 'функция:1'],
    ['empty', ''],
  ])('is accepted as text: %s', async (_, ref) => {
    const bank = openBank();
    await using __ = bank.guard;
    const run = await bank.begin();
    expect(await run.call('note', { line: 'a' }, { ref })).toMatchObject({ status: 'done' });
    expect(await run.call('note', { line: 'b' }, { ref })).toMatchObject({ code: 'PROPOSAL_CHANGED' });
    expect(bank.done).toEqual(['note a']);
  });

  it('is refused with a message when it is no text', async () => {
    const bank = openBank();
    await using _ = bank.guard;
    const run = await bank.begin();
    expect(await run.call('read', {}, { ref: '\ud800' })).toMatchObject({ code: 'OUTPUT_INVALID' });
    const { explanation } = (await run.call('read', 'of=a')) as { readonly explanation: string };
    expect(explanation).toMatch(/^arguments is not valid: it must be an object/);
  });
});

describe('A write that a person rejects', () => {
  it.each([
    ['too much,\n ask the owner', 'kim said: "too much, ask the owner".'],
    [{ text: 'too much' }, 'kim said: "too much".'],
    [undefined, null],
  ])('is refused with what the person said: %j', async (content, said) => {
    const bank = openBank();
    await using _ = bank.guard;
    const run = await bank.begin();
    const pay = () => run.call('pay', { to: 'bob' }, { ref: 'a' });
    expect(await pay()).toMatchObject({ status: 'paused' });
    await answer(bank, run, { type: 'reject', ...(content !== undefined && { content }) });
    const explanation = ['A person rejected the request.', ...(said === null ? [] : [said])].join(' ');
    expect(await pay()).toMatchObject({ status: 'refused', code: 'HUMAN_REJECTED', explanation });
    expect(bank.done).toEqual([]);
  });

  it('is refused with what the policy said when it asked, apart from what the person said', async () => {
    const policy = { decide: () => ({ verdict: 'needs_review' as const, reasons: ['above 100 EUR'] }) };
    const bank = openBank({}, { policy });
    await using _ = bank.guard;
    const run = await bank.begin();
    const pay = () => run.call('pay', { to: 'bob' }, { ref: 'a' });
    await pay();
    await answer(bank, run, { type: 'reject', content: 'too much' });
    const said = 'kim said: "too much". The policy asked a person: "above 100 EUR".';
    expect(await pay()).toMatchObject({ explanation: `A person rejected the request. ${said}` });
  });

  it('is refused without what a person said of another write', async () => {
    const bank = openBank();
    await using _ = bank.guard;
    const run = await bank.begin();
    const pay = (to: string) => run.call('pay', { to }, { ref: to });
    await pay('bob');
    await answer(bank, run, { type: 'reject', content: 'not bob' });
    await pay('eve');
    await answer(bank, run, { type: 'reject' });
    expect(await pay('eve')).toMatchObject({ explanation: 'A person rejected the request.' });
  });
});
