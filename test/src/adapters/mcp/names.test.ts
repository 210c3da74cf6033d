import { visibleJson } from '../../../../src/base/text/foreign-text.ts';
import { describe, expect, it } from 'vitest';
import { mcpTools } from '../../../../src/adapters/mcp/index.ts';
import { createOrchestrator, defineTaskClass } from '../../../../src/index.ts';
import { call } from '../../core/shell/scripted.ts';
import { foeOf, listedTool } from './foe.ts';
import { fixtureOf } from './fixture.ts';

const contracts = { pay: { tier: 'read_only' as const } };
const collisions = [
  ['the same name', 'pay'],
  ['a name in other case', 'Pay'],
  ['a full-width name', 'ｐａｙ'],
  ['a name with an invisible letter', 'p\u200bay'],
] as const;

/** Names that nobody can tell from one another, or that one reader folds into the same. */
const lookAlike: readonly (readonly [string, string, string])[] = [
  ['a Hangul filler', 'send', 'send\u115f'],
  ['a Hangul filler of its own', 'send', 'send\u3164'],
  ['a variation selector', 'send', 'send\ufe0f'],
  ['a combining joiner', 'send', 'se\u034fnd'],
  ['a Braille blank', 'send', 'send\u2800'],
  ['a selector beyond the first plane', 'send', 'send\u{e0100}'],
  ['an invisible Khmer vowel', 'send', 'send\u17b4'],
  ['a private character', 'send', 'send\ue000'],
  ['a control character', 'send', 'send\u0001'],
  ['a tab', 'send', 'send\t'],
  ['a line separator', 'send', 'send\u2028'],
  ['a direction', 'send', 'se\u202end'],
  ['a blank at its end', 'send', 'send '],
  ['a blank at its beginning', 'send', ' send'],
  ['a blank before an invisible character', 'send', 'send \u200b'],
  ['a fixed blank', 'send', 'send\u00a0'],
  ['another blank within', 'send it', 'send\u1680it'],
  ['two blanks within', 'send it', 'send  it'],
  ['a joiner that its script needs', '\u0645\u06cc', '\u0645\u200c\u06cc'],
  ['a letter composed around an invisible character', 's\u00e9nd', 'se\u200b\u0301nd'],
  ['a sigma in other case', 'odos\u03a3', 'odos\u03c3'],
  ['a sigma at the end', 'odos\u03c2', 'ODOS\u03a3'],
  ['a sharp s', 'stra\u00dfe', 'STRASSE'],
  ['a capital sharp s', 'stra\u1e9ee', 'strasse'],
  ['a dotted I', '\u0130d', 'i\u0307d'],
  ['a dotless i', 's\u0131gn', 'sign'],
  ['an iota below', '\u1fb3x', '\u1fbcx'],
];

it.each(lookAlike)('Two tools of a server are refused if the other has %s', async (_, one, other) => {
  for (const names of [
    [one, other],
    [other, one],
  ]) {
    const { client } = await foeOf([names.map((name) => listedTool(name))]);
    await expect(mcpTools(client, { server: 'foe' })).rejects.toMatchObject({ code: 'document_invalid' });
  }
});

it.each([
  ['send', 'send2'],
  ['send it', 'sendit'],
  ['r\u00e9sum\u00e9', 'resume'],
  ['\ud83d\udc4d', '\ud83d\udc4e'],
])('Two tools of a server are accepted under the names %s and %s', async (...names) => {
  const { client } = await foeOf([names.map((name) => listedTool(name))]);
  const omitted: string[] = [];
  await mcpTools(client, { server: 'foe', onOmitted: (tools) => omitted.push(...tools.names) });
  expect(omitted).toEqual(names);
});

describe.each([['second'], ['first']] as const)('Two tools of a server behind the %s SDK', (sdk) => {
  it.each(collisions)('are refused if the other has %s', async (_, twin) => {
    for (const pages of [
      [[listedTool('pay'), listedTool(twin)]],
      [[listedTool(twin)], [listedTool('pay')]],
    ]) {
      const { client } = await foeOf(pages, sdk);
      await expect(mcpTools(client, { server: 'foe', contracts })).rejects.toMatchObject({
        code: 'document_invalid',
        message: expect.stringMatching(
          /^server foe lists tools whose names are the same, .*"pay".*Have it rename them/,
        ),
      });
    }
  });

  it.each(collisions)('are not called if the other later has %s', async (_, twin) => {
    const { client, foe } = await foeOf([[listedTool('pay')]], sdk);
    const tools = await mcpTools(client, { server: 'foe', contracts });
    foe.pages = [[listedTool('pay'), listedTool(twin, { description: 'Pays twice.' })]];
    const { orchestrator, submit } = fixtureOf(tools, { calls: [call('foe.pay')] });
    const taskId = await submit();
    await orchestrator.settled(taskId);
    const failed = (await orchestrator.ledger(taskId)).find(({ fact }) => fact?.type === 'call.failed');
    expect(failed?.brought.explanation).toContain('lists several tools under this name');
    expect(failed?.brought.explanation).toContain(visibleJson(twin));
    expect(foe.called).toEqual([]);
  });

  it('are accepted if their names differ, or if the host selects neither', async () => {
    const { client } = await foeOf(
      [[listedTool('pay'), listedTool('pay2'), listedTool('tell'), listedTool('Tell')]],
      sdk,
    );
    const tools = await mcpTools(client, { server: 'foe', only: ['pay'], contracts });
    expect(tools.map(({ name }) => name)).toEqual(['foe.pay']);
  });
});

it('Tools of two servers under one name are refused by the orchestrator', async () => {
  const [one, other] = [await foeOf([[listedTool('pay')]]), await foeOf([[listedTool('pay')]])];
  const tools = [
    ...(await mcpTools(one.client, { server: 'bank', contracts })),
    ...(await mcpTools(other.client, { server: 'bank', contracts })),
  ];
  const taskClasses = [defineTaskClass({ id: 'work', tools: ['bank.pay'] })];
  const model = { answer: () => Promise.reject(new Error('is not asked')) };
  expect(() => createOrchestrator({ taskClasses, tools, model })).toThrow(/bank\.pay/);
});
