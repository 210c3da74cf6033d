import { createOrchestrator, defineTaskClass, defineTaskTool, defineTool, type Tool } from 'agentcharter';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { readTool, scriptedModel, writeTool } from '../../core/shell/scripted.ts';

const input = z.object({ to: z.string() });
const call = async () => null;
const define = (more: object) =>
  defineTool({ name: 'pay', description: '', tier: 'write_low_risk', input, call, ...more });

const warned: unknown[][] = [];
beforeEach(() => {
  warned.length = 0;
  vi.spyOn(process, 'emitWarning').mockImplementation((...args: unknown[]) => void warned.push(args));
});

const created = async (tools: readonly Tool[]): Promise<void> => {
  const names = tools.map(({ name }) => name);
  const taskClasses = [defineTaskClass({ id: 'work', tools: names })];
  await createOrchestrator({ taskClasses, tools, model: scriptedModel([]).model }).close();
};

describe('What a tool says of origins', () => {
  it.each<[string, object, RegExp]>([
    ['a pointer without a slash', { flows: { to: { integrity: 'trusted' } } }, /must be a JSON Pointer/],
    ['an integrity that there is not', { flows: { '/to': { integrity: 'high' } } }, /integrity/],
    ['a choice without integrity', { flows: { '/to': { choice: 'any' } } }, /has no effect alone/],
    ['an unknown member', { flows: { '/to': { form: ['request'] } } }, /form/],
    ['no source at all', { flows: { '/to': { from: [] } } }, /from/],
    ['a label that there is not', { labels: { '': { integrity: 'certain' } } }, /integrity/],
    ['labels of nothing', { labels: 'result' }, /labels/],
    ['a result that is half hidden', { isHidden: 1 }, /isHidden/],
  ])('is refused with %s', (_, more, words) => expect(() => define(more)).toThrow(words));

  const flow = { integrity: 'trusted' } as const;
  const order = z.object({
    items: z.array(z.object({ id: z.string() })),
    pair: z.tuple([z.string(), z.object({ a: z.string() })]),
    either: z.union([z.object({ iban: z.string() }), z.object({ card: z.string() }), z.string()]),
    note: z.string().optional(),
  });

  it.each([
    ['/toooo', 'there is no "toooo": expected one of items, pair, either, note'],
    ['/nota', 'Did you mean "note"?'],
    ['/note/text', 'there is no "text"'],
    ['/items/id', 'there is no "id"'],
    ['/items/*/idd', 'Did you mean "id"?'],
    ['/items/0/idd', 'expected one of id'],
    ['/pair/1/b', 'expected one of a'],
    ['/either/ibam', 'Did you mean "iban"?'],
  ])('is refused with a flow of %s, which is no argument', (pointer, words) => {
    expect(() => define({ input: order, flows: { [pointer]: flow } })).toThrow(words);
    const flows = { '': { readers: pointer } };
    expect(() => define({ input: order, flows })).toThrow('flows[""].readers: ');
  });

  it('is refused with readers that are named by a pattern', () => {
    const flows = { '/note': { readers: '/items/*/id' } };
    expect(() => define({ input: order, flows })).toThrow('there is no "*"');
  });

  it.each<[string, z.ZodType]>([
    ['', order],
    ['/items', order],
    ['/items/*', order],
    ['/items/3/id', order],
    ['/pair/0', order],
    ['/either/card', order],
    ['/*/*/id', order],
    ['/more/x', z.looseObject({})],
    ['/x/y', z.record(z.string(), z.json())],
    ['/renamed', z.object({ to: z.string() }).transform(({ to }) => ({ renamed: to }))],
    ['/to/b', z.object({ to: z.intersection(z.object({ a: z.string() }), z.object({ b: z.string() })) })],
  ])('may have a flow of %s', (pointer, schema) => {
    expect(define({ input: schema, flows: { [pointer]: flow } }).flows).toEqual({ [pointer]: flow });
  });

  it('may have flows in a schema that refers to itself', () => {
    interface Node {
      readonly id: string;
      readonly next?: Node | undefined;
    }
    const node: z.ZodType<Node> = z.lazy(() => z.object({ id: z.string(), next: node.optional() }));
    const more = (pointer: string) => ({ input: z.object({ node }), flows: { [pointer]: flow } });
    expect(() => define(more('/node/next/next/id'))).not.toThrow();
    expect(() => define(more('/node/next/next/idd'))).toThrow('Did you mean "id"?');
  });

  it('is refused with a flow of no argument, if it is a task', () => {
    const task = {
      name: 'leaf',
      description: '',
      taskClass: 'leaf',
      input,
      request: () => ({ payload: {} }),
    };
    expect(() => defineTaskTool({ ...task, flows: { '/tp': flow } })).toThrow('Did you mean "to"?');
  });

  const label = { integrity: 'untrusted' } as const;
  const leaf = (pointer: string): Tool =>
    defineTaskTool({
      name: 'leaf',
      description: '',
      taskClass: 'leaf',
      input,
      request: () => ({ payload: {} }),
      labels: { [pointer]: label },
    });

  it('is refused with a label that no result of a task has', () => {
    expect(() => leaf('/paylod')).toThrow('Did you mean "payload"?');
  });

  it.each([
    ['/payload/nota', '/payload/nota names no member of the result, because there is no "nota"'],
    ['/payload/items/*/idd', 'Did you mean "id"?'],
    ['/*/nota', '/*/nota names no member of the result'],
    ['/payload/note', null],
    ['/traceId', null],
  ])('as a task is created with a label of %s only if its class delivers that', async (pointer, words) => {
    const taskClasses = [
      defineTaskClass({ id: 'leaf', tools: [], output: order }),
      defineTaskClass({ id: 'work', tools: ['leaf'] }),
    ];
    const create = async (): Promise<void> =>
      createOrchestrator({ taskClasses, tools: [leaf(pointer)], model: scriptedModel([]).model }).close();
    await (words === null ? create() : expect(create()).rejects.toThrow(words));
  });

  it.each([
    ['/toooo', 'names no member of the result, because there is no "toooo": expected one of items, pair'],
    ['/nota', 'Did you mean "note"?'],
    ['/items/*/idd', 'Did you mean "id"?'],
  ])('is refused with a label of %s, which its output does not have', (pointer, words) => {
    expect(() => define({ output: order, labels: { [pointer]: label } })).toThrow(words);
  });

  it.each<[string, z.ZodType | undefined]>([
    ['', order],
    ['/items/*/id', order],
    ['/either/card', order],
    ['/more/x', z.looseObject({})],
    ['/renamed', z.object({ to: z.string() }).transform(({ to }) => ({ renamed: to }))],
    ['/anything', undefined],
  ])('may have a label of %s', (pointer, output) => {
    expect(define({ output, labels: { [pointer]: label } }).labels).toEqual({ [pointer]: label });
  });

  it('is refused with a source that is no tool of the orchestrator', async () => {
    const flows = { '/to': { from: ['contacts.fnd'] } };
    const tools = [readTool('contacts.find'), writeTool('pay', { flows })];
    await expect(created(tools)).rejects.toThrow(/unknown source "contacts.fnd".*contacts\.find/s);
  });

  it('cannot be changed afterwards', () => {
    const flows = { '/to': { integrity: 'trusted' as const, from: ['request'] } };
    const tool = define({ flows });
    flows['/to'].from.push('mail.read');
    expect(tool.flows).toEqual({ '/to': { integrity: 'trusted', from: ['request'] } });
    expect(Object.isFrozen(tool.flows?.['/to'])).toBe(true);
  });
});

describe('A tool that reads and has no labels', () => {
  const flows = { '/to': { integrity: 'trusted' } } as const;

  it('is named once, if another tool asks where its arguments come from', async () => {
    await created([readTool('mail.read'), readTool('news'), writeTool('pay', { flows })]);
    expect(warned).toEqual([
      [expect.stringContaining('no labels: mail.read, news;'), { code: 'AGENTCHARTER_UNLABELLED' }],
    ]);
  });

  it.each([
    ['no tool asks', [readTool('mail.read'), writeTool('pay')]],
    ['it has labels', [readTool('mail.read', { labels: {} }), writeTool('pay', { flows })]],
  ])('is not named if %s', async (_, tools) => {
    await created(tools);
    expect(warned).toEqual([]);
  });
});
