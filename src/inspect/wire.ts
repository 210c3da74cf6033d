import type { AnyActorRef, AnyEventObject, AnyStateMachine, Snapshot } from 'xstate';
import { jsonOf, written, type Replace } from './written.ts';

/** The version of `@statelyai/inspect` whose messages these are; its receiver asks for one. */
const version = '0.7.2';

/** Where a message belongs. */
export interface Address {
  readonly sessionId: string;
  readonly rootId: string;
}

/** A machine, where the logic of an actor is one. */
export const machineOf = (actor: AnyActorRef): AnyStateMachine | undefined => {
  const { logic } = actor as Partial<{ readonly logic: unknown }>; // XState types it on actors alone, not on their references
  const isMachine = typeof logic === 'object' && logic !== null && 'config' in logic && 'root' in logic;
  return isMachine ? (logic as AnyStateMachine) : undefined;
};

/** Members of a machine's configuration that hold values; everything else in it is structure. */
const values: ReadonlySet<string> = new Set(['context', 'input', 'params', 'meta', 'output']);

const redactedValues =
  (replace: Replace): Replace =>
  (key, value) =>
    values.has(key)
      ? (JSON.parse(jsonOf({ [key]: value }, replace)) as Readonly<Record<string, unknown>>)[key]
      : value;

/** The configuration of a machine as it was written, which is what the inspector draws; of any other logic its name. */
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

/** Its own words for itself, such as those of a machine's snapshot, which leave out the machine. */
const saidOf = (snapshot: object): object => {
  try {
    const said: unknown =
      'toJSON' in snapshot && typeof snapshot.toJSON === 'function' ? snapshot.toJSON() : snapshot;
    if (typeof said === 'object' && said !== null) return said;
  } catch {
    // then it is read as it stands
  }
  return snapshot;
};

const without = (members: object, left: readonly string[]): object =>
  Object.fromEntries(Object.entries(members).filter(([key]) => !left.includes(key)));

const snapshotText = (snapshot: object, replace: Replace): string => {
  const said: { status?: unknown; value?: unknown; tags?: unknown } = saidOf(snapshot);
  const { status = 'active', value, tags } = said;
  const content = () => without(said, ['status', 'value', 'tags', 'historyValue', 'toJSON']);
  return written({ status, value, tags }, content, replace);
};

const eventText = (event: AnyEventObject, replace: Replace): string =>
  written({ type: event.type }, () => without(event, ['type', 'toJSON']), replace);

/** The messages of the inspector page's protocol, each the text of one JSON object. */
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
