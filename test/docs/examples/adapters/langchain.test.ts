import { expect, it } from 'vitest';
import { run } from '../run.ts';

it('guards a LangChain agent, which reads before it answers, and pays once after a person’s approval', async () => {
  const { stdout, stderr, code } = await run('adapters/langchain.ts');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatchInlineSnapshot(`
    "human: The lamp is broken.
    human: The answer was not delivered. {"code":"EVIDENCE_MISSING","explanat
    tool: {"customer":"ada","paid":4200}
    paused: Call refund with customer "ada", cents 4200.
    paused
      4200 go back to ada
    { status: 'delivered', payload: { text: 'You have 42.00 back.' } }
    { status: 'delivered', payload: { text: 'You have 42.00 back.' } }
    "
  `);
});
