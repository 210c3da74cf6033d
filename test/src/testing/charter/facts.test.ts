import { explore, factsIn, hostileFactsIn, inWorld, projectRun, type World } from 'agentcharter/testing';
import { executionMachine, Fact, factTypes, taskMachine, type Context } from 'agentcharter/machines';
import { readFileSync } from 'node:fs';
import { FeedbackType } from 'agentcharter/schema';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { optionsOf } from '../../../../src/testing/charter/values.ts';
import { worlds as all } from '../../../machines/worlds.ts';

/** Worlds that are soon gone through, and in which everything can be said. */
const names = [
  'a delivered run that offers a followup',
  'a write that asks, waits and falls into doubt',
  'another plan, which keeps a high-risk write',
  'verifiers whose reports do not count',
  'calls that are tasks of their own',
  'an edit that brings more than it was asked for',
  'two reads that ask and wait',
];
const worlds: readonly World[] = all.filter(({ name }) => names.includes(name));

const graphs = worlds.map((world) => ({
  world,
  graph: explore(taskMachine, inWorld(world)),
}));

/** Every so many of the states of a graph: there are more than one needs to look at. */
const sampleOf = (contexts: readonly Context[]): readonly Context[] => {
  const apart = Math.ceil(contexts.length / 60);
  return contexts.filter((_, at) => at % apart === 0);
};

const sampled = graphs.flatMap(({ world, graph }) =>
  sampleOf(graph.states.map(({ context }) => context)).map((context) => ({ world, context })),
);

describe('The facts for a run', () => {
  test('contain every fact type, each valid and once', () => {
    const types = new Set<string>();
    for (const { world, context } of sampled) {
      const facts = factsIn({ further: [], tightened: { threshold: 0.9 }, ...world, never: [] }, context);
      expect(new Set(facts.map((fact) => JSON.stringify(fact))).size).toBe(facts.length);
      expect(facts.filter((fact) => !Fact.safeParse(fact).success)).toEqual([]);
      for (const { type } of facts) types.add(type);
    }
    expect(sampled.length).toBeGreaterThan(200);
    expect(factTypes.filter((type) => !types.has(type))).toEqual([]);
  });

  test('contain every option of every enumeration, and each optional field both ways', () => {
    const values = new Map<string, Set<unknown>>();
    for (const { world, context } of sampled)
      for (const fact of factsIn({ ...world, never: [] }, context))
        for (const { shape } of Fact.options.filter((variant) => variant.shape.type.value === fact.type))
          for (const field of Object.keys(shape)) {
            const name = `${fact.type} ${field}`;
            values.set(name, (values.get(name) ?? new Set()).add(Reflect.get(fact, field)));
          }
    const missing = Fact.options.flatMap(({ shape }) =>
      Object.entries(shape).flatMap(([field, schema]) => {
        const name = `${shape.type.value} ${field}`;
        if (field === 'code' || field === 'causes' || name === 'human.responded call') return []; // one stands for all, or a world says which
        const wanted = [...optionsOf(schema), ...(schema instanceof z.ZodOptional ? [undefined] : [])];
        return wanted
          .filter((one) => values.get(name)?.has(one) !== true)
          .map((one) => `${name} ${String(one)}`);
      }),
    );
    expect(missing).toEqual([]);
  });

  test('contain every feedback for every question, whatever the chart accepts', () => {
    for (const { world, context } of sampled)
      for (const question of [...Object.keys(context.questions), 'followup']) {
        const feedbacks = factsIn({ ...world, never: [] }, context).flatMap((fact) =>
          fact.type === 'human.responded' && fact.question === question ? [fact.feedback] : [],
        );
        expect([...new Set(feedbacks)].toSorted()).toEqual(FeedbackType.options.toSorted());
      }
  });

  test('import only schemas from the chart, and no decision', () => {
    const folder = new URL('../../../../src/testing/charter/', import.meta.url);
    const imported = ['facts.ts', 'values.ts', 'names.ts', 'hostile.ts', 'world.ts'].flatMap((file) =>
      [
        ...readFileSync(new URL(file, folder), 'utf8').matchAll(
          /import (type )?\{([^}]*)\} from '[^']*machines[^']*'/g,
        ),
      ]
        .filter(([, isType]) => isType === undefined)
        .flatMap(([, , names = '']) => names.split(',').map((name) => name.trim()))
        .filter((name) => name !== '' && !name.startsWith('type ')),
    );
    expect([...new Set(imported)].toSorted()).toEqual(['Fact', 'TaskClassContract', 'taskClass']);
  });

  test('exclude the types, deadlines, answers and doubts that a scenario excludes', () => {
    const { world, context } = sampled[0] ?? expect.fail('nothing was sampled');
    const factsWithout = (never: World['never']) => factsIn({ ...world, ...(never && { never }) }, context);
    const all = factsWithout([]);
    expect(all.length).toBeGreaterThan(factsWithout(['task.cancelled']).length);
    expect(factsWithout(['task.cancelled']).map(({ type }) => type)).not.toContain('task.cancelled');
    const deadlines = (never: World['never']) =>
      factsWithout(never).flatMap((fact) => (fact.type === 'deadline.passed' ? [fact.of] : []));
    expect(deadlines([])).toContain('model');
    expect(deadlines(['model'])).not.toContain('model');
    const plans = (never: World['never']) =>
      factsWithout(never).filter(({ type }) => type === 'plan.proposed').length;
    expect(plans([])).toBe(plans(['unsure']) * 2);
  });

  test('move the chart in every state but its end states', () => {
    for (const { graph } of graphs) {
      const stuck = graph.states.filter((snapshot, state) => {
        const ended = snapshot.status === 'done' || snapshot.hasTag('settled');
        return !ended && graph.leaving(state).length === 0;
      });
      expect(stuck).toEqual([]);
    }
  });
});

/** What is told once, and refused from then on: an approver, a name that a question has, a class that is in force. */
const stale: ReadonlySet<string> = new Set([
  'approval.granted',
  'human.responded',
  'question.raised',
  'information.requested',
  'help.requested',
  'output.rejected',
  'taskClass.changed',
]);

describe('The hostile facts for a run', () => {
  test.each(Object.entries({ task: taskMachine, execution: executionMachine }))(
    'are refused in the first state of the %s chart',
    (_, machine) => {
      for (const world of worlds) {
        const { states } = explore(machine, { ...inWorld(world), events: [] });
        const [begun] = states;
        const hostile = begun === undefined ? [] : hostileFactsIn(world, begun.context);
        expect(hostile.length).toBeGreaterThan(10);
        expect(hostile.filter((fact) => begun?.can(fact))).toEqual([]);
      }
    },
  );

  test('contain no valid fact, and use the ids of the run', () => {
    const kinds = new Set<string>();
    for (const { world, context } of sampled) {
      const honest = new Set(factsIn({ ...world, never: [] }, context).map((fact) => JSON.stringify(fact)));
      const forged = hostileFactsIn({ ...world, careless: false }, context).filter(
        (fact) => !stale.has(fact.type) && honest.has(JSON.stringify(fact)),
      );
      expect(forged).toEqual([]);
      for (const { type } of hostileFactsIn(world, context)) kinds.add(type);
    }
    for (const type of ['call.started', 'verifier.reported', 'xstate.init', '*', '__proto__', ''])
      expect(kinds).toContain(type);
  });
});

/** The same record, told from its end. */
const turned = <T>(record: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(record).toReversed());

const textOf = (context: Context): string => JSON.stringify(projectRun(context));

describe('The projection of a run', () => {
  test('is plain JSON, and ignores the order of unordered members', () => {
    let turnedOver = 0;
    for (const { context } of sampled) {
      const { reports, questions, dependencies, calls } = context;
      const other: Context = {
        ...context,
        reports: turned(reports),
        questions: turned(questions),
        dependencies: turned(dependencies),
        calls: Object.fromEntries(
          Object.entries(calls).map(([id, call]) => [
            id,
            { ...call, approvers: call.approvers.toReversed() },
          ]),
        ),
      };
      expect(textOf(other)).toBe(textOf(context));
      if (JSON.stringify(other) !== JSON.stringify(context)) turnedOver += 1;
      expect(JSON.parse(textOf(context))).toEqual(projectRun(context));
    }
    expect(turnedOver).toBeGreaterThan(0);
  });

  test('omits only constant and report-only members', () => {
    const { context } = sampled.at(-1) ?? expect.fail('nothing was sampled');
    const text = textOf(context);
    expect(textOf({ ...context, taskClass: { ...context.taskClass, id: 'another' } })).toBe(text);
    expect(textOf({ ...context, trail: [] })).toBe(text);
    expect(textOf({ ...context, collected: context.collected + 1 })).not.toBe(text);
    expect(textOf({ ...context, attempt: context.attempt + 1 })).not.toBe(text);
  });

  test('distinguishes calls by their order, which is the order of writes', () => {
    const { context } = sampled.at(-1) ?? expect.fail('nothing was sampled');
    const [call] = Object.values(context.calls);
    expect(call).toBeDefined();
    if (call === undefined) return;
    expect(textOf({ ...context, calls: { x: call, y: call } })).not.toBe(
      textOf({ ...context, calls: { y: call, x: call } }),
    );
  });
});
