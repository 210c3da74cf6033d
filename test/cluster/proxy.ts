import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

const drop = (...sockets: readonly Socket[]): void => {
  for (const socket of sockets) socket.destroy();
};

/** Stands between a node and the server: it can cut all connections, or lose the answer to a commit. */
export class Proxy {
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  /** The port of the server; `null` while there is none. */
  target: number | null;
  /** Whether the answer to the next commit is lost, and what is called then. */
  #onLost: (() => void) | null = null;

  constructor(target: number) {
    this.target = target;
    this.#server = createServer((client) => this.#join(client));
  }

  open(): Promise<number> {
    return new Promise((resolve) => {
      this.#server.listen(0, '127.0.0.1', () => resolve((this.#server.address() as AddressInfo).port));
    });
  }

  cut(): void {
    drop(...this.#open);
  }

  /** Loses the answer to the next commit, with its connection. Returns whether one came in so many milliseconds. */
  loseNextAnswer(milliseconds: number): Promise<boolean> {
    return new Promise((resolve) => {
      this.#onLost = () => resolve(true);
      setTimeout(() => {
        this.#onLost = null;
        resolve(false);
      }, milliseconds).unref();
    });
  }

  close(): void {
    this.cut();
    this.#server.close();
  }

  #join(client: Socket): void {
    if (this.target === null) return drop(client);
    const upstream = connect(this.target, '127.0.0.1');
    let isCommitting = false;
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      this.#open.add(one);
      one.setNoDelay(true);
      one.on('error', () => drop(other));
      one.on('close', () => {
        this.#open.delete(one);
        drop(other);
      });
    }
    client.on('data', (data) => {
      if (data.includes('commit_step')) isCommitting = true;
      upstream.write(data);
    });
    upstream.on('data', (data) => {
      if (isCommitting && this.#onLost !== null) {
        const lost = this.#onLost;
        this.#onLost = null;
        drop(client, upstream);
        return lost();
      }
      isCommitting = false;
      client.write(data);
    });
  }
}
