import * as z from 'zod';
import { isObject } from '../boundary/is-object.ts';
import { lazily } from '../boundary/lazily.ts';
import {
  taskClass,
  TaskClassContract,
  type DeadlineOf,
  type TaskClass,
  type TaskClassInput,
} from '../../../machines/index.ts';
import { withoutUndefined } from '../../../machines/without-undefined.ts';
import { JsonObject } from '../../../schema/index.ts';
import type { Identity, ReasonCode, UpContext } from '../../../schema/index.ts';
import { deepFreeze, isPlain, ownCopy } from '../canonical/deep-freeze.ts';
import { frozenCopy } from '../canonical/freeze.ts';
import type { AnswerListing } from '../ports/model.ts';
import type { Label, Labels } from '../ports/origin.ts';
import type { Payload, StandardSchema } from '../ports/schema.ts';
import {
  checksOf,
  requirementsSchema,
  requirementsOf,
  type EvidenceCheck,
  type RequirementsDefinition,
} from './evidence.ts';
import { LabelDefinition, LabelsDefinition } from './labels.ts';
import { Callable, checkDefinition, checkObject, Duration, Schema } from './definition.ts';

const second = 1_000;
const day = 86_400 * second;

/** The time that each duty may take, in milliseconds; the defaults are in `deadlines`. */
export type Deadlines = Readonly<Partial<Record<Exclude<DeadlineOf, 'evidence' | 'approval'>, number>>>;

/** The default deadlines of a task class. */
export const deadlines: Required<Deadlines> = {
  accept: 10 * second,
  model: 120 * second,
  host: 3 * day,
  policy: 10 * second,
  start: 3_600 * second,
  call: 60 * second,
  verifier: 60 * second,
  question: 7 * day,
  dependency: day,
  rollback: 60 * second,
  offer: 10 * second,
  followup: 3 * day,
};

/** The result of intake: accept the request, refuse it, or ask for missing fields. */
export type Acceptance =
  | { readonly accepted: true }
  | { readonly refused: ReasonCode; readonly explanation: string }
  | { readonly missing: Readonly<Record<string, string>>; readonly explanation: string };

/** An offered refinement and its default (UpFormat 3.1). */
export interface FollowupOffer {
  readonly explanation: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** The answer at the deadline. It is recorded as the default, never as a person's choice. */
  readonly byDefault: Readonly<Record<string, unknown>>;
  readonly upContext?: UpContext;
}

/** A task class as its author writes it: the contract of one kind of task. */
export interface TaskClassDefinition<
  Id extends string = string,
  Names extends readonly string[] = readonly string[],
  Output extends Payload = Payload,
  Input = unknown,
> extends Omit<
  TaskClassInput,
  'id' | 'followup' | 'defaults' | 'tools' | 'host' | 'beforeWrite' | 'beforeDeliver'
> {
  readonly id: Id;
  /** The requirements before each write (UAICP 7). */
  readonly beforeWrite?: RequirementsDefinition<NoInfer<Names[number]>>;
  /** The requirements before the answer is delivered (UAICP 5.1, 5.2). */
  readonly beforeDeliver?: RequirementsDefinition<NoInfer<Names[number]>>;
  /** Names of the tools that its model may call; `[]` for none. */
  readonly tools: Names;
  /** The schema of the delivered payload. */
  readonly output?: StandardSchema<Output, Input>;
  readonly accept?: (request: {
    readonly payload: Readonly<Record<string, unknown>>;
    readonly identity: Identity;
    readonly answers: readonly AnswerListing[];
  }) => Acceptance | Promise<Acceptance>;
  readonly deadlines?: Deadlines;
  /** Milliseconds after which evidence is stale. */
  readonly maxAge?: number;
  /** The answers at a question's deadline; `approval: 'refuse'` continues without the write. */
  readonly defaults?: {
    readonly information?: Readonly<Record<string, unknown>>;
    readonly tool?: Readonly<Record<string, unknown>>;
    readonly approval?: 'refuse';
  };
  /**
   * The labels of the request, by JSON Pointer, of people's answers, and of the context: what the agent is shown besides,
   * such as its instructions and the messages of an earlier conversation. By default all are trusted.
   */
  readonly labels?: {
    readonly request?: Labels;
    readonly answers?: Partial<Label>;
    readonly context?: Partial<Label>;
  };
  /**
   * `plan`: the tools that are proposed or declared before anything untrusted was shown are the only ones; a later call
   * of another tool is held. By default any tool of the class may be called. `submit` can name the tools instead.
   */
  readonly mandate?: 'plan';
  readonly followup?: (delivered: {
    readonly payload: NoInfer<Output>;
    readonly request: Readonly<Record<string, unknown>>;
  }) => FollowupOffer;
}

/** A task class, ready for an orchestrator. */
export interface DefinedTaskClass<
  Id extends string = string,
  Names extends readonly string[] = readonly string[],
  Output extends Payload = Payload,
  Input = unknown,
> extends Omit<TaskClassDefinition, 'id' | 'tools' | 'output' | 'deadlines'> {
  readonly id: Id;
  readonly tools: Names;
  readonly output?: StandardSchema<Output, Input>;
  readonly contract: TaskClass;
  /** The checks that run when evidence is collected. */
  readonly checks: readonly EvidenceCheck[];
  readonly deadlines: Required<Deadlines>;
}

const definitionSchema = lazily(() => {
  const { id, tools, flows, limits } = TaskClassContract.shape;
  return z.strictObject({
    id,
    tools: tools.unwrap(),
    ...TaskClassContract.omit({
      id: true,
      tools: true,
      host: true,
      defaults: true,
      flows: true,
      followup: true,
    }).partial().shape,
    beforeWrite: requirementsSchema().optional(),
    beforeDeliver: requirementsSchema().optional(),
    limits: limits.partial().optional(),
    output: Schema.optional(),
    accept: Callable.optional(),
    deadlines: z.partialRecord(z.enum(Object.keys(deadlines)), Duration).optional(),
    maxAge: Duration.optional(),
    defaults: z
      .strictObject({ information: JsonObject, tool: JsonObject, approval: z.literal('refuse') })
      .partial()
      .optional(),
    followup: Callable.optional(),
    flows,
    labels: z
      .strictObject({ request: LabelsDefinition(), answers: LabelDefinition(), context: LabelDefinition() })
      .partial()
      .optional(),
    mandate: z.literal('plan').optional(),
  });
});

/**
 * Defines the contract of one kind of task: threshold, evidence, verifiers, authorities, limits, deadlines (UAICP 5,
 * UpFormat 2.3).
 *
 * Throws `definition_invalid`.
 */
export const defineTaskClass = <
  const Id extends string,
  const Names extends readonly string[],
  Output extends Payload = Payload,
  Input = unknown,
>(
  written: TaskClassDefinition<Id, Names, Output, Input>,
): DefinedTaskClass<Id, Names, Output, Input> =>
  definedTaskClass(written as unknown as TaskClassDefinition) as DefinedTaskClass<Id, Names, Output, Input>; // it keeps name, tools and schema

/** Returns a copy of plain data without members that are `undefined`; anything else is for the schema to refuse. */
const present = (value: unknown): unknown =>
  isObject(value) && isPlain(value) ? withoutUndefined({ ...value }) : value;

const definedTaskClass = (written: TaskClassDefinition): DefinedTaskClass => {
  checkObject('task class', written);
  const { limits, deadlines: times, defaults: given, ...others } = written; // each is read once: what is checked is what counts
  const definition = withoutUndefined({
    ...others,
    limits: isObject(limits) ? withoutUndefined({ ...limits }) : limits,
    deadlines: present(times),
    defaults: present(given),
  }) as TaskClassDefinition;
  checkDefinition('task class', definition.id, definitionSchema(), definition);
  const {
    tools,
    beforeWrite,
    beforeDeliver,
    output: _output,
    accept: _accept,
    followup,
    defaults: answers = {},
    labels,
    mandate: _mandate,
    ...rest
  } = definition;
  const defaults = frozenCopy(answers, 'defaults') as NonNullable<TaskClassDefinition['defaults']>;
  const { deadlines: durations, maxAge: _maxAge, ...terms } = rest;
  const input = deepFreeze(ownCopy(terms)); // a copy: the author may change the definition later
  return Object.freeze({
    ...definition,
    ...input,
    ...(labels !== undefined && { labels: deepFreeze(ownCopy(labels)) }),
    tools: Object.freeze([...tools]),
    contract: deepFreeze(
      taskClass({
        atLimit: 'ask',
        ...input,
        tools: [...tools],
        beforeWrite: ownCopy(requirementsOf(beforeWrite)),
        beforeDeliver: ownCopy(requirementsOf(beforeDeliver)),
        followup: followup !== undefined,
        defaults: TaskClassContract.shape.defaults.element.options.filter(
          (kind) => defaults[kind] !== undefined,
        ),
      }),
    ),
    checks: checksOf(beforeWrite, beforeDeliver),
    defaults,
    deadlines: Object.freeze({ ...deadlines, ...durations }),
  });
};
