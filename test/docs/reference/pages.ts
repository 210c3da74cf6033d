import * as z from 'zod';
import {
  correspondences,
  EvidenceType,
  FeedbackType,
  fieldCorrespondences,
  Identifier,
  PublishedReasonCode,
  ReasonCode,
  reasonMeaning,
  RiskTier,
  Uuid,
  type Correspondence,
  type FieldCorrespondence,
} from '../../../schema/index.ts';
import { begin } from '../../../machines/context.ts';
import { DeadlineOf, ProposedCall, TaskClassContract } from '../../../machines/facts/fields.ts';
import { Fact } from '../../../machines/facts/index.ts';
import { outcomeOf } from '../../../machines/report.ts';
import { code, codes, page, source, table } from './markdown.ts';
import type { Transition, Walk } from '../../../src/render/walk.ts';

const maybe = (name: string | null): string => (name === null ? '' : code(name));

/** A chart as tables: its states with their duties, then each state's transitions in the order in which they are tried. */
export const chartPage = (machine: string, about: string, { states, transitions }: Walk): string =>
  page(
    code(machine),
    about,
    `${states.length} states, ${transitions.length} transitions. The transitions of a state are tried from top to bottom; \`always\` needs no fact. A transition that goes nowhere records its fact and stays.`,
    '## States and their duties',
    table(
      ['state', 'kind', 'begins in', 'on entry', 'owes', 'source'],
      states.map(({ id, type, initial, entry, owes, tags, cites }) => [
        code(id),
        [type, ...tags.map(code)].join(', '),
        maybe(initial),
        codes(entry),
        codes(owes),
        source(cites),
      ]),
    ),
    ...states.flatMap(({ id }) => {
      const own = transitions.filter(({ from }) => from === id);
      if (own.length === 0) return [];
      return [
        `## ${code(id)}`,
        table(
          ['on', 'guard', 'goes to', 'does', 'source'],
          own.map(({ on, guard, targets, actions, cites }) => [
            code(on),
            maybe(guard),
            codes(targets),
            codes(actions),
            source(cites),
          ]),
        ),
      ];
    }),
  );

interface Printed {
  readonly type?: string;
  readonly const?: string;
  readonly pattern?: string;
  readonly enum?: readonly string[];
  readonly items?: Printed;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Printed>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Printed[];
  /** Of a record: what stands under each name. */
  readonly additionalProperties?: Printed | false;
}

const printed = (schema: z.ZodType): Printed => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  return rest as Printed;
};

/** The types that facts name instead of spelling them out. */
export const types = {
  Uuid,
  Identifier,
  Digest: ProposedCall.shape.digest,
  ProposedCall,
  DeadlineOf,
  EvidenceType,
  FeedbackType,
  RiskTier,
  ReasonCode,
  TaskClassContract,
};

const named: ReadonlyMap<string, string> = new Map(
  Object.entries(types).map(([name, schema]) => [JSON.stringify(printed(schema)), name]),
);

const typeOf = (schema: Printed): string => named.get(JSON.stringify(schema)) ?? spelledOut(schema);

const spelledOut = (schema: Printed): string => {
  if (schema.enum !== undefined) return schema.enum.join(' | ');
  if (schema.const !== undefined) return schema.const;
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(' | ');
  if (schema.additionalProperties !== undefined && schema.properties === undefined)
    return schema.additionalProperties === false ? '{}' : `by name: ${typeOf(schema.additionalProperties)}`;
  if (schema.items !== undefined) return `${typeOf(schema.items)}[]`;
  if (schema.properties !== undefined) return `{ ${fieldsOf(schema).join(', ')} }`;
  if (schema.type === 'number') return `${schema.minimum} to ${schema.maximum}`;
  return schema.pattern ?? schema.type ?? 'unknown';
};

const fieldsOf = ({ properties = {}, required = [] }: Printed): readonly string[] =>
  Object.entries(properties)
    .filter(([, schema]) => schema.const === undefined)
    .map(([name, schema]) => `${name}${required.includes(name) ? '' : '?'}: ${typeOf(schema)}`);

const placeOf = ({ from, guard }: Transition): string =>
  guard === null ? code(from) : `${code(from)} if ${code(guard)}`;

/** Every fact, its fields, and where the task chart takes it. */
export const factsPage = ({ transitions }: Walk): string =>
  page(
    'Facts',
    'What may happen in the world, and all that moves a chart. A fact taken in `task` is taken in every unsettled state.',
    table(
      ['fact', 'fields', 'taken in'],
      Fact.options.map((variant) => {
        const type = variant.shape.type.value;
        return [
          code(type),
          fieldsOf(printed(variant)).map(code).join('<br>'),
          transitions
            .filter(({ on }) => on === type)
            .map(placeOf)
            .join('<br>'),
        ];
      }),
    ),
    '## Types',
    table(
      ['type', 'values'],
      Object.entries(types).map(([name, schema]) => [code(name), code(spelledOut(printed(schema)))]),
    ),
  );

const outcomeFor = (reason: ReasonCode): string =>
  outcomeOf({
    ...begin({ taskClass: { id: 'any' }, request: '' }),
    outcome: 'failed',
    reasons: [{ code: reason, about: '' }],
  });

export const reasonCodesPage = (): string =>
  page(
    'Reason codes',
    'Why a gate says no or a run failed safe. The outcome is the one that an envelope states when this is the only reason ([decision 0012](../decisions/0012-outcome-of-an-envelope.md)).',
    table(
      ['code', 'whose', 'meaning', 'outcome'],
      ReasonCode.options.map((reason) => [
        code(reason),
        PublishedReasonCode.safeParse(reason).success ? 'UAICP' : 'ours',
        reasonMeaning[reason],
        code(outcomeFor(reason)),
      ]),
    ),
  );

export const correspondencePage = (): string =>
  page(
    'The two specifications side by side',
    '## Operational states and phases',
    table(
      ['operational state (UpFormat Table 2)', 'when', 'phases (UAICP 3)', 'outcome (UAICP 6)'],
      Object.entries<readonly Correspondence[]>(correspondences).flatMap(([state, situations]) =>
        situations.map(({ when, phases, outcome }) => [code(state), when, codes(phases), code(outcome)]),
      ),
    ),
    '## Fields of a message and of an envelope',
    table(
      ['message (UpFormat Table 1)', 'is', 'is not', 'because'],
      Object.entries<FieldCorrespondence>(fieldCorrespondences).map(([field, { is, isNot, because }]) => [
        code(field),
        maybe(is),
        maybe(isNot ?? null),
        because,
      ]),
    ),
  );
