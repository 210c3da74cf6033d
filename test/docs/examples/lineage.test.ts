import { expect, it } from 'vitest';
import { run } from './run.ts';

it('prints a thread as a tree, as lines and as a diagram', async () => {
  const { stdout, stderr, code } = await run('lineage.ts');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatchInlineSnapshot(`
    "writer submitted
      writer needsHumanDecision
        dana submitted
          agentcharter submitted
            writer completed
    0 findings
    line 1: orphan
    sequenceDiagram
      participant p0 as writer
      actor p1 as dana
      participant p2 as agentcharter
      Note over p0: submitted
      p0->>p0: needsHumanDecision: To the landlord#59; what about the deposit?
      p1->>p0: submitted: dana answers#58; approve.
      p2->>p1: submitted: The task goes on.
      p0->>p2: completed: To the landlord#59; what about the deposit?

    "
  `);
});
