import { describe, expect, it } from 'vitest';
import { toolFeedback } from '../../../src/guard/tool-feedback.ts';
import { plainWords } from '../../../src/core/kernel/failure-words.ts';
import { openBank } from './bank.ts';

const deny = { policy: { decide: () => ({ verdict: 'deny' as const, reasons: ['no payments today'] }) } };

describe('The end of a run', () => {
  it('says which call was not made, why, and what a person can do', async () => {
    const bank = openBank({}, deny);
    await using _ = bank.guard;
    const run = await bank.begin();
    const ended = await run.call('pay', { to: 'alice' });
    const says =
      'Call pay with to "alice": The policy does not allow the action. It says: no payments today.';
    const remedy = 'Ask for something that the policy allows, or change the policy.';
    expect(ended).toMatchObject({ status: 'ended', reasons: [{ code: 'POLICY_BLOCKED', says, remedy }] });
    expect(ended.status === 'ended' && toolFeedback(ended)).toEqual({
      code: 'POLICY_BLOCKED',
      explanation: `The run is over; no more calls are made. POLICY_BLOCKED: ${says} What a person can do: ${remedy}`,
    });
    expect((await run.progress()).reasons).toMatchObject([{ says, remedy }]);
    const { message } = await bank.guard.orchestrator.settled(run.taskId);
    expect(message.explanation).toContain(says);
  });

  it('has no reasons after a delivery', async () => {
    const bank = openBank();
    await using _ = bank.guard;
    const run = await bank.begin();
    await run.conclude({ payload: {} });
    const late = await run.call('read', {});
    expect(late).toMatchObject({ status: 'ended', reasons: [] });
    expect(late.status === 'ended' && toolFeedback(late).explanation).toBe(
      'The run is over; no more calls are made.',
    );
  });
});

describe('An abandoned attempt', () => {
  it('is explained to an agent with the tool and the arguments of the call that failed', async () => {
    const bank = openBank({ limits: { repairs: 1 } });
    await using _ = bank.guard;
    bank.breaks.push('read');
    const run = await bank.begin();
    const failed = await run.call('read', { of: 'rates' });
    const says =
      'Call read with of "rates": A tool answered with an error. It said: "Error: read rates is out of order".';
    expect(failed).toMatchObject({ status: 'repairing', unmet: [{ code: 'TOOL_FAILED', says }] });
    expect((await run.progress()).unmet).toMatchObject([{ says }]);
    expect(failed.status === 'repairing' && toolFeedback(failed).explanation).toBe(
      `The attempt was abandoned; the next one begins. TOOL_FAILED: ${says}`,
    );
  });

  it('is explained to an agent with the evidence that its task class requires', async () => {
    const bank = openBank({ beforeDeliver: { evidence: [{ type: 'tool_result', tool: 'read' }] } });
    await using _ = bank.guard;
    const early = await (await bank.begin()).conclude({ payload: {} });
    const says = /^Task class "\w+" requires a result of tool read before delivery, and there is none\.$/;
    expect(early).toMatchObject({ unmet: [{ says: expect.stringMatching(says) as string }] });
  });
});

it('words a reason of another version by its code', () => {
  expect(plainWords({ code: 'CANCELLED', about: 'run' }).remedy).toBe('Submit the task again.');
  expect(plainWords({ code: 'NEW_CODE' as never, about: 'run' })).toEqual({ says: 'NEW_CODE', remedy: '' });
});
