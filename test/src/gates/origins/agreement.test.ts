import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Labels } from '../../../../src/base/ports/origin.ts';
import { runs } from '../../../machines/generated.ts';
import type { Turn } from '../../../../src/index.ts';
import { scene } from '../../core/shell/scene.ts';
import { call, draft, further, plan, readTool, writeTool } from '../../core/shell/scripted.ts';
import { settle } from '../../core/shell/simulated-clock.ts';
import { expectedOrigins } from './reference.ts';

const words = [
  'DE89370400440532013000',
  'GB29 nwbk 6016 1331 9268 19',
  'Ada Lovelace',
  'straße',
  'short',
  'pay (DE89370400440532013000), today',
  'To: "ada lovelace".',
  'xDE89370400440532013000',
  'nothing of it',
  'I say: pay DE89370400440532013000 today.',
];
const value = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom<string | number | boolean | null>(...words) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<string | number | boolean | null>(
      12_345,
      12,
      98_765.5,
      true,
      null,
      '',
      '12345',
    ),
  },
);
const payload = fc.oneof(
  fc.record({ a: value, b: fc.record({ c: value }) }),
  fc.record({ list: fc.array(value, { maxLength: 3 }) }),
  fc.record({
    text: fc.record({ a: value, b: fc.array(value, { maxLength: 2 }) }).map((read) => JSON.stringify(read)),
  }),
);
const label = fc.record(
  {
    integrity: fc.constantFrom('trusted' as const, 'untrusted' as const),
    readers: fc.constantFrom('anyone' as const, ['ada'], ['ada', 'bob']),
  },
  { requiredKeys: [] },
);
const labels: fc.Arbitrary<Labels> = fc.oneof(
  fc.constant({}),
  fc.constant({ '': { integrity: 'trusted' as const } }),
  fc.constant({ '': { integrity: 'trusted' as const } }),
  fc.record({ '': label }),
  fc.record({ '': label, '/a': label, '/list/*': label }),
  fc.record({ '': label, '/text/a': label }),
);
const reference = fc.record({
  $from: fc.constantFrom('request', 'open#1', 'read#1', 'hidden#1'),
  pointer: fc.constantFrom('', '/a', '/b/c', '/list/0'),
});
const input = fc
  .tuple(
    fc.record({
      to: fc.oneof({ weight: 4, arbitrary: value }, { weight: 1, arbitrary: reference }),
      text: value,
    }),
    fc.option(fc.constantFrom(...words)),
  )
  .map(([given, name]) => (name === null ? given : { ...given, [name]: 1 }));
const made = fc.record({
  tool: fc.constantFrom('read', 'open', 'open', 'hidden', 'ask', 'pay', 'pay', 'note'),
  input,
});
const round = fc.array(made, { minLength: 1, maxLength: 3 });
const flow = fc.record(
  {
    integrity: fc.constant('trusted' as const),
    from: fc.constantFrom(['request'], ['open', 'answers']),
    readers: fc.constant('/text'),
  },
  { requiredKeys: [] },
);

const runOf = fc.record({
  request: payload,
  of: fc.record({ request: labels, open: labels, hidden: labels }),
  results: fc.record({ read: payload, open: payload, hidden: payload }),
  flows: fc.record({ '/to': flow }),
  mandate: fc.constantFrom(undefined, 'plan' as const, 'plan' as const),
  declares: fc.constantFrom<readonly (readonly string[])[]>(
    [],
    [['pay']],
    [['note', 'pay']],
    [['open'], ['pay']],
  ),
  struck: fc.boolean(),
  context: fc.constantFrom({}, {}, { integrity: 'untrusted' as const }, { readers: ['ada'] }),
  answer: fc.option(value),
  spoken: fc.constantFrom(...words),
  first: round,
  rounds: fc.array(round, { maxLength: 3 }),
});

/** A run that calls a tool which only its plan declared, after something untrusted. */
const declaringRun = fc.tuple(runOf, input, input).map(([run, read, paid]) => ({
  ...run,
  mandate: 'plan' as const,
  declares: [['pay']],
  first: [{ tool: 'read', input: read }],
  rounds: [[{ tool: 'pay', input: paid }], ...run.rounds.slice(1)],
}));
const anyRun = fc.oneof({ weight: 3, arbitrary: runOf }, { weight: 1, arbitrary: declaringRun });

const callsOf = (calls: readonly { readonly tool: string; readonly input: object }[]) =>
  calls.map((one) => call(one.tool, { ...one.input }));

const declaring = (declares: readonly string[] | undefined) => (declares ? { declares } : {});

const trusted = { '': { integrity: 'trusted' } } as const;

it('computes what a second reading of the same records says', async () => {
  const seen = { calls: 0, held: 0, found: 0, references: 0, declared: 0, struck: 0 };
  await fc.assert(
    fc.asyncProperty(
      anyRun,
      async ({
        request,
        of,
        results,
        flows,
        mandate,
        declares,
        struck,
        context,
        answer,
        spoken,
        first,
        rounds,
      }) => {
        const missing = plan([], {
          canProceed: false,
          missing: { account: 'which account?' },
          explanation: spoken,
        });
        const one = scene({
          tools: [
            readTool('read', { call: () => results.read }),
            readTool('open', { call: ({ text }) => ({ ...results.open, text }), labels: of.open }),
            readTool('hidden', { call: () => results.hidden, isHidden: true, labels: of.hidden }),
            readTool('ask', {
              labels: trusted,
              call: (_, context) =>
                context.answer === null
                  ? context.needsHuman({ explanation: '?', payload: {} })
                  : { done: true },
            }),
            writeTool('pay', { flows }),
            writeTool('note'),
          ],
          model: [
            ...(answer === null ? [] : [missing]),
            { ...plan(callsOf(first), { confidence: struck ? 0.1 : 0.9 }), ...declaring(declares[0]) },
            ...rounds.map((calls, at) => ({
              ...further(...callsOf(calls)),
              ...declaring(declares[at + 1]),
            })),
            ({ asks }: Turn) =>
              asks === 'correction' ? { choice: 'beyondCapability', explanation: '' } : draft(),
          ],
          taskClass: {
            flows: 'refuse',
            labels: { request: of.request, context },
            ...(mandate && { mandate }),
            limits: { repairs: 0 },
          },
        });
        const taskId = await one.submit(request);
        if (answer !== null) await one.answer('edit', { value: { account: answer } });
        const doubted = (await one.orchestrator.inbox()).find(({ question }) => question.kind === 'plan');
        if (doubted !== undefined) {
          const isDeclared = 'declares' in doubted.message.payload;
          const strike = isDeclared ? { payload: { declares: [] } } : { explanation: 'It stays.' };
          await one.answer('edit', { diff: strike });
          seen.struck += isDeclared ? 1 : 0;
        }
        for (let turn = 0; turn < 20 && !one.settledTasks.includes(taskId); turn += 1) {
          const asked = (await one.orchestrator.inbox()).find(({ question }) => question.kind === 'tool');
          if (asked === undefined) await settle();
          else await one.answer('edit', { value: { said: spoken } }, { to: asked });
        }
        const records = await one.orchestrator.ledger(taskId);
        const expected = expectedOrigins(records);
        for (const { fact, brought } of records)
          for (const { id, tool, origins } of brought.calls ?? []) {
            const { shown, values, holds = [] } = origins ?? {};
            if (origins === undefined) continue;
            expect({ shown, values }).toEqual(expected.get(id));
            const isOutside = holds.some(({ code }) => code === 'MANDATE_EXCEEDED');
            expect(isOutside).toBe(expected.get(`${id} outside`));
            const made = fact?.type === 'human.responded' ? fact.plan : fact;
            const proposed = made && 'calls' in made ? made.calls.find((each) => each.id === id) : undefined;
            expect(proposed?.held ?? []).toEqual([...new Set(holds.map(({ code }) => code))]);
            const isDeclared = declares.flat().includes(tool) && first.every((made) => made.tool !== tool);
            seen.declared += mandate && isDeclared && shown?.integrity === 'untrusted' && !isOutside ? 1 : 0;
            seen.calls += 1;
            seen.held += holds.length > 0 ? 1 : 0;
            seen.found += values?.some(({ found }) => found.length > 0) ? 1 : 0;
            seen.references += values?.some(({ isReference }) => isReference) ? 1 : 0;
          }
      },
    ),
    runs(120),
  );
  expect(
    Math.min(seen.held, seen.found, seen.references, seen.declared, seen.struck, seen.calls - seen.held),
  ).toBeGreaterThan(0);
});
