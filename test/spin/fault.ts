import { StateMachine, type AnyStateMachine } from 'xstate';
import type { Charter, World } from './exploration.ts';
import { handWritten, type HandWritten } from './export.ts';
import type { Scenario } from './scenarios.ts';
import type { Search } from './spin.ts';

/** The text of a file that is another, and what stands in its place. */
type Change = readonly [file: keyof HandWritten, was: string | RegExp, is: string];

/** A chart that is wrong in one place, and the property that tells. */
export interface Fault {
  readonly name: string;
  readonly in: Scenario;
  /** What is wrong with the hand-written part; nothing where the chart itself is what is wrong. */
  readonly change: Change | null;
  /** The chart, wrong in the same way; nothing where no guard and no transition is what is wrong. */
  readonly broken: Charter | null;
  /** What Spin must say; nothing for a run that never ends, which breaks no assertion. */
  readonly breaks: string | null;
  readonly search: Extract<Search, 'shortest' | 'liveness'>;
}

/** A guard that is always open, or always shut. */
interface Forced {
  readonly name: string;
  readonly verdict: boolean;
}

/** The whole definition of a guard that reads the context alone. */
const body = (guard: string): RegExp => new RegExp(String.raw`^#define ${guard} (?:.*\\\n)*.*`, 'm');

type Part = Readonly<Record<string, unknown>>;

/** A configuration with another value where a path leads. */
const replacedIn = (config: Part, [key = '', ...rest]: readonly string[], value: unknown): Part => {
  if (!(key in config)) throw new Error(`nothing to rewire: ${key}`);
  return { ...config, [key]: rest.length === 0 ? value : replacedIn(config[key] as Part, rest, value) };
};

/** Faults of a chart, each named with the beginning of the name of the world that shows it soonest. */
export const faultsOf = (machine: Charter, worlds: readonly World[]) => {
  const scenario = (name: string): Scenario => {
    const world = worlds.find((one) => one.name.startsWith(name));
    if (world === undefined) throw new Error(`no world is called ${name}`);
    return { machine, world };
  };
  return {
    /** Another text in the hand-written part. */
    fault: (name: string, where: string, change: Change, breaks: string | null): Fault => ({
      name,
      in: scenario(where),
      change,
      broken: null,
      breaks,
      search: breaks === null ? 'liveness' : 'shortest',
    }),
    /** A guard with one verdict. */
    forced: (name: string, where: string, { name: guard, verdict }: Forced, breaks: string): Fault => ({
      name,
      in: scenario(where),
      change: ['guards', body(guard), `#define ${guard} ${verdict}`],
      broken: machine.provide({ guards: { [guard]: () => verdict } }),
      breaks,
      search: 'shortest',
    }),
    /** Another value where a path leads in the chart's definition. */
    rewired: (name: string, where: string, path: readonly string[], is: unknown, breaks: string): Fault => ({
      name,
      in: scenario(where),
      change: null,
      broken: new StateMachine(
        replacedIn(machine.config, path, is) as never,
        machine.implementations as never,
      ) as AnyStateMachine as Charter,
      breaks,
      search: 'shortest',
    }),
  };
};

/** The hand-written part with this fault in it. */
export const faulty = ({ name, change }: Fault): HandWritten => {
  if (change === null) return handWritten;
  const [file, was, is] = change;
  const text = handWritten[file];
  const broken = text.replace(was, is);
  if (broken === text) throw new Error(`nothing to break: ${name}`);
  return { ...handWritten, [file]: broken };
};
