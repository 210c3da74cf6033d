import type { EventObject } from 'xstate';

/** Returns the value of an event's member as text. */
export const memberText = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);

/** Returns an event as text: its type, and its members in order. */
export const eventText = ({ type, ...rest }: EventObject): string => {
  const members = Object.values(rest).map(memberText);
  return members.length === 0 ? type : `${type}(${members.join(', ')})`;
};
