import { everywhere, type Entry } from './entry.ts';

const notKept = (what: string) => ({ 'agentcharter:notKept': what });
const sendsJson = { MCP: 'a server sends JSON' } as const;

/** Of Prisma, of big.js and of others: its JSON is its text. */
class Decimal {
  readonly #text: string;
  constructor(text: string) {
    this.#text = text;
  }
  toJSON(): string {
    return this.#text;
  }
}

/** As a driver of MongoDB has it. */
class ObjectId {
  readonly #bytes = Buffer.from('65f0c0ffee65f0c0ffee65f0', 'hex');
  toJSON(): string {
    return this.#bytes.toString('hex');
  }
}

/** A row of an ORM: what is in its fields is kept, what its getters say is not. */
class Row {
  readonly id = 7;
  get label(): string {
    return `row ${this.id}`;
  }
}

const circle = (): object => {
  const request: Record<string, unknown> = { method: 'GET' };
  return Object.assign(request, { socket: { request } });
};

const nested = (levels: number): object => JSON.parse(`${'{"in":'.repeat(levels)}1${'}'.repeat(levels)}`);

const tooLarge = notKept('an answer of 1146620 bytes, of which 1048576 are read');
const page = 'x'.repeat(1_146_517);

export const results: readonly Entry[] = [
  {
    id: 'date',
    kind: 'result',
    says: 'A date in a row',
    address: 'https://github.com/vercel/ai/issues/16408',
    returns: () => ({ appliedDate: new Date(0) }),
    expects: { result: { appliedDate: '1970-01-01T00:00:00.000Z' } },
  },
  {
    id: 'invalid-date',
    kind: 'result',
    says: 'A date that could not be read',
    address: 'https://github.com/aws/aws-durable-execution-sdk-python/issues/342',
    returns: () => ({ at: new Date(Number.NaN) }),
    expects: { result: { at: null } },
  },
  {
    id: 'decimal',
    kind: 'result',
    says: 'A decimal with a `toJSON`',
    address: 'https://github.com/prisma/prisma-engines/pull/1923',
    returns: () => ({ total: new Decimal('0.10000000000000000001') }),
    expects: { result: { total: '0.10000000000000000001' } },
  },
  {
    id: 'object-id',
    kind: 'result',
    says: 'An ObjectId of a database',
    address: 'https://github.com/agno-agi/agno/pull/3576',
    returns: () => ({ _id: new ObjectId() }),
    expects: { result: { _id: '65f0c0ffee65f0c0ffee65f0' } },
  },
  {
    id: 'url',
    kind: 'result',
    says: 'A URL',
    address: 'https://github.com/openstory-so/openstory/issues/1638',
    returns: () => ({ page: new URL('https://shop.example/o-7?a=1') }),
    expects: { result: { page: 'https://shop.example/o-7?a=1' } },
  },
  {
    id: 'class-row',
    kind: 'result',
    says: 'An instance with a field and a getter',
    address: 'https://github.com/vercel/workflow/pull/762',
    returns: () => [new Row()],
    expects: { result: [{ id: 7 }] },
  },
  {
    id: 'bigint',
    kind: 'result',
    says: 'A bigint, and bigints in a list',
    address: 'https://github.com/langchain-ai/deepagentsjs/issues/558',
    returns: () => ({ count: 12_345_678_901_234_567_890n, nested: [2n] }),
    expects: {
      result: { count: notKept('the bigint 12345678901234567890'), nested: [notKept('the bigint 2')] },
    },
    not: sendsJson,
  },
  {
    id: 'snowflake',
    kind: 'result',
    says: 'An integer above 2^53',
    address: 'https://github.com/oceanbase/powercontext/issues/91',
    returns: () => ({ id: 2 ** 60 }),
    expects: { result: { id: notKept('an integer that not every reader holds exactly') } },
  },
  {
    id: 'snowflake-text',
    kind: 'result',
    says: 'An integer above 2^53, as a text',
    address: 'https://github.com/oceanbase/powercontext/pull/1100',
    returns: () => ({ id: '653247040368672768' }),
    expects: { result: { id: '653247040368672768' } },
  },
  {
    id: 'nan',
    kind: 'result',
    says: 'The mean of an empty list: NaN',
    address: 'https://github.com/PrefectHQ/fastmcp/issues/5150',
    returns: () => ({ count: 0, mean: Number.NaN }),
    expects: { result: { count: 0, mean: notKept('NaN, which JSON does not have') } },
    not: sendsJson,
  },
  {
    id: 'infinity',
    kind: 'result',
    says: 'An infinite number',
    address: 'https://github.com/XBP-Europe/sagemath-mcp/pull/66',
    returns: () => ({ numeric: -Infinity }),
    expects: { result: { numeric: notKept('-Infinity, which JSON does not have') } },
    not: sendsJson,
  },
  {
    id: 'map',
    kind: 'result',
    says: 'A Map beside other members',
    address: 'https://github.com/polywrap/wrap-cli/issues/1429',
    returns: () => ({ rates: new Map([['EUR', 1.1]]), at: 'noon' }),
    expects: { result: { rates: notKept('a Map'), at: 'noon' } },
    not: sendsJson,
  },
  {
    id: 'set',
    kind: 'result',
    says: 'A Set',
    address: 'https://github.com/graphology/graphology/pull/524',
    returns: () => ({ tags: new Set(['new']) }),
    expects: { result: { tags: notKept('a Set') } },
    not: sendsJson,
  },
  {
    id: 'circle',
    kind: 'result',
    says: 'An object that holds itself',
    address: 'https://github.com/mastra-ai/mastra/issues/14462',
    returns: circle,
    expects: {
      result: { method: 'GET', socket: { request: notKept('a circular reference to what holds it') } },
    },
    not: sendsJson,
  },
  {
    id: 'shared',
    kind: 'result',
    says: 'One object in two places, which is no circle',
    address: 'https://github.com/elsa-workflows/elsa-core/pull/3913',
    returns: () => {
      const address = { city: 'Oslo' };
      return { from: address, to: address };
    },
    expects: { result: { from: { city: 'Oslo' }, to: { city: 'Oslo' } } },
  },
  {
    id: 'buffer',
    kind: 'result',
    says: 'A Buffer, which has a `toJSON`',
    address: 'https://github.com/tylerjrbuell/reactive-agents-ts/issues/58',
    returns: () => ({ file: Buffer.from('%PDF') }),
    expects: { result: { file: { type: 'Buffer', data: [37, 80, 68, 70] } } },
  },
  {
    id: 'bytes',
    kind: 'result',
    says: 'Bytes without a `toJSON`',
    address: 'https://github.com/mat-sz/plist/pull/2',
    returns: () => ({ file: new Uint8Array([37, 80]) }),
    expects: { result: { file: notKept('binary data') } },
    not: sendsJson,
  },
  {
    id: 'undefined',
    kind: 'result',
    says: 'Nothing at all: a tool of type void',
    address: 'https://github.com/latitude-dev/latitude-llm/issues/810',
    returns: () => undefined,
    expects: { result: null },
  },
  {
    id: 'undefined-member',
    kind: 'result',
    says: 'A member that is undefined, and a hole in a list',
    address: 'https://rahuulmiishra.medium.com/json-stringify-traps-javasript-fe3dd672e1f0',
    returns: () => ({ note: undefined, list: [1, undefined], run: () => 1 }),
    expects: { result: { list: [1, null] } },
  },
  {
    id: 'boxed',
    kind: 'result',
    says: 'Boxed primitives',
    address: 'https://rahuulmiishra.medium.com/json-stringify-traps-javasript-fe3dd672e1f0',
    returns: () => ({ isPaid: Object(false), eur: Object(20), to: Object('kim') }),
    expects: { result: { isPaid: false, eur: 20, to: 'kim' } },
  },
  {
    id: 'null',
    kind: 'result',
    says: 'Null, where nothing was found',
    address: 'https://github.com/anomalyco/opencode/pull/15375',
    returns: () => null,
    expects: { result: null },
  },
  {
    id: 'empty-text',
    kind: 'result',
    says: 'An empty text: a command without output',
    address: 'https://github.com/earendil-works/pi/pull/3311',
    returns: () => '',
    expects: { result: '' },
  },
  {
    id: 'empty-list',
    kind: 'result',
    says: 'An empty list: no match',
    address: 'https://github.com/mcp-use/mcp-use/pull/273',
    returns: () => [],
    expects: { result: [] },
  },
  {
    id: 'empty-object',
    kind: 'result',
    says: 'An empty object',
    address: 'https://github.com/Extra-Chill/wp-coding-agents/issues/364',
    returns: () => ({}),
    expects: { result: {} },
  },
  {
    id: 'false',
    kind: 'result',
    says: 'False, zero and empty members, which are not absent',
    address: 'https://github.com/langchain-ai/langgraphjs/issues/1154',
    returns: () => ({ isFirst: false, count: 0, note: '', next: null }),
    expects: { result: { isFirst: false, count: 0, note: '', next: null } },
  },
  {
    id: 'number',
    kind: 'result',
    says: 'A number alone',
    address: 'https://github.com/grafana/agento11y/pull/135',
    returns: () => 42,
    expects: { result: 42 },
  },
  {
    id: 'json-text',
    kind: 'result',
    says: 'A text that is JSON stays a text',
    address: 'https://github.com/vercel/workflow/pull/862',
    returns: () => '{"temperature":21}',
    expects: { result: '{"temperature":21}' },
  },
  {
    id: 'half-emoji',
    kind: 'result',
    says: 'A text that was cut within an emoji',
    address: 'https://github.com/anthropics/claude-code/issues/69927',
    returns: () => ({ text: `${'word '.repeat(1600)}👍`.slice(0, 8001) }),
    expects: { result: { text: `${'word '.repeat(1600)}\uFFFD` } },
  },
  {
    id: 'half-emoji-second',
    kind: 'result',
    says: 'A text that begins within an emoji',
    address: 'https://github.com/vertesia/llumiverse/pull/462',
    returns: () => '👍 done'.slice(1),
    expects: { result: '\uFFFD done' },
  },
  {
    id: 'nul',
    kind: 'result',
    says: 'NUL characters of a native command',
    address: 'https://github.com/coder/coder/pull/22946',
    returns: () => ({ text: 'W\u0000s\u0000l\u0000' }),
    expects: { result: { text: 'W\u0000s\u0000l\u0000' } },
  },
  {
    id: 'proto-member',
    kind: 'result',
    says: 'Members named `__proto__` and `constructor`',
    address: 'https://github.com/prantlf/jsonlint/issues/23',
    returns: () => JSON.parse('{"answer":42,"constructor":"value","__proto__":{"polluted":true}}') as object,
    expects: { result: { answer: 42, constructor: 'value' } },
  },
  {
    id: 'big-text',
    kind: 'result',
    says: 'A screenshot of 1,146,517 letters of base64',
    address: 'https://github.com/ChromeDevTools/chrome-devtools-mcp/issues/950',
    returns: () => ({ page, title: 'Search' }),
    expects: {
      result: {
        page: notKept('a text of 1146517 UTF-16 units, of which 1048576 are read'),
        title: 'Search',
      },
    },
    expectsIn: { MCP: { result: { ...tooLarge, content: [tooLarge] } } },
  },
  {
    id: 'large-text',
    kind: 'result',
    says: 'A text of 60,000 letters',
    address: 'https://github.com/PrefectHQ/fastmcp/issues/1036',
    returns: () => page.slice(0, 60_000),
    expects: { result: page.slice(0, 60_000) },
  },
  {
    id: 'many-rows',
    kind: 'result',
    says: 'One hundred rows',
    address: 'https://github.com/bytedance/deer-flow/issues/3011',
    returns: () => Array.from({ length: 100 }, (_, id) => ({ id, name: `row ${id}` })),
    expects: { result: Array.from({ length: 100 }, (_, id) => ({ id, name: `row ${id}` })) },
  },
  {
    id: 'nested-50',
    kind: 'result',
    says: 'Fifty levels',
    address: 'https://github.com/evenfire-ai/evenfire/issues/638',
    returns: () => ({ tree: nested(50) }),
    expects: { result: { tree: nested(50) } },
  },
  {
    id: 'image-object',
    kind: 'result',
    says: 'An image as a plain object with a type',
    address: 'https://github.com/steve228uk/metro-mcp/issues/69',
    returns: () => ({ type: 'image', format: 'png', data: 'iVBORw0KGgo=' }),
    expects: { result: { type: 'image', format: 'png', data: 'iVBORw0KGgo=' } },
  },
  {
    id: 'content-blocks',
    kind: 'result',
    says: 'A list of content blocks',
    address: 'https://github.com/langchain-ai/langchain/issues/40435',
    returns: () => [{ type: 'text', text: 'Generated chart' }],
    expects: { result: [{ type: 'text', text: 'Generated chart' }] },
  },
  {
    id: 'model-output-date',
    kind: 'result',
    says: 'What the model is shown is made of a date of the result',
    address: 'https://v5.ai-sdk.dev/docs/ai-sdk-core/tools-and-tool-calling',
    returns: () => ({ at: new Date(0) }),
    toModelOutput: (output) => ({ type: 'text', value: `booked ${JSON.stringify(output)}` }),
    expects: {
      result: { at: '1970-01-01T00:00:00.000Z' },
      shown: 'booked {"at":"1970-01-01T00:00:00.000Z"}',
    },
    not: everywhere('it has no `toModelOutput`', 'AI SDK'),
  },
];
