import { setImmediate as nextTurn } from 'node:timers/promises';
import { isCharterError } from '../../base/errors.ts';
import type { Turn } from '../../base/ports/model.ts';
import type { Step, Store, StoredTask } from '../../base/ports/store.ts';
import type { InboxEntry } from '../../core/kernel/summary.ts';
import { createOrchestrator } from '../../core/orchestrator.ts';
import type { Orchestrator } from '../../core/shell/surface.ts';
import { createGuard } from '../../guard/guard.ts';
import { memoryDatabase } from '../../stores/memory/database.ts';
import { firstInstant } from '../clock.ts';
import { outputOf } from '../scenario/answers.ts';
import { countedIds } from '../scenario/ids.ts';
import { Journal } from '../scenario/journal.ts';
import { agent } from '../scenario/scenario.ts';
import type { Charter } from '../scenario/world.ts';
import type { Choices } from './choices.ts';
import { Effects } from './effects.ts';
import type { AnySimulated } from './given.ts';
import { Broken, checkLaws, must, watchOf, type SimulatedRun } from './laws.ts';
import { Life, Schedule } from './life.ts';
import { answerOne, type SimulatedPerson } from './people.ts';
import { connectionOf } from './store.ts';

/** How often of a thousand moves a process dies, time passes although something is to be done, and a person cancels. */
const [dies, passes, cancels] = [30, 20, 4];

/** The moves after which a task counts as one that never settles, and the deaths of its process. */
const [mostMoves, mostDeaths] = [2_000, 3];

/** The turns of the event loop after which a process that does nothing counts as one that has nothing to do. */
const mostTurns = 500;

const settles = 'a task settles';

/** One order of events: a task, the processes that perform it one after the other, and all that is around them. */
export class Order {
  readonly written: Step[] = [];
  readonly effects: Effects;
  deaths = 0;
  readonly #charter: Charter;
  readonly #given: AnySimulated;
  readonly #people: readonly SimulatedPerson[];
  readonly #choices: Choices;
  readonly #journal: Journal;
  readonly #database = memoryDatabase();
  readonly #ids = countedIds();
  readonly #schedule = new Schedule(Date.parse(firstInstant));
  #taskId = '';
  #isSubmitting = false;
  #isCancelled = false;
  /** The messages whose answer is on its way. */
  readonly #answering = new Set<string>();
  /** Whether an answer was refused or left: who was asked does something else for a while. */
  #isAway = false;
  #broken: Broken | null = null;
  /** Another process, in which people answer: it performs nothing. */
  #guest: Orchestrator | null = null;
  #life: Life;
  #connection: Store;
  #orchestrator: Orchestrator;

  constructor(charter: Charter, given: AnySimulated, choices: Choices) {
    this.#charter = charter;
    this.#given = given;
    this.#people = given.people ?? [];
    this.#choices = choices;
    this.#journal = new Journal(given.agents === undefined ? 'the model' : 'the agent');
    const watch = watchOf(this.written, (law) => this.#break(new Broken(law)));
    this.effects = new Effects(choices, (line) => this.#journal.note(line), watch);
    this.#life = new Life(this.#schedule);
    this.#connection = this.#database.connect();
    this.#orchestrator = this.#begin();
  }

  /** What happened, one numbered line each. */
  get thread(): string {
    return this.#journal.text;
  }

  /** Runs until the task has settled, and returns what happened. Throws `Broken`. */
  async run(): Promise<SimulatedRun> {
    for (let moves = 0; moves < mostMoves; moves += 1) {
      await nextTurn();
      if (this.#broken !== null) throw this.#broken;
      if (await this.#isOver()) return await this.#end();
      await this.#move();
    }
    throw new Broken(settles, `it does not within ${mostMoves} moves`);
  }

  #break(broken: Broken): void {
    this.#broken ??= broken;
  }

  /** Does something in the background; what is no typed error of the library breaks a law. */
  #start(work: () => Promise<unknown>): void {
    const life = this.#life;
    work().catch((error: unknown) => {
      if (life === this.#life && !isCharterError(error))
        this.#break(new Broken('nothing is thrown but typed errors', error));
    });
  }

  /** Submits the request, as a host does that repeats what failed, under one key. */
  #submit(): void {
    const { request } = this.#given;
    const submission = { identity: agent, ...request };
    this.#isSubmitting = true;
    this.#start(async () => {
      try {
        ({ taskId: this.#taskId } = await this.#orchestrator.submit(submission, { key: 'simulated' }));
      } finally {
        this.#isSubmitting = false;
      }
    });
  }

  /** What a process gives its orchestrator, without model and agents. */
  #optionsOf(life: Life, connection: Store) {
    const { tools: answers = {} } = this.#given;
    const { taskClasses, tools = [], verifiers = [], policy, approvals, ...rest } = this.#charter;
    const store = connectionOf(connection, life, this.#choices, {
      written: this.written,
      note: (line) => this.#journal.note(line),
    });
    return {
      ...rest,
      taskClasses,
      store,
      clock: life.clock,
      ids: this.#ids,
      tools: tools.map((tool) => this.effects.around(tool, answers[tool.name], life)),
      verifiers: verifiers.map((verifier) => ({
        ...verifier,
        verify: life.asked(verifier.verify.bind(verifier)),
      })),
      ...(policy && { policy: { ...policy, decide: life.asked(policy.decide.bind(policy)) } }),
      ...(approvals && { approvals: { verify: life.asked(approvals.verify.bind(approvals)) } }),
    };
  }

  #begin(): Orchestrator {
    const { model, agents } = this.#given;
    const life = this.#life;
    const options = this.#optionsOf(life, this.#connection);
    const orchestrator =
      agents === undefined
        ? createOrchestrator({
            ...options,
            model: {
              answer: life.asked((turn: Turn) => outputOf(model(turn, this.#choices.of))),
            },
          })
        : createGuard({ ...options, agents: agents(this.#choices.of) }).orchestrator;
    const heard = (note: () => void) => {
      if (life === this.#life) note();
    };
    orchestrator.on('record', (record) => heard(() => this.#journal.record(record)));
    orchestrator.on('question', (entry) => heard(() => this.#journal.question(entry)));
    orchestrator.on('error', ({ error }) =>
      heard(() => {
        if (!isCharterError(error)) this.#break(new Broken('nothing is thrown but typed errors', error));
      }),
    );
    return orchestrator;
  }

  #desk(): Orchestrator {
    this.#guest ??= createOrchestrator({
      ...this.#optionsOf(new Life(this.#schedule), this.#database.connect()),
      role: 'guest',
    });
    return this.#guest;
  }

  async #stored(): Promise<readonly StoredTask[]> {
    const entries = await this.#connection.taskIndex();
    return (await Promise.all(entries.map(({ taskId }) => this.#connection.load(taskId)))).flatMap(
      (task) => task ?? [],
    );
  }

  /** The number of open questions in the store. */
  async #asking(): Promise<number> {
    return (await this.#connection.taskIndex()).reduce((sum, { asking }) => sum + asking, 0);
  }

  async #isOver(): Promise<boolean> {
    if (!this.#schedule.isQuiet || this.#taskId === '') return false;
    const entries = await this.#connection.taskIndex();
    return entries.every(({ isSettled, isOwed }) => isSettled && !isOwed);
  }

  /** Lets one thing happen, of all that could. */
  async #move(): Promise<void> {
    const choices = this.#choices;
    if (this.deaths < mostDeaths && choices.isRare(dies)) return this.#die();
    if (this.#taskId !== '' && !this.#isCancelled && choices.isRare(cancels)) return this.#cancel();
    if (this.#taskId === '' && !this.#isSubmitting) return this.#submit();
    if (!this.#schedule.isQuiet) {
      if (choices.isRare(passes) && this.#schedule.isAwaited) return this.#schedule.wake();
      await this.#schedule.answerOne(choices);
      return;
    }
    const inbox = await this.#driven(this.#orchestrator.inbox());
    const [first, ...others] = inbox.filter(({ message }) => !this.#answering.has(message.messageId));
    const isLeft = choices.isRare(100) || this.#people.length === 0 || this.#isAway;
    this.#isAway = false;
    if (first !== undefined && !isLeft) return this.#respond(choices.of([first, ...others]));
    await this.#pass();
  }

  #cancel(): void {
    this.#isCancelled = true;
    const [by] = this.#people;
    if (by === undefined) return;
    this.#start(() => this.#orchestrator.cancel(this.#taskId, { by: by.by }));
  }

  #respond(entry: InboxEntry): void {
    const { answers } = this.#given;
    const [first, ...others] = this.#people;
    if (first === undefined) return;
    const person = this.#choices.of([first, ...others]);
    const seen = { choices: this.#choices, effects: this.effects, now: this.#schedule.now };
    const name = typeof person.by === 'string' ? person.by : person.by.id;
    const { messageId } = entry.message;
    this.#answering.add(messageId);
    const at = this.#choices.isRare(300) ? this.#desk() : this.#orchestrator;
    const answering = answerOne(at, entry, person, answers, seen, (reason) => {
      this.#isAway = true;
      if (reason !== null) this.#journal.refused(name, 'answer', reason);
    });
    this.#start(() => answering.finally(() => this.#answering.delete(messageId)));
  }

  /** Waits for something that may itself wait for an answer, or for time to pass. */
  async #driven<Result>(work: Promise<Result>): Promise<Result> {
    let isOver = false;
    const over = (): void => void (isOver = true);
    work.then(over, over);
    for (let moves = 0; moves < mostMoves; moves += 1) {
      await nextTurn();
      if (isOver) return work;
      if (!this.#schedule.isQuiet) await this.#schedule.answerOne(this.#choices);
      else this.#schedule.wake();
    }
    throw new Broken(settles, 'the orchestrator does not answer');
  }

  /** Lets time pass until the process is to be woken. */
  async #pass(): Promise<void> {
    for (let left = mostTurns; left > 0 && this.#schedule.isQuiet && !this.#schedule.isAwaited; left -= 1)
      await nextTurn(); // it reads a ledger in turns
    if (!this.#schedule.isQuiet) return;
    must(
      this.#schedule.isAwaited,
      settles,
      'nothing is under way, no one is asked, and nothing is waited for',
    );
    this.#schedule.wake();
  }

  async #die(): Promise<void> {
    this.deaths += 1;
    this.#journal.note('the process dies, and is started again');
    await this.#life.die(this.#choices);
    const before = await this.#asking();
    await this.#connection.close();
    this.#connection = this.#database.connect();
    this.#life = new Life(this.#schedule);
    this.#answering.clear();
    this.#orchestrator = this.#begin();
    const inbox = await this.#driven(this.#orchestrator.inbox());
    const open = Math.min(before, await this.#asking()); // somebody may answer in the other process meanwhile
    must(inbox.length >= open, 'an open question stays open', `${inbox.length} of ${open}`);
    this.#start(async () => {
      const { refused } = await this.#orchestrator.recover();
      if (refused.length > 0) this.#break(new Broken('every open task is resumed', refused[0]?.error));
    });
    this.#isSubmitting = false;
  }

  async #end(): Promise<SimulatedRun> {
    const settled = await this.#driven(this.#orchestrator.settled(this.#taskId));
    this.#journal.end(settled);
    const run = { settled, records: this.written.map(({ record }) => record), effects: this.effects.all };
    const { laws = [] } = this.#given;
    await checkLaws(run, await this.#stored(), this.written, laws, this.effects.mistaken);
    await this.#driven(this.#orchestrator.close());
    if (this.#guest !== null) await this.#driven(this.#guest.close());
    return run;
  }
}
