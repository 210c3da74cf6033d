import { expect, test } from 'vitest';
import { taskClass } from '../../machines/index.ts';
import { stricter, type TaskClassInput } from '../../machines/task-class.ts';

test('a member that is undefined is as if it were missing', () => {
  const given: unknown = {
    id: 'class',
    threshold: undefined,
    approvers: undefined,
    limits: { rounds: undefined },
  };
  expect(taskClass(given as TaskClassInput)).toEqual(taskClass({ id: 'class' }));
});

test('a task class that only has a name is the strict one', () => {
  expect(taskClass({ id: 'class' })).toEqual({
    id: 'class',
    threshold: 0.5,
    unstated: 'ask',
    host: false,
    beforeWrite: { evidence: [], verifiers: [] },
    beforeDeliver: { evidence: [], verifiers: [] },
    authorities: ['approval'],
    approvers: 1,
    selfApproval: false,
    repairTo: 'plan',
    limits: {
      corrections: 2,
      repairs: 1,
      rounds: 32,
      revisions: 3,
      refreshes: 2,
      pauses: 64,
      clearances: 8,
      modelCalls: 32,
      calls: 64,
      recoveries: 3,
    },
    defaults: [],
    followup: false,
  });
});

test('what is said of one requirement or limit leaves the others as they are', () => {
  const given = taskClass({
    id: 'class',
    beforeWrite: { verifiers: ['check'] },
    beforeDeliver: { evidence: [{ type: 'tool_result' }] },
    limits: { repairs: 0 },
    threshold: 0.8,
  });
  expect(given).toMatchObject({
    threshold: 0.8,
    beforeWrite: { evidence: [], verifiers: ['check'] },
    beforeDeliver: { evidence: [{ type: 'tool_result' }], verifiers: [] },
    limits: { corrections: 2, repairs: 0 },
  });
  expect(taskClass(given)).toEqual(given);
});

const of = (selfApproval: boolean) => taskClass({ id: 'class', selfApproval });

test('the user or owner behind an agent approves only where the begun and the current task class say so', () => {
  for (const [begun, current] of [
    [true, false],
    [false, true],
    [false, false],
  ] as const)
    expect(stricter(of(begun), of(current)).selfApproval).toBe(false);
  expect(stricter(of(true), of(true)).selfApproval).toBe(true);
});

const having = (tools: string[] | undefined) => taskClass({ id: 'class', ...(tools && { tools }) });

test.each<[string[] | undefined, string[] | undefined, string[] | undefined]>([
  [['read', 'write'], ['write', 'send'], ['write']],
  [['read'], undefined, ['read']],
  [undefined, ['write'], ['write']],
  [undefined, undefined, undefined],
])('the stricter of the tools %j and %j are %j', (begun, current, both) => {
  expect(stricter(having(begun), having(current)).tools).toEqual(both);
});

test('a requirement that both versions have counts once, in whichever order its members stand', () => {
  const begun = taskClass({
    id: 'class',
    beforeWrite: { evidence: [{ type: 'tool_result', tool: 'read' }] },
  });
  const current = taskClass({
    id: 'class',
    beforeWrite: {
      evidence: [{ tool: 'read', type: 'tool_result' }, { type: 'source_citation' }],
      verifiers: ['check'],
    },
  });
  expect(stricter(begun, current).beforeWrite).toEqual({
    evidence: [{ type: 'tool_result', tool: 'read' }, { type: 'source_citation' }],
    verifiers: ['check'],
  });
});

const flowing = (flows?: 'refuse') => taskClass({ id: 'class', ...(flows && { flows }) });

test('held calls are refused where the begun or the current task class says so', () => {
  expect(stricter(flowing('refuse'), flowing()).flows).toBe('refuse');
  expect(stricter(flowing(), flowing('refuse')).flows).toBe('refuse');
  expect(stricter(flowing(), flowing())).not.toHaveProperty('flows');
});
