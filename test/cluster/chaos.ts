import type { InboxEntry } from 'agentcharter';
import { randomOf } from '../crash/process/stories.ts';
import { attemptLimits } from '../../src/base/ports/attempts.ts';
import { askingDeadline, poisonClasses, type ClassName } from './charter.ts';
import {
  later,
  lease,
  machineTime,
  nodeFaults,
  serverFaults,
  type Fault,
  type FaultKind,
  type NodeEvent,
  type OutsideEvent,
} from './events.ts';
import { leaveOpen } from './left-open.ts';
import type { NodeConfig } from './node.ts';
import { harmNode } from './node-faults.ts';
import { NodeProcess, Refused } from './node-process.ts';
import { Observer, storedAt, type Free } from './observer.ts';
import { operate } from './operator.ts';
import { answerTo, openDesk } from './person.ts';
import { ableOf, type Able, type Programs, type Version } from './programs.ts';
import { Proxy } from './proxy.ts';
import type { History } from './read-history.ts';
import { harmServer } from './server-faults.ts';
import { Servers } from './servers.ts';
import type { Plan, Trial } from './trial.ts';
import { World } from './world.ts';

const poll = 100;
/** Milliseconds for the looks of a node, on a machine with two processes a core; more on one that is busier with other things. */
const slack = 4_000;
const hour = 3_600_000;
/** Milliseconds that a queue may take longer: a job of a process that cannot perform it is tried again ever later. */
const queueing = 30_000;

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
  readonly #poison = new Map<string, number>();
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
    await this.#submitBurst();
    const work = [this.#submitAll(), this.#answerAll(), this.#operate(), this.#observer.watch()];
    const open = (this.#plan.faults['open transaction'] ?? 0) > 0 ? this.#leaveOpen() : null;
    await Promise.all([this.#disturb(), this.#disturbServer(), this.#poisonAll()]);
    await this.#settle();
    this.#isOver = true;
    this.#observer.stop();
    await Promise.all([...work, open]);
    for (const { node } of this.#slots) await node.kill();
    const history: History = {
      nodes: this.#log,
      effects: this.#world.log,
      outside: [...this.#outside, ...this.#observer.waits],
      tasks: await storedAt(this.#servers.url),
      able: this.#able,
      lease: this.#lease,
      longestWait:
        this.#lease +
        poll +
        slack * Math.max(1, this.#observer.crowd / 2) +
        (this.#plan.driver === 'pg-boss' ? queueing : 0),
      began,
      ended: Date.now(),
      expires: { asking: askingDeadline },
      moves: 2 * this.#countOf('restored dump') + this.#countOf('failover'),
    };
    return { history, faults: this.#faults, refused: this.#refused };
  }

  get #lease(): number {
    return this.#plan.lease ?? lease;
  }

  get #isReplicated(): boolean {
    const { failover = 0, 'slow replica': slow = 0 } = this.#plan.faults;
    return failover + slow > 0;
  }

  #countOf(kind: FaultKind): number {
    return this.#faults.filter((fault) => fault.kind === kind).length;
  }

  /** Notes something that was done to the server, or to a task, now that it had its effect. */
  #noteFault(kind: FaultKind, at: number): void {
    this.#faults.push({ kind, node: null, at, until: machineTime() });
  }

  #leaveOpen(): Promise<void> {
    return leaveOpen(
      this.#servers,
      () => this.#isOver,
      (at) => this.#noteFault('open transaction', at),
    );
  }

  async #open(): Promise<void> {
    this.#servers = await Servers.start();
    if (this.#isReplicated) await this.#servers.replicate();
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
      lease: this.#lease,
      poll,
      world: this.#address,
      desk: this.#desk.keys,
      clockError: (at - 1) * hour, // one is an hour behind, one an hour ahead
      lacks: version.lacks,
      planted: this.#plan.planted,
      driver: this.#plan.driver ?? 'nodes',
    };
    this.#able[config.node] = ableOf(version);
    const node = new NodeProcess(version.path, config, (event) => this.#note(event));
    void node.ended.then(() => {
      const slot = this.#slots[at];
      if (!node.isKilled && !this.#isOver && slot !== undefined)
        this.#restarts.push(this.#restart(slot, this.#random() * this.#plan.downtime));
    });
    return node;
  }

  #note(event: NodeEvent): void {
    this.#log.push(event);
    if (event.is === 'committed' && event.fact === 'call.started') this.#onIntent.get(event.node)?.();
    if (event.is === 'poisoned') this.#poison.set(event.key, (this.#poison.get(event.key) ?? 0) + 1);
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

  /** Submits tasks at one node, all at once. */
  async #submitBurst(): Promise<void> {
    const [slot] = this.#slots;
    const keys = Array.from({ length: this.#plan.burst ?? 0 }, (_, at) => `burst ${at}`);
    const submitted = keys.map(async (key) => {
      const task = await slot?.node.ask({ do: 'submit', taskClass: 'posting', key }, 10 * lease);
      this.#outside.push({ is: 'submitted', key, task: String(task) });
    });
    await Promise.all(submitted);
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

  async #operate(): Promise<void> {
    while (!this.#isOver) {
      await later(300);
      await operate(() => this.#anyNode(), this.#isSettling).catch((error: unknown) =>
        this.#noteRefusal(error),
      );
    }
  }

  /** Submits tasks that end their process, one of each class after the other; each counts once it has ended three. */
  async #poisonAll(): Promise<void> {
    const until = machineTime() + this.#plan.longest;
    const keys = Array.from({ length: this.#plan.faults['poison task'] ?? 0 }, (_, at) => `poison ${at}`);
    const hasEnded = (key: string): boolean => (this.#poison.get(key) ?? 0) >= attemptLimits.backOff;
    const loops = poisonClasses.map(async (taskClass, of) => {
      for (const key of keys.filter((_, at) => at % poisonClasses.length === of)) {
        await later(this.#random() * 3 * lease);
        const at = machineTime();
        if (at > until) return;
        this.#unsent.push({ taskClass, key });
        while (!hasEnded(key) && machineTime() < until) await later(100);
        if (hasEnded(key)) this.#noteFault('poison task', at);
      }
    });
    await Promise.all(loops);
  }

  #left<Kind extends FaultKind>(kinds: readonly Kind[]): readonly Kind[] {
    const { faults } = this.#plan;
    return kinds.flatMap((kind) => {
      return Array<Kind>(Math.max(0, (faults[kind] ?? 0) - this.#countOf(kind))).fill(kind);
    });
  }

  async #injectAll<Kind extends FaultKind>(
    kinds: readonly Kind[],
    inject: (kind: Kind) => Promise<void>,
  ): Promise<void> {
    const until = machineTime() + this.#plan.longest;
    while (machineTime() < until) {
      const kind = this.#pick(this.#left(kinds));
      if (kind === undefined) return;
      await inject(kind);
    }
  }

  #disturb(): Promise<void> {
    return this.#injectAll(nodeFaults, async (kind) => {
      await later(this.#random() * lease);
      const slot = this.#pick(this.#slots.filter(({ node }) => node.isReady));
      const others = this.#slots.filter((other) => other !== slot && other.node.isReady);
      if (slot === undefined || others.length === 0) return;
      const { node } = slot;
      if (this.#random() < this.#plan.aimed) await this.#intentOf(node);
      const at = machineTime();
      if (!(await harmNode(kind, slot, this.#plan.pause, this.#random))) return;
      if (kind === 'kill')
        this.#restarts.push(this.#restart(slot, (0.5 + this.#random() / 2) * this.#plan.downtime));
      this.#faults.push({ kind, node: node.config.node, at, until: machineTime() });
    });
  }

  async #restart(slot: Slot, after: number): Promise<void> {
    await later(after);
    slot.lives += 1;
    slot.node = this.#begin(this.#slots.indexOf(slot), slot, slot.lives);
    await slot.node.ready;
  }

  #disturbServer(): Promise<void> {
    return this.#injectAll(serverFaults, async (kind) => {
      await later(lease * (2 + this.#random() * 3));
      const at = machineTime();
      this.#observer.pause();
      const proxies = this.#slots.map(({ proxy }) => proxy);
      if (await harmServer(kind, this.#servers, proxies, this.#random)) this.#noteFault(kind, at);
      this.#observer.resume();
      if (this.#isReplicated) await this.#servers.replicate();
    });
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
