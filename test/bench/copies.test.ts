import { describe, expect, it } from 'vitest';
import { verifyLedger } from 'agentcharter/ledger';
import type { Step } from 'agentcharter/stores';
import { memoryStore } from 'agentcharter/stores/memory';
import { createCopier, hashedIn } from './copies.ts';
import { createHost } from './engines/orchestrator.ts';
import { copiesOf, stepsToQuestion } from './steps.ts';

/** Returns whether the ledger of these steps verifies. */
const isIntact = async (steps: readonly Step[]): Promise<boolean> => {
  const store = memoryStore();
  for (const step of steps) expect(await store.commit(step)).toBe('ok');
  const { orchestrator } = createHost({ store });
  const { intact } = await verifyLedger(await orchestrator.ledger(steps[0]?.taskId ?? ''));
  await orchestrator.close();
  return intact;
};

describe('A copy of a task that waits', () => {
  it('has other ids, and a ledger that verifies', async () => {
    const steps = await stepsToQuestion();
    const copy = copiesOf(steps);
    const [one, other] = [copy(), copy()];
    const ids = [steps, one, other].map(([first]) => first?.taskId);
    expect(new Set(ids).size).toBe(3);
    expect(one).toHaveLength(steps.length);
    expect(await isIntact(one)).toBe(true);
    expect(await isIntact(other)).toBe(true);
  });

  it('does not verify with another payload', async () => {
    const copy = copiesOf(await stepsToQuestion())();
    const text = JSON.stringify(copy);
    const damaged = text.replaceAll('As asked.', 'As told.');
    expect(damaged).not.toBe(text);
    expect(await isIntact(JSON.parse(damaged) as readonly Step[])).toBe(false);
  });

  it('uses no id of the task, and no digest of it', async () => {
    const steps = await stepsToQuestion();
    const own = steps.flatMap(({ taskId, record }) => [taskId, record.hash]);
    const text = JSON.stringify(copiesOf(steps)());
    expect(own.filter((name) => text.includes(name))).toEqual([]);
  });
});

describe('A copier', () => {
  const id = '0198c0de-0000-7000-8000-000000000001';
  const strange = `sha256:${'0'.repeat(64)}`;

  it('gives an id the same new one in all texts', () => {
    const [one, other] = createCopier([`a ${id}`, `${id} b`], []).copy();
    expect(one?.slice(2)).toBe(other?.slice(0, -2));
    expect(one).not.toContain(id);
  });

  it('keeps a digest of an unknown text, and reports it', () => {
    const { copy, unknown } = createCopier([`${id} ${strange}`], []);
    expect(copy()[0]).toMatch(new RegExp(`${strange}$`));
    expect(unknown).toEqual([strange]);
  });

  it('knows every digest of a task', async () => {
    const steps = await stepsToQuestion();
    const records = steps.map(({ record }) => JSON.stringify(record));
    expect(createCopier(records, hashedIn(steps)).unknown).toEqual([]);
  });
});
