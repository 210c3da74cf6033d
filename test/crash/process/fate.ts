import { writeSync } from 'node:fs';

/** Where in an append, or in a request to a tool, a process may die. */
export const places = [
  'before',
  'within',
  'uncommitted',
  'torn',
  'committed',
  'unsent',
  'sent',
  'answered',
] as const;
export type Place = (typeof places)[number];

/** A boundary: a place in an append of this kind of record, or in a request to this tool. */
export interface Boundary {
  readonly at: Place;
  readonly of: string;
}

/** An effect that has begun: what is on record after an append. */
export interface Begun {
  readonly kind: 'call' | 'rollback';
  readonly tool: string;
}

/** One line that a process says. */
export type Line =
  | { readonly says: 'ready' }
  | { readonly says: 'boundary'; readonly boundary: Boundary; readonly begun?: readonly Begun[] }
  /** The store answered that this record is kept. */
  | { readonly says: 'kept'; readonly hash: string }
  /** How long the log of the database was before its last transaction. */
  | { readonly says: 'log'; readonly bytes: number }
  | { readonly says: 'ended' };

export const say = (line: Line): void => void writeSync(1, `${JSON.stringify(line)}\n`);

/** As by a power switch: nothing of this process runs after it. */
export const die = (): never => {
  process.kill(process.pid, 'SIGKILL');
  throw new Error('a process outlived SIGKILL');
};

/** Counts the boundaries that a process comes to, and tells which one it is to die at. */
export const createFate = (diesAt: number | null) => {
  let passed = 0;
  /** Whether this is where it dies, as the caller sees to. */
  const comes = (at: Place, of: string, begun?: readonly Begun[]): boolean => {
    say({ says: 'boundary', boundary: { at, of }, ...(begun !== undefined && { begun }) });
    passed += 1;
    return passed === diesAt;
  };
  /** Dies here, if it is to. */
  const pass = (at: Place, of: string, begun?: readonly Begun[]): void => {
    if (comes(at, of, begun)) die();
  };
  return { comes, pass };
};
export type Fate = ReturnType<typeof createFate>;
