import { expect, test } from 'vitest';
import { executionMachine, taskMachine } from '../../../machines/index.ts';
import { expectPrinted, testEveryPageIsPrinted } from '../printed.ts';
import { impossible, type PairTable } from '../../machines/feature-pairs.ts';
import { pairsOfFeatures } from '../../machines/feature-worlds.ts';
import { equivalent, pairsSeen, proofOf, proofPage, type Proof } from './proof.ts';

const proofs: Proof[] = [];
let pairs: PairTable;

test.each([taskMachine, executionMachine])(
  '$id covers every transition, state and guard outcome, and leaves no surviving mutant',
  (machine) => {
    const proof = proofOf(machine);
    proofs.push(proof);
    const { coverage, states, steps, refused, verdicts } = proof;
    const survivors = verdicts.flatMap(({ caughtBy, mutant }) => (caughtBy === null ? [mutant] : []));
    expect(coverage.transitions.unseen).toEqual([]);
    expect(coverage.states.unseen).toEqual([]);
    expect(coverage.guards.unseen).toEqual([]);
    expect(survivors).toEqual(Object.keys(equivalent[machine.id] ?? {}));
    expect(verdicts.length).toBeGreaterThan(100);
    expect(refused).toBeGreaterThan(100_000);
    expect(steps).toBeGreaterThan(states);
  },
);

test('the scenarios combine every two features that can meet', () => {
  pairs = pairsSeen();
  const { inWorlds, inOwnWorlds, unmet, broken, worlds, states } = pairs;
  console.log(
    `task: ${inWorlds.size + inOwnWorlds.size} of ${pairsOfFeatures.length} pairs of features meet, ` +
      `${inOwnWorlds.size} of them in ${worlds} worlds of their own (${states} states)`,
  );
  expect(broken).toEqual([]);
  expect(unmet).toEqual([...impossible.keys()]);
});

test('docs/reference/proof.md prints these figures', async () => {
  for (const { machine, states, steps, paths, refused, verdicts } of proofs)
    console.log(
      `${machine.id}: ${states} states, ${steps} steps, ${paths} paths, ${refused} hostile facts refused, ` +
        `${verdicts.length} mutants, ${verdicts.filter(({ caughtBy }) => caughtBy === null).length} of them equivalent`,
    );
  await expectPrinted('docs/reference/proof.md', proofPage(proofs, pairs));
});

testEveryPageIsPrinted();
