import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { setup } from 'xstate';
import { executionMachine, taskMachine } from '../../machines/index.ts';
import { skipWithout } from '../needs.ts';
import { nodesOf, transitionsOf } from '../machines/transitions.ts';
import { control, vocabularyOf, type Vocabulary } from './control.ts';
import { labelOf, leavesOf, token } from './tree.ts';
import { takenBy } from './exploration.ts';
import { exported, handWritten } from './export.ts';
import { faults } from './faults.ts';
import { scenarios } from './scenarios.ts';
import { taskFaults } from './task-faults.ts';
import { agree, isFound, opinionOn, opinionsOn, waysIn } from './opinions.ts';
import { long } from './limits.ts';
import { orderOf } from './order.ts';
import { tally } from './tally.ts';
import { told } from './told.ts';

const charts = [executionMachine, taskMachine] as const;
const vocabularies = charts.map(vocabularyOf);

/** What either chart names. */
const inEither = (which: (vocabulary: Vocabulary) => ReadonlySet<string>): ReadonlySet<string> =>
  new Set(vocabularies.flatMap((vocabulary) => [...which(vocabulary)]));

/** The names that a file says something of, each as often as it does. */
const said = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map(([, name]) => name ?? '').toSorted();

const macro = /^(?:#define|inline) (\w+)/gm;
const startingWith = (prefix: string) => new RegExp(String.raw`^(?:#define|inline) ${prefix}(\w+)`, 'gm');
const sorted = (names: Iterable<string>): readonly string[] => [...names].toSorted();

describe('what is written by hand', () => {
  test('says each guard of the charts once, those that read the fact with the fact, and no other', () => {
    const { guards } = handWritten;
    const acceptance = inEither((one) => one.acceptance);
    const ofContext = inEither((one) => one.guards);
    expect(said(guards, /^#define (\w+)\(type, /gm)).toEqual(sorted(acceptance));
    expect(said(guards, /^#define (\w+) /gm)).toEqual(sorted(ofContext));
    expect(ofContext.size + acceptance.size).toBeGreaterThan(25);
  });

  test('says each action of the charts once, and no other', () => {
    const actions = inEither((one) => one.actions);
    expect(said(handWritten.actions, macro)).toEqual(sorted(actions));
    expect(actions.size).toBeGreaterThan(10);
  });

  test('says once what each fact does, and once when it concerns the run, where a chart asks', () => {
    const facts = inEither((one) => one.facts);
    expect(said(handWritten.record, startingWith('record_'))).toEqual(sorted([...facts].map(token)));
    const asking = charts.flatMap(transitionsOf).filter(({ guard }) => guard === 'appliesTo');
    expect(said(handWritten.acceptance, startingWith('concerns_'))).toEqual(
      sorted(new Set(asking.map(({ on }) => token(on)))),
    );
    expect(facts.size).toBeGreaterThan(20);
  });

  test('holds nothing that is not used', () => {
    const models = scenarios.map(({ machine, world }) => exported(machine, world).promela).join('\n');
    const names = said(Object.values(handWritten).join('\n'), macro);
    const pasted = /^(?:record|concerns|sayAt)_/;
    const mentioned = tally(said(models, /(\w+)/g));
    const defined = tally(said(models, macro));
    const unused = names.filter((name) => !pasted.test(name) && mentioned[name] === defined[name]);
    expect(names.length).toBeGreaterThan(150);
    expect(unused).toEqual([]);
  });
});

describe('what is generated', () => {
  test.each(charts)('begins where the chart does, with nothing done: $id', (machine) => {
    const { states } = control(machine);
    const first = nodesOf(machine.root).find(({ key }) => key === 'intake');
    expect(states).toContain('byte state = S_intake;');
    expect(first?.entry).toEqual([{ type: 'enter', params: { of: 'intake' } }]);
  });

  test.each(charts)('has every state and every branch of the chart: $id', (machine) => {
    const { states, steps } = control(machine);
    const leaves = nodesOf(machine.root).filter(
      ({ states: inner, type }) => Object.keys(inner).length === 0 && type !== 'history',
    );
    expect(said(states, /^#define S_(\w+)/gm)).toEqual(sorted(leaves.map(labelOf)));
    expect(new Set(leaves.map(labelOf)).size).toBe(leaves.length);
    const taken = [...steps.matchAll(/step == (\d+) /g)].map(([, number]) => Number(number));
    expect(taken.toSorted((one, other) => one - other)).toEqual(taken.map((_, at) => at + 1));
    expect(taken.length).toBe(transitionsOf(machine).length);
  });

  test('comes back to every state in which the task may have stopped, or to the default of its history', () => {
    const { steps } = control(taskMachine);
    const phases = leavesOf(taskMachine).filter(({ path: [outer] }) => outer === 'submitted');
    const back = said(steps, /^:: resumed == S_(\w+) ->/gm);
    expect(back).toEqual(sorted(phases.map(labelOf)));
    expect(steps).toMatch(/^:: else -> .*stop\(\); state = S_/m);
    expect(control(executionMachine).steps).not.toContain('resumed');
  });

  test('is refused for a chart that it could not be true to', () => {
    const odd = setup({ actions: { leave: () => undefined } });
    const leaving = odd.createMachine({ id: 'odd', initial: 'one', states: { one: { exit: 'leave' } } });
    const beside = odd.createMachine({ id: 'odd', type: 'parallel', states: { one: {}, two: {} } });
    const shallow = odd.createMachine({
      id: 'odd',
      initial: 'one',
      states: { one: { initial: 'two', states: { two: {}, back: { type: 'history' } } } },
    });
    expect(() => control(leaving)).toThrow('no Promela for odd.one');
    expect(() => control(beside)).toThrow('no Promela for odd');
    expect(() => control(shallow)).toThrow('no Promela for odd.one.back');
  });

  test('tells every fact of a world apart', () => {
    for (const { machine, world } of scenarios) {
      const lines = exported(machine, world).facts.map(told);
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

/** Every fault takes a compiler: one of three is looked for here, and each with ALL set. */
const sought = [...faults, ...taskFaults].filter(
  (_, index) => process.env['ALL'] !== undefined || index % 3 === 0,
);

describe.skipIf(lacking !== null).concurrent(title, () => {
  test.each(scenarios)(
    'counts what the TypeScript exploration counts, and finds no fault: $machine.id, $world.name',
    async (scenario) => {
      const { world } = scenario;
      const opinions = await opinionsOn(scenario);
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
      const { counted, taskClass } = orderOf(world);
      for (const name of long.filter((one) => !counted.includes(one)))
        expect(typescript.most[name]).toBeLessThan(taskClass.limits[name]);
    },
  );

  test.each(sought)('finds that $name', async (fault) => {
    const verdict = await opinionOn(fault);
    expect(verdict.broken).toBe(fault.breaks);
    expect(isFound(fault, verdict)).toBe(true);
    if (fault.broken === null) return;
    const way = verdict.trail.map(told);
    expect(takenBy(fault.broken, fault.in.world, way)).toEqual(way);
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

  test.each(charts)('takes every transition of the chart, in one world or another: $id', async (machine) => {
    const opinions = await Promise.all(scenarios.filter((one) => one.machine === machine).map(opinionsOn));
    const taken = new Set(opinions.flatMap(({ spin }) => [...spin.taken]));
    const atLimits = ['mayExtendTurns', 'mayExtendCalls'];
    const all = transitionsOf(machine).filter(({ guard = '' }) => !atLimits.includes(guard));
    expect(taken.size).toBe(all.length - 1); // no round begins with a question in these worlds
  });
});
