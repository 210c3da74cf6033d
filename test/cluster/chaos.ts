import type { InboxEntry } from 'agentcharter';
import type { StoredTask } from 'agentcharter/stores';
import { postgresStore } from '../../src/stores/postgres.ts';
import { randomOf } from '../crash/process/stories.ts';
import { askingDeadline, type ClassName } from './charter.ts';
import {
  lease,
  machineTime,
  type Fault,
  type FaultKind,
  type NodeEvent,
  type OutsideEvent,
} from './events.ts';
import type { History } from './history.ts';
import type { Driver, NodeConfig } from './node.ts';
import { NodeProcess, Refused } from './node-process.ts';
import { Observer, type Free } from './observer.ts';
import { answerTo, openDesk } from './person.ts';
import type { Planted } from './planted.ts';
import { ableOf, type Able, type Programs, type Version } from './programs.ts';
import { Proxy } from './proxy.ts';
import { Servers } from './servers.ts';
import { World } from './world.ts';

/** What a trial does. */
export interface Plan {
  readonly seed: number;
  readonly nodes: number;
  readonly classes: readonly ClassName[];
  /** The least number of tasks that are submitted. */
  readonly tasks: number;
  /** How often each fault is injected; the trial goes on until all are. */
  readonly faults: Readonly<Partial<Record<FaultKind, number>>>;
  /** How often a fault of a node waits until it wrote an intent: from 0 to 1. */
  readonly aimed: number;
  /** Milliseconds of a freeze: at least and at most. */
  readonly pause: readonly [least: number, most: number];
  /** Milliseconds until a killed node is started again, at most. */
  readonly downtime: number;
  /** Milliseconds after which no more faults are injected. */
  readonly longest: number;
  /** Milliseconds after the last fault in which all tasks must end. */
  readonly settling: number;
  readonly planted: Planted | null;
  /** Who decides when a task is performed; the nodes by default. */
  readonly driver?: Driver;
}

/** What came of a trial. */
export interface Trial {
  readonly history: History;
  readonly faults: readonly Fault[];
  /** How often nodes refused what was asked, by the code of the error. */
  readonly refused: Readonly<Record<string, number>>;
}

const poll = 100;
/** Milliseconds for the looks of a node, and for a machine that is busy with other things. */
const slack = 4_000;
const hour = 3_600_000;
/** Milliseconds that a queue may take longer: a job of a process that cannot perform it is tried again ever later. */
const queueing = 30_000;

const later = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** A place for a node: its proxy and what all its lives share. */
interface Slot {
  readonly proxy: Proxy;
  readonly port: number;
  readonly version: Version;
  node: NodeProcess;
  lives: number;
}

/** Nodes on one server, a world, and people; with faults. */
export class Chaos {
  readonly #plan: Plan;
  readonly #programs: Programs;
  readonly #random: () => number;
  readonly #desk = openDesk();
  readonly #world: World;
  readonly #slots: Slot[] = [];
  readonly #able: Record<string, Able> = {};
  readonly #log: NodeEvent[] = [];
  readonly #outside: OutsideEvent[] = [];
  readonly #faults: Fault[] = [];
  readonly #refused: Record<string, number> = {};
  readonly #answered = new Set<string>();
  readonly #unsent: { readonly taskClass: ClassName; readonly key: string }[] = [];
  readonly #onIntent = new Map<string, () => void>();
  readonly #restarts: Promise<void>[] = [];
  #submitted = 0;
  #isSettling = false;
  #isOver = false;
  #servers!: Servers;
  #observer!: Observer;
  #address = '';

  private constructor(programs: Programs, plan: Plan) {
    this.#programs = programs;
    this.#plan = plan;
    this.#random = randomOf(plan.seed);
    this.#world = new World(plan.planted !== 'no fence at the effect');
  }

  /** Runs a trial, and removes everything that it started. */
  static async run(programs: Programs, plan: Plan): Promise<Trial> {
    const chaos = new Chaos(programs, plan);
    try {
      return await chaos.#run();
    } finally {
      await chaos.#remove();
    }
  }

  async #run(): Promise<Trial> {
    const began = Date.now();
    await this.#open();
    const work = [this.#submitAll(), this.#answerAll(), this.#observer.watch()];
    await Promise.all([this.#disturb(), this.#disturbServer()]);
    await this.#settle();
    this.#isOver = true;
    this.#observer.stop();
    await Promise.all(work);
    for (const { node } of this.#slots) await node.kill();
    const history: History = {
      nodes: this.#log,
      effects: this.#world.log,
      outside: [...this.#outside, ...this.#observer.waits],
      tasks: await this.#stored(),
      able: this.#able,
      lease,
      longestWait: lease + poll + slack + (this.#plan.driver === 'pg-boss' ? queueing : 0),
      began,
      ended: Date.now(),
      expires: { asking: askingDeadline },
    };
    return { history, faults: this.#faults, refused: this.#refused };
  }

  async #open(): Promise<void> {
    this.#servers = await Servers.start();
    if ((this.#plan.faults.failover ?? 0) > 0) await this.#servers.replicate();
    this.#address = await this.#world.open();
    this.#observer = new Observer(
      () => this.#servers.url,
      (free) => this.#mayBeTaken(free),
    );
    const { older, newer } = this.#programs;
    for (let at = 0; at < this.#plan.nodes; at += 1) {
      const proxy = new Proxy(this.#servers.port);
      const slot = { proxy, port: await proxy.open(), version: at % 3 === 0 ? older : newer, lives: 0 };
      this.#slots.push({ ...slot, node: this.#begin(at, slot, 0) });
    }
    await Promise.all(this.#slots.map(({ node }) => node.ready));
  }

  /** Whether a node is up that can perform a task. */
  #mayBeTaken({ tools, chart }: Free): boolean {
    return this.#slots.some(
      ({ node, version }) =>
        node.isReady &&
        Number(chart) <= version.chart &&
        (tools ?? []).every((tool) => tool !== version.lacks?.tool),
    );
  }

  #begin(at: number, { port, version }: Pick<Slot, 'port' | 'version'>, life: number): NodeProcess {
    const config: NodeConfig = {
      node: `${at + 1}.${life + 1}`,
      connectionString: `postgres://postgres@127.0.0.1:${port}/postgres`,
      lease,
      poll,
      world: this.#address,
      desk: this.#desk.keys,
      clockError: (at - 1) * hour, // one is an hour behind, one an hour ahead
      lacks: version.lacks,
      planted: this.#plan.planted,
      driver: this.#plan.driver ?? 'nodes',
    };
    this.#able[config.node] = ableOf(version);
    return new NodeProcess(version.path, config, (event) => this.#note(event));
  }

  #note(event: NodeEvent): void {
    this.#log.push(event);
    if (event.is === 'committed' && event.fact === 'call.started') this.#onIntent.get(event.node)?.();
  }

  /** Waits until a node wrote an intent: its effect comes next. */
  async #intentOf({ config: { node } }: NodeProcess): Promise<void> {
    await Promise.race([later(2 * lease), new Promise<void>((resolve) => this.#onIntent.set(node, resolve))]);
    this.#onIntent.delete(node);
  }

  #pick<Item>(items: readonly Item[]): Item | undefined {
    return items[Math.floor(this.#random() * items.length)];
  }

  /** A node that is up and has a task class. */
  #anyNode(taskClass?: string): NodeProcess | undefined {
    const up = this.#slots.flatMap(({ node }) =>
      node.isReady && (taskClass === undefined || node.config.lacks?.taskClass !== taskClass) ? [node] : [],
    );
    return up[Math.floor(Math.random() * up.length)];
  }

  /** Submits tasks, each until a node acknowledged it. */
  async #submitAll(): Promise<void> {
    while (!this.#isOver) {
      await later(60);
      if (this.#observer.open + this.#unsent.length < 24 && this.#wantsMore()) {
        this.#submitted += 1;
        const taskClass = this.#plan.classes[this.#submitted % this.#plan.classes.length];
        if (taskClass !== undefined) this.#unsent.push({ taskClass, key: `task ${this.#submitted}` });
      }
      const [first] = this.#unsent;
      if (first !== undefined) await this.#submit(first);
    }
  }

  #wantsMore(): boolean {
    return !this.#isSettling || this.#submitted < this.#plan.tasks;
  }

  async #submit(sent: { readonly taskClass: ClassName; readonly key: string }): Promise<void> {
    try {
      const node = this.#anyNode(sent.taskClass);
      if (node === undefined) return;
      const task = String(await node.ask({ do: 'submit', ...sent }));
      this.#outside.push({ is: 'submitted', key: sent.key, task });
      this.#unsent.shift();
    } catch (error) {
      this.#noteRefusal(error); // it is sent again
    }
  }

  #noteRefusal(error: unknown): void {
    const code = error instanceof Refused ? error.code : 'silence';
    this.#refused[code] = (this.#refused[code] ?? 0) + 1;
  }

  async #answerAll(): Promise<void> {
    while (!this.#isOver) {
      await later(150);
      try {
        const inbox = (await this.#anyNode()?.ask({ do: 'inbox' })) ?? [];
        for (const entry of inbox as readonly InboxEntry[])
          await this.#answer(entry).catch((error: unknown) => this.#noteRefusal(error));
      } catch (error) {
        this.#noteRefusal(error); // it looks again
      }
    }
  }

  /** Answers at any node: it need not be the one that asked, and refuses a task of a version that it lacks. */
  async #answer(entry: InboxEntry): Promise<void> {
    const { messageId: message } = entry.message;
    if (this.#answered.has(message)) return;
    const answer = await answerTo(entry, this.#desk, (key) => this.#world.has(key));
    const node = this.#anyNode();
    if (answer === null || node === undefined) return;
    await node.ask({ do: 'answer', key: message, ...answer });
    this.#answered.add(message);
    this.#outside.push({ is: 'answered', task: entry.taskId, message });
  }

  #left(kinds: readonly FaultKind[]): readonly FaultKind[] {
    const { faults } = this.#plan;
    return kinds.flatMap((kind) => {
      const done = this.#faults.filter((fault) => fault.kind === kind).length;
      return Array<FaultKind>(Math.max(0, (faults[kind] ?? 0) - done)).fill(kind);
    });
  }

  async #injectAll(kinds: readonly FaultKind[], inject: (kind: FaultKind) => Promise<void>): Promise<void> {
    const until = machineTime() + this.#plan.longest;
    while (machineTime() < until) {
      const kind = this.#pick(this.#left(kinds));
      if (kind === undefined) return;
      await inject(kind);
    }
  }

  #disturb(): Promise<void> {
    return this.#injectAll(['kill', 'freeze', 'cut', 'lost answer'], async (kind) => {
      await later(this.#random() * lease);
      const slot = this.#pick(this.#slots.filter(({ node }) => node.isReady));
      const others = this.#slots.filter((other) => other !== slot && other.node.isReady);
      if (slot === undefined || others.length === 0) return;
      const { node } = slot;
      if (this.#random() < this.#plan.aimed) await this.#intentOf(node);
      const at = machineTime();
      await this.#harm(kind, slot);
      this.#faults.push({ kind, node: node.config.node, at, until: machineTime() });
    });
  }

  async #harm(kind: FaultKind, slot: Slot): Promise<void> {
    const { node, proxy } = slot;
    if (kind === 'kill') {
      await node.kill();
      this.#restarts.push(this.#restart(slot, (0.5 + this.#random() / 2) * this.#plan.downtime));
    } else if (kind === 'freeze') {
      node.freeze();
      const [least, most] = this.#plan.pause;
      await later(least + this.#random() * (most - least));
      node.thaw();
    } else if (kind === 'cut') proxy.cut();
    else
      await new Promise<void>((resolve) => {
        proxy.loseNextAnswer(resolve);
        setTimeout(resolve, lease).unref(); // no commit came
      });
  }

  async #restart(slot: Slot, after: number): Promise<void> {
    await later(after);
    slot.lives += 1;
    slot.node = this.#begin(this.#slots.indexOf(slot), slot, slot.lives);
    await slot.node.ready;
  }

  #disturbServer(): Promise<void> {
    return this.#injectAll(['crash', 'failover', 'full disk'], async (kind) => {
      await later(lease * (2 + this.#random() * 3));
      const at = machineTime();
      this.#observer.pause();
      await this.#harmServer(kind);
      this.#faults.push({ kind, node: null, at, until: machineTime() });
      this.#observer.resume();
      if (kind === 'failover') await this.#servers.replicate();
    });
  }

  async #harmServer(kind: FaultKind): Promise<void> {
    if (kind === 'crash') {
      await this.#servers.crash();
      await later(this.#random() * lease * 2);
      await this.#servers.restart();
    } else if (kind === 'full disk') {
      this.#servers.fillDisk();
      await later(lease * (1 + this.#random() * 2));
      this.#servers.freeDisk();
    } else {
      await this.#servers.failOver();
      for (const { proxy } of this.#slots) {
        proxy.target = this.#servers.port;
        proxy.cut();
      }
    }
  }

  /** Waits until every task is over; a task that never ends is found by the history. */
  async #settle(): Promise<void> {
    this.#isSettling = true;
    await Promise.all(this.#restarts);
    const until = machineTime() + this.#plan.settling;
    await later(500); // what was submitted last is seen
    while (machineTime() < until) {
      if (this.#observer.open === 0 && this.#unsent.length === 0 && !this.#wantsMore()) return;
      await later(100);
    }
  }

  async #stored(): Promise<readonly StoredTask[]> {
    const store = postgresStore({ connectionString: this.#servers.url });
    try {
      const index = await store.taskIndex();
      const tasks = await Promise.all(index.map(({ taskId }) => store.load(taskId)));
      return tasks.flatMap((task) => task ?? []);
    } finally {
      await store.close();
    }
  }

  async #remove(): Promise<void> {
    this.#isOver = true;
    for (const { node, proxy } of this.#slots) {
      await node.kill();
      proxy.close();
    }
    this.#world.close();
    await this.#servers?.remove();
  }
}
