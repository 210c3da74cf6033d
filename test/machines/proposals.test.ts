import { describe, expect, test } from 'vitest';
import type { EvidenceClause } from '../../machines/index.ts';
import { callOf } from 'agentcharter/testing';
import {
  accepted,
  answered,
  brings,
  decided,
  doubted,
  drafted,
  passed,
  plan,
  planned,
  proposes,
  reported,
  run,
  started,
  startedAgain,
  succeeded,
  tightened,
  unsurelyProposes,
  written,
  type FactMaker,
} from './scene.ts';

const { note, read, undoable } = callOf;

const begun = [accepted, planned('plan', read('r')), started('r'), succeeded('r')];

describe('the confidence of further calls [UpFormat 2.3]', () => {
  test('asks a person where it is low, and lets nothing begin meanwhile', () => {
    const task = run({}, [...begun, unsurelyProposes(undoable('u'))]);
    expect(task.owes).toEqual(['ask plan:further']);
    expect(task.statuses).toEqual({ r: 'succeeded' });
    task.send(answered('plan:further', 'approve'));
    expect(task.statuses).toEqual({ r: 'succeeded', u: 'proposed' });
    expect(task.owes).toEqual(['decide u']);
  });

  test('is what a person puts in its place', () => {
    const task = run({}, [...begun, unsurelyProposes(undoable('u'))]);
    task.send(answered('plan:further', 'edit', { plan: plan('mine', note('n')) }));
    expect(task.statuses).toEqual({ r: 'succeeded', n: 'proposed' });
    expect(task.c.plan?.digest).toBe('plan');
  });

  test('a person cannot put a call under a name that is taken', () => {
    const task = run({}, [...begun, unsurelyProposes(undoable('u'))]);
    expect(task.takes(answered('plan:further', 'edit', { plan: plan('mine', note('r')) }))).toBe(false);
  });

  test('that a person rejects leads to another plan', () => {
    const task = run({}, [...begun, unsurelyProposes(undoable('u')), answered('plan:further', 'reject')]);
    expect(task.owes).toEqual(['propose']);
    expect(task.c.further).toBe(null);
  });

  test('fails safe where nobody is there to ask', () => {
    const task = run({}, [...begun, unsurelyProposes(undoable('u'))], 'execution');
    expect(task.reasons).toEqual(['CONFIDENCE_LOW further']);
  });

  test('that is high goes on at once', () => {
    expect(run({}, [...begun, proposes(undoable('u'))]).owes).toEqual(['decide u']);
  });
});

const alike: FactMaker = () => ({ type: 'calls.proposed', ...plan('plan', undoable('u')) });

describe('further calls that read like the plan, in a class that became stricter', () => {
  const asking = [...begun, tightened({ threshold: 0.95 }), alike];

  test('are approved together with it', () => {
    const task = run({}, asking);
    expect(task.owes).toEqual(['ask plan:plan']);
    task.send(answered('plan:plan', 'approve'));
    expect(task.owes).toEqual(['decide u']);
  });

  test('are edited before it, and it is asked about after that', () => {
    const task = run({}, asking);
    task.send(answered('plan:plan', 'edit', { plan: plan('plan', note('n')) }));
    expect(task.owes).toEqual(['ask plan:plan']);
    expect(task.c.plan?.waived).toBe(false);
    task.send(answered('plan:plan', 'edit', { plan: plan('mine', note('m')) }));
    expect(task.c.plan).toMatchObject({ digest: 'mine', waived: true });
    expect(task.statuses).toEqual({ m: 'proposed' });
  });
});

const sure = plan('plan');
const unstated: FactMaker = () => ({ type: 'plan.proposed', ...sure, confidence: 'unstated' });

describe('a confidence that is none', () => {
  test.each([1.0000001, Infinity, -0.1, Number.NaN])('of %s is not taken', (confidence) => {
    const task = run({}, [accepted]);
    expect(task.takes(() => ({ type: 'plan.proposed', ...sure, confidence }))).toBe(false);
    task.send(planned('plan'));
    expect(task.takes(() => ({ type: 'draft.proposed', digest: 'd', confidence, canProceed: true }))).toBe(
      false,
    );
    expect(task.takes(() => ({ type: 'calls.proposed', ...sure, confidence }))).toBe(false);
  });

  test('asks or goes on, as the task class says', () => {
    expect(run({}, [accepted, unstated]).owes).toEqual(['ask plan:plan']);
    expect(run({ unstated: 'proceed' }, [accepted, unstated]).owes).toEqual(['conclude']);
  });
});

const about = (order: string): FactMaker => brings('r', { meets: ['order'], subjects: { order } });

/** Whether a delivery stands on what one read brought. */
const delivers = (clause: Partial<EvidenceClause>, evidence: Parameters<typeof brings>[1]): boolean => {
  const required = { beforeDeliver: { evidence: [{ type: 'tool_result' as const, ...clause }] } };
  const told = [accepted, planned('plan', read('r')), started('r'), brings('r', evidence), drafted()];
  return run({ ...required, limits: { repairs: 0 } }, told).at === 'completed.settled';
};

describe('evidence [UAICP 5.1]', () => {
  test('that is empty counts only where the requirement says so', () => {
    expect(delivers({}, { empty: true })).toBe(false);
    expect(delivers({ allowEmpty: true }, { empty: true })).toBe(true);
    expect(delivers({}, { empty: false })).toBe(true);
  });

  test('counts only with the check that the requirement names', () => {
    expect(delivers({ check: 'c' }, {})).toBe(false);
    expect(delivers({ check: 'c' }, { meets: ['d'] })).toBe(false);
    expect(delivers({ check: 'c' }, { meets: ['c'] })).toBe(true);
  });

  test('of any clause is enough', () => {
    const anyOf = [{ type: 'test_report' as const }, { type: 'tool_result' as const, tool: 'tool-r' }];
    const told = [accepted, planned('plan', read('r')), started('r'), succeeded('r'), drafted()];
    expect(run({ beforeDeliver: { evidence: [{ anyOf }] } }, told).at).toBe('completed.settled');
    const other = run(
      { beforeDeliver: { evidence: [{ anyOf: anyOf.slice(0, 1) }] }, limits: { repairs: 0 } },
      told,
    );
    expect(other.reasons).toEqual(['EVIDENCE_MISSING test_report']);
  });

  test('clears a write only about the same thing', () => {
    const clause = { type: 'tool_result', check: 'order', ofAction: true } as const;
    const writes = (...orders: readonly string[]) =>
      orders.map((order, at) => ({ ...undoable(`u${at}`), subjects: { order } }));
    const asked = (seen: string, ...orders: readonly string[]) =>
      run({ beforeWrite: { evidence: [clause] }, limits: { repairs: 0 } }, [
        accepted,
        planned('plan', read('r'), ...writes(...orders)),
        started('r'),
        about(seen),
      ]);
    expect(asked('o-7', 'o-7').owes).toEqual(['decide u0']);
    expect(asked('o-5', 'o-7').reasons).toEqual(['EVIDENCE_MISSING tool_result']);
    expect(asked('o-7', 'o-7', 'o-8').reasons).toEqual(['EVIDENCE_MISSING tool_result']);
    const without = run({ beforeWrite: { evidence: [clause] }, limits: { repairs: 0 } }, [
      accepted,
      planned('plan', read('r'), undoable('u')),
      started('r'),
      brings('r', { meets: ['order'] }),
    ]);
    expect(without.reasons).toEqual(['EVIDENCE_MISSING tool_result']);
  });
});

const by = (byPerson: boolean) => ({
  beforeDeliver: {
    evidence: [{ type: 'custom' as const, ...(byPerson && { byPerson: true as const }) }],
  },
  limits: { repairs: 0 },
});

const word = { evidence: { id: 'word', type: 'custom' as const } };

describe('a person who says that a write happened', () => {
  const doubt = [accepted, planned('plan', undoable('u')), decided('u'), started('u'), doubted('u')];
  const said = [...doubt, answered('doubt:u', 'approve', word), drafted()];

  test('brings evidence of type custom, which counts where the requirement says so', () => {
    expect(run(by(true), said).at).toBe('completed.settled');
    expect(run(by(false), said).reasons[0]).toBe('EVIDENCE_MISSING custom');
  });

  test('is not contradicted by a rollback for want of a tool result', () => {
    const task = run(
      { beforeDeliver: { evidence: [{ type: 'tool_result' }] }, limits: { repairs: 0 } },
      said,
    );
    expect(task.at).toBe('failed');
    expect(task.effects).toEqual(['action-u committed']);
    expect(task.reasons).toEqual(['EVIDENCE_MISSING tool_result', 'ROLLBACK_REQUIRED action-u']);
  });

  test('has it rolled back where the run fails for another reason', () => {
    const task = run({ beforeDeliver: { verifiers: ['facts'] }, limits: { repairs: 0 } }, [
      ...said,
      reported('facts', 'draft', 'fail'),
    ]);
    expect(task.owes).toEqual(['undo action-u']);
  });
});

describe('an agent whose host stays away', () => {
  const hosted = { host: true } as const;
  const wrote = [accepted, planned('plan', undoable('u')), ...written('u')];
  const away = passed('host', '0.1.0.0.0');
  const question = 'host:0.1.0.0.0';

  test('has a deadline of its host, and none of the model', () => {
    const task = run(hosted, wrote);
    expect(task.wakes).toEqual(['host 0.1.0.0.0', 'evidence evidence-u']);
    expect(task.takes(passed('model', '0.1.0.0.0'))).toBe(false);
    expect(run({}, wrote).takes(away)).toBe(false);
  });

  test('fails where nothing was written', () => {
    expect(run(hosted, [accepted, passed('host', '0.0.0.0.0')]).reasons).toEqual(['HOST_UNAVAILABLE host']);
  });

  test('has a person asked about what it wrote', () => {
    const task = run(hosted, [...wrote, away]);
    expect(task.owes).toEqual([`ask ${question}`]);
    const undone = run(hosted, [...wrote, away, answered(question, 'reject')]);
    expect(undone.owes).toEqual(['undo action-u']);
  });

  test.each<[string, FactMaker]>([
    ['a person says keep', answered(question, 'approve')],
    ['nobody answers', passed('question', question)],
  ])('keeps what it wrote where %s', (_, then) => {
    const task = run(hosted, [...wrote, away, then]);
    expect(task.at).toBe('failed');
    expect(task.effects).toEqual(['action-u kept']);
    expect(task.reasons).toEqual(['HOST_UNAVAILABLE host']);
  });

  test('keeps what it wrote where nobody can be asked', () => {
    const spent = run({ ...hosted, limits: { pauses: 0 } }, [...wrote, away]);
    expect(spent.effects).toEqual(['action-u kept']);
    const alone = run(hosted, [...wrote, away], 'execution');
    expect(alone.effects).toEqual(['action-u kept']);
    expect(alone.reasons).toEqual(['HOST_UNAVAILABLE host']);
  });

  test('goes on where it comes back in time', () => {
    expect(run(hosted, [...wrote, drafted()]).at).toBe('completed.settled');
  });
});

test('further calls after a wait are cleared like any other', () => {
  const task = run({}, [
    ...begun,
    unsurelyProposes(note('n')),
    answered('plan:further', 'approve'),
    decided('n'),
  ]);
  expect(task.takes(started('n'))).toBe(true);
  task.send(...startedAgain('n'), succeeded('n'));
  expect(task.statuses).toMatchObject({ n: 'succeeded' });
});
