import type { AnyStateMachine } from 'xstate';
import { actionReference, guardReference, plain, sourceName, type Reference } from './names.ts';

/** A JSON value of a configuration. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
type Part = Readonly<Record<string, unknown>>;

/** The kinds of names in a configuration. `decisions` are guards of transitions without an event. */
const kinds = ['guards', 'decisions', 'actions', 'actors', 'delays'] as const;
type Kind = (typeof kinds)[number];

/** A configuration as JSON, and the names that it refers to. */
export interface Written {
  readonly config: Json;
  readonly asked: Readonly<Record<Kind, ReadonlySet<string>>>;
  /** Each guard by its name: a name, a reference with parameters, or a function. */
  readonly guards: ReadonlyMap<string, unknown>;
}

const isPart = (value: unknown): value is Part => typeof value === 'object' && value !== null;
const partOf = (value: unknown): Part => (isPart(value) ? value : {});

/** Returns an object without its undefined members. Safe for names such as `__proto__`. */
const members = (all: Readonly<Record<string, Json | undefined>>): Json =>
  Object.fromEntries(
    Object.entries(all).filter((member): member is [string, Json] => member[1] !== undefined),
  );

const mapped = (all: unknown, write: (value: unknown, name: string) => Json | undefined): Json | undefined =>
  isPart(all)
    ? Object.fromEntries(
        Object.entries(all).flatMap(([name, value]) => {
          const written = write(value, name);
          return written === undefined ? [] : [[name, written] as const];
        }),
      )
    : undefined;

/** Returns a converted list; a single value stays single. */
const each = (written: unknown, write: (one: unknown) => Json): Json | undefined => {
  if (written === undefined) return undefined;
  return Array.isArray(written) ? written.map(write) : write(written);
};

const kept = (part: Part, ...names: readonly string[]): Record<string, Json | undefined> =>
  Object.fromEntries(names.map((name) => [name, plain(part[name]) as Json | undefined]));

const nameOf = (reference: Reference): string => (typeof reference === 'string' ? reference : reference.type);

/**
 * Returns the configuration of a machine as JSON, with guards, actions, actors and delays by name.
 *
 * A function without a name is `inline`. Omits context, input and output, and parameters and metadata that
 * are not plain data or exceed 64 Ki characters.
 */
export const configOf = ({ config }: AnyStateMachine): Written => {
  const asked = Object.fromEntries(kinds.map((kind) => [kind, new Set<string>()])) as Record<
    Kind,
    Set<string>
  >;
  const ask = (kind: Kind, reference: Reference): Json => {
    asked[kind].add(nameOf(reference));
    return reference as Json;
  };
  const guards = new Map<string, unknown>();
  const action = (written: unknown): Json => ask('actions', actionReference(written));
  const guard = (kind: 'guards' | 'decisions', written: unknown): Json | undefined => {
    if (written === undefined) return undefined;
    const reference = guardReference(written);
    guards.set(nameOf(reference), written);
    return ask(kind, reference);
  };

  const branchOf =
    (kind: 'guards' | 'decisions') =>
    (written: unknown): Json => {
      if (typeof written === 'string') return written;
      if (!isPart(written)) return {}; // a forbidden event has no target
      return members({
        ...kept(written, 'target', 'reenter', 'description', 'meta'),
        guard: guard(kind, written['guard']),
        actions: each(written['actions'], action),
      });
    };
  const branch = branchOf('guards');
  const branches = (written: unknown): Json => each(written, branch) ?? {};
  const ends = (written: unknown): Json | undefined => each(written, branch);

  const invoked = (written: unknown): Json => {
    const part = partOf(written);
    const src = sourceName(part['src']);
    asked.actors.add(src);
    return members({
      src,
      ...kept(part, 'id', 'systemId'),
      onDone: ends(part['onDone']),
      onError: ends(part['onError']),
      onSnapshot: ends(part['onSnapshot']),
    });
  };
  const initial = (written: unknown): Json | undefined =>
    isPart(written)
      ? members({
          ...kept(written, 'target', 'description', 'meta'),
          actions: each(written['actions'], action),
        })
      : (written as string | undefined);
  const delayed = (written: unknown, delay: string): Json => {
    if (Number.isNaN(Number(delay))) asked.delays.add(delay);
    return branches(written);
  };

  const state = (written: unknown): Json => {
    const part = partOf(written);
    return members({
      ...kept(part, 'id', 'version', 'options', 'description', 'type', 'history', 'target', 'tags', 'meta'),
      route: part['route'] === undefined ? undefined : branch(part['route']),
      initial: initial(part['initial']),
      entry: each(part['entry'], action),
      exit: each(part['exit'], action),
      invoke: each(part['invoke'], invoked),
      always: each(part['always'], branchOf('decisions')),
      on: mapped(part['on'], branches),
      after: mapped(part['after'], delayed),
      onDone: ends(part['onDone']),
      states: mapped(part['states'], state),
    });
  };
  return { config: state(config), asked, guards };
};
