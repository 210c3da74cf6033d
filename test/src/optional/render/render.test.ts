import { render } from 'agentcharter/render';
import { describe, expect, test } from 'vitest';
import { createMachine, type AnyStateMachine } from 'xstate';
import { taskMachine } from '../../../../machines/index.ts';
import { walk } from '../../../../src/optional/render/walk.ts';
import { machines } from './machines.ts';

const namesIn = (name: string) => {
  const { transitions } = walk(machines[name]!);
  return transitions.map(({ on, guard, targets, actions }) => [on, guard, targets, actions]);
};

describe('A label in a chart', () => {
  test('names a guard by its name, parameters and parts', () => {
    expect(
      namesIn('guards with parameters, put together and without a name').map(([, guard]) => guard),
    ).toEqual([
      'isOver 3',
      'isOver',
      'isBoth',
      'isOpen and (isFree or not isBoth)',
      'not (isOpen and isOver 5)',
      'in {"b":"c"}',
      'in #there',
      'inline',
      'inline and isOpen',
    ]);
  });

  test('names an action by its name, its XState type, or as inline', () => {
    const { root, states } = walk(machines['actions with parameters, built in and without a name']!);
    expect([root.entry, root.exit]).toEqual([['count', 'say hello', 'inline'], ['inline assign']]);
    expect([states[1]?.entry, states[1]?.exit]).toEqual([['inline raise'], ['say']]);
    expect(namesIn('actions with parameters, built in and without a name')[0]?.[3]).toEqual([
      'count',
      'ring',
      'inline raise',
    ]);
  });

  test('shows a lone decision as always, and the initial actions', async () => {
    const machine = createMachine({
      initial: { target: 'a', actions: 'begin' },
      states: { a: { always: 'b' }, b: {} },
    } as never);
    const picture = await render(machine as AnyStateMachine, { format: 'mermaid' });
    expect(picture).toContain('--> s2 : always\n');
    expect(picture).toContain('begins #47; begin\n');
  });

  test('names an awaited event as its author wrote it', () => {
    expect(namesIn('invoked actors, and how they end').map(([on]) => on)).toEqual([
      'onDone loader',
      'onError loader',
      'onError loader',
      'onDone watch',
      'onSnapshot watch',
      'onDone inline',
    ]);
    expect(namesIn('delays, by number and by name').map(([on]) => on)).toEqual([
      'after 1000 ms',
      'after patience',
      'after eternity',
      'after eternity',
    ]);
    expect(namesIn('ends, inner and outer').map(([on]) => on)).toEqual(['onDone', 'onDone', 'end']);
    expect(namesIn('routes').map(([, guard, targets]) => [guard, targets])).toEqual([
      [null, ['home']],
      ['isOpen', ['shop']],
    ]);
  });

  test('leads a lost history to its default, or nowhere without one', () => {
    const lost = walk(machines['history, shallow, deep and without a default']!).transitions.filter(
      ({ kind }) => kind === 'lost',
    );
    expect(lost.map(({ from, targets }) => [from, targets])).toEqual([
      ['work.last', ['work.draft']],
      ['work.all', ['work.draft.half']],
      ['work.named', ['rest']],
    ]);
  });
});

test('A png has the size of the picture twice', async () => {
  const [picture, drawn] = await Promise.all([
    render(taskMachine, { format: 'svg', view: 'overview' }),
    render(taskMachine, { format: 'png', view: 'overview' }),
  ]);
  const [, width = ''] = /width="([\d.]+)"/.exec(picture) ?? [];
  const view = new DataView(drawn.buffer, drawn.byteOffset);
  expect(new TextDecoder('latin1').decode(drawn.slice(0, 8))).toBe('\u0089PNG\r\n\u001a\n');
  expect(Math.abs(view.getUint32(16) - 2 * Number(width))).toBeLessThan(2);
  expect(drawn.length).toBeGreaterThan(50_000);
});

const refusal = (path: string, message: string) => ({
  code: 'definition_invalid',
  details: { definition: 'picture', issues: [{ path, message }] },
});

describe('A refused rendering', () => {
  test('names the known formats for an unknown one', async () => {
    const message = 'must be one of svg, png, mermaid, json, xstate';
    for (const format of ['pdf', 'toString', undefined])
      await expect(render(taskMachine, { format: format as 'svg' })).rejects.toMatchObject(
        refusal('/format', message),
      );
  });

  test('reports a value that is no machine', async () => {
    for (const machine of [null, {}, 'task', taskMachine.config])
      await expect(render(machine as unknown as AnyStateMachine, { format: 'json' })).rejects.toMatchObject(
        refusal('/machine', 'must be a machine of XState 5'),
      );
  });

  test('reports a picture that is too large to read, while texts have no limit', async () => {
    const states = Object.fromEntries(
      Array.from({ length: 301 }, (_, at) => [`s${at}`, { on: { go: 's0' } }]),
    );
    const machine = createMachine({ initial: 's0', states }) as AnyStateMachine;
    for (const format of ['svg', 'png'] as const)
      await expect(render(machine, { format })).rejects.toMatchObject({ code: 'definition_invalid' });
    for (const format of ['mermaid', 'json', 'xstate'] as const)
      expect((await render(machine, { format })).length).toBeGreaterThan(5000);
  });

  test('reports a machine that is nested without end', async () => {
    const nested = (levels: number): object =>
      levels === 0 ? {} : { initial: 'in', states: { in: nested(levels - 1) } };
    const message = 'must not be nested more than 128 deep';
    for (const format of ['svg', 'png', 'mermaid', 'json', 'xstate'] as const)
      await expect(render(createMachine(nested(129)) as AnyStateMachine, { format })).rejects.toMatchObject(
        refusal('/machine', message),
      );
    expect(await render(createMachine(nested(128)) as AnyStateMachine, { format: 'xstate' })).toContain(
      'in:',
    );
  });
});

test('A picture of many edges has a layout', async () => {
  const states = Object.fromEntries(
    Array.from({ length: 200 }, (_, at) => [`s${at}`, { on: { next: `s${(at + 1) % 200}` } }]),
  );
  const picture = await render(createMachine({ initial: 's0', states }) as AnyStateMachine, {
    format: 'svg',
  });
  expect(picture.match(/data-transition/g)?.length).toBe(200);
});
