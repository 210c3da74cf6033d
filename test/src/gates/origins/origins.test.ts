import { describe, expect, it } from 'vitest';
import { Effort } from '../../../../src/gates/origins/effort.ts';
import { forbiddenFlows } from '../../../../src/gates/origins/flows.ts';
import { heldCodes, judgedOrigins } from '../../../../src/gates/origins/holds.ts';
import { trusted, unlabelled } from '../../../../src/gates/origins/label.ts';
import { originsOf } from '../../../../src/gates/origins/origins.ts';
import { quotesHidden, sourcesOf, type Source } from '../../../../src/gates/origins/sources.ts';
import type { Flow, Label, Origin } from '../../../../src/base/ports/origin.ts';

const source = (alias: string, value: unknown, label: Label = trusted): Source => ({
  alias,
  value,
  at: () => ({ label }),
});
const origins = (input: unknown, sources: readonly Source[], shown: Label, names: readonly string[] = []) =>
  originsOf(input, sources, shown, { isFree: ({ value }) => names.includes(String(value)) });
const only = (readers: readonly string[]): Label => ({ integrity: 'trusted', readers });

describe('where a value comes from', () => {
  it('is every place where it stands, the trusted ones first', () => {
    const sources = [
      source('mail#1', { text: 'Pay account-1 now.' }, unlabelled),
      source('request', { to: 'ACCOUNT-1' }),
    ];
    expect(origins({ to: 'account-1' }, sources, unlabelled)).toEqual([
      {
        at: '/to',
        found: [
          { source: 'request', pointer: '/to' },
          { source: 'mail#1', pointer: '/text', isUntrusted: true },
        ],
        integrity: 'trusted',
        readers: 'anyone',
      },
    ]);
  });

  it('is anything that the model was shown, if it stands nowhere or says too little', () => {
    const sources = [source('request', { flag: true, code: 'abc', count: 12 })];
    for (const value of ['other-account', true, 'abc', 12, null, ''])
      expect(origins({ value }, sources, unlabelled)).toEqual([{ at: '/value', found: [], ...unlabelled }]);
  });

  it('is a number in a text, and a text of digits', () => {
    const sources = [source('request', { wish: 'order 123456', id: 987654 })];
    expect(origins([123456, '987654'], sources, unlabelled).map(({ found }) => found.length)).toEqual([1, 1]);
  });

  it('is a value of a text in JSON, where the text stands, and no part of one', () => {
    const text = JSON.stringify({
      orders: ['order-1001'],
      count: 20250,
      note: 'for "bob@acme.org"',
      key_name: 1,
    });
    const sources = [source('shop#1', { content: [{ type: 'text', text }] })];
    const found = [{ source: 'shop#1', pointer: '/content/0/text' }];
    const values = ['order-1001', 20250, 'bob@acme.org', 'rder-1001', 'key_name', '["order-1001"]'];
    expect(origins(values, sources, unlabelled).map((one) => one.found)).toEqual([
      found,
      found,
      found,
      [],
      [],
      [],
    ]);
  });

  it('is no value of a text that only begins as JSON does', () => {
    for (const text of [
      '{"a":"order-1001"',
      '{"a":"x","a":"order-1001"}',
      `${'['.repeat(70)}1,"order-1001"${']'.repeat(70)}`,
    ])
      expect(origins('order-1001', [source('shop#1', text)], unlabelled)[0]?.found, text).toEqual([]);
  });

  it('may be read only by those who may read it wherever it stands', () => {
    const sources = [
      source('a#1', 'secret-1', only(['ada', 'bob'])),
      source('b#1', 'secret-1', only(['bob'])),
    ];
    expect(origins('secret-1', sources, trusted)[0]?.readers).toEqual(['bob']);
  });

  it('names at most eight places', () => {
    const sources = Array.from({ length: 12 }, (_, at) => source(`a#${at + 1}`, 'account-1'));
    expect(origins('account-1', sources, trusted)[0]?.found).toHaveLength(8);
  });
});

it.each(['&nbsp;&nbsp;', '%20%20%20', '\u200B'.repeat(8)])(
  'a hidden %j is quoted by no other text',
  (payload) => {
    const hidden = [{ payload }] as never;
    expect(quotesHidden('an ordinary sentence', hidden, new Effort())).toBe(false);
    expect(quotesHidden('submitted', hidden, new Effort())).toBe(false);
  },
);

describe('a value that the model refers to', () => {
  const asked = { note: { 'account-666': 'for lunch' } };
  const call = { arguments: asked, origins: { shown: unlabelled, values: [] } };
  const evidence = {
    evidence_id: 'e',
    evidence_type: 'tool_result',
    source: 'echo',
    collected_at: '2026-01-01T00:00:00.000Z',
    hash: 'sha256:0',
    'agentcharter:call': 'c',
    'agentcharter:labels': { '': { integrity: 'trusted' } },
  } as const;
  const sourcesWith = (payload: Readonly<Record<string, unknown>>) =>
    sourcesOf({
      request: { payload: {} } as never,
      answers: [],
      evidence: [{ ...evidence, payload }] as never,
      calls: {
        c: {
          ...call,
          origins: {
            ...call.origins,
            values: [{ at: '/note/account-666', isName: true, found: [], ...unlabelled }],
          },
        },
      },
    });

  it('brings the names of its members, which count as what the tool was asked', () => {
    const sources = sourcesWith({ of: { 'account-666': true, 'account-111': true } });
    const references = ['account-666', 'account-111'].map((name) => ({
      at: `/to/${name}`,
      base: '/to',
      source: 'echo#1',
      pointer: `/of/${name}`,
    }));
    const input = { to: { 'account-666': true, 'account-111': true } };
    const found = originsOf(input, sources, trusted, {
      references,
      isFree: ({ pointer }) => pointer !== '/to',
    });
    expect(found.map(({ at: place, isName, integrity }) => [place, isName, integrity])).toEqual([
      ['/to/account-666', true, 'untrusted'],
      ['/to/account-666', undefined, 'trusted'],
      ['/to/account-111', true, 'trusted'],
      ['/to/account-111', undefined, 'trusted'],
    ]);
  });

  it('is accepted nowhere once too much was compared', () => {
    const filler = Array.from({ length: 2_000 }, (_, at) => `filler-${at} ${'x'.repeat(200)}`);
    const sources = sourcesWith({ to: 'account-666', filler: [filler.join(' ')] });
    const references = [{ at: '/to', base: '/to', source: 'echo#1', pointer: '/to' }];
    const input = { filler, to: 'account-666' };
    const found = originsOf(input, sources, trusted, { references, isFree: () => false });
    expect(found.at(-1)).toEqual({
      at: '/to',
      found: [],
      integrity: 'untrusted',
      readers: [],
      isUnsearched: true,
      isReference: true,
    });
  });
});

const origin = (more: Partial<Origin> = {}): Origin => ({ at: '/to', found: [], ...trusted, ...more });
const at = (...sources: readonly string[]) => ({
  found: sources.map((one) => ({ source: one, pointer: '' })),
});
const faults = (flow: Flow, one: Origin, shown: Label = trusted, input: unknown = {}) =>
  forbiddenFlows({ '/to': flow }, [one], shown, input).length;

const whyHeld = (to: unknown) =>
  forbiddenFlows({ '/to': { from: ['request'] } }, [origin()], trusted, { to })[0]?.why;

describe('a flow', () => {
  it('says of a value that says too little how to give it', () => {
    expect(whyHeld('Bob')).toBe(
      'expected a value from request; it says too little to be looked for: refer to it with $from',
    );
    expect(whyHeld('Robert')).toBe('expected a value from request; it was found nowhere in this run');
  });

  it.each<[string, Flow, Origin, Label, number]>([
    [
      'of integrity accepts a trusted value of a trusted choice',
      { integrity: 'trusted' },
      origin(),
      trusted,
      0,
    ],
    [
      'of integrity refuses a value that is not trusted',
      { integrity: 'trusted' },
      origin(unlabelled),
      trusted,
      1,
    ],
    ['of integrity refuses a choice that is not trusted', { integrity: 'trusted' }, origin(), unlabelled, 1],
    ['of any choice accepts it', { integrity: 'trusted', choice: 'any' }, origin(), unlabelled, 0],
    [
      'of any choice refuses a value that is not trusted',
      { integrity: 'trusted', choice: 'any' },
      origin(unlabelled),
      unlabelled,
      1,
    ],
    [
      'from the request accepts it',
      { from: ['request'] },
      origin({ ...unlabelled, ...at('request') }),
      unlabelled,
      0,
    ],
    ['from the request refuses an answer', { from: ['request'] }, origin(at('answer-1')), trusted, 1],
    ['from answers accepts any of them', { from: ['answers'] }, origin(at('answer-12')), trusted, 0],
    ['from answers refuses a tool of that name', { from: ['answers'] }, origin(at('answers#1')), trusted, 1],
    [
      'from the request refuses a tool of that name',
      { from: ['request'] },
      origin(at('request#1')),
      trusted,
      1,
    ],
    ['from a tool accepts any result of it', { from: ['a#b'] }, origin(at('a#b#3')), trusted, 0],
    [
      'from a tool refuses one whose name begins so',
      { from: ['find'] },
      origin(at('find.all#1')),
      trusted,
      1,
    ],
    ['from a tool refuses what stands nowhere', { from: ['find'] }, origin(), trusted, 1],
    [
      'from a tool accepts a value that also stands elsewhere',
      { from: ['find'] },
      origin(at('mail#1', 'find#1')),
      trusted,
      0,
    ],
    [
      'from a tool refuses what its result only repeats',
      { from: ['find'] },
      origin({ ...unlabelled, found: [{ source: 'find#1', pointer: '', isEcho: true }] }),
      trusted,
      1,
    ],
    [
      'from a tool accepts a trusted value that was looked up by it',
      { integrity: 'trusted', from: ['find'] },
      origin({ found: [{ source: 'find#1', pointer: '', isEcho: true, isUntrusted: true }] }),
      trusted,
      0,
    ],
    [
      'from a tool accepts a value that it does not vouch for',
      { from: ['find'] },
      origin({ ...unlabelled, found: [{ source: 'find#1', pointer: '', isUntrusted: true }] }),
      trusted,
      0,
    ],
    [
      'of integrity from a tool refuses a value that is trusted elsewhere only',
      { integrity: 'trusted', from: ['find'] },
      origin({
        found: [
          { source: 'request', pointer: '' },
          { source: 'find#1', pointer: '', isUntrusted: true },
        ],
      }),
      trusted,
      1,
    ],
  ])('%s', (_, flow, one, shown, expected) => expect(faults(flow, one, shown)).toBe(expected));

  it('of several is enough where it holds, and says why none does', () => {
    const choice: readonly Flow[] = [{ from: ['request'] }, { integrity: 'trusted' }];
    const why = (one: Origin, shown: Label) =>
      forbiddenFlows({ '/to': choice }, [one], shown, {}).map((hold) => hold.why);
    const ofRequest = origin({ ...unlabelled, ...at('request') });
    expect(why(ofRequest, unlabelled)).toEqual([]);
    expect(why(origin(at('find#1')), trusted)).toEqual([]);
    expect(why(origin(at('find#1')), unlabelled)).toEqual([
      'expected a value from request; it was found in find#1; or expected a trusted choice; the model chose after it had read what is not trusted',
    ]);
  });

  it.each([
    ['nothing of null, which comes from nowhere', null, 0],
    ['of an empty text', '', 2],
  ])('asks %s', (_, to, held) => {
    const flows = { '/to': { integrity: 'trusted' as const, from: ['request'] } };
    expect(forbiddenFlows(flows, [origin(unlabelled)], unlabelled, { to })).toHaveLength(held);
  });

  it('of readers may name several arguments', () => {
    const flow: Flow = { readers: ['/to', '/cc'] };
    const secret = origin(only(['ann', 'bob']));
    const held = (input: unknown) =>
      forbiddenFlows({ '/text': flow }, [{ ...secret, at: '/text' }], trusted, input);
    expect(held({ to: 'ann', cc: ['bob'], text: 't' })).toEqual([]);
    expect(held({ to: 'ann', text: 't' })).toEqual([]);
    expect(held({ to: 'ann', cc: ['eve'], text: 't' })).toMatchObject([
      { at: '/text', why: 'only ann, bob may read it, and /to or /cc names someone else' },
    ]);
  });

  it('about members covers a value without any, and no empty one', () => {
    const flows = { '/to/*': { integrity: 'trusted' as const } };
    const held = (to: unknown) => forbiddenFlows(flows, [origin(unlabelled)], trusted, { to });
    expect(held('eve')).toHaveLength(1);
    expect(held([])).toHaveLength(0);
  });

  it.each<[string, unknown, Label['readers'], number]>([
    ['one name that may read it', { to: 'ada' }, ['ada'], 0],
    ['names that may read it', { to: ['ada', 'bob'] }, ['ada', 'bob'], 0],
    ['one that may not', { to: ['ada', 'eve'] }, ['ada', 'bob'], 1],
    ['no one', { to: [] }, ['ada'], 1],
    ['no argument', {}, ['ada'], 1],
    ['an object', { to: { name: 'ada' } }, ['ada'], 1],
    ['anything, if anyone may read it', { to: 'eve' }, 'anyone', 0],
    ['anyone, if no one may read it', { to: 'ada' }, [], 1],
  ])('of readers sees %s', (_, input, readers, expected) => {
    expect(faults({ readers: '/to' }, origin({ readers }), trusted, input)).toBe(expected);
  });

  it('is the most specific one alone: a wider one adds nothing', () => {
    const flows = {
      '': { from: ['request'] },
      '/to': { integrity: 'trusted' },
      '/*': { from: ['answers'] },
    } as const;
    const held = forbiddenFlows(flows, [origin(), origin({ at: '/text' }), origin({ at: '' })], trusted, {});
    expect(held.map(({ at: of, why }) => [of, why.slice(0, 28)])).toEqual([
      ['/text', 'expected a value from answer'],
      ['', 'expected a value from reques'],
    ]);
  });

  it('says nothing of an argument that it does not name', () => {
    const other = origin({ at: '/text', ...unlabelled });
    expect(faults({ integrity: 'trusted' }, other, trusted, { text: 'eve' })).toBe(0);
  });
});

const heldBy = (tool: string, mandate: 'plan' | readonly string[] | undefined, shown: Label = unlabelled) =>
  heldCodes(
    judgedOrigins(
      { tool, input: {}, values: [] },
      { shown, seen: [], endorsed: [], answers: [], results: [], earlier: [], said: [], mandated: ['read'] },
      mandate,
    ),
  );

describe('a mandate', () => {
  it.each([
    ['of the host holds a tool that is not listed', heldBy('pay', ['send'], trusted), ['MANDATE_EXCEEDED']],
    ['of the host accepts a tool that is listed', heldBy('send', ['send']), []],
    ['of no tool holds each of them', heldBy('read', []), ['MANDATE_EXCEEDED']],
    ['of the plan accepts its tools', heldBy('read', 'plan'), []],
    [
      'of the plan holds another tool after the first untrusted result',
      heldBy('pay', 'plan'),
      ['MANDATE_EXCEEDED'],
    ],
    ['of the plan accepts any tool before it', heldBy('pay', 'plan', trusted), []],
    ['holds nothing where there is none', heldBy('pay', undefined), []],
  ])('%s', (_, codes, expected) => expect(codes).toEqual(expected));
});
