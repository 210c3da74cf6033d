import { expect, it } from 'vitest';
import { run } from './run.ts';

it('prints facts, duties, the reasons of a closed gate, and a refused fact', async () => {
  const { stdout, stderr, code } = await run('bare-chart.ts');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatchInlineSnapshot(`
    "request.accepted -> {"submitted":{"plan":"proposing"}}, duties: propose
    plan.proposed -> "needsHumanDecision", duties: ask
    human.responded -> {"submitted":{"execute":"calling"}}, duties: call
    OUTPUT_MISSING,EVIDENCE_MISSING,AUDIT_INCOMPLETE
    call.started -> {"submitted":{"execute":"calling"}}, duties: observe
    not a fact: evidence
    call.succeeded -> {"submitted":{"execute":"concluding"}}, duties: conclude
    draft.proposed -> {"completed":"settled"}, duties: 
    "
  `);
});
