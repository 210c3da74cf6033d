import { describe, expect, it } from 'vitest';
import {
  deadlines,
  defineTaskClass,
  defineTaskTool,
  defineTool,
  defineVerifier,
  type TaskClassDefinition,
} from '../../../../src/index.ts';

const definition: TaskClassDefinition = { id: 'work', tools: [] };

describe('a task class', () => {
  it.each([
    ['of plain data', Object.prototype],
    ['of a class', {}],
  ])('reads each limit %s once, so that what was checked is what counts', (_, prototype) => {
    let reads = 0;
    const get = (): number => {
      reads += 1;
      return reads === 1 ? 3 : Infinity;
    };
    const limits = Object.create(prototype, { modelCalls: { get, enumerable: true } }) as object;
    expect(defineTaskClass({ ...definition, limits }).contract.limits.modelCalls).toBe(3);
    expect(reads).toBe(1);
  });

  it('has strict defaults', () => {
    expect(defineTaskClass(definition)).toMatchObject({
      contract: {
        threshold: 0.5,
        authorities: ['approval'],
        repairTo: 'plan',
        defaults: [],
        followup: false,
      },
      deadlines,
    });
  });

  it('keeps the given values and adds defaults', () => {
    const made = defineTaskClass({
      ...definition,
      deadlines: { question: 5 },
      limits: { repairs: 0 },
      defaults: { tool: { pick: 1 }, approval: 'refuse' },
      followup: () => ({ explanation: '', payload: {}, byDefault: {} }),
    });
    expect(made.deadlines).toEqual({ ...deadlines, question: 5 });
    expect(made.contract).toMatchObject({
      defaults: ['approval', 'tool'],
      followup: true,
      limits: { repairs: 0, rounds: 32 },
    });
  });

  it('has its defaults where a member is undefined, as a caller without exact types passes it', () => {
    const optional = {
      threshold: undefined,
      authorities: undefined,
      approvers: undefined,
      accept: undefined,
    };
    const given: unknown = {
      ...definition,
      ...optional,
      limits: { rounds: undefined, calls: undefined },
      deadlines: { question: undefined },
      defaults: { approval: undefined },
      beforeWrite: { evidence: undefined },
    };
    const { contract, deadlines: durations } = defineTaskClass(given as TaskClassDefinition);
    expect(contract).toEqual(defineTaskClass(definition).contract);
    expect(durations).toEqual(deadlines);
  });

  it('requires one approver, or the given number [UAICP 5.3]', () => {
    const made = [{}, { approvers: 1 }, { approvers: 2 }].map((more) =>
      defineTaskClass({ ...definition, ...more }),
    );
    expect(made.map(({ contract }) => contract.approvers)).toEqual([1, 1, 2]);
  });

  it('has a deadline for every duty, so no task waits forever', () => {
    for (const duration of Object.values(deadlines)) expect(duration).toBeGreaterThan(0);
  });

  it('copies its defaults', () => {
    const information = { location: 'Lisbon' };
    const made = defineTaskClass({ ...definition, defaults: { information } });
    information.location = 'Paris';
    expect(made.defaults?.information).toEqual({ location: 'Lisbon' });
  });

  it.each<[string, object, string]>([
    ['no name', { id: '' }, '/id'],
    ['no list of tools', { tools: undefined }, '/tools'],
    ['a threshold that nothing fails', { threshold: -1 }, '/threshold'],
    ['a threshold without number', { threshold: NaN }, '/threshold'],
    ['a misspelt requirement', { beforeDelivery: { verifiers: ['mails'] } }, '/beforeDelivery'],
    [
      'a misspelt part of a requirement',
      { beforeDeliver: { verifier: ['mails'] } },
      '/beforeDeliver/verifier',
    ],
    [
      'an unknown type of evidence',
      { beforeWrite: { evidence: [{ type: 'hearsay' }] } },
      '/beforeWrite/evidence/0/type',
    ],
    [
      'an approval for evidence before a write',
      { beforeWrite: { evidence: [{ type: 'approval_token' }] } },
      '/beforeWrite/evidence/0/type',
    ],
    [
      'an approval for evidence before deliver, of a tool',
      { beforeDeliver: { evidence: [{ type: 'tool_result' }, { type: 'approval_token', tool: 'send' }] } },
      '/beforeDeliver/evidence/1/type',
    ],
    ['no approver', { approvers: 0 }, '/approvers'],
    ['less than no approver', { approvers: -1 }, '/approvers'],
    ['half an approver', { approvers: 1.5 }, '/approvers'],
    ['approvers without number', { approvers: NaN }, '/approvers'],
    ['approvers without end', { approvers: Infinity }, '/approvers'],
    ['approvers in words', { approvers: '2' }, '/approvers'],
    ['approvers by name', { approvers: ['kim', 'lee'] }, '/approvers'],
    ['an unknown authority', { authorities: ['agent'] }, '/authorities/0'],
    ['an unknown repair phase', { repairTo: 'deliver' }, '/repairTo'],
    ['an invalid limit', { limits: { repairs: Infinity } }, '/limits/repairs'],
    ['half a limit', { limits: { rounds: 0.5 } }, '/limits/rounds'],
    ['no time for a duty', { deadlines: { model: 0 } }, '/deadlines/model'],
    ['a deadline of nothing', { deadlines: { lunch: 1 } }, '/deadlines/lunch'],
    ['a default that approves', { defaults: { approval: 'approve' } }, '/defaults/approval'],
    ['a default for a draft', { defaults: { draft: {} } }, '/defaults/draft'],
    ['a limit without number', { limits: { calls: NaN } }, '/limits/calls'],
    ['an output without a schema', { output: {} }, '/output'],
  ])('with %s is rejected, and the error names the path', (_, more, path) => {
    expect(() => defineTaskClass({ ...definition, ...more })).toThrow(
      expect.objectContaining({
        code: 'definition_invalid',
        details: { definition: 'task class', issues: [expect.objectContaining({ path })] },
      }),
    );
  });
});

it.each<[string, object, string]>([
  ['at the top', { beforeDelivery: {} }, 'unknown key "beforeDelivery". Did you mean "beforeDeliver"?'],
  [
    'in an optional object',
    { limits: { repair: 1 } },
    'limits: unknown key "repair". Did you mean "repairs"?',
  ],
  [
    'in one of several alternatives of a list',
    { beforeWrite: { evidence: [{ type: 'tool_result', tol: 'search' }] } },
    'beforeWrite.evidence[0]: unknown key "tol". Did you mean "tool"?',
  ],
  ['that is like no other', { colour: 'red' }, 'unknown key "colour". Accepted: id, tools, threshold, '],
])('compares an unknown key %s with those that are accepted', (_, more, message) => {
  const definition = { id: 'work', tools: [], ...more } as TaskClassDefinition;
  expect(() => defineTaskClass(definition)).toThrow(`task class "work": ${message}`);
});

it('says what a JSON Pointer is, in the words of every schema', () => {
  const about = { evidence: 'orderId', request: '/order/id' };
  const definition = { id: 'work', tools: [], beforeWrite: { evidence: [{ type: 'tool_result', about }] } };
  expect(() => defineTaskClass(definition as TaskClassDefinition)).toThrow(
    'task class "work": beforeWrite.evidence[0].about.evidence must be a JSON Pointer: "", or one that begins with /, such as /order/id',
  );
});

it.each<[string, (definition: never) => unknown]>([
  ['tool', defineTool],
  ['tool', defineTaskTool],
  ['task class', defineTaskClass],
  ['verifier', defineVerifier],
])('rejects a %s that is no object, for callers without types', (kind, define) => {
  for (const definition of [undefined, null, 'name', []])
    expect(() => define(definition as never)).toThrow(
      expect.objectContaining({ code: 'definition_invalid', message: `${kind} must be an object` }),
    );
});
