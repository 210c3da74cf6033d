import { isCharterError } from 'agentcharter';
import { isDeepStrictEqual } from 'node:util';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { defineTaskClass } from 'agentcharter';
import type { LedgerRecord } from 'agentcharter/ledger';
import type { Step } from 'agentcharter/stores';
import { stateName, taskMachine, type DeadlineOf, type Fact } from 'agentcharter/machines';
import { explore, projectRun, type Edge, type Graph, type World } from 'agentcharter/testing';
import { eventText } from '../../../../../src/testing/event-text.ts';
import { Path } from '../../../../../src/testing/paths/path.ts';
import { requests } from '../../../../../src/testing/charter/world.ts';
import { stepper } from '../../../../../src/testing/chart.ts';
import { identity } from '../scripted.ts';
import { cause } from './cause.ts';
import { eagerFacts, ownFacts, type Reason, type TaskSnapshot } from './eager.ts';
import { Renaming } from './renaming.ts';
import { definitionOf, stageIn } from './stage.ts';
import { Timetable } from './timetable.ts';

type TaskGraph = Graph<typeof taskMachine>;
type TaskPath = Path<typeof taskMachine>;

const start = Date.parse('2026-11-21T05:00:00Z');

const persisted = (snapshot: TaskSnapshot): string =>
  JSON.stringify(taskMachine.getPersistedSnapshot(snapshot));

/** Returns the states that an orchestrator can reach in a world; counts omitted facts by reason. */
export const eagerGraph = (world: World, leftOut: Map<Reason, number>): TaskGraph =>
  explore(taskMachine, {
    input: { taskClass: defineTaskClass(definitionOf(world)).contract, request: requests[0] },
    events: eagerFacts(world, leftOut),
    project: projectRun,
  });

/** Extends a path until only the outside world can act. */
export const throughOwn = ({ graph, steps }: TaskPath): TaskPath => {
  const further = [...steps];
  for (;;) {
    const end = further.at(-1)?.to ?? 0;
    const own = ownFacts(graph.at(end));
    const [edge] = graph.leaving(end);
    if (own.length === 0 || edge === undefined) return new Path(graph, further);
    further.push(edge);
  }
};

/** Compares a path with the records of an orchestrator, fact by fact. */
class Observer {
  readonly names = new Renaming();
  readonly timetable: Timetable;
  recorded = 0;
  fault: Error | null = null;
  readonly #graph: TaskGraph;
  readonly #steps: readonly Edge<Fact>[];
  readonly #chart: ReturnType<typeof stepper<typeof taskMachine>>;
  #snapshot: TaskSnapshot;
  /** How many facts the timetable has; -1 before the task has opened. */
  #foreseen = -1;
  #isOpen = false;

  constructor({ graph, steps }: TaskPath) {
    this.#graph = graph;
    this.#steps = steps;
    this.#chart = stepper(taskMachine, graph.input);
    this.#snapshot = this.#chart.initial();
    const facts = steps.map(({ event }) => event);
    this.timetable = new Timetable(facts, start);
  }

  /** The snapshot of the chart after the recorded facts. */
  get snapshot(): TaskSnapshot {
    return this.#snapshot;
  }

  readonly next = (): Fact | undefined => this.#steps[this.recorded]?.event;

  /** Deadlines are set while a fact is recorded: by then the path has it as its next fact. */
  readonly foresee = (): void => {
    const step = this.#steps[this.recorded];
    if (!this.#isOpen) this.#reach(0, this.#snapshot);
    else if (step !== undefined && this.#foreseen <= this.recorded)
      this.#reach(this.recorded + 1, this.#chart.step(this.#snapshot, step.event));
  };

  #reach(facts: number, snapshot: TaskSnapshot): void {
    if (this.#foreseen >= facts) return;
    this.#foreseen = facts;
    this.timetable.reached(facts, snapshot);
  }

  readonly onStep = ({ record, snapshot }: Step): void => {
    try {
      if (this.fault === null) this.#judge(record, snapshot && this.names.text(snapshot));
    } catch (error) {
      this.fault = error instanceof Error ? error : new Error(String(error));
    }
  };

  #judge({ kind, fact, to, request_id }: LedgerRecord, snapshot: string | null): void {
    if (kind === 'message') return; // it changes no state
    const step = this.#steps[this.recorded];
    if (fact === null && kind === 'fact') {
      this.names.bind(request_id, this.#snapshot.context.request);
      this.#reach(0, this.#snapshot);
      this.#isOpen = true;
      return;
    }
    if (fact === null || kind !== 'fact' || step === undefined)
      throw new Error(`the path has no ${kind} of ${JSON.stringify(fact)}`);
    this.names.learn(fact, step.event);
    const renamed = JSON.parse(this.names.text(JSON.stringify(fact))) as Fact;
    if (!isDeepStrictEqual(renamed, step.event))
      throw new Error(`the path says ${JSON.stringify(step.event)}, the ledger ${JSON.stringify(renamed)}`);
    this.#snapshot = this.#chart.step(this.#snapshot, step.event);
    this.recorded += 1;
    this.#reach(this.recorded, this.#snapshot);
    const reached = stateName(this.#snapshot.value);
    if (to !== reached) throw new Error(`the chart reaches ${reached}, the orchestrator ${to}`);
    this.#compare(this.#graph.at(step.to), snapshot && this.names.text(snapshot));
  }

  #compare(expected: TaskSnapshot, real: string | null): void {
    const [here, there] = [this.#graph.keyOf(this.#snapshot), this.#graph.keyOf(expected)];
    if (here !== there) throw new Error(`the graph says ${there}, its path leads to ${here}`);
    if (real === null) return; // recorded where the task rests
    const walked = persisted(this.#snapshot);
    if (walked !== real && !isDeepStrictEqual(JSON.parse(walked), JSON.parse(real)))
      throw new Error(`the chart says ${walked}, the orchestrator ${real}`);
  }
}

const drive = async (world: World, { steps }: TaskPath, observer: Observer): Promise<void> => {
  const { names, timetable, next, foresee, onStep } = observer;
  const named = (text: string): string => names.text(text);
  const fate = {
    next,
    onStep,
    lengthOf: (of: DeadlineOf, now: number) => {
      foresee();
      return timetable.lengthOf(of, now);
    },
    endOf: (of: DeadlineOf, id: string) => timetable.endOf(of, named(id)),
  };
  const stage = stageIn(world, fate, start);
  const { clock, orchestrator } = stage;
  const errors: unknown[] = [];
  orchestrator.on('error', ({ error }) => {
    // the fact of a callback or an output that failed is compared as well
    if (!isCharterError(error, 'callback_failed') && !isCharterError(error, 'document_invalid'))
      errors.push(error);
  });
  const idle = async (): Promise<void> => {
    await nextTurn();
    if (observer.fault !== null) throw observer.fault;
    if (errors.length > 0) throw new Error('the orchestrator reported an error', { cause: errors[0] });
  };
  const { taskId } = await orchestrator.submit({ taskClass: 'class', payload: {}, identity });
  await idle();
  for (let fact = next(); fact !== undefined; fact = next()) {
    const at = observer.recorded;
    const hour = timetable.timeOf(at);
    if (fact.type === 'deadline.passed' && fact.of !== 'offer') await clock.advance(hour - clock.now());
    else {
      clock.leap(hour - clock.now());
      await cause({ stage, taskId, context: observer.snapshot.context, named, at }, fact);
    }
    await idle();
    if (observer.recorded === at) throw new Error(`${eventText(fact)} was not recorded`);
  }
  const { state } = (await orchestrator.list()).find((task) => task.taskId === taskId) ?? {
    state: 'nowhere',
  };
  const { value } = observer.snapshot;
  if (observer.recorded !== steps.length || state !== stateName(value))
    throw new Error(`it ends in ${state}, the path in ${stateName(value)}`);
};

/** Drives an orchestrator along a path; throws if it records another fact or reaches another state. */
export const replayOnOrchestrator = async (world: World, path: TaskPath): Promise<void> => {
  const observer = new Observer(path);
  try {
    await drive(world, path, observer);
  } catch (error) {
    const expected = path.steps.slice(0, observer.recorded + 1).map(({ event }) => eventText(event));
    const message = error instanceof Error ? error.message : String(error);
    throw new Error(`${message}\nafter ${expected.join(',\n      ')}`, { cause: error });
  }
};
