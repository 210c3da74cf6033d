import type { EventObject } from 'xstate';

const scalar = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);

/** An event as a person reads it: its type, and what it says in the order in which it says it. */
export const eventText = ({ type, ...rest }: EventObject): string => {
  const said = Object.values(rest).map(scalar);
  return said.length === 0 ? type : `${type}(${said.join(', ')})`;
};
