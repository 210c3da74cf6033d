import type { AnyActorRef, AnyEventObject, AnyStateMachine, Snapshot } from 'xstate';
import { jsonOf, written, type Replace } from './written.ts';

/** The version of `@statelyai/inspect` that defines these messages. Its receiver requires one. */
const version = '0.7.2';

/** The actor of a message. */
export interface Address {
  readonly sessionId: string;
  readonly rootId: string;
}

/** Returns the machine of an actor; `undefined` if its logic is not a machine. */
export const machineOf = (actor: AnyActorRef): AnyStateMachine | undefined => {
  const { logic } = actor as Partial<{ readonly logic: unknown }>; // XState declares `logic` on actors, but not on their references
  const isMachine = typeof logic === 'object' && logic !== null && 'config' in logic && 'root' in logic;
  return isMachine ? (logic as AnyStateMachine) : undefined;
};

/** Members of a machine's configuration that hold values. All others are structure. */
const values: ReadonlySet<string> = new Set(['context', 'input', 'params', 'meta', 'output']);

const redactedValues =
  (replace: Replace): Replace =>
  (key, value) =>
    values.has(key)
      ? (JSON.parse(jsonOf({ [key]: value }, replace)) as Readonly<Record<string, unknown>>)[key]
      : value;

/** Returns the configuration of a machine, which the inspector draws; for other logic its name. */
const definitionOf = (machine: AnyStateMachine | undefined, name: string, replace: Replace): string => {
  if (machine === undefined) return JSON.stringify({ id: name });
  const { id, toJSON: _toJSON, ...config } = machine.config as Readonly<Record<string, unknown>>; // any JSON-like object
  return written({ id: id ?? name }, () => config, redactedValues(replace));
};

const message = (type: string, address: object, members: Readonly<Record<string, string>> = {}): string => {
  const head = { type, ...address, id: null, createdAt: String(Date.now()), _version: version };
  const parts = Object.entries(members).map(([name, text]) => `,"${name}":${text}`);
  return `${JSON.stringify(head).slice(0, -1)}${parts.join('')}}`;
};

/** Returns the JSON form of a snapshot, which omits the machine. */
const jsonFormOf = (snapshot: object): object => {
  try {
    const json: unknown =
      'toJSON' in snapshot && typeof snapshot.toJSON === 'function' ? snapshot.toJSON() : snapshot;
    if (typeof json === 'object' && json !== null) return json;
  } catch {
    // then it is written as it is
  }
  return snapshot;
};

const omit = (members: object, omitted: readonly string[]): object =>
  Object.fromEntries(Object.entries(members).filter(([key]) => !omitted.includes(key)));

const snapshotText = (snapshot: object, replace: Replace): string => {
  const json: { status?: unknown; value?: unknown; tags?: unknown } = jsonFormOf(snapshot);
  const { status = 'active', value, tags } = json;
  const content = () => omit(json, ['status', 'value', 'tags', 'historyValue', 'toJSON']);
  return written({ status, value, tags }, content, replace);
};

const eventText = (event: AnyEventObject, replace: Replace): string =>
  written({ type: event.type }, () => omit(event, ['type', 'toJSON']), replace);

/** Returns the messages of the inspector's protocol, each as JSON text. */
export const wireOf = (replace: Replace) => {
  const definitions = new WeakMap<AnyStateMachine, string>();
  const definition = (machine: AnyStateMachine | undefined, name: string): string => {
    const known = machine && definitions.get(machine);
    if (known !== undefined) return known;
    const text = JSON.stringify(definitionOf(machine, name, replace));
    if (machine !== undefined) definitions.set(machine, text);
    return text;
  };
  return {
    actor: (actor: AnyActorRef, address: Address): string => {
      const machine = machineOf(actor);
      const named = actor.id === address.sessionId && machine !== undefined ? machine.id : actor.id;
      const about = { name: named, parentId: actor._parent?.sessionId, ...address };
      return message('@xstate.actor', about, {
        definition: definition(machine, named),
        snapshot: snapshotText(actor.getSnapshot(), replace),
      });
    },
    event: (event: AnyEventObject, address: Address, sourceId: string | undefined): string =>
      message('@xstate.event', { sourceId, ...address }, { event: eventText(event, replace) }),
    snapshot: (snapshot: Snapshot<unknown>, event: AnyEventObject, address: Address): string =>
      message('@xstate.snapshot', address, {
        event: eventText(event, replace),
        snapshot: snapshotText(snapshot, replace),
      }),
    /** The last message. */
    end: JSON.stringify({ type: '@statelyai.disconnected' }),
  };
};

export type Wire = ReturnType<typeof wireOf>;
