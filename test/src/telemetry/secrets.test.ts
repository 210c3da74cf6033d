import { expect, it } from 'vitest';
import type { Redact } from '../../../src/index.ts';
import { trusting } from '../orchestrator/approvals.ts';
import { call, draft, plan, readTool, writeTool } from '../orchestrator/scripted.ts';
import { followContext, followed } from './exported.ts';

followContext();

const marker = 'PLANTED';
let planted = 0;
const secret = (): string => `${marker}-${(planted += 1)}`;

/** Everything that a span says. */
const textOf = ({ spans }: Pick<ReturnType<typeof followed>, 'spans'>): string =>
  JSON.stringify(
    spans().map(({ name, attributes, events, links, status }) => ({
      name,
      attributes,
      events,
      links,
      status,
    })),
  );

it('no span holds an argument, a result, a payload, a word of a person, a reason or a token', async () => {
  const told = followed({
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
  const { taskId } = await told.orchestrator.submit({
    taskClass: 'work',
    payload: { wish: secret() },
    explanation: secret(),
    identity: { agent_id: 'recommender', owner_id: secret(), user_id: secret(), control_class: 'autonomous' },
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    tracestate: `rojo=${secret()}`,
  });
  await told.clock.advance(1);
  await told.answer('edit', { value: secret() });
  const dependency = (await told.orchestrator.ledger(taskId)).flatMap(({ fact }) =>
    fact?.type === 'dependency.awaited' ? [fact.dependency] : [],
  )[0]!;
  await told.orchestrator.resolve(taskId, dependency, { of: secret() }, { by: secret() });
  await told.clock.advance(1);
  await told.answer('edit', { value: secret() }, { by: secret() });
  const token = `${secret()} ${secret()}`;
  await told.answer('approve', secret(), { by: secret(), approval: token });
  await told.ended(taskId);
  const met = told.tree('b7ad6b7169203331').map((line) => line.trim());
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
    await told.orchestrator.ledger(taskId),
    await told.orchestrator.documents(taskId),
  ]);
  expect(recorded.split(marker).length).toBeGreaterThan(25); // they are met, where they belong
  expect(textOf(told)).not.toContain(marker);
});

const redact: Redact = (document, kind) =>
  kind === 'explanation' ? String(document).replaceAll(/PLANTED-\d+/g, '***') : document;

it('what is thrown is told by name and message, redacted as the ledger redacts it, without its stack', async () => {
  const told = followed({
    model: [plan([call('look')]), draft()],
    tools: [
      readTool('look', {
        call: () => {
          throw new RangeError(`too far: ${secret()}`);
        },
      }),
    ],
    taskClass: { limits: { repairs: 0 } },
    options: { redact },
  });
  await told.ended(await told.submit());
  const { events, status, attributes } = told.one('execute_tool look');
  expect(events.map(({ name, attributes }) => [name, attributes])).toEqual([
    ['exception', { 'exception.type': 'RangeError', 'exception.message': 'too far: ***' }],
  ]);
  expect(status.message).toBe('too far: ***');
  expect(attributes['error.type']).toBe('RangeError');
  expect(textOf(told)).not.toContain(marker);
});
