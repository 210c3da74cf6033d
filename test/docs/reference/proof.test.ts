import { expect, test } from 'vitest';
import { executionMachine, taskMachine } from '../../../machines/index.ts';
import { expectPrinted, testEveryPageIsPrinted } from '../printed.ts';
import { equivalent, proofOf, proofPage, type Proof } from './proof.ts';

const proofs: Proof[] = [];

test.each([taskMachine, executionMachine])(
  '$id: every transition is taken, every state seen, every guard open and shut, and no mutant survives',
  (machine) => {
    const proof = proofOf(machine);
    proofs.push(proof);
    const { coverage, states, steps, refused, verdicts } = proof;
    const survivors = verdicts.flatMap(({ caughtBy, mutant }) => (caughtBy === null ? [mutant] : []));
    expect(coverage.transitions.unseen).toEqual([]);
    expect(coverage.states.unseen).toEqual([]);
    expect(coverage.guards.unseen).toEqual([]);
    expect(survivors).toEqual(
      Object.keys(equivalent).filter((name) => verdicts.some(({ mutant }) => mutant === name)),
    );
    expect(verdicts.length).toBeGreaterThan(100);
    expect(refused).toBeGreaterThan(100_000);
    expect(steps).toBeGreaterThan(states);
  },
  600_000,
);

test('docs/reference/proof.md says so', async () => {
  for (const { machine, states, steps, paths, refused, verdicts } of proofs)
    console.log(
      `${machine.id}: ${states} states, ${steps} steps, ${paths} paths, ${refused} hostile facts refused, ` +
        `${verdicts.length} mutants, ${verdicts.filter(({ caughtBy }) => caughtBy === null).length} of them equivalent`,
    );
  await expectPrinted('docs/reference/proof.md', proofPage(proofs));
});

testEveryPageIsPrinted();
