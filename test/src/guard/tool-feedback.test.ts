import { describe, expect, it } from 'vitest';
import { reasonMeaning } from '../../../schema/index.ts';
import { toolFeedback } from '../../../src/guard/tool-feedback.ts';
import { plainWords } from '../../../src/orchestrator/failure-words.ts';
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

it('tells an agent why its attempt failed, by the names that it knows and no id of a call', () => {
  const unmet = [
    { code: 'TOOL_FAILED', about: '01a216f2-5c1e-7d1a-9a51-5e2b7c0d4f10' },
    { code: 'VERIFICATION_FAILED', about: 'amount-agrees' },
  ] as const;
  expect(toolFeedback({ status: 'repairing', attempt: 1, unmet, answers: [] }).explanation).toBe(
    'The attempt was abandoned; the next one begins. TOOL_FAILED: A tool answered with an error. ' +
      'VERIFICATION_FAILED (amount-agrees): ' +
      reasonMeaning.VERIFICATION_FAILED,
  );
});

it('words a reason of another version by its code', () => {
  expect(plainWords({ code: 'CANCELLED', about: 'run' }).remedy).toBe('Submit the task again.');
  expect(plainWords({ code: 'NEW_CODE' as never, about: 'run' })).toEqual({ says: 'NEW_CODE', remedy: '' });
});
