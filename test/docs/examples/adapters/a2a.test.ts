import { expect, it } from 'vitest';
import { run } from '../run.ts';

it('serves a task class over A2A, approves nothing by plain text, and writes after feedback', async () => {
  const { code, stdout, stderr } = await run('adapters/a2a.ts');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const lines = stdout.trim().split('\n');
  expect(lines).toEqual([
    'TASK_STATE_INPUT_REQUIRED: Call refund.pay with order "A-7", cents 1900.',
    expect.stringMatching(/^TASK_STATE_INPUT_REQUIRED: .* expected a data part that is marked UpFeedback$/),
    'TASK_STATE_COMPLETED: As asked.',
    '{"$case":"data","value":{"refunded":{"order":"A-7","paid":1900}}}',
  ]);
});
