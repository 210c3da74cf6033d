import * as z from 'zod';
import { lazily } from '../boundary/lazily.ts';
import { EvidenceType, Identifier, RiskTier } from '../../../schema/index.ts';
import type { Flows, Labels } from '../ports/origin.ts';
import type { StandardSchema } from '../ports/schema.ts';
import type { CallContext, Doubt, Found, LookupContext, Tool } from '../ports/tool.ts';
import { Callable, checkDefinition, checkObject, Duration, refuseDefinition, Schema } from './definition.ts';
import { unsendableIn } from './dates.ts';
import { DoubtName, hasMatchingLookup, lookupIssue } from './doubt.ts';
import { lackingRollback, RollbackDefinition, rollbackOf, type RollbackDeclaration } from './rollback.ts';
import { FlowsDefinition, LabelsDefinition, declaredTerms } from './labels.ts';
import { raisedTier, ToolHints } from './hints.ts';
import { withOutput } from './output.ts';
import { summaryOf } from './summary.ts';
import { unknownArguments, unknownResults } from './unknown-members.ts';

/** An approval comes from an approver, never from a tool. */
const ToolEvidence = EvidenceType.exclude(['approval_token']);

const definitionSchema = lazily(() =>
  z
    .strictObject({
      name: Identifier,
      version: Identifier.optional(),
      formerly: z.array(Identifier).optional(),
      description: z.string(),
      tier: RiskTier.optional(),
      hints: ToolHints.optional(),
      input: Schema,
      output: Schema.optional(),
      summary: Callable.optional(),
      evidenceType: ToolEvidence.optional(),
      deadline: Duration.optional(),
      call: Callable,
      rollback: RollbackDefinition.optional(),
      doubt: DoubtName.optional(),
      lookup: Callable.optional(),
      labels: z.union([LabelsDefinition(), z.literal('arguments')]).optional(),
      flows: FlowsDefinition().optional(),
      isHidden: z.literal(true).optional(),
      repeats: z.literal(true).optional(),
      stops: z.literal(true).optional(),
      amounts: z.record(Identifier, Callable).optional(),
      isForeign: z.boolean().optional(),
    })
    .refine(hasMatchingLookup, lookupIssue)
    .refine(({ tier, amounts }) => amounts === undefined || tier !== 'read_only', {
      path: ['amounts'],
      message: 'expected none of a tool that reads: no policy is asked about it',
    }),
);

/** Returns the members that the definition of a tool may have. */
export const toolMembers = (): readonly string[] => Object.keys(definitionSchema().shape);

/** A tool whose calls can be undone. */
export interface WithRollback<Arguments> {
  /** `write_high_risk` by default. */
  readonly tier?: RiskTier;
  /** The inverse of a call; `person` if nobody but a person can undo it: they are asked, with the tool and the arguments. */
  readonly rollback: RollbackDeclaration<Arguments>;
}

/** A tool whose calls cannot be undone: a read, or a write that does little harm (UAICP 5.3). */
export interface WithoutRollback {
  readonly tier: Exclude<RiskTier, 'write_high_risk'>;
  readonly rollback?: undefined;
}

/** A tool whose calls of unknown outcome are looked up. */
export interface Reconcilable {
  readonly doubt: 'reconcilable';
  /** Looks up the call of this key in the outside system. */
  readonly lookup: (key: string, context: LookupContext) => Promise<Found>;
}

/** A tool whose calls of unknown outcome are retried, or left to a person. */
export interface NotReconcilable {
  /** By default a read is `idempotent`, because it changes nothing, and any other tool is `unsafe`. */
  readonly doubt?: Exclude<Doubt, 'reconcilable'>;
  readonly lookup?: undefined;
}

/** What every tool declares. */
export interface ToolBasics<Arguments, Name extends string = string, Input = unknown> {
  readonly name: Name;
  /** Part of the action that an approval covers: a new version needs a new approval. */
  readonly version?: string;
  /**
   * The names that the tool had in earlier releases of your application; none by default. A task that began under one of them
   * keeps that name in its records and finds this tool: its calls, approvals, rollbacks, look-ups and evidence stand, if nothing
   * else changed. No other tool may have the name now, or have had it.
   */
  readonly formerly?: readonly string[];
  readonly description: string;
  /** The hints of the tool's server; they raise the tier and never lower it. */
  readonly hints?: ToolHints;
  /** The schema of the arguments. A Date in it is an RFC 3339 text for models, people, policies and the ledger. */
  readonly input: StandardSchema<Arguments, Input>;
  /** The schema of the result. A result that it refuses counts as an error of the tool. */
  readonly output?: StandardSchema;
  /**
   * Says what a call with this input does, in a sentence for the person who approves it: one line of 1 to 200
   * characters. By default the tool's name with its arguments.
   */
  readonly summary?: (input: Arguments) => string;
  /**
   * The labels of the result, by JSON Pointer (`*` for any member or element); `arguments` for those of the arguments
   * together. By default it is untrusted.
   */
  readonly labels?: Labels | 'arguments';
  /** What the arguments may come from, by JSON Pointer. A call with another value is held for a person, or refused. */
  readonly flows?: Flows;
  /** The model is not shown the result, and names it by reference. */
  readonly isHidden?: true;
  /**
   * Whether each call is made, also one that equals an earlier one, such as "next page", "append" or "remind". Calls are then
   * told apart by their `ref`. By default an identical write is made once in a request, and its outcome says so.
   */
  readonly repeats?: true;
  /**
   * How much a call does of what quotas add up, by the name of the amount: `{ cents: ({ cents }) => cents }`, in whole units of at least 0. A
   * read has none.
   */
  readonly amounts?: Readonly<Record<string, (input: Arguments) => number>>;
  /**
   * Whether a call heeds its `signal`: then `cancel` aborts the signal at once, and the tool answers `notDone` if nothing
   * happened. By default a call in flight ends first, and its write is then undone.
   */
  readonly stops?: true;
  /**
   * Whether others wrote its name, its description or its schema, such as a server that you do not trust: then every task
   * that lists it begins as if it had read an untrusted text. By default `false`, and `true` for tools of an MCP server.
   */
  readonly isForeign?: boolean;
  readonly evidenceType?: z.infer<typeof ToolEvidence>;
  /** Milliseconds until a call times out. */
  readonly deadline?: number;
  readonly call: (input: Arguments, context: CallContext) => Promise<unknown>;
}

/** What a tool declares about undoing a call, and about a call of unknown outcome. */
export type ToolPromises<Arguments> = (WithRollback<Arguments> | WithoutRollback) &
  (Reconcilable | NotReconcilable);

/**
 * A tool as its author writes it.
 *
 * The compiler demands a `rollback` of a `write_high_risk` tool, which is the default, and a `lookup` with
 * `doubt: 'reconcilable'`.
 */
export type ToolDefinition<Arguments, Name extends string = string, Input = unknown> = ToolBasics<
  Arguments,
  Name,
  Input
> &
  ToolPromises<Arguments>;

/** A tool whose tier and doubt are known at run time only. */
export interface UnreadToolDefinition<Arguments> extends ToolBasics<Arguments> {
  readonly tier?: RiskTier;
  readonly rollback?: RollbackDeclaration<Arguments> | undefined;
  readonly doubt?: Doubt;
  readonly lookup?: Reconcilable['lookup'] | undefined;
}

/** Returns the tier of a tool: declared, or raised by its hints. */
export const tierOf = ({
  tier = 'write_high_risk',
  hints = {},
}: {
  readonly tier?: RiskTier | undefined;
  readonly hints?: ToolHints | undefined;
}): RiskTier => raisedTier(tier, hints);

/** The orchestrator passes only input that the `input` schema has parsed. */
const amountsOf = (amounts: ToolBasics<never>['amounts']): Pick<Tool, 'amounts'> =>
  amounts === undefined ? {} : { amounts: Object.freeze({ ...amounts }) as NonNullable<Tool['amounts']> };

/** Defines a tool as `defineTool` does; whether it lacks a rollback or a look-up is checked at run time only. */
export const parseTool = <Arguments>(definition: UnreadToolDefinition<Arguments>): Tool => {
  checkObject('tool', definition);
  checkDefinition('tool', definition.name, definitionSchema(), definition);
  refuseDefinition('tool', definition.name, [
    ...unsendableIn(definition.input),
    ...unknownArguments(definition.input, definition.flows),
    ...unknownResults(definition.output, definition.labels),
  ]);
  const { name, version = '1', tier, evidenceType = 'tool_result', hints, rollback, summary } = definition;
  const raised = tierOf(definition);
  const lacking = lackingRollback({ tier, hints, raised, rollback });
  if (lacking !== null) refuseDefinition('tool', name, [lacking]);
  return Object.freeze({
    name,
    version,
    description: definition.description,
    tier: raised,
    input: definition.input,
    ...summaryOf(summary),
    ...declaredTerms(definition),
    ...(definition.repeats === true && { repeats: true as const }),
    ...(definition.stops === true && { stops: true as const }),
    ...amountsOf(definition.amounts),
    evidenceType,
    deadline: definition.deadline ?? null,
    ...withOutput(definition, {
      // the orchestrator passes only input that the `input` schema has parsed
      call: (input: unknown, context: CallContext) => definition.call(input as Arguments, context),
      lookup: definition.lookup ?? null,
    }),
    rollback: rollbackOf(name, rollback),
    doubt: definition.doubt ?? (raised === 'read_only' ? 'idempotent' : 'unsafe'),
  });
};

/**
 * Defines a tool with its risk tier (UAICP 2, 5.3).
 *
 * Throws `definition_invalid`, also for a tool whose hints make it `write_high_risk` and that has no rollback.
 */
export const defineTool = <Name extends string, Arguments, Input>(
  definition: ToolDefinition<Arguments, Name, Input>,
): Tool<Name, Input, Arguments> =>
  // `parseTool` keeps the name and the schema
  parseTool(definition) as Tool<Name, Input, Arguments>;
