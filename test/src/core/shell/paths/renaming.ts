import { isDeepStrictEqual } from 'node:util';

/** The names that an orchestrator creates: UUIDs and digests. All other text is compared literally. */
const given = /sha256:[0-9a-f]{64}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const isGiven = (text: string): boolean => text.replaceAll(given, '') === '' && text !== '';

/** A bijection between the names of a run and those of a graph, which grows with each fact of both. */
export class Renaming {
  readonly #there = new Map<string, string>();
  readonly #back = new Map<string, string>();

  /** The graph's name for each known name of the run. */
  text(text: string): string {
    return text.replaceAll(given, (name) => this.#there.get(name) ?? name);
  }

  /** Binds one name to another; throws if either is bound to a third. */
  bind(real: string, name: string): void {
    const known = [this.#there.get(real) ?? name, this.#back.get(name) ?? real];
    if (!isDeepStrictEqual(known, [name, real]))
      throw new Error(`${real} would be ${name}, but ${name} is ${known[1]}, and ${real} is ${known[0]}`);
    this.#there.set(real, name);
    this.#back.set(name, real);
  }

  /** Learns the names at the same places of two values. */
  learn(real: unknown, graph: unknown): void {
    if (typeof real === 'string' && typeof graph === 'string') {
      if (isGiven(real)) this.bind(real, graph);
    } else if (typeof real === 'object' && real !== null && typeof graph === 'object' && graph !== null) {
      const there = new Map(Object.entries(graph));
      for (const [key, value] of Object.entries(real)) this.learn(value, there.get(key));
    }
  }
}
