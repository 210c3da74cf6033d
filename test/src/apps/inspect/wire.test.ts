import { createActor, createMachine, spawnChild } from 'xstate';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createInspector, type InspectorOptions } from 'agentcharter/inspect';
import { ofType, open, view, type Message } from './client.ts';
import { family, order, orderActor } from './machines.ts';

const inspecting = async (options: InspectorOptions = {}) => {
  const inspector = await createInspector(options);
  onTestFinished(() => inspector.close());
  return inspector;
};
const viewing = async (url: string) => {
  const viewer = await view(url);
  onTestFinished(() => void viewer.leave());
  return viewer;
};
const valuesOf = (messages: readonly Message[]) => messages.map(({ snapshot }) => snapshot?.['value']);
const last = (messages: readonly Message[]) => messages.at(-1)?.snapshot;
const deep = { middle: { one: { two: 'three' } } };

const hostile = {
  get trap() {
    throw new Error('gotcha');
  },
};
const breaks = (): boolean => {
  throw new Error('broken');
};

describe('A present viewer', () => {
  it('receives an actor’s start, then each event and its state, in order', async () => {
    const { url, inspect } = await inspecting();
    const viewer = await viewing(url);
    const actor = orderActor(inspect).start();
    actor.send({ type: 'go' });
    await viewer.until(({ length }) => length === 5);
    expect(viewer.messages.map(({ type }) => type)).toEqual([
      '@xstate.actor',
      '@xstate.event',
      '@xstate.snapshot',
      '@xstate.event',
      '@xstate.snapshot',
    ]);
    expect(valuesOf(viewer.messages)).toEqual(['zeta', undefined, 'zeta', undefined, deep]);
    expect(viewer.messages[0]).toMatchObject({ name: 'order', sessionId: actor.sessionId, id: null });
    for (const message of viewer.messages)
      expect(message).toMatchObject({ _version: expect.any(String), rootId: actor.sessionId });
  });

  it('receives an actor that was created and not started', async () => {
    const { url, inspect } = await inspecting();
    const viewer = await viewing(url);
    orderActor(inspect);
    await viewer.until(({ length }) => length === 1);
    expect(viewer.messages).toMatchObject([{ type: '@xstate.actor', snapshot: { value: 'zeta' } }]);
  });

  it('receives children below their parents, and their outputs', async () => {
    const { url, inspect } = await inspecting();
    const viewer = await viewing(url);
    const parent = createActor(family, { inspect, id: 'house' }).start();
    await viewer.until((messages) => valuesOf(messages).includes('sorry'));
    const [house, kid] = ofType(viewer.messages, '@xstate.actor');
    expect(house).toMatchObject({ name: 'house' });
    expect(kid).toMatchObject({ name: 'kid', parentId: parent.sessionId, rootId: parent.sessionId });
    expect(kid?.definition).toBe('{"id":"kid"}');
    expect(viewer.messages).toContainEqual(
      expect.objectContaining({
        sessionId: kid?.sessionId,
        snapshot: expect.objectContaining({
          status: 'error',
          error: { name: 'Error', message: 'no, 7 letters' },
        }),
      }),
    );
  });

  it('receives a transition that threw, which XState does not inspect', async () => {
    const { url, inspect } = await inspecting();
    const viewer = await viewing(url);
    const machine = createMachine({
      initial: 'x',
      states: { x: { on: { breaks: { guard: breaks, target: 'x' } } } },
    });
    const actor = createActor(machine, { inspect });
    actor.subscribe({ error: () => undefined });
    actor.start().send({ type: 'breaks' });
    await viewer.until((messages) => last(messages)?.['status'] === 'error');
    expect(viewer.messages.filter(({ snapshot }) => snapshot?.['status'] === 'error')).toHaveLength(1);
  });
});

describe('A late viewer', () => {
  it('receives every actor with its current state, after 606 messages', async () => {
    const { url, inspect } = await inspecting();
    const actor = orderActor(inspect).start();
    actor.send({ type: 'go' });
    for (let sent = 0; sent < 301; sent++) actor.send({ type: 'count' });
    const viewer = await viewing(url);
    await viewer.until(({ length }) => length === 2);
    const now = { value: deep, context: { count: 301 }, status: 'active' };
    expect(viewer.messages).toMatchObject([
      { type: '@xstate.actor', name: 'order', snapshot: now },
      { type: '@xstate.snapshot', event: { type: 'count' }, snapshot: now },
    ]);
    actor.send({ type: 'count' });
    await viewer.until(({ length }) => length === 4);
    expect(last(viewer.messages)).toMatchObject({ context: { count: 302 } });
  });

  it('receives the actors that changed last, each after its parent', async () => {
    const { url, inspect } = await inspecting({ actors: 2 });
    const [first, second, third] = ['a', 'b', 'c'].map((id) =>
      createActor(order, { inspect, id, input: { secret: '' } }).start(),
    );
    second?.send({ type: 'go' });
    first?.send({ type: 'go' }); // it was let go, and is taken up again
    second?.send({ type: 'count' });
    const viewer = await viewing(url);
    await viewer.until(({ length }) => length === 4);
    expect(ofType(viewer.messages, '@xstate.actor').map(({ name }) => name)).toEqual(['b', 'a']);
    expect(third?.getSnapshot().status).toBe('active');
  });

  it('is dropped when it does not read, and receives the current state when it returns', async () => {
    const { url, inspect } = await inspecting();
    const reader = await open(url);
    const actor = orderActor(inspect).start();
    const note = 'x'.repeat(10_000_000);
    for (let sent = 0; sent < 4; sent++) actor.send({ type: 'note', note });
    const over = new Promise((resolve) => reader.on('error', () => undefined).on('close', resolve));
    reader.resume();
    await over;
    expect(reader.complete).toBe(false);
    const again = await viewing(url);
    await again.until(({ length }) => length === 2);
    expect(last(again.messages)?.['context']).toMatchObject({ note: expect.stringMatching(/^x{99}/) });
  });
});

describe('A message to viewers', () => {
  it('keeps the states in source order, with every member', async () => {
    const { url, inspect } = await inspecting();
    orderActor(inspect).start();
    const viewer = await viewing(url);
    await viewer.until(({ length }) => length === 2);
    const definition = JSON.parse(viewer.messages[0]?.definition ?? '') as typeof order.config;
    expect(Object.keys(definition.states ?? {})).toEqual(['zeta', 'middle', 'alpha', 'done']);
    const { states, on, initial, id } = order.config;
    expect(definition).toMatchObject(JSON.parse(JSON.stringify({ states, initial, id })));
    expect(Object.keys(definition.on ?? {})).toEqual(Object.keys(on ?? {}));
    expect(JSON.stringify(viewer.messages)).not.toMatch(/\[(Array|Object)\]/);
    expect(definition.context).toEqual({ type: 'context' });
  });

  it('is never cut, however deep', async () => {
    const { url, inspect } = await inspecting();
    const note = JSON.parse(`${'[{"a":'.repeat(500)}1${'}]'.repeat(500)}`) as unknown;
    const actor = orderActor(inspect).start();
    actor.send({ type: 'note', note });
    const viewer = await viewing(url);
    await viewer.until(({ length }) => length === 2);
    expect(viewer.messages[1]?.event).toEqual({ type: 'note', note });
    expect(last(viewer.messages)).toMatchObject({ context: { note } });
  });

  it('omits the state nodes of a history, even in a child’s snapshot', async () => {
    const { url, inspect } = await inspecting();
    const actor = orderActor(inspect).start();
    for (const type of ['go', 'pause'] as const) actor.send({ type });
    expect(Object.keys(actor.getSnapshot().historyValue)).not.toEqual([]);
    actor.send({ type: 'note', note: actor.getSnapshot() });
    const viewer = await viewing(url);
    await viewer.until(({ length }) => length === 2);
    expect(JSON.stringify(viewer.messages)).not.toContain('historyValue');
    expect(last(viewer.messages)).toMatchObject({ value: 'alpha', context: { note: { value: 'alpha' } } });
  });

  it('marks values that JSON lacks, and where one cannot be written', async () => {
    const { url, inspect } = await inspecting();
    const actor = orderActor(inspect).start();
    const loop: unknown[] = [];
    loop.push(loop, new Set([loop]));
    const note = {
      big: 1n,
      not: Number.NaN,
      map: new Map([['a', 1]]),
      pairs: new Map([[1, 2]]),
      loop,
      made: Symbol('s'),
    };
    actor.send({ type: 'note', note });
    const viewer = await viewing(url);
    await viewer.until(({ length }) => length === 2);
    expect(viewer.messages[1]?.event?.['note']).toEqual({
      big: '1n',
      not: 'NaN',
      map: { a: 1 },
      pairs: [[1, 2]],
      made: 'Symbol(s)',
      loop: ['[circular]', ['[circular]']],
    });
    actor.send({ type: 'note', note: hostile });
    await viewer.until(({ length }) => length === 4);
    const unreadable = 'it cannot be written as JSON';
    expect(viewer.messages[3]).toMatchObject({
      event: { type: 'note', unreadable },
      snapshot: { value: 'zeta', unreadable },
    });
  });

  it('never disturbs the inspected actors or hides another one', async () => {
    const { url, inspect } = await inspecting();
    const viewer = await viewing(url);
    const clash = createMachine({
      entry: ['one', 'two'].map((id) => spawnChild(order, { id, systemId: 'same', input: { secret: '' } })),
    });
    const parent = createActor(clash, { inspect });
    parent.subscribe({ error: () => undefined });
    parent.start();
    expect(parent.getSnapshot().error).toMatchObject({ message: expect.stringContaining('same') });
    const actor = orderActor(inspect).start();
    actor.send(Object.defineProperty({ type: 'count' }, 'trap', { enumerable: true, get: breaks }));
    actor.send({ type: 'go' });
    await viewer.until((messages) => messages.some(({ event }) => event?.['type'] === 'go'));
    const unreadable = 'it cannot be written as JSON';
    expect(viewer.messages).toContainEqual(expect.objectContaining({ event: { type: 'count', unreadable } }));
    const late = await viewing(url);
    await late.until((messages) => messages.some(({ name }) => name === 'order'));
    expect(late.messages).toContainEqual(expect.objectContaining({ name: 'order' }));
  });
});

/** Everything that viewers, early and late, are told of three actors that have a secret. */
const seen = async (options: InspectorOptions): Promise<string> => {
  const { url, inspect } = await inspecting(options);
  const viewer = await viewing(url);
  orderActor(inspect)
    .start()
    .send({ type: 'note', note: { secret: 'hunter2', of: new Map([['secret', 'hunter2']]) } });
  createActor(family, { inspect }).start();
  const given = createMachine({
    context: { secret: 'hunter2' },
    initial: 'secret',
    states: { secret: {} },
  });
  createActor(given, { inspect }).start();
  await viewer.until((messages) => valuesOf(messages).includes('sorry'));
  const late = await viewing(url);
  await late.until(({ length }) => length >= 8);
  return JSON.stringify([viewer.messages, late.messages]);
};

const throwing = (key: string, value: unknown): unknown => {
  if (key === 'secret') throw new Error(`it was ${String(value)}`);
  return value;
};

describe('Redaction', () => {
  it('removes a name from context, events, input, definition and children, and keeps the name of a state', async () => {
    const output = await seen({ redact: ['secret'] });
    expect(output).not.toContain('hunter2');
    expect(output).toContain('[withheld]');
    expect(output).toContain(String.raw`\"states\":{\"secret\":{}}`);
  });

  it('removes what a function removes', async () => {
    const output = await seen({ redact: (_key, value) => (value === 'hunter2' ? '*' : value) });
    expect(output).not.toContain('hunter2');
    expect(output).toContain('"secret":"*"');
  });

  it('removes single values in a definition', async () => {
    const { url, inspect } = await inspecting({
      redact: (_key, value) => (value === 'hunter2' ? '*' : value),
    });
    createActor(createMachine({ output: 'hunter2', entry: { type: 'tell', params: ['hunter2'] } }), {
      inspect,
    });
    const viewer = await viewing(url);
    await viewer.until(({ length }) => length === 1);
    expect(JSON.parse(viewer.messages[0]?.definition ?? '')).toMatchObject({
      output: '*',
      entry: { params: ['*'] },
    });
  });

  it('removes each value at which its function throws', async () => {
    expect(await seen({ redact: throwing })).not.toContain('hunter2');
  });

  it('removes nothing by default', async () => {
    expect(await seen({})).toContain('hunter2');
  });
});
