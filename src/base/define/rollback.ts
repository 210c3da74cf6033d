import * as z from 'zod';
import { lazily } from '../boundary/lazily.ts';
import { JsonObject, RollbackAction, type RiskTier } from '../../../schema/index.ts';
import { isObject } from '../boundary/is-object.ts';
import { parseDocument } from '../boundary/parse-document.ts';
import { ownCopy } from '../canonical/deep-freeze.ts';
import { jsonValue } from '../canonical/json-value.ts';
import type { Issue } from '../errors.ts';
import type { Rollback, RollbackDescription } from '../ports/tool.ts';
import { Callable } from './definition.ts';
import { DoubtName, hasMatchingLookup, lookupIssue } from './doubt.ts';
import { raisedTier, type ToolHints } from './hints.ts';

/** A rollback as its author writes it: `person` for one that a person makes by hand. */
export type RollbackDeclaration<Arguments = unknown> = Rollback<Arguments> | 'person';

/** The declaration of a rollback; it may be an object of the author's own class. */
export const RollbackDefinition = z.literal('person').or(
  z
    .looseObject({
      describe: Callable,
      run: Callable,
      doubt: DoubtName.optional(),
      lookup: Callable.optional(),
    })
    .refine(hasMatchingLookup, lookupIssue),
);

/** Returns a rollback that a person makes by hand, of a tool with this name. */
const byHand = (name: string): Rollback =>
  Object.freeze<Rollback>({
    describe: (input) => ({ type: 'manual', target: name, payload: isObject(input) ? input : { input } }),
    // called only where the write was described by code that is gone
    run: () => Promise.reject(new Error('a person must undo it by hand: the code that described it is gone')),
  });

/** Returns a rollback of a tool for the orchestrator, which passes it the parsed input. */
export const rollbackOf = <Arguments>(
  name: string,
  rollback: RollbackDeclaration<Arguments> | undefined,
): Rollback | null => {
  if (rollback === undefined) return null;
  if (rollback === 'person') return byHand(name);
  return Object.freeze<Rollback>({
    describe: (input) => rollback.describe(input as Arguments),
    run: (action, context) => rollback.run(action, context),
    doubt: rollback.doubt ?? 'unsafe',
    ...(rollback.lookup !== undefined && {
      lookup: (key, context) => rollback.lookup?.(key, context) ?? Promise.resolve({ found: 'unknown' }),
    }),
  });
};

const textSchema = lazily(() =>
  z.string({ error: 'expected a text' }).regex(/\S/, 'expected a text that is not blank'),
);

/**
 * A complete rollback description, stricter than the envelope's schema, which must accept other systems' documents
 * (UAICP 5.3).
 */
const descriptionSchema = lazily(() =>
  RollbackAction.extend({
    type: textSchema(),
    target: textSchema(),
    payload: z.union([JsonObject, textSchema()], {
      error: 'expected an object, or a text that is not blank',
    }),
  }),
);

/** Returns whether a rollback has a type, a target and a payload (UAICP 5.3). */
export const isDescribed = (rollback: RollbackAction | null): rollback is RollbackDescription =>
  descriptionSchema().safeParse(rollback).success;

/**
 * Describes the rollback of a call of this tool, as a frozen copy.
 *
 * Throws the error of `describe`, `value_not_json`, or `document_invalid` with the missing members.
 */
export const describeRollback = (tool: string, rollback: Rollback, input: unknown): RollbackDescription => {
  const document = `the rollback of tool ${JSON.stringify(tool)}`;
  return parseDocument(document, descriptionSchema(), jsonValue(rollback.describe(ownCopy(input)), document));
};

/** The parts of a tool that decide whether it needs a rollback. */
export interface RollbackNeed {
  /** The tier in force: declared, or raised by hints. */
  readonly raised: RiskTier;
  /** The tier that its author declares. */
  readonly tier?: RiskTier | undefined;
  readonly hints?: ToolHints | undefined;
  readonly rollback?: unknown;
}

const whatToDeclare = ({ tier, hints = {} }: RollbackNeed): string => {
  const rollback = "`rollback: { describe, run }`, or `rollback: 'person'`";
  const least = raisedTier('read_only', hints);
  if (least === 'write_high_risk') return `its hints mark it as destructive: declare ${rollback}`;
  if (tier === 'write_high_risk') return `its tier is write_high_risk: declare ${rollback}`;
  if (tier !== undefined) return `its task may call tools that are write_high_risk: declare ${rollback}`;
  const choices = [
    rollback,
    ...(least === 'read_only' ? ["`tier: 'read_only'` if it only reads"] : []),
    "`tier: 'write_low_risk'` if its writes do little harm",
  ];
  return `no tier is declared, so it is write_high_risk: declare ${choices.join(', or ')}`;
};

/**
 * Returns the issue of a high-risk tool without a rollback, with what to declare; `null` for any other tool (UAICP
 * 5.3).
 */
export const lackingRollback = (need: RollbackNeed): Issue | null => {
  const { raised, rollback } = need;
  const lacks = raised === 'write_high_risk' && (rollback === undefined || rollback === null);
  return lacks ? { path: '/rollback', message: `is required, because ${whatToDeclare(need)}` } : null;
};
