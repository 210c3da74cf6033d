import { describe, expect, it } from 'vitest';
import { call, draft, further, plan, readTool } from '../../core/shell/scripted.ts';
import { friend, mailTools, pay, paying, read, request, stranger } from './mailbox.ts';

describe('a payment after an e-mail was read', () => {
  it('is made if its account stands in the request', async () => {
    const { submit, ended, invocations } = paying([pay(friend)]);
    const { outcome } = await ended(await submit(request));
    expect(outcome).toBe('success');
    expect(invocations.map(({ tool }) => tool)).toEqual(['mail.read', 'pay']);
  });

  it('is held if its account stands in the e-mail alone, and a person sees why', async () => {
    const { submit, stateOf, question, answer, invocations, ended } = paying([pay(stranger)]);
    const taskId = await submit(request);
    expect(stateOf(taskId)).toBe('needsHumanDecision');
    const { question: open, message } = await question();
    expect(open.kind).toBe('approval');
    expect(open.reasons).toContain('/to: expected a trusted value; it was found in mail.read#1 at /text.');
    expect(message.payload['action']).toMatchObject({
      origins: {
        holds: [
          { code: 'FLOW_FORBIDDEN', at: '/to' },
          { code: 'FLOW_FORBIDDEN', at: '/to' },
        ],
      },
    });
    await answer('reject');
    expect(await ended(taskId)).toMatchObject({ outcome: 'success' });
    expect(invocations.map(({ tool }) => tool)).toEqual(['mail.read']);
  });

  it('is made once a person endorsed exactly that account', async () => {
    const { submit, answer, invocations, ended } = paying([pay(stranger)]);
    const taskId = await submit(request);
    await answer('approve');
    await ended(taskId);
    expect(invocations.at(-1)).toMatchObject({ tool: 'pay', arguments: { to: stranger } });
  });

  it('is made once a person endorsed it, if its tool reads', async () => {
    const flows = { '/to': { integrity: 'trusted' } } as const;
    const { submit, answer, invocations, ended } = paying([call('fetch', { to: stranger })], {
      tools: [...mailTools(), readTool('fetch', { flows })],
    });
    const taskId = await submit(request);
    await answer('approve');
    expect(await ended(taskId)).toMatchObject({ outcome: 'success' });
    expect(invocations.at(-1)).toMatchObject({ tool: 'fetch' });
  });

  it('is refused where the task class refuses, and the model is told and goes on', async () => {
    const { submit, turns, ended, invocations } = paying([pay(stranger)], { taskClass: { flows: 'refuse' } });
    const taskId = await submit(request);
    expect(await ended(taskId)).toMatchObject({ outcome: 'success' });
    expect(turns.at(-1)?.calls).toMatchObject([
      { tool: 'mail.read', status: 'succeeded' },
      { tool: 'pay', status: 'refused', code: 'FLOW_FORBIDDEN' },
    ]);
    expect(invocations.map(({ tool }) => tool)).toEqual(['mail.read']);
  });

  it('has a choice that is not trusted, unless the tool says that any is', async () => {
    const flows = { '/to': { integrity: 'trusted' } } as const;
    const { submit, question, answer } = paying([pay(friend)], { tools: mailTools({ pay: { flows } }) });
    await submit(request);
    const { question: open } = await question();
    expect(open.reasons).toEqual([
      '/to: expected a trusted choice; the model chose after it had read what is not trusted.',
    ]);
    await answer('reject');
  });

  it('takes its account from where the model refers to', async () => {
    const reference = { $from: 'contacts.find#1', pointer: '/account' };
    const { submit, ended, invocations } = paying([], {
      model: [plan([read, call('contacts.find')]), further(pay(reference)), draft()],
    });
    await ended(await submit(request));
    expect(invocations.at(-1)).toMatchObject({
      tool: 'pay',
      arguments: { to: 'FR1420041010050500013M02606' },
    });
  });

  it.each([
    [{ $from: 'contacts.find#9', pointer: '' }, /names nothing of this run: expected one of request/],
    [{ $from: 'request', pointer: '/__proto__' }, /nothing at/],
    [{ $from: 'request', pointer: 'wish' }, /expected a JSON Pointer/],
  ])('is corrected by the model if %j refers to nothing', async (reference, issue) => {
    const { submit, ended, turns, invocations } = paying([], {
      model: [plan([read]), further(pay(reference)), { choice: 'fixed', output: draft(), explanation: '' }],
    });
    await ended(await submit(request));
    expect(JSON.stringify(turns.at(-1)?.rejected?.issues)).toMatch(issue);
    expect(invocations.map(({ tool }) => tool)).toEqual(['mail.read']);
  });

  it('gives the model the names of what it may refer to', async () => {
    const { submit, ended, turns } = paying([], { model: [plan([read]), draft()] });
    await ended(await submit(request));
    expect(turns[0]?.sources).toEqual([{ alias: 'request' }]);
    expect(turns[1]?.sources?.map(({ alias }) => alias)).toEqual(['request', 'mail.read#1']);
  });
});
