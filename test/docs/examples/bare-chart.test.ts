import { expect, it } from 'vitest';
import { run } from './run.ts';

it('prints facts, duties, the reasons of a closed gate, and a refused fact', async () => {
  const { stdout, stderr, code } = await run('bare-chart.ts');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatchInlineSnapshot(`
    "request.accepted -> {"submitted":{"plan":"proposing"}} owes propose
    plan.proposed -> "needsHumanDecision" owes ask
    human.responded -> {"submitted":{"execute":"calling"}} owes call
    OUTPUT_MISSING,EVIDENCE_MISSING,AUDIT_INCOMPLETE
    call.started -> {"submitted":{"execute":"calling"}} owes observe
    not a fact: evidence
    call.succeeded -> {"submitted":{"execute":"concluding"}} owes conclude
    draft.proposed -> {"completed":"settled"} owes 
    "
  `);
});
