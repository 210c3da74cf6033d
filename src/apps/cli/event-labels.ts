import type { EventObject } from 'xstate';
import { memberText } from '../../testing/event-text.ts';
import { shortText } from '../../testing/value-text.ts';

/** What tells a member of an event from the same member of other events of its type. */
type Difference = 'value' | 'presence' | null;

const differenceOf = (texts: readonly (string | undefined)[]): Difference => {
  const given = new Set(texts.filter((text) => text !== undefined));
  if (given.size > 1) return 'value';
  return texts.includes(undefined) ? 'presence' : null;
};

const membersOf = ({ type: _type, ...members }: EventObject): ReadonlyMap<string, string> =>
  new Map(Object.entries(members).map(([name, value]) => [name, memberText(value)]));

const differencesIn = (events: readonly ReadonlyMap<string, string>[]): ReadonlyMap<string, Difference> => {
  const names = new Set(events.flatMap((members) => [...members.keys()]));
  return new Map([...names].map((name) => [name, differenceOf(events.map((members) => members.get(name)))]));
};

const uuid = /\b([0-9a-f]{8})(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/giu;
const longest = 60;

/**
 * Returns a function that labels an event with its type, and with the members in which it differs from other `events`
 * of this type. UUIDs are cut to their first part.
 */
export const eventLabels = (events: readonly EventObject[]): ((event: EventObject) => string) => {
  const byType = new Map<string, ReadonlyMap<string, string>[]>();
  for (const event of events) {
    const alike = byType.get(event.type) ?? [];
    alike.push(membersOf(event));
    byType.set(event.type, alike);
  }
  const differences = new Map([...byType].map(([type, alike]) => [type, differencesIn(alike)]));
  return (event) => {
    const labels = [...membersOf(event)].flatMap(([name, text]) => {
      const difference = differences.get(event.type)?.get(name) ?? null;
      if (difference === null) return [];
      return difference === 'presence'
        ? [name]
        : [`${name} ${shortText(text.replaceAll(uuid, '$1…'), longest)}`];
    });
    return labels.length === 0 ? event.type : `${event.type} (${labels.join(', ')})`;
  };
};
