import { taskMachine } from '../../../machines/index.ts';
import type { Tools, WithKnownTools } from '../../base/define/inferred.ts';
import type { DefinedTaskClass } from '../../base/define/task-class.ts';
import { isCharterError } from '../../base/errors.ts';
import { inWorld } from '../charter/explore-world.ts';
import { charterProperties } from '../charter/properties/properties.ts';
import type { World } from '../charter/world.ts';
import { check, type Counterexample } from '../check.ts';
import { explore } from '../explore.ts';
import { TestFailure } from '../failure.ts';
import { checkOptions, checkPromises } from './check-options.ts';
import type { ProofOptions } from './options.ts';
import { pathText } from './path-text.ts';
import { possibilitiesOf, refuseImpossible, type TaskGraph } from './possible.ts';
import { contractProperties, promisedProperties, type TaskProperty } from './promises.ts';
import { reportOf, type Proof } from './report.ts';
import { proofSubject } from './subject.ts';
import { worldsOf } from './worlds.ts';

/** A world and its states; no graph if there are too many. */
interface Explored {
  readonly world: World;
  readonly graph: TaskGraph | null;
}

const exploreWorld = (world: World, limit: number): Explored => {
  try {
    return { world, graph: explore(taskMachine, { ...inWorld(world), limit }) };
  } catch (error) {
    if (isCharterError(error, 'chart_unbounded')) return { world, graph: null };
    throw error;
  }
};

const failure = (id: string, found: Counterexample<typeof taskMachine>, { input }: TaskGraph): TestFailure =>
  new TestFailure(
    `Task class ${id} does not keep this: ${found.property}.\n\nThe shortest run that shows it:\n${pathText(taskMachine, input, found.events)}`,
  );

/** Throws for the first broken property, with a shortest run of all worlds. */
const refuseBroken = (
  id: string,
  explored: readonly Explored[],
  properties: readonly TaskProperty[],
): void => {
  for (const property of properties) {
    const broken = explored.flatMap(({ graph }) =>
      graph === null ? [] : check(graph, [property]).map((found) => ({ found, graph })),
    );
    const [shortest] = broken.toSorted((one, other) => one.found.events.length - other.found.events.length);
    if (shortest !== undefined) throw failure(id, shortest.found, shortest.graph);
  }
};

/** Returns the rules of every task class. Throws for the first that is broken in a world. */
const checkRules = (id: string, explored: readonly Explored[]): readonly string[] => {
  const rules = new Set<string>();
  for (const one of explored) {
    const properties = charterProperties<typeof taskMachine>(one.world);
    for (const { name } of properties) rules.add(name);
    refuseBroken(id, [one], properties);
  }
  return [...rules];
};

/**
 * Proves what a task class promises: derives small worlds from it, explores every state that the model, tools,
 * verifiers, policy, people and clock can cause, and checks every rule and promise in each. A class that names no
 * `authorities` is proved with signed approvals.
 *
 * Throws a failure with a shortest run, in sentences, if something does not hold, also if a tool can never be called
 * or nothing can ever be delivered. Throws `RangeError` if a tool of the task class is missing, or a promise
 * names what is not there. Takes seconds.
 */
export const prove = <const Class extends DefinedTaskClass, const Has extends Tools>(
  taskClass: Class & WithKnownTools<readonly [Class], Has>[0],
  options: ProofOptions<Has>,
): Proof => {
  checkOptions(taskClass, options);
  const { tools, promises = {}, properties = [], limit = 20_000 } = options;
  const begun = performance.now();
  const subject = proofSubject(taskClass, tools);
  checkPromises(subject, promises);
  const explored = worldsOf(subject).map((world) => exploreWorld(world, limit));
  const graphs = explored.flatMap(({ graph }) => graph ?? []);
  if (graphs.length === 0)
    throw new RangeError(`prove: each world has more than ${limit} states: raise \`limit\``);
  const tooLarge = explored.filter(({ graph }) => graph === null).map(({ world }) => world.name);
  const promised = [...promisedProperties(subject, promises), ...properties];
  const own = contractProperties(subject).filter(({ name }) => promised.every((one) => one.name !== name));
  refuseBroken(subject.id, explored, [...promised, ...own]);
  const possibilities = possibilitiesOf(subject, promises);
  const unmet = possibilities.filter(({ isMet }) => !graphs.some(isMet));
  for (const possibility of tooLarge.length === 0 ? unmet : [])
    refuseImpossible(subject.id, graphs, possibility);
  const rules = checkRules(subject.id, explored);
  const sum = (count: (graph: TaskGraph) => number): number =>
    graphs.reduce((total, one) => total + count(one), 0);
  return reportOf(subject, {
    promises: [
      ...[...promised, ...own].map(({ name }) => name),
      ...possibilities.filter((one) => !unmet.includes(one)).map(({ sentence }) => sentence),
    ],
    rules,
    worlds: explored.flatMap(({ world: { name }, graph }) =>
      graph === null ? [] : [{ name, states: graph.states.length }],
    ),
    undecided: unmet.map(({ sentence }) => sentence),
    tooLarge,
    states: sum(({ states }) => states.length),
    steps: sum(({ edges }) => edges.length),
    milliseconds: performance.now() - begun,
    limit,
  });
};
