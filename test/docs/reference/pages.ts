import { isDeepStrictEqual } from 'node:util';
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
import { always, type Transition, type Walk } from '../../../src/render/walk.ts';

const maybe = (name: string | null): string => (name === null ? '' : code(name));

/** The rows of one state's transitions; facts that differ in nothing else share a row. */
const transitionRows = (own: Walk['transitions']): readonly (readonly string[])[] => {
  const rows: { readonly on: string[]; readonly rest: readonly string[] }[] = [];
  for (const { on, guard, targets, actions, cites } of own) {
    const isPlain = guard === 'appliesTo';
    const does = actions.filter((action) => action !== 'applyFact');
    const rest = [isPlain ? '' : maybe(guard), codes(targets), codes(does), source(cites)];
    // a row above another transition of this fact would say that it is tried before it
    const from = rows.findLastIndex((row) => row.on.includes(on)) + 1;
    const same =
      on === always ? undefined : rows.slice(from).find((row) => isDeepStrictEqual(row.rest, rest));
    if (same === undefined) rows.push({ on: [on], rest });
    else same.on.push(on);
  }
  return rows.map(({ on, rest }) => [codes(on), ...rest]);
};

const heads = ['state', 'on', 'guard', 'goes to', 'does', 'source'];

/** The transitions of states in one table, each state named in its first row. */
const transitionTable = ({ transitions }: Walk, states: readonly string[]): string =>
  table(
    heads,
    states.flatMap((id) =>
      transitionRows(transitions.filter(({ from }) => from === id)).map((cells, at) => [
        at === 0 ? code(id) : '',
        ...cells,
      ]),
    ),
  );

/** A chart as tables: its states with their duties, then each state's transitions in the order in which they are tried. */
export const chartPage = (machine: string, about: string, walked: Walk): string =>
  page(
    code(machine),
    about,
    '## States and their duties',
    `${walked.states.length} states.`,
    table(
      ['state', 'kind', 'on entry', 'duties', 'source'],
      walked.states.map(({ id, type, initial, entry, owes, tags, cites }) => [
        code(id),
        [
          ...(type === 'atomic' ? [] : [type]),
          ...(initial === null ? [] : [code(initial)]),
          ...tags.map(code),
        ].join(', '),
        codes(entry.filter((action) => !action.startsWith('enter '))),
        codes(owes),
        source(cites),
      ]),
    ),
    '## Transitions',
    `${walked.transitions.length} transitions. Those of a state are tried from top to bottom; \`always\` needs no fact. A transition on a fact needs that the fact is about the run (\`appliesTo\`), and applies it (\`applyFact\`). One without a target stays.`,
    transitionTable(
      walked,
      walked.states.map(({ id }) => id),
    ),
  );

/** The transitions of a state, named without `submitted`. */
const rowsOf = ({ transitions }: Walk, from: string): string =>
  JSON.stringify(transitionRows(transitions.filter((one) => one.from === from))).replaceAll(
    '`submitted.',
    '`',
  );

/** The phases alone: their states, and the transitions of those that differ from the same state inside `submitted`. */
export const phasesPage = (machine: string, about: string, walked: Walk, task: Walk): string => {
  const ids = walked.states
    .map(({ id }) => id)
    .filter((id) => walked.transitions.some(({ from }) => from === id));
  const isSame = (id: string): boolean => rowsOf(walked, id) === rowsOf(task, `submitted.${id}`);
  return page(
    code(machine),
    about,
    `${walked.states.length} states, ${walked.transitions.length} transitions. These states have the transitions of the same state in [\`taskMachine\`](task.md), below \`submitted\`: ${codes(ids.filter(isSame))}. The others:`,
    transitionTable(
      walked,
      ids.filter((id) => !isSame(id)),
    ),
  );
};

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
  guard === null || guard === 'appliesTo' ? code(from) : `${code(from)} if ${code(guard)}`;

/** Every fact, its fields, and where the task chart takes it. */
export const factsPage = ({ transitions }: Walk): string =>
  page(
    'Facts',
    'Look up the events that you can send to a chart, with their fields and the states that accept them. A fact accepted in `task` is accepted in every unsettled state. A fact that is not about the run (`appliesTo`) is refused.',
    table(
      ['fact', 'fields', 'accepted in'],
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
    'Look up why a gate refused or a run failed. If the code is the only reason, the envelope states this outcome ([decision 0012](../decisions/0012-outcome-of-an-envelope.md)). UAICP defines the codes that are marked with its name.',
    table(
      ['code', 'meaning', 'outcome'],
      ReasonCode.options.map((reason) => [
        PublishedReasonCode.safeParse(reason).success ? `${code(reason)} (UAICP)` : code(reason),
        reasonMeaning[reason],
        code(outcomeFor(reason)),
      ]),
    ),
  );

export const correspondencePage = (): string =>
  page(
    'The two specifications side by side',
    'See which phase of UAICP and which operational state of UpFormat belong together, and which fields say the same.',
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
