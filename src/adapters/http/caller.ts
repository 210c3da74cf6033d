import * as z from 'zod';
import { isObject } from '../../base/boundary/is-object.ts';
import { checkData } from '../../base/boundary/issues-of.ts';
import { CharterError } from '../../base/errors.ts';
import type { Person } from '../../base/ports/ledger.ts';
import { Submission } from '../../core/shell/submission.ts';

/** An authenticated agent. Its runs are begun in this name (UAICP 5.4). */
export interface AgentCaller {
  readonly agent: Submission['identity'];
}

/** An authenticated person. Their answers are recorded in this name. */
export interface PersonCaller {
  /** The name, or the person with attributes, which `mayRespond` receives. */
  readonly person: string | Person;
}

/** The authenticated caller. Agents answer no questions, and people make no calls. */
export type Caller = AgentCaller | PersonCaller;

export const isAgent = (caller: Caller): caller is AgentCaller => 'agent' in caller;

/** Returns the name of a caller for records. */
export const nameOf = (caller: Caller): string => {
  if (isAgent(caller)) return caller.agent.agent_id;
  return typeof caller.person === 'string' ? caller.person : caller.person.id;
};

const isNamed = (name: unknown): boolean => typeof name === 'string' && name.trim() !== '';

const Named = z.custom<PersonCaller['person']>(
  (person) => isNamed(isObject(person) ? person['id'] : person),
  'expected the name of a person, or an object with their name as `id`',
);

const CallerForm = z.union([
  z.strictObject({ agent: Submission.shape.identity }),
  z.strictObject({ person: Named }),
]);

/**
 * Reads the result of your `identity`; `null` and `undefined` are no caller.
 *
 * Throws `definition_invalid` for anything that is not exactly an agent or a person, so that a mistake admits
 * no one.
 */
export const readCaller = (value: unknown): Caller | null => {
  if (value === null || value === undefined) return null;
  const read = checkData(CallerForm, value);
  if (read.issues === undefined) return read.value;
  const { issues } = read;
  const message =
    'wire: identity returned something else: expected exactly { agent } or { person }, with their names, or null for no one';
  throw new CharterError('definition_invalid', message, { definition: 'createWire', issues });
};
