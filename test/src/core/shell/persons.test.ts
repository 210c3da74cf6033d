import { describe, expect, it } from 'vitest';
import type { Orchestrator } from '../../../../src/index.ts';
import type { By } from '../../../../src/core/shell/by.ts';
import type { AskedToRespond } from '../../../../src/base/ports/may-respond.ts';
import { Task } from '../../../../src/core/shell/task.ts';
import { environmentOf } from '../../../../src/core/shell/options.ts';
import { trusting } from './approvals.ts';
import { machine } from './restarts.ts';
import { scene, type Given, type Scene } from './scene.ts';
import { call, draft, identity, plan, writeTool } from './scripted.ts';
import { settle } from './simulated-clock.ts';

const owned = { ...identity, owner_id: 'olga', user_id: 'uma' };
const highRisk = {
  model: [plan([call('write')]), draft()],
  tools: [writeTool('write', { tier: 'write_high_risk' })],
} as const;
const byWord = { ...highRisk, taskClass: { authorities: ['human'] } } as const;
const lowRisk = { ...highRisk, tools: [writeTool('write')], policy: 'needs_review' } as const;

const begun = async (given: Given) => {
  const one = scene(given);
  const { taskId } = await one.orchestrator.submit({ taskClass: 'work', payload: {}, identity: owned });
  await settle();
  return { ...one, taskId };
};

const respond = async (
  { orchestrator, question }: Pick<Scene, 'orchestrator' | 'question'>,
  by: By['by'],
  approval?: string,
): Promise<void> => {
  const { message } = await question();
  const feedback = { type: 'approve', target: message.messageId } as const;
  await orchestrator.respond(feedback, { by, ...(approval !== undefined && { approval }) });
  await settle();
};

const ways: readonly (readonly [string, Given, (name: string) => string | undefined])[] = [
  ['a high-risk write approved without a token', byWord, () => undefined],
  [
    'a high-risk write approved with a token',
    { ...highRisk, options: { approvals: trusting } },
    (name) => name,
  ],
  ['a low-risk write under review', lowRisk, () => undefined],
];

describe.each(ways)('%s', (_, given, tokenOf) => {
  it.each([
    ['owner', 'olga'],
    ['user', 'uma'],
    ['owner, in another spelling,', 'OLGA'],
  ])('is not approved by the %s behind its agent, and the refusal says what to do', async (_who, name) => {
    const one = await begun(given);
    const explanation = `${name} is the user or the owner behind agent recommender: ask another person, or declare selfApproval: true in task class work`;
    await expect(respond(one, name, tokenOf(name))).rejects.toMatchObject({
      code: 'feedback_refused',
      details: { code: 'APPROVER_IS_REQUESTER', reason: explanation },
    });
    expect((await one.orchestrator.ledger(one.taskId)).at(-1)).toMatchObject({
      kind: 'refusal',
      code: 'APPROVER_IS_REQUESTER',
      brought: { explanation },
    });
    expect(one.invocations).toEqual([]);
    await respond(one, 'dana', tokenOf('dana'));
    expect(one.invocations).toHaveLength(1);
  });

  it('is approved by the owner if the task class declares selfApproval, and never by the agent', async () => {
    const one = await begun({
      ...given,
      taskClass: { ...given.taskClass, selfApproval: true },
      options: { ...given.options, mayRespond: () => true },
    });
    for (const name of ['recommender', 'Recommender'])
      await expect(respond(one, name, tokenOf(name))).rejects.toMatchObject({
        details: { code: 'APPROVER_IS_REQUESTER' },
      });
    expect(one.invocations).toEqual([]);
    await respond(one, 'olga', tokenOf('olga'));
    expect(one.invocations).toHaveLength(1);
  });
});

it('a person who owns the agent may answer questions other than write approvals', async () => {
  const one = await begun({ model: [plan([], { confidence: 0.1 }), draft()] });
  expect((await one.question()).question.kind).toBe('plan');
  await respond(one, 'olga');
  expect(await one.ended(one.taskId)).toMatchObject({ outcome: 'success' });
});

it('a policy that names the owner as an authority approves nothing', async () => {
  const one = await begun({
    ...highRisk,
    policy: () => ({ verdict: 'allow', reasons: [], authority: 'olga' }),
    taskClass: { authorities: ['system'] },
  });
  expect(await one.facts(one.taskId)).not.toContain('approval.granted');
  expect(one.invocations).toEqual([]);
});

const of = (selfApproval: boolean) => ({
  ...byWord,
  taskClass: { ...byWord.taskClass, selfApproval },
});

const approve = async (orchestrator: Orchestrator) => {
  const [entry] = await orchestrator.inbox();
  const feedback = { type: 'approve', target: entry!.message.messageId } as const;
  await orchestrator.respond(feedback, { by: identity.owner_id });
};

it('selfApproval keeps the value of the time when the task began', async () => {
  const { start, recordsOf } = machine();
  const first = start(of(false));
  const taskId = await first.submit();
  await first.close();
  const second = start(of(true));
  await second.orchestrator.recover();
  await expect(approve(second.orchestrator)).rejects.toMatchObject({
    details: { code: 'APPROVER_IS_REQUESTER' },
  });
  expect((await recordsOf(taskId))[0]?.brought.contract?.selfApproval).toBe(false);
});

const ana = { id: 'ana', roles: ['treasury'], desk: { floor: 4 } };

const watching = (answer: unknown = true) => {
  const requests: [string, AskedToRespond][] = [];
  const mayRespond = (name: string, asked: AskedToRespond) => {
    requests.push([name, asked]);
    return answer as boolean;
  };
  return { requests, mayRespond };
};

describe('mayRespond', () => {
  it('receives the whole frozen identity of the person and of the requesting agent', async () => {
    const { requests, mayRespond } = watching();
    const one = await begun({ ...byWord, options: { mayRespond } });
    const { question } = await one.question();
    await respond(one, ana);
    const given = { taskId: one.taskId, requester: 'recommender', identity: owned, person: ana };
    expect(requests).toEqual([
      ['ana', { ...given, question }],
      ['ana', { ...given, question: { ...question, deadline: null } }], // again when the write begins
    ]);
    const [, asked] = requests[0]!;
    for (const part of [asked, asked.person, asked.person['desk'], asked.identity, asked.question])
      expect(Object.isFrozen(part)).toBe(true);
  });

  it('receives a person known only by name as an id alone', async () => {
    const { requests, mayRespond } = watching();
    const one = await begun({ ...highRisk, options: { mayRespond, approvals: trusting } });
    await respond(one, ana, 'bob');
    expect(requests.map(([name, { person }]) => [name, person])).toEqual([
      ['ana', ana],
      ['bob', { id: 'bob' }],
      ['bob', { id: 'bob' }], // again when the write begins
    ]);
  });

  it.each<[string, unknown]>([
    ['true', true],
    ['a promise of true', Promise.resolve(true)],
  ])('accepts by returning %s', async (_, answer) => {
    const one = await begun({ ...byWord, options: { mayRespond: watching(answer).mayRespond } });
    await respond(one, 'ana');
    expect(one.invocations).toHaveLength(1);
  });

  it.each<[string, unknown]>([
    ['"yes"', 'yes'],
    ['1', 1],
    ['an object', {}],
    ['a list', [true]],
    ['a boxed true', Object(true)],
    ['a promise of an object', Promise.resolve({ allowed: true })],
    ['null', null],
    ['false', false],
  ])('refuses by returning %s', async (_, answer) => {
    const one = await begun({ ...byWord, options: { mayRespond: watching(answer).mayRespond } });
    await expect(respond(one, 'ana')).rejects.toMatchObject({ code: 'identity_refused' });
    expect(one.invocations).toEqual([]);
  });
});

describe('the person of a record', () => {
  it.each<[string, Given, string | undefined]>([
    ['an approval without a token', byWord, undefined],
    ['an approval with a token', { ...highRisk, options: { approvals: trusting } }, 'ana'],
    ['another answer', { model: [plan([], { confidence: 0.1 }), draft()] }, undefined],
  ])('is recorded with %s', async (_, given, token) => {
    const one = await begun(given);
    await respond(one, ana, token);
    const record = (await one.orchestrator.ledger(one.taskId)).find(({ brought }) => brought.feedback);
    expect(record?.actor).toEqual({ kind: 'human', id: 'ana' });
    expect(record?.brought.person).toEqual(ana);
  });

  it('is omitted when the name says everything, and for a token that another person presents', async () => {
    for (const [by, token] of [
      ['ana', 'ana'],
      [{ id: 'ana' }, 'ana'],
      [ana, 'bob'],
    ] as const) {
      const one = await begun({ ...highRisk, options: { approvals: trusting } });
      await respond(one, by, token);
      const records = await one.orchestrator.ledger(one.taskId);
      expect(records.some(({ brought }) => brought.approval)).toBe(true);
      expect(records.filter(({ brought }) => brought.person)).toEqual([]);
    }
  });

  it('is kept in the task documents as the approver, also after a restart', async () => {
    const two = { authorities: ['human', 'approval'], approvers: 3 } as const;
    const one = await begun({ ...highRisk, taskClass: two, options: { approvals: trusting } });
    await respond(one, ana);
    await respond(one, 'bob', 'bob');
    const [stored] = await one.store.all();
    const options = { taskClasses: [], model: { answer: async () => ({}) } };
    const { question } = await one.question();
    const work = { id: 'work', tools: [], contract: stored!.records[0]!.brought.contract };
    const environment = { ...environmentOf(options, () => {}), taskClassOf: () => work };
    const task = await Task.from(stored!, environment as never);
    expect(task.view.projection.approvers).toEqual({ [question.about]: [ana, { id: 'bob' }] });
    await task.close();
  });

  it.each<[string, unknown, string]>([
    ['without a name', { roles: ['treasury'] }, 'document_invalid'],
    ['with a name in other letters', { id: 'ａｎａ' }, 'document_invalid'],
    ['with a function', { id: 'ana', check: () => true }, 'input_unreadable'],
    ['in a list', ['ana'], 'document_invalid'],
  ])('is rejected %s', async (_, by, code) => {
    const one = await begun(byWord);
    await expect(respond(one, by as By['by'])).rejects.toMatchObject({ code });
    expect(one.invocations).toEqual([]);
  });

  it.each(['agent', 'system'] as const)('is no %s: nothing but a person answers', async (kind) => {
    const one = await begun(byWord);
    const { message } = await one.question();
    const feedback = { type: 'approve', target: message.messageId } as const;
    await expect(one.orchestrator.respond(feedback, { by: 'dana', kind })).rejects.toMatchObject({
      code: 'document_invalid',
      message: expect.stringContaining('"/kind" must be "human" or omitted'),
    });
    expect(one.invocations).toEqual([]);
    await one.orchestrator.respond(feedback, { by: 'dana', kind: 'human' });
    await settle();
    expect(one.invocations).toHaveLength(1);
  });

  it('is recorded by id for a cancel and a resolve', async () => {
    const one = await begun(byWord);
    await one.orchestrator.cancel(one.taskId, { by: ana });
    const record = (await one.orchestrator.ledger(one.taskId)).find(
      ({ fact }) => fact?.type === 'task.cancelled',
    );
    expect(record?.actor).toEqual({ kind: 'human', id: 'ana' });
  });

  it('does not change the idempotency of a repeated key', async () => {
    const one = await begun(byWord);
    const { message } = await one.question();
    const feedback = { type: 'approve', target: message.messageId } as const;
    await one.orchestrator.respond(feedback, { by: ana, key: 'k' });
    await one.orchestrator.respond(feedback, { by: { id: 'ana', roles: [] }, key: 'k' });
    await expect(one.orchestrator.respond(feedback, { by: 'bob', key: 'k' })).rejects.toMatchObject({
      code: 'key_reused',
    });
  });
});

it('the requesting agent may not answer under capital letters, without mayRespond', async () => {
  const one = scene({ model: [plan([], { confidence: 0.1 })] });
  await one.submit();
  for (const by of ['RECOMMENDER', ' recommender', 'Recommender '])
    await expect(one.answer('approve', undefined, { by })).rejects.toMatchObject({
      code: 'identity_refused',
    });
});

describe('a person who answers', () => {
  it.each([undefined, null, 'dana'])('is named in an object, and not as %j', async (who) => {
    const { orchestrator, question } = await begun(byWord);
    const { message } = await question();
    const respond = orchestrator.respond({ type: 'approve', target: message.messageId }, who as never);
    await expect(respond).rejects.toThrow("By is not valid: expected an object, such as { by: 'dana' }");
    expect(await orchestrator.inbox()).toHaveLength(1);
  });
});
