import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { executionMachine, taskMachine } from '../../machines/index.ts';
import { skipWithout } from '../needs.ts';
import { nodesOf, transitionsOf } from '../machines/transitions.ts';
import { control, token, vocabularyOf } from './control.ts';
import { takenBy } from './exploration.ts';
import { exported, handWritten } from './export.ts';
import { faults } from './faults.ts';
import { agree, isFound, opinionOn, opinionsOn, waysIn } from './opinions.ts';
import { told } from './told.ts';
import { worlds } from './worlds.ts';

const vocabulary = vocabularyOf(executionMachine);

/** The names that a file says something of, each as often as it does. */
const said = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map(([, name]) => name ?? '').toSorted();

const macro = /^(?:#define|inline) (\w+)/gm;
const startingWith = (prefix: string) => new RegExp(String.raw`^(?:#define|inline) ${prefix}(\w+)`, 'gm');
const sorted = (names: Iterable<string>): readonly string[] => [...names].toSorted();

describe('what is written by hand', () => {
  test('says each guard of the chart once, those that read the fact with the fact, and no other', () => {
    const { guards } = handWritten;
    expect(said(guards, /^#define (\w+)\(type, /gm)).toEqual(sorted(vocabulary.acceptance));
    expect(said(guards, /^#define (\w+) /gm)).toEqual(sorted(vocabulary.guards));
    expect(vocabulary.guards.size + vocabulary.acceptance.size).toBeGreaterThan(25);
  });

  test('says each action of the chart once, and no other', () => {
    expect(said(handWritten.actions, macro)).toEqual(sorted(vocabulary.actions));
    expect(vocabulary.actions.size).toBeGreaterThan(10);
  });

  test('says once what each fact does, and once when it concerns the run, where the chart asks', () => {
    expect(said(handWritten.record, startingWith('record_'))).toEqual(
      sorted([...vocabulary.facts].map(token)),
    );
    const asking = transitionsOf(executionMachine).filter(({ guard }) => guard === 'concernsRun');
    expect(said(handWritten.acceptance, startingWith('concerns_'))).toEqual(
      sorted(new Set(asking.map(({ on }) => token(on)))),
    );
    expect(vocabulary.facts.size).toBeGreaterThan(20);
  });

  test('holds nothing that is not used', () => {
    const models = worlds.map((world) => exported(executionMachine, world).promela).join('\n');
    const names = said(Object.values(handWritten).join('\n'), macro);
    const pasted = /^(?:record|concerns|sayAt)_/;
    const unused = names.filter(
      (name) =>
        !pasted.test(name) &&
        [...models.matchAll(new RegExp(String.raw`\b${name}\b`, 'g'))].length <= worlds.length,
    );
    expect(names.length).toBeGreaterThan(150);
    expect(unused).toEqual([]);
  });
});

describe('what is generated', () => {
  test('begins where the chart does, with nothing done', () => {
    const { states } = control(executionMachine);
    const [first] = executionMachine.root.initial.target;
    expect(states).toContain(`byte state = S_${token(first?.id ?? '')};`);
    expect(first?.entry).toEqual([{ type: 'enter', params: { of: 'intake' } }]);
  });

  test('has every state and every branch of the chart', () => {
    const { states, steps } = control(executionMachine);
    const leaves = nodesOf(executionMachine.root).filter((node) => Object.keys(node.states).length === 0);
    expect(said(states, /^#define S_(\w+)/gm)).toEqual(sorted(leaves.map(({ id }) => token(id))));
    const taken = [...steps.matchAll(/step == (\d+) /g)].map(([, number]) => Number(number));
    expect(taken.toSorted((one, other) => one - other)).toEqual(taken.map((_, at) => at + 1));
    expect(taken.length).toBeGreaterThan(80);
  });

  test('is refused for a chart that it could not be true to', () => {
    expect(() => control(taskMachine)).toThrow('no Promela for');
  });

  test('tells every fact of a world apart', () => {
    for (const world of worlds) {
      const lines = exported(executionMachine, world).facts.map(told);
      expect(new Set(lines).size).toBe(lines.length);
    }
  });
});

/** The row of the table that is for readers, without the spaces that align it. */
const published = readFileSync(new URL('README.md', import.meta.url), 'utf8').replaceAll(/ +/g, ' ');
const row = (name: string, counts: readonly number[]): string =>
  `| ${[name, ...counts.map((count) => count.toLocaleString('en'))].join(' | ')} |`;

const lacking = skipWithout(['spin', 'gcc']);
const title = lacking === null ? 'Spin' : `Spin, skipped: ${lacking}`;

describe.skipIf(lacking !== null).concurrent(title, { timeout: 240_000 }, () => {
  test.each(worlds)(
    'counts what the TypeScript exploration counts, and finds no fault: $name',
    async (world) => {
      const opinions = await opinionsOn(world);
      const { spin, liveness, typescript } = opinions;
      expect(spin).toMatchObject({ errors: 0, broken: null, states: typescript.states });
      expect(spin.ways).toBe(waysIn(typescript));
      expect(spin.steps).toEqual(typescript.steps);
      expect(agree(opinions)).toBe(true);
      expect(liveness).toMatchObject({ errors: 0 });
      const { states, settled, edges } = typescript;
      expect(published).toContain(row(world.name, [states, settled, edges, Object.keys(spin.steps).length]));
      expect(liveness.states).toBeGreaterThan(spin.states);
      expect(typescript.states).toBeGreaterThan(200);
    },
  );

  test.each(faults)('finds that $name', async (fault) => {
    const verdict = await opinionOn(fault);
    expect(verdict.broken).toBe(fault.breaks);
    expect(isFound(fault, verdict)).toBe(true);
    if (fault.guard === null) return;
    const { name, verdict: forced } = fault.guard;
    const broken = executionMachine.provide({ guards: { [name]: () => forced } });
    const way = verdict.trail.map(told);
    expect(takenBy(broken, fault.in, way)).toEqual(way);
  });

  test('tells the shortest way to a fault in facts', async () => {
    const fault = faults.find(({ name }) => name === 'undoing is over at once');
    expect((await opinionOn(fault!)).trail.map(told)).toEqual([
      'request.accepted()',
      'plan.proposed(plan-0, confidence 0.9)',
      'policy.decided(u, allow)',
      'call.started(u)',
      'task.cancelled()',
    ]);
  });

  test('takes every transition of the chart, in one world or another', async () => {
    const opinions = await Promise.all(worlds.map(opinionsOn));
    const taken = new Set(opinions.flatMap(({ spin }) => [...spin.taken]));
    expect(taken.size).toBe(transitionsOf(executionMachine).length);
  });
});
