import { describe, expect, it } from 'vitest';
import {
  capabilities,
  conformance,
  conformancePage,
  type Run,
  type Subject,
} from '../../../../src/testing/conformance/index.ts';
import { brokenIn, faultsIn, turnsClock } from './findings.ts';
import { flaws, type Flaw } from './plain/flaws.ts';
import { plain } from './plain/subject.ts';
import { eventually } from '../../../waits.ts';

const patient = { clock: turnsClock, patience: 3_000 };
const flawed = Object.entries(flaws) as readonly [Flaw, readonly string[]][]; // the entries of a constant

/** The plain orchestrator, whose runs are changed. */
const changed = (change: (run: Run) => Partial<Run>): Subject => ({
  ...plain(),
  start: async (scenario) => {
    const run = await plain().start(scenario);
    const whole: Run = {
      state: (fact) => run.state(fact),
      quiet: () => run.quiet(),
      phase: () => run.phase(),
      documents: () => run.documents(),
    };
    return { ...whole, ...change(run) };
  },
});

/** What every rule of a report finds, each once. */
const faultsOf = async (subject: Subject): Promise<readonly unknown[]> => {
  const { rules, counts } = await conformance(subject, { ...patient, patience: 100 });
  expect(counts).toMatchObject({ broken: rules.length });
  return [...new Set(rules.map(({ fault }) => fault))];
};

describe('A plain orchestrator', () => {
  it('holds every rule', async () => {
    const report = await conformance(plain(), patient);
    expect(faultsIn(report)).toEqual([]);
    expect(report.counts).toEqual({
      rules: 60,
      holds: 60,
      broken: 0,
      notShown: 0,
      notOffered: 0,
      scenarios: 56,
    });
  });

  it.each(flawed)('that %s breaks exactly the rules about it', async (flaw, broken) => {
    expect(brokenIn(await conformance(plain(flaw), patient))).toEqual(broken);
  });

  it('breaks every rule in at least one variant', async () => {
    const { rules } = await conformance(plain(), patient);
    const breakable = new Set<string>(flawed.flatMap(([, broken]) => broken));
    expect(rules.map(({ id }) => id).filter((id) => !breakable.has(id))).toEqual([]);
    expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
  });
});

describe('A conformance report', () => {
  it('separates stated rules from inferred ones', async () => {
    const { rules } = await conformance(plain(), patient);
    const inferred = rules.filter(({ basis }) => basis === 'inferred').map(({ id }) => id);
    expect(inferred).toEqual(expect.arrayContaining(['uaicp-5.1-hash', 'uaicp-5.3-approval-once']));
    expect([rules.length, inferred.length]).toEqual([60, 22]);
  });

  it('is plain JSON, identical on each run', async () => {
    const [one, other] = await Promise.all([
      conformance(plain('rolls back oldest first'), patient),
      conformance(plain('rolls back oldest first'), patient),
    ]);
    expect(JSON.parse(JSON.stringify(one))).toEqual(one);
    expect(conformancePage(one)).toBe(conformancePage(other));
  });

  it('prints each scenario’s result on the page of a broken rule', async () => {
    const report = await conformance(plain('uses an approval twice'), patient);
    await expect(conformancePage(report)).toMatchFileSnapshot('./printed/uses-an-approval-twice.txt');
  });

  it('marks a rule as not offered when the subject lacks a capability, and skips its scenarios', async () => {
    const { rules, counts } = await conformance({ ...plain(), lacks: ['approvals', 'audit'] }, patient);
    const approvals = rules.filter(({ lacks }) => lacks.includes('approvals'));
    expect(approvals.length).toBeGreaterThan(10);
    expect(new Set(approvals.map(({ verdict }) => verdict))).toEqual(new Set(['not offered']));
    const lacking = rules.filter(({ lacks }) => lacks.length > 0);
    expect(counts).toMatchObject({ broken: 0, notShown: 0, notOffered: lacking.length });
    expect(counts.scenarios).toBeLessThan(56);
  });

  it('uses every capability in some rule', async () => {
    const { rules } = await conformance({ ...plain(), lacks: capabilities }, patient);
    expect(new Set(rules.flatMap(({ lacks }) => lacks))).toEqual(new Set(capabilities));
  });

  it('checks the other rules on a subject without capabilities', async () => {
    const { rules } = await conformance({ ...plain(), lacks: capabilities }, patient);
    const held = rules.filter(({ verdict }) => verdict === 'holds').map(({ id }) => id);
    expect(held).toEqual(expect.arrayContaining(['uaicp-5.1-required', 'uaicp-5.3-unapproved']));
  });
});

describe('A subject that cannot be tested', () => {
  it.each<[string, Subject, RegExp]>([
    ['does not start', { ...plain(), start: () => Promise.reject(new Error('no database')) }, /no database$/],
    [
      'throws at its start',
      {
        ...plain(),
        start: () => {
          throw new Error('no database');
        },
      },
      /no database$/,
    ],
    ['never begins', { ...plain(), start: () => new Promise(() => {}) }, /did not come to rest in time$/],
    ['never rests', changed(() => ({ quiet: () => new Promise(() => {}) })), /did not come to rest in time$/],
    ['rejects', changed(() => ({ quiet: () => Promise.reject(new Error('a loop')) })), /a loop$/],
    ['never reports its phase', changed(() => ({ phase: () => new Promise(() => {}) })), /rest in time$/],
    ['reports an unknown phase', changed(() => ({ phase: () => 'done' as 'deliver' })), /cannot be read/],
    [
      'returns invalid documents',
      changed((run) => ({
        documents: async () => ({ ...(await run.documents()), envelopes: undefined as never }),
      })),
      /cannot be read: \/envelopes/,
    ],
    ['returns no documents', changed(() => ({ documents: () => undefined as never })), /JSON/],
  ])('breaks every rule with a reason if it %s', async (_, subject, why) => {
    const faults = await faultsOf(subject);
    expect(faults.length).toBeGreaterThan(0);
    for (const fault of faults) expect(fault).toMatch(why);
  });

  it('breaks every prohibition if it does nothing', async () => {
    const idle = changed(() => ({ phase: () => 'fail_safe', state: async () => 'refused' }));
    const { rules } = await conformance(idle, patient);
    const held = rules.filter(({ verdict, section }) => verdict === 'holds' && /^5\.[123]$/.test(section));
    expect(held.map(({ id }) => id)).toEqual([]);
  });

  it('breaks the rules of each scenario whose fact makes it throw', async () => {
    const deaf = changed(() => ({ state: () => Promise.reject(new Error('not implemented')) }));
    const faults = faultsIn(await conformance(deaf, patient));
    expect(faults.map(([id]) => id)).toEqual(
      expect.arrayContaining(['uaicp-5.3-approval', 'uaicp-7-cancel']),
    );
    for (const [, , fault] of faults) expect(fault).toMatch(/not implemented$/);
  });

  it.each<[string, Subject, number]>([
    ['rests', plain(), Number.MAX_SAFE_INTEGER],
    ['never rests', changed(() => ({ quiet: () => new Promise(() => {}) })), 100],
  ])('leaves no handle that keeps a process alive if it %s', async (_, subject, patience) => {
    await conformance(subject, { clock: turnsClock, patience });
    await eventually(() => expect(process.getActiveResourcesInfo()).not.toContain('Immediate'));
  });

  it('is abandoned when it cannot be closed', async () => {
    const open = changed(() => ({ close: () => new Promise<void>(() => {}) }));
    expect(faultsIn(await conformance(open, patient))).toEqual([]);
  });
});
