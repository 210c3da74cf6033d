import { describe, expect, it } from 'vitest';
import { CharterError } from '../../../../src/index.ts';
import type { Redact } from '../../../../src/core/shell/redact.ts';
import { fails, type Given } from '../../core/shell/scene.ts';
import { trusting } from '../../core/shell/approvals.ts';
import { call, draft, plan, readTool, writeTool } from '../../core/shell/scripted.ts';
import { followContext, followed, textOf } from './exported.ts';

followContext();

const marker = 'PLANTED';
let planted = 0;
const secret = (): string => `${marker}-${(planted += 1)}`;

it('no span contains an argument, a result, a payload, a person’s text, a reason or a token', async () => {
  const scenario = followed({
    model: [
      plan([], { canProceed: false, missing: { [secret()]: secret() }, explanation: secret() }),
      plan([call('look', { of: secret() }), call('send', { to: secret() })], { explanation: secret() }),
      { nonsense: secret() },
      { choice: 'fixed', output: draft({ done: secret() }), explanation: secret() },
    ],
    tools: [
      readTool('look', {
        call: (_, { answer, met, needsHuman, notYet }) => {
          if (met === null && answer === null) return notYet({ dependency: secret(), explanation: secret() });
          return answer === null
            ? needsHuman({ explanation: secret(), payload: { of: secret() } })
            : secret();
        },
      }),
      writeTool('send', {
        tier: 'write_high_risk',
        call: () => ({ sent: secret() }),
        rollback: {
          describe: () => ({ type: 'inverse', target: secret(), payload: { of: secret() } }),
          run: async () => secret(),
        },
      }),
    ],
    policy: () => ({ verdict: 'needs_review', reasons: [secret()] }),
    verifiers: {
      checker: () => ({ checks: [{ check_id: secret(), result: 'fail', message: secret() }] }),
    },
    taskClass: { beforeDeliver: { verifiers: ['checker'] }, limits: { repairs: 0 } },
    options: { approvals: trusting },
  });
  const { taskId } = await scenario.orchestrator.submit({
    taskClass: 'work',
    payload: { wish: secret() },
    explanation: secret(),
    identity: { agent_id: 'recommender', owner_id: secret(), user_id: secret(), control_class: 'autonomous' },
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    tracestate: `rojo=${secret()}`,
  });
  await scenario.clock.advance(1);
  await scenario.answer('edit', { value: secret() });
  const dependency = (await scenario.orchestrator.ledger(taskId)).flatMap(({ fact }) =>
    fact?.type === 'dependency.awaited' ? [fact.dependency] : [],
  )[0]!;
  await scenario.orchestrator.resolve(taskId, dependency, { of: secret() }, { by: secret() });
  await scenario.clock.advance(1);
  await scenario.answer('edit', { value: secret() }, { by: secret() });
  const token = `${secret()} ${secret()}`;
  await scenario.answer('approve', secret(), { by: secret(), approval: token });
  await scenario.ended(taskId);
  const met = scenario.tree('b7ad6b7169203331').map((line) => line.trim());
  for (const line of [
    'execute_tool look: waiting',
    'execute_tool look: asking',
    'execute_tool look: succeeded',
    'policy send: needs_review',
    'execute_tool send: succeeded',
    'verify checker: fail !',
    'rollback send: succeeded',
  ])
    expect(met).toContain(line);
  const recorded = JSON.stringify([
    await scenario.orchestrator.ledger(taskId),
    await scenario.orchestrator.documents(taskId),
  ]);
  expect(recorded.split(marker).length).toBeGreaterThan(25); // they are met, where they belong
  expect(textOf(scenario.spans())).not.toContain(marker);
});

const redact: Redact = (document, kind) =>
  kind === 'explanation' ? String(document).replaceAll(/PLANTED-\d+/g, '***') : document;

/** An error whose every word is a secret; `code` is what it says that it is. */
const hostileError = (code = secret()): Error => {
  const error = Object.assign(new Error(secret(), { cause: secret() }), { code });
  error.name = secret();
  return error;
};

const brand = Symbol.for('agentcharter.CharterError');

/** Work of every kind that throws, each something else. */
const thrower = (make: () => unknown) => {
  const fail = () => {
    throw make();
  };
  return {
    tool: { model: [plan([call('look')])], tools: [readTool('look', { call: fail })] },
    model: { model: fail },
    policy: { model: [plan([call('send')])], tools: [writeTool('send')], policy: fail },
    verifier: {
      model: [plan(), draft()],
      verifiers: { checker: fail },
      taskClass: { beforeDeliver: { verifiers: ['checker'] } },
    },
    rollback: {
      model: [plan([call('send')]), draft()],
      tools: [
        writeTool('send', {
          rollback: { describe: () => ({ type: 'inverse', target: 'a', payload: {} }), run: fail },
        }),
      ],
      verifiers: { checker: fails },
      taskClass: { beforeDeliver: { verifiers: ['checker'] } },
    },
  } satisfies Record<string, Given>;
};

const worded = Object.keys(thrower(() => null)) as (keyof ReturnType<typeof thrower>)[];

const follow = async (kind: (typeof worded)[number], make: () => unknown, errorMessages = false) => {
  const given: Given = thrower(make)[kind];
  const taskClass = { ...given.taskClass, limits: { repairs: 0 } };
  const scenario = followed({ ...given, taskClass, options: { redact } }, { errorMessages });
  const taskId = await scenario.submit();
  await scenario.ended(taskId);
  return scenario;
};

/** Every span that has an error event, as its type and message. */
const exceptionsIn = ({ spans }: ReturnType<typeof followed>) =>
  spans().flatMap(({ events }) =>
    events.flatMap(({ name, attributes }) => (name === 'exception' ? [attributes] : [])),
  );

describe.each(worded)('An error thrown by a %s', (kind) => {
  it.each([
    ['an error of an unknown class', () => hostileError()],
    ['an error that names a code of ours', () => hostileError('fact_refused')],
    ['an error that imitates a CharterError', () => Object.assign(hostileError(), { [brand]: true })],
    ['a text', () => secret()],
    [
      'nothing that can be read',
      () =>
        new Proxy(
          {},
          {
            get: () => {
              throw hostileError();
            },
          },
        ),
    ],
  ])('leaves no text of it in a span: %s', async (_, make) => {
    const scenario = await follow(kind, make);
    expect(textOf(scenario.spans())).not.toContain(marker);
    expect(exceptionsIn(scenario)).toEqual([{ 'exception.type': 'thrown' }]);
  });

  it('is shown by its code when it is a CharterError', async () => {
    const scenario = await follow(kind, () => new CharterError('closed', secret(), { operation: secret() }));
    expect(textOf(scenario.spans())).not.toContain(marker);
    expect(exceptionsIn(scenario)).toEqual([{ 'exception.type': 'closed' }]);
  });

  it('is shown with its redacted name and message when the host enables that', async () => {
    const scenario = await follow(kind, () => hostileError(), true);
    expect(textOf(scenario.spans())).not.toContain(marker);
    expect(exceptionsIn(scenario)).toEqual([{ 'exception.type': 'thrown', 'exception.message': '***: ***' }]);
  });
});

it('a message whose redaction fails is withheld', async () => {
  const scenario = followed(
    {
      ...thrower(() => hostileError()).tool,
      taskClass: { limits: { repairs: 0 } },
      options: {
        redact: (document, kind) => {
          if (kind === 'explanation') throw hostileError();
          return document;
        },
      },
    },
    { errorMessages: true },
  );
  await scenario.ended(await scenario.submit());
  expect(exceptionsIn(scenario)).toEqual([
    { 'exception.type': 'thrown', 'exception.message': 'Withheld: it could not be redacted.' },
  ]);
  expect(textOf(scenario.spans())).not.toContain(marker);
});
