import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { NodeEvent } from './events.ts';
import type { Answered, Ask, NodeConfig } from './node.ts';

/** An answer of a node that refused what was asked, by an error of the library. */
export class Refused extends Error {
  readonly code: string;
  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

const longestAnswer = 2_000;

/** A node that runs as a process, and what it wrote down. */
export class NodeProcess {
  readonly config: NodeConfig;
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (answered: Answered) => void>();
  #asked = 0;
  /** Whether it does nothing now: it is stopped, or computes. */
  isStill = false;
  isGone = false;
  /** Whether the trial ended it; it may end by itself. */
  isKilled = false;
  #hasLooked = false;
  /** Settles when it has looked for tasks once; also when it ends before. */
  readonly ready: Promise<unknown>;
  /** Settles when it has ended, and everything that it wrote is read. */
  readonly ended: Promise<unknown>;

  constructor(program: string, config: NodeConfig, log: (event: NodeEvent) => void) {
    this.config = config;
    this.#child = spawn(process.execPath, [program, JSON.stringify(config)], {
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
      env: { ...process.env, NODE_NO_WARNINGS: '1' },
    });
    const { stdout } = this.#child;
    if (stdout === null) throw new TypeError('the process has no output');
    const lines = createInterface(stdout);
    lines.on('line', (line) => {
      if (line.startsWith('{') && line.endsWith('}')) log(JSON.parse(line) as NodeEvent);
    });
    this.ended = Promise.all([once(this.#child, 'exit'), once(lines, 'close')]).then(
      () => (this.isGone = true),
    );
    this.#child.on('error', () => {});
    this.#child.on('message', (answered: Answered) => this.#waiting.get(answered.id)?.(answered));
    const looked = this.#answer(0).then(() => (this.#hasLooked = true));
    this.ready = Promise.race([looked, this.ended]);
  }

  /** Whether it runs, and has looked for tasks. */
  get isReady(): boolean {
    return this.#hasLooked && !this.isStill && !this.isGone;
  }

  #answer(id: number): Promise<Answered> {
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  /** Asks the node. Throws `Refused` if it refuses; an error without a code means that no one knows whether it did it. */
  async ask(ask: Ask, patience = longestAnswer): Promise<unknown> {
    const id = (this.#asked += 1);
    const answer = this.#answer(id);
    if (this.isGone || !this.#child.connected) throw new Error('the node is gone');
    this.#child.send({ ...ask, id }, () => {});
    let timer: NodeJS.Timeout | undefined;
    const silence = new Promise<null>((resolve) => (timer = setTimeout(() => resolve(null), patience)));
    const answered = await Promise.race([answer, silence, this.ended.then(() => null)]);
    clearTimeout(timer);
    this.#waiting.delete(id);
    if (answered === null) throw new Error('the node says nothing');
    if ('error' in answered) throw new Refused(answered.error, answered.code);
    return answered.value;
  }

  freeze(): void {
    this.isStill = true;
    this.#child.kill('SIGSTOP');
  }

  thaw(): void {
    this.isStill = false;
    this.#child.kill('SIGCONT');
  }

  /** Lets it compute for so many milliseconds. Returns for how long its event loop stood still. */
  async compute(milliseconds: number): Promise<number> {
    this.isStill = true;
    const stood = await this.ask({ do: 'compute', for: milliseconds }, 10 * milliseconds).catch(() => 0);
    this.isStill = false;
    return Number(stood);
  }

  /** Ends it at once; settles when everything that it wrote is read. */
  async kill(): Promise<void> {
    this.isKilled = true;
    this.#child.kill('SIGKILL');
    await this.ended;
  }
}
