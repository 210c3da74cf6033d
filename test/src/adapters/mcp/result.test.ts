import { describe, expect, it } from 'vitest';
import { mcpTools, type McpContract, type McpToolsOptions } from '../../../../src/adapters/mcp/index.ts';
import { call } from '../../core/shell/scripted.ts';
import { memoryBlobs } from '../../../../src/stores/memory.ts';
import { fixtureOf, type FixtureOptions } from './fixture.ts';
import { foeOf, listedTool } from './foe.ts';

const deep = (levels: number): object => (levels === 1 ? {} : { of: deep(levels - 1) });
const marker = (what: string) => ({ 'agentcharter:notKept': expect.stringContaining(what) });
const text = (written: string) => [{ type: 'text', text: written }];
const from = { server: 'foe', tool: 'take', isUntrusted: true };

/** A tool whose server answers this. */
const answering = async (
  answer: object,
  contract: McpContract,
  {
    budget = {},
    ...more
  }: { readonly budget?: McpToolsOptions['budget']; readonly outputSchema?: object } = {},
  options: FixtureOptions['options'] = {},
) => {
  const { client, foe } = await foeOf([[listedTool('take', more)]]);
  foe.answer = answer;
  const tools = await mcpTools(client, {
    server: 'foe',
    contracts: { take: contract },
    budget,
  });
  return fixtureOf(tools, { calls: [call('foe.take')], options });
};

describe.each([['read_only'], ['write_low_risk']] as const)('The success of a %s tool', (tier) => {
  const outputSchema = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] };

  it.each([
    ['with half a surrogate pair', { content: text('Sent: \ud83d') }, {}, { content: text('Sent: \ufffd') }],
    [
      'of two megabytes',
      { content: text('x'.repeat(2_000_000)) },
      {},
      { content: [marker('an answer of 2000039 bytes, of which 1048576 are read')] },
    ],
    [
      'over its budget, with an outputSchema',
      { content: [], structuredContent: { id: 7, of: 'x'.repeat(100) } },
      { budget: { resultBytes: 100 }, outputSchema },
      { content: [marker('of which 100 are read')] },
    ],
    [
      'of 5,000 levels',
      { content: [], structuredContent: deep(5_000) },
      {},
      { content: [marker('nested deeper than 64 levels')] },
    ],
    [
      'deeper than its budget',
      { content: [], structuredContent: deep(9) },
      { budget: { depth: 9 } },
      { content: [marker('nested deeper than 9 levels')] },
    ],
    [
      'with an inexact integer, which its outputSchema allows',
      { content: [], structuredContent: { id: 2 ** 60, a: 1 } },
      { outputSchema },
      { structured: { id: marker('an integer that not every reader holds exactly'), a: 1 } },
    ],
    [
      'with too many members',
      { content: [], structuredContent: { all: Array.from({ length: 200_000 }, () => 0) } },
      {},
      { content: [marker('too large to be kept')] },
    ],
  ])('stays one, with a marker in place of what cannot be kept: %s', async (_, answer, more, payload) => {
    const { orchestrator, submit, question, evidence } = await answering(answer, { tier }, more);
    const taskId = await submit();
    const ended = await Promise.race([orchestrator.settled(taskId), question()]);
    expect(ended).toMatchObject({ outcome: 'success' });
    expect(await evidence(taskId)).toMatchObject([{ payload: { ...from, ...payload } }]);
  });
});

describe('Structured content', () => {
  const structuredContent = { id: 7 };
  const copy = text('{ "id": 7 }');
  const picture = [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }];

  const forUsers = copy.map((one) => ({ ...one, annotations: { audience: ['user'] } }));

  it.each([
    ['without what is beside it', [...copy, ...picture], {}, undefined],
    [
      'with what is beside it, on demand',
      [...copy, ...picture],
      { keepsContent: true },
      [...copy, ...picture],
    ],
    ['without a text that only repeats it', copy, { keepsContent: true }, undefined],
    ['with what is said of a text that repeats it', forUsers, { keepsContent: true }, forUsers],
    ['with other text', text('seven'), { keepsContent: true }, text('seven')],
  ])('is evidence %s', async (_, content, options, kept) => {
    const { client, foe } = await foeOf([[listedTool('take')]]);
    foe.answer = { content, structuredContent };
    const tools = await mcpTools(client, {
      server: 'foe',
      contracts: { take: { tier: 'read_only' } },
      ...options,
    });
    const { submit, orchestrator, evidence } = fixtureOf(tools, { calls: [call('foe.take')] });
    const taskId = await submit();
    await orchestrator.settled(taskId);
    const [{ payload } = { payload: {} }] = await evidence(taskId);
    expect(payload).toEqual({
      ...from,
      structured: structuredContent,
      ...(kept !== undefined && { content: kept }),
    });
  });
});

describe('A picture that is larger than a record', () => {
  it('is kept beside it, within a larger budget', async () => {
    const picture = {
      type: 'image',
      data: Buffer.alloc(2_000_000, 7).toString('base64'),
      mimeType: 'image/png',
    };
    const budget = { resultBytes: 4_000_000 };
    const blobs = { store: memoryBlobs() };
    const { orchestrator, submit, evidence } = await answering(
      { content: [picture] },
      { tier: 'read_only' },
      { budget },
      { blobs },
    );
    const taskId = await submit();
    await orchestrator.settled(taskId);
    const reference = { size: 2_000_000, mediaType: 'image/png', encoding: 'base64' };
    const data = { 'agentcharter:blob': expect.objectContaining(reference) as unknown };
    expect(await evidence(taskId)).toMatchObject([{ payload: { ...from, content: [{ ...picture, data }] } }]);
  });
});

describe('What cannot be kept', () => {
  it('is no evidence of anything', async () => {
    const { orchestrator, submit } = await answering(
      { content: text('x'.repeat(2_000_000)) },
      { tier: 'read_only' },
    );
    const taskId = await submit();
    await orchestrator.settled(taskId);
    const facts = (await orchestrator.ledger(taskId)).map(({ fact }) => fact);
    expect(facts).toContainEqual(
      expect.objectContaining({
        type: 'call.succeeded',
        evidence: expect.objectContaining({ empty: true }) as unknown,
      }),
    );
  });

  it.each([
    ['a large error', { isError: true, content: text('x'.repeat(2_000_000)) }],
    [
      'an answer that does not say whether it is an error',
      { isError: 1, content: text('x'.repeat(2_000_000)) },
    ],
    ['an error with an inexact integer', { isError: true, content: [{ type: 'x', id: 2 ** 60 }] }],
    [
      'a result that does not match its outputSchema',
      { content: [], structuredContent: { id: 'x', a: 2 ** 60 } },
    ],
  ])('makes no success of %s', async (_, answer) => {
    const outputSchema = { type: 'object', properties: { id: { type: 'integer' } } };
    const { submit, question } = await answering(answer, { tier: 'write_low_risk' }, { outputSchema });
    await submit();
    expect((await question()).question.kind).toBe('doubt');
  });

  it('leaves the words of an error that means nothing was written', async () => {
    const contract = { tier: 'write_low_risk', errorMeans: 'notDone' } as const;
    const answer = { isError: true, content: text('disk full \ud83d') };
    const { orchestrator, submit } = await answering(answer, contract);
    const taskId = await submit();
    await orchestrator.settled(taskId);
    const failed = (await orchestrator.ledger(taskId)).find(({ fact }) => fact?.type === 'call.failed');
    expect(failed?.brought.explanation).toBe('disk full \ufffd');
  });
});
