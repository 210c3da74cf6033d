import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { openBank } from '../../../docs/examples/finance/bank.ts';
import given from '../../../docs/examples/finance/case.json' with { type: 'json' };
import type { Asked } from './request.ts';

/** Something that was done in the world. */
export interface Done {
  readonly tool: string;
  readonly key: string;
}

/** What is in the place of something sound; a test that plants a fault does. */
export interface Planted {
  /** A tool whose server forgets the keys that it is said to remember. */
  readonly forgets?: string;
  /** The store keeps no intents. */
  readonly hidesIntents?: boolean;
}

/** Tools that honour their idempotency key: the bank does, a mail server does not. */
const honoured = ['wire.reverse', 'wire.reinstate'];

/** A bank and a mail server, in a process that is not killed: it counts what it does, and how often it is asked again. */
export class ToolServer {
  readonly done: Done[] = [];
  /** How often it was asked again under a key that it knew, and did nothing. */
  repeated = 0;
  /** Laws that were broken where nobody could be told. */
  readonly broken: string[] = [];
  readonly #bank = openBank(given, () => {});
  readonly #planted: Planted;
  readonly #isIntended: (asked: Asked) => Promise<boolean>;
  readonly #kill: () => Promise<void>;
  readonly #server = createServer((incoming, outgoing) => {
    void json(incoming)
      .then((asked) => this.#answer(asked as Asked))
      .then((answer) => outgoing.end(JSON.stringify(answer ?? null)))
      .catch(() => outgoing.destroy());
  });

  /** `kill` ends the process that asks; `isIntended` looks into its file. */
  constructor(planted: Planted, isIntended: (asked: Asked) => Promise<boolean>, kill: () => Promise<void>) {
    this.#planted = planted;
    this.#isIntended = isIntended;
    this.#kill = kill;
  }

  async open(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  async #answer(asked: Asked): Promise<unknown> {
    const isEffect = asked.kind === 'call' || asked.kind === 'rollback';
    if (isEffect && !(await this.#isIntended(asked)))
      this.broken.push('an effect has an earlier intent of its own');
    if (asked.dies === true) await this.#kill(); // what it asked for is on its way, and is done after its death
    switch (asked.kind) {
      case 'told':
        return this.done.some(({ tool }) => tool === asked.tool);
      case 'read':
        return this.#bank.snapshot();
      case 'lookup':
        return this.#bank.find('reversed', asked.key) ?? null;
      case 'call':
      case 'rollback':
        return this.#act(asked);
    }
  }

  #act({ tool, key, input }: Asked): unknown {
    const isKnown = this.done.some((one) => one.tool === tool && one.key === key);
    if (isKnown && honoured.includes(tool) && this.#planted.forgets !== tool) this.repeated += 1;
    else this.done.push({ tool, key });
    if (tool === 'wire.reverse') return this.#bank.reverse(String(input), key);
    if (tool === 'wire.reinstate') return this.#bank.reinstate(String(input), key);
    const { to } = input as { readonly to: readonly string[] };
    return { messageIds: to.map((recipient) => `<${key} ${recipient}>`), accepted: to, rejected: [] };
  }
}
