import { describe, expect, it } from 'vitest';
import {
  createOrchestrator,
  defineTaskClass,
  defineVerifier,
  type OrchestratorOptions,
} from '../../../../src/index.ts';
import { passes } from './scene.ts';
import { plan, readTool } from './scripted.ts';

const model = { answer: async () => plan() };
const work = defineTaskClass({ id: 'work', tools: [] });
const verifier = defineVerifier({
  id: 'mails',
  verify: (subject) => passes(subject, new AbortController().signal),
});

const refusal = (options: Partial<OrchestratorOptions>): unknown => {
  try {
    createOrchestrator({ model, taskClasses: [work], ...options });
  } catch (error) {
    return error;
  }
  return 'nothing thrown';
};

/** Programs that do not compile; none of them runs. */
export const wrong = () => [
  // @ts-expect-error: an owner needs a model
  createOrchestrator({ taskClasses: [work] }),
  // @ts-expect-error: it needs one, also if it says that it is the owner
  createOrchestrator({ taskClasses: [work], role: 'owner' }),
  // @ts-expect-error: nor does a role without type make a guest
  createOrchestrator({ taskClasses: [work], role: 'guest' as 'guest' | 'owner' }),
];

describe('an orchestrator with invalid options', () => {
  it.each<[string, Partial<OrchestratorOptions>, string, RegExp]>([
    [
      'two task classes of one name',
      { taskClasses: [work, work] },
      '/taskClasses',
      /two have the name "work"/,
    ],
    [
      'a depth that is no integer',
      { limits: { depth: Number.NaN } },
      '/limits/depth',
      /whole number of at least 0/,
    ],
    [
      'a negative number of children',
      { limits: { children: -1 } },
      '/limits/children',
      /whole number of at least 0/,
    ],
    ['a secret that can be guessed', { streamSecret: 'a'.repeat(23) }, '/streamSecret', /24 bytes or more/],
    ['a secret that is no string', { streamSecret: 7 as never }, '/streamSecret', /24 bytes or more/],
    ['a skew without end', { skew: Infinity }, '/skew', /milliseconds of at least 0/],
    ['a skew that is no number', { skew: Number.NaN }, '/skew', /milliseconds of at least 0/],
    [
      'a policy whose version no approval could name',
      { policy: { version: 'a\nb', decide: () => ({ verdict: 'deny', reasons: [] }) } },
      '/policy/version',
      /printable ASCII/,
    ],
    ['two tools of one name', { tools: [readTool('a'), readTool('a')] }, '/tools', /two have the name "a"/],
    [
      'two verifiers of one name',
      { verifiers: [verifier, verifier] },
      '/verifiers',
      /two have the name "mails"/,
    ],
    [
      'an unknown tool',
      { taskClasses: [defineTaskClass({ id: 'work', tools: ['serch'] })], tools: [readTool('search')] },
      '/taskClasses/work',
      /unknown tool "serch": expected one of search .*\. Did you mean "search"\?$/,
    ],
    [
      'a tool named like an Object.prototype member',
      { taskClasses: [defineTaskClass({ id: 'work', tools: ['constructor'] })] },
      '/taskClasses/work',
      /unknown tool "constructor": `tools` has none \(bindings omit/,
    ],
    [
      'evidence of an unknown tool',
      {
        taskClasses: [
          defineTaskClass({
            id: 'work',
            tools: [],
            beforeDeliver: { evidence: [{ type: 'tool_result', tool: 'search' as never }] },
          }),
        ],
      },
      '/taskClasses/work',
      /unknown tool "search"/,
    ],
    [
      'an unknown verifier',
      {
        taskClasses: [defineTaskClass({ id: 'work', tools: [], beforeWrite: { verifiers: ['mail'] } })],
        verifiers: [verifier],
      },
      '/taskClasses/work',
      /unknown verifier "mail": expected one of mails/,
    ],
    ['no slots', { concurrency: 0 }, '/concurrency', /must be a whole number of at least 1/],
    ['half a slot', { concurrency: 1.5 }, '/concurrency', /must be a whole number of at least 1/],
    ['slots without number', { concurrency: NaN }, '/concurrency', /must be a whole number of at least 1/],
    [
      'a tool with an unknown tier',
      { tools: [{ ...readTool('a'), tier: 'READ_ONLY' as 'read_only' }] },
      '/tools/a/tier',
      /must be one of read_only, write_low_risk, write_high_risk/,
    ],
  ])('throws for %s', (_, options, path, message) => {
    const error = refusal(options);
    expect(error).toMatchObject({
      code: 'definition_invalid',
      details: { definition: 'orchestrator', issues: [{ path }] },
    });
    expect(String(error)).toMatch(message);
  });

  it.each<[string, object, string, RegExp]>([
    ['no model', { model: undefined }, '/model', /must be/],
    ['an owner without a model', { model: undefined, role: 'owner' }, '/model', /must be an object/],
    ['a guest whose model cannot answer', { model: {}, role: 'guest' }, '/model', /function `answer`$/],
    ['a model that cannot answer', { model: {} }, '/model', /must be an object with a function `answer`$/],
    ...['doGenerate', 'invoke', 'getResponse'].map((method): [string, object, string, RegExp] => [
      `the model of a framework (${method})`,
      { model: { [method]: async () => ({}) } },
      '/model',
      /not the model of a framework: use `createGuard`/,
    ]),
    [
      'no task classes',
      { taskClasses: undefined },
      '/taskClasses',
      /must be an array of what `defineTaskClass`/,
    ],
    [
      'a task class that nothing defined',
      { taskClasses: [{ id: 'work' }] },
      '/taskClasses/0/contract',
      /defineTaskClass/,
    ],
    ['a policy that is a function', { policy: () => 'allow' }, '/policy', /must be/],
    [
      'a store that cannot commit',
      { store: { load: async () => undefined } },
      '/store/commit',
      /must be a function/,
    ],
    [
      'a misspelled option',
      { verifier: [] },
      '/verifier',
      /unknown key "verifier"\. Did you mean "verifiers"\?/,
    ],
    [
      'an option unlike any other',
      { colour: 'red' },
      '/colour',
      /unknown key "colour"\. Accepted: taskClasses, model, /,
    ],
  ])('names %s for callers without types', (_, options, path, message) => {
    const error = refusal(options);
    expect(error).toMatchObject({
      code: 'definition_invalid',
      details: { definition: 'orchestrator', issues: [{ path }] },
    });
    expect(String(error)).toMatch(message);
  });

  it.each([[undefined], [null], ['options'], [[]]])('rejects %j as options', (options) => {
    expect(() => createOrchestrator(options as never)).toThrow('orchestrator must be an object of options');
  });

  it('reports every problem at once', () => {
    const taskClasses = [
      defineTaskClass({ id: 'work', tools: ['a', 'b'], beforeWrite: { verifiers: ['c'] } }),
    ];
    expect(refusal({ taskClasses, concurrency: -1 })).toMatchObject({ details: { issues: { length: 4 } } });
  });
});
