import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  createOrchestrator,
  type InboxEntry,
  type Orchestrator,
  type OrchestratorOptions,
  type Settled,
  type Store,
} from 'agentcharter';
import type { Intent, Step, StoredTask } from 'agentcharter/stores';
import type { Feedback } from '../../src/base/feedback/feedback.ts';
import { contexts } from '../../src/core/shell/meaning.ts';
import { must } from '../../src/testing/simulator/laws.ts';
import { identity } from '../src/core/shell/scripted.ts';
import { simulatedClock } from '../src/core/shell/simulated-clock.ts';
import { createClearance } from './clearance.ts';
import { Life, type Moment } from './life.ts';
import { inMemory, type Medium } from './medium.ts';
import type { Scenario } from './scenarios.ts';
import type { Site } from './tools.ts';
import { Backend } from './backend.ts';
import { isOfTool } from '../fixtures/is-of-tool.ts';

// what a process loads at its first step takes longer than a scripted moment
await contexts();

/** What a trial tries. */
export interface Story {
  readonly scenario: Scenario;
  readonly says: Site['says'];
  /** The moment of each life that it dies at, counted from its beginning. */
  readonly crashes: readonly number[];
  /** Nothing stays in memory that nothing is being done for. */
  readonly isForgetful: boolean;
}

/** What may be put in the place of something sound; a test that plants a fault does. */
export interface Parts {
  readonly medium: () => Medium;
  readonly store: (sound: Store, life: number, isDead: () => boolean) => Store;
  readonly options: (sound: OrchestratorOptions, backend: Backend, life: number) => OrchestratorOptions;
}
export const sound: Parts = { medium: inMemory, store: (store) => store, options: (options) => options };

/** What was on record when a process died. */
export interface Death {
  readonly moment: Moment;
  readonly intents: readonly Intent[];
  readonly open: readonly InboxEntry[];
  readonly isCancelled: boolean;
  /** Whether what is slow was called. */
  readonly hasBegun: boolean;
  /** When somebody began the process again. */
  readonly until: number;
  /** How many records there were, of each task. */
  readonly sizes: ReadonlyMap<string, number>;
}

/** Something that somebody outside tries until it is answered. */
export interface Attempt {
  readonly name: string;
  readonly send: (orchestrator: Orchestrator) => Promise<unknown>;
  /** The process died before it was answered. */
  isRepeated: boolean;
  error?: unknown;
}

const ids = () => {
  let last = 0;
  const hex = (digits: number): string => (last += 1).toString(16).padStart(digits, '0');
  return { uuid: () => `00000000-0000-4000-8000-${hex(12)}`, traceId: () => hex(32) };
};

const nameOf = ({ record: { kind, fact } }: Step): string => fact?.type ?? (kind === 'fact' ? 'task' : kind);

/** One task, and the lives of the process that looks after it. */
export class Trial {
  readonly story: Story;
  readonly backend = new Backend();
  readonly clock = simulatedClock();
  readonly lives: Life[] = [];
  readonly deaths: Death[] = [];
  readonly attempts: Attempt[] = [];
  readonly errors: unknown[] = [];
  /** Laws that were broken where nobody could be told. */
  readonly broken: string[] = [];
  /** Whatever was written, as it was written. */
  readonly written: Step[] = [];
  /** When each record was written, by its hash: whatever time the process thought it was. */
  readonly hours = new Map<string, number>();
  taskId = '';
  settled: Settled | null = null;
  tasks: readonly StoredTask[] = [];
  readonly #parts: Parts;
  readonly #medium: Medium;
  readonly #ids = ids();
  readonly #clearance = createClearance();
  #pending: Attempt[] = [];
  /** What the store has not answered yet: no time passes meanwhile. */
  #unanswered = 0;

  constructor(story: Story, parts: Parts = sound) {
    this.story = story;
    this.#parts = parts;
    this.#medium = parts.medium();
  }

  /** Runs until nothing is left to be done. */
  async run(): Promise<void> {
    try {
      const submission = { taskClass: 'work', payload: { wish: 'a list' }, identity };
      this.#pending.push({
        name: 'submit',
        isRepeated: false,
        send: async (orchestrator) => {
          ({ taskId: this.taskId } = await orchestrator.submit(submission, { key: 'client-1' }));
        },
      });
      while (!(await this.#live()));
    } finally {
      this.#medium.end();
    }
  }

  /** One life; whether it was the last. */
  async #live(): Promise<boolean> {
    const number = this.lives.length;
    const life = new Life(this.story.crashes[number] ?? null, this.clock);
    this.lives.push(life);
    const connection = this.#medium.connect();
    if (number > 0) await this.#look(connection);
    const orchestrator = this.#begin(life, connection, number);
    try {
      if (number > 0) await this.#recover(life, orchestrator);
      for (let turns = 0; turns < 500 && !life.isDead; turns += 1) {
        await this.#turn();
        if (!life.isDead && (await this.#isOver(life, orchestrator))) {
          this.settled = (await this.#hear(life, () => orchestrator.settled(this.taskId))) ?? null;
          this.tasks = await this.#stored(connection);
          const closed = orchestrator.close();
          for (let grace = 0; grace < 3; grace += 1) await this.clock.advance(1_000);
          await closed;
          return true;
        }
      }
      must(life.isDead, 'a task settles');
    } finally {
      await this.#turn(); // what was on its way is written, or is not
      if (life.isDead) await this.#medium.bury(connection);
      else await connection.close();
    }
    this.clock.leap(this.story.scenario.down ?? 0);
    return false;
  }

  /** What the last life left, before the next one does anything. */
  async #look(connection: Store): Promise<void> {
    const tasks = await this.#stored(connection);
    const sizes = new Map(tasks.map(({ indexEntry: { taskId, size } }) => [taskId, size]));
    const written = new Map<string, readonly string[]>();
    for (const { taskId, record } of this.written)
      written.set(taskId, [...(written.get(taskId) ?? []), record.hash]);
    for (const { indexEntry, records } of tasks) {
      const hashes = written.get(indexEntry.taskId) ?? [];
      must(
        records.length === hashes.length && records.every(({ hash }, at) => hash === hashes[at]),
        'confirmed records survive a crash, and nothing else does',
      );
    }
    must(tasks.length === written.size, 'confirmed records survive a crash, and nothing else does');
    this.deaths.push({
      moment: this.lives[this.lives.length - 2]?.death ?? { what: 'commit', name: 'nothing', at: 'before' },
      intents: tasks.flatMap(({ intents }) => intents),
      open: tasks.flatMap(
        ({ indexEntry: { summary } }) => (JSON.parse(summary) as { open: InboxEntry[] }).open,
      ),
      isCancelled: this.written.some(
        ({ record: { fact, kind } }) => kind === 'fact' && fact?.type === 'task.cancelled',
      ),
      hasBegun: this.backend.begun.has('slow'),
      until: this.clock.now(),
      sizes,
    });
  }

  async #stored(connection: Store): Promise<readonly StoredTask[]> {
    const stored = (await connection.taskIndex()).map(({ taskId }) => connection.load(taskId));
    return (await Promise.all(stored)).flatMap((task) => task ?? []);
  }

  #begin(life: Life, connection: Store, number: number): Orchestrator {
    const { scenario, says, isForgetful } = this.story;
    const site: Site = {
      life,
      backend: this.backend,
      says,
      watch: (asking) => {
        const law = this.#clearance(this.written, asking);
        if (law !== null) this.broken.push(law);
      },
    };
    const tools = scenario.tools(site);
    const { options } = this.#parts;
    const given: OrchestratorOptions = {
      taskClasses: scenario.taskClasses,
      model: { answer: (turn) => life.alive(() => scenario.says(turn)) },
      tools,
      verifiers: (scenario.verifiers ?? []).map((verifier) => ({
        ...verifier,
        verify: (subject, context) => life.alive(() => verifier.verify(subject, context)),
      })),
      policy: { decide: () => life.alive(() => ({ verdict: 'allow', reasons: [] })) },
      store: this.#mortal(
        life,
        this.#parts.store(connection, number, () => life.isDead),
      ),
      clock: life.clock,
      ids: this.#ids,
      idleTasks: isForgetful ? 0 : 100,
    };
    const orchestrator = createOrchestrator(options(given, this.backend, number));
    orchestrator.on('error', ({ error }) => {
      if (!life.isDead && !isOfTool(error)) this.errors.push(error);
    });
    return orchestrator;
  }

  /** Waits a turn, and for the store: a disk may be slow. */
  async #turn(): Promise<void> {
    do await nextTurn();
    while (this.#unanswered > 0);
  }

  async #answered<Result>(ask: () => Promise<Result>): Promise<Result> {
    this.#unanswered += 1;
    try {
      return await ask();
    } finally {
      this.#unanswered -= 1;
    }
  }

  /** Leaves what is left of a write: those before it are whole. */
  async #cut(write: () => Promise<unknown>): Promise<void> {
    while (this.#unanswered > 0) await nextTurn();
    await this.#medium.cut(write);
  }

  /** A connection that is of no use to a dead process. */
  #mortal(life: Life, inner: Store): Store {
    const asked = <Result>(ask: () => Promise<Result>): Promise<Result> =>
      life.alive(() => this.#answered(ask));
    const commit = async (step: Step) => {
      const answer = await this.#answered(() => inner.commit(step));
      if (answer !== 'ok') return answer;
      this.written.push(step);
      this.hours.set(step.record.hash, this.clock.now());
      return answer;
    };
    return {
      lease: inner.lease,
      take: (...given) => asked(() => inner.take(...given)),
      keep: (holds) => asked(() => inner.keep(holds)),
      letGo: (holds) => asked(() => inner.letGo(holds)),
      now: () => inner.now(),
      load: (taskId) => asked(() => inner.load(taskId)),
      taskIndex: (which) => asked(() => inner.taskIndex(which)),
      counts: () => asked(() => inner.counts()),
      figures: (now) => asked(() => inner.figures(now)),
      stalled: (...given) => asked(() => inner.stalled(...given)),
      setAttempts: (...given) => asked(() => inner.setAttempts(...given)),
      pause: (...given) => asked(() => inner.pause(...given)),
      resume: (...given) => asked(() => inner.resume(...given)),
      pauses: (ended) => asked(() => inner.pauses(ended)),
      obstacle: (regulated) => asked(() => inner.obstacle(regulated)),
      prune: (...given) => asked(() => inner.prune(...given)),
      pruned: (by) => asked(() => inner.pruned(by)),
      find: (by) => asked(() => inner.find(by)),
      due: (until) => asked(() => inner.due(until)),
      watch: (changed) =>
        inner.watch((taskIds) => {
          if (!life.isDead) changed(taskIds);
        }),
      commit: (step) =>
        life.record(
          nameOf(step),
          () => (this.#medium.isTorn() ? new Promise(() => {}) : commit(step)),
          () => this.#cut(() => inner.commit(step)),
        ),
      erase: (step, digest) => asked(() => inner.erase(step, digest)),
      transfer: inner.transfer,
      close: () => life.alive(() => inner.close()),
    };
  }

  /** What it comes to, or nothing where the process dies first. */
  async #hear<Result>(life: Life, work: () => Promise<Result>): Promise<Result | undefined> {
    const received: ({ readonly result: Result } | { readonly error: unknown })[] = [];
    work().then(
      (result) => received.push({ result }),
      (error: unknown) => received.push({ error }),
    );
    for (let turns = 0; turns < 100 && received.length === 0 && !life.isDead; turns += 1) await this.#turn();
    const [said] = received;
    if (life.isDead || said === undefined) return undefined;
    if ('error' in said) throw said.error;
    return said.result;
  }

  async #recover(life: Life, orchestrator: Orchestrator): Promise<void> {
    const open = this.deaths.at(-1)?.open ?? [];
    const inbox = (await this.#hear(life, () => orchestrator.inbox())) ?? [];
    must(
      open.every(({ message }) => inbox.some((entry) => entry.message.messageId === message.messageId)),
      'an open question stays open',
    );
    const recovering = this.#hear(life, () => orchestrator.recover());
    if (this.story.scenario.isLeft !== undefined)
      for (const entry of inbox) this.#answer(entry, { choice: 'person' }); // it comes at the same moment
    await Promise.all(this.#pending.map((attempt) => this.#try(life, orchestrator, attempt)));
    const recovery = await recovering;
    must(
      life.isDead || recovery?.refused.length === 0,
      'every open task is resumed',
      recovery?.refused[0]?.error,
    );
  }

  /** Does the next thing that is to be done outside; whether there was none, and everything has settled. */
  async #isOver(life: Life, orchestrator: Orchestrator): Promise<boolean> {
    const [attempt] = this.#pending;
    if (attempt !== undefined) {
      await this.#try(life, orchestrator, attempt);
      return false;
    }
    for (const { name, mayBeMade, make } of this.story.scenario.moves ?? []) {
      if (this.attempts.some((made) => made.name === name)) continue;
      if (!(await this.#hear(life, () => mayBeMade(this.backend, orchestrator)))) break;
      this.#pending.push({ name, isRepeated: false, send: (other) => make(other, this.taskId) });
      return false;
    }
    const inbox = (await this.#hear(life, () => orchestrator.inbox())) ?? [];
    const asked = inbox.find((entry) => this.story.scenario.isLeft?.(entry) !== true);
    if (asked !== undefined) this.#answer(asked, { choice: 'person' });
    if (asked !== undefined || life.isDead) return false;
    const list = await this.#hear(life, () => orchestrator.list());
    if (life.next === undefined) return list?.every(({ isSettled }) => isSettled) === true;
    await this.clock.advance(life.next - this.clock.now());
    return false;
  }

  /** A person answers, and says what is true of the world. */
  #answer({ question, message }: InboxEntry, choice: Readonly<Record<string, unknown>>): void {
    const target = message.messageId;
    const { action } = message.payload as { action?: { digest: string } };
    const isDone = this.backend.done.some(({ key }) => key === action?.digest);
    const answers: Readonly<Record<typeof question.kind, Omit<Feedback, 'target'>>> = {
      approval: { type: 'approve' },
      plan: { type: 'approve' },
      draft: { type: 'approve' },
      followup: { type: 'approve' },
      help: { type: 'instruction', content: 'go on' },
      information: { type: 'edit', content: { value: { size: 2 } } },
      tool: { type: 'edit', content: { value: choice } },
      host: { type: 'approve' },
      limit: { type: 'approve' },
      doubt: { type: 'edit', content: { value: { effect: isDone ? 'done' : 'absent' } } },
    };
    const name = `answer ${target}`;
    if (this.#pending.some((attempt) => attempt.name === name)) return;
    this.#pending.push({
      name,
      isRepeated: false,
      send: (orchestrator) =>
        orchestrator.respond({ ...answers[question.kind], target }, { by: 'dana', key: target }),
    });
  }

  async #try(life: Life, orchestrator: Orchestrator, attempt: Attempt): Promise<void> {
    try {
      await this.#hear(life, () => attempt.send(orchestrator));
    } catch (error) {
      attempt.error = error;
    }
    if (life.isDead) attempt.isRepeated = true;
    else {
      this.#pending = this.#pending.filter((one) => one !== attempt);
      this.attempts.push(attempt);
    }
  }
}
