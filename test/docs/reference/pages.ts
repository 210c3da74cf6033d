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
import { DeadlineOf, ProposedCall } from '../../../machines/facts/fields.ts';
import { Fact, factTypes } from '../../../machines/facts/index.ts';
import { TaskClassContract } from '../../../machines/task-class.ts';
import { outcomeOf } from '../../../machines/report.ts';
import { code, codes, list, page, source } from './markdown.ts';
import { always, type Transition, type Walk } from '../../../src/optional/render/walk.ts';

/** The guard of most facts: the fact applies to the run in its present state. */
const usual = 'appliesTo';

const isFact = (on: string): boolean => factTypes.some((type) => type === on);

/** What is taken, and the guard if it is another than the usual one of a fact, or none. */
const guarded = (on: string, guard: string | null, isOfFact = true): string => {
  if (guard === usual) return on;
  if (guard === null) return isOfFact ? `${on} (any)` : on;
  return `${on} if ${code(guard)}`;
};

/** The field of the envelope that says the same, or one that seems to and does not. */
const counterpart = ({ is, isNot }: FieldCorrespondence): string => {
  if (is !== null) return ` is ${code(is)}`;
  return isNot === undefined ? '' : ` is not ${code(isNot)}`;
};

/** The rows of one state's transitions; facts that differ in nothing else share a row. */
const transitionRows = (own: Walk['transitions']): readonly (readonly string[])[] => {
  const rows: { readonly on: string[]; readonly guard: string | null; readonly rest: readonly string[] }[] =
    [];
  for (const { on, guard, targets, actions, cites } of own) {
    const does = on !== always && isDeepStrictEqual(actions, ['applyFact']) ? [] : actions;
    const rest = [codes(targets), codes(does), source(cites)];
    // a row above another transition of this fact would say that it is tried before it
    const from = rows.findLastIndex((row) => row.on.includes(on)) + 1;
    const same =
      on === always
        ? undefined
        : rows.slice(from).find((row) => row.guard === guard && isDeepStrictEqual(row.rest, rest));
    if (same === undefined) rows.push({ on: [on], guard, rest });
    else same.on.push(on);
  }
  return rows.map(({ on, guard, rest }) => [guarded(codes(on), guard, on.some(isFact)), ...rest]);
};

/** What a state is, does on entry and has as duties; a state with none of these is among the transitions only. */
const stateItems = ({ states }: Walk): readonly (readonly [string, string])[] =>
  states.flatMap(({ id, type, initial, entry, owes, tags }) => {
    const kind = [
      ...(type === 'atomic' ? [] : [type]),
      ...(initial === null ? [] : [code(initial)]),
      ...tags.map(code),
    ].join(', ');
    const parts = [
      kind,
      entry.length === 0 ? '' : `enters with ${codes(entry)}`,
      owes.length === 0 ? '' : `owes ${codes(owes)}`,
    ].filter((part) => part !== '');
    return parts.length === 0 ? [] : [[code(id), parts.join('; ')] as const];
  });

/** A transition in one line: on what, where to, what it does, and why. */
const transitionItem = ([on = '', targets = '', does = '', cites = '']: readonly string[]): string =>
  `- ${on}${targets && ` → ${targets}`}${does && `, does ${does}`} (${cites})`;

/** The transitions of states, a list for each state that has some. */
const transitionLists = ({ transitions }: Walk, states: readonly string[]): string =>
  states
    .map((id) => [id, transitionRows(transitions.filter(({ from }) => from === id))] as const)
    .filter(([, rows]) => rows.length > 0)
    .map(([id, rows]) => `${code(id)}\n\n${rows.map(transitionItem).join('\n')}`)
    .join('\n\n');

/** A chart in lists: its states with their duties, then each state's transitions in the order in which they are tried. */
export const chartPage = (machine: string, about: string, walked: Walk): string =>
  page(
    code(machine),
    about,
    '## States and their duties',
    `${walked.states.length} states. Those that are not in this list do nothing on entry and have no duties.`,
    list(stateItems(walked)),
    '## Transitions',
    `${walked.transitions.length} transitions. Those of a state are tried from top to bottom; \`always\` needs no fact. A transition without a target stays in its state. A fact must also apply to the run (\`appliesTo\`), unless another guard is named, or _any_. A fact without an action is recorded (\`applyFact\`).`,
    transitionLists(
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
    transitionLists(
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
  Requirements: TaskClassContract.shape.beforeWrite,
  TaskClassContract,
};

const named: ReadonlyMap<string, string> = new Map(
  Object.entries(types).map(([name, schema]) => [JSON.stringify(printed(schema)), name]),
);

const typeOf = (schema: Printed): string => named.get(JSON.stringify(schema)) ?? spelledOut(schema);

const oneOf = (type: string): string => (/^[^{]* \| /.test(type) ? `(${type})` : type);

const spelledOut = (schema: Printed): string => {
  if (schema.enum !== undefined) return schema.enum.join(' | ');
  if (schema.const !== undefined) return schema.const;
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(' | ');
  if (schema.additionalProperties !== undefined && schema.properties === undefined)
    return schema.additionalProperties === false ? '{}' : `by name: ${typeOf(schema.additionalProperties)}`;
  if (schema.items !== undefined) return `${oneOf(typeOf(schema.items))}[]`;
  if (schema.properties !== undefined) return `{ ${fieldsOf(schema).join(', ')} }`;
  if (schema.type === 'number') return `${schema.minimum} to ${schema.maximum}`;
  return schema.pattern ?? schema.type ?? 'unknown';
};

const fieldsOf = ({ properties = {}, required = [] }: Printed): readonly string[] =>
  Object.entries(properties)
    .filter(([name, schema]) => name !== 'type' || schema.const === undefined)
    .map(([name, schema]) => `${name}${required.includes(name) ? '' : '?'}: ${typeOf(schema)}`);

const placeOf = ({ from, guard }: Transition): string => guarded(code(from), guard);

/** The values of a type; those of a reason code have a page of their own. */
const valuesOf = (schema: z.ZodType): string => {
  if (schema === ReasonCode) return '[reason codes](reason-codes.md)';
  const values = printed(schema);
  return values.enum === undefined ? code(spelledOut(values)) : codes(values.enum);
};

/** Every fact, its fields, and where the task chart takes it. */
export const factsPage = ({ transitions }: Walk): string =>
  page(
    'Facts',
    'Look up the events that you can send to a chart, with their fields and the states that accept them. A fact accepted in `task` is accepted in every unsettled state. A fact must also apply to the run (`appliesTo`), unless its place names another guard or says _any_.',
    list(
      Fact.options.map((variant) => {
        const type = variant.shape.type.value;
        const places = transitions.filter(({ on }) => on === type).map(placeOf);
        const fields = fieldsOf(printed(variant)).map(code);
        return [code(type), `${fields.join(', ') || 'no fields'}; in ${places.join(', ')}`];
      }),
    ),
    '## Types',
    list(Object.entries(types).map(([name, schema]) => [code(name), valuesOf(schema)])),
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
    'Look up why a gate refused or a run failed. If the code is the only reason, the outcome in the envelope is `uncertain`, or `failure` for the codes marked so ([0012](../decisions/0012-outcome-of-an-envelope.md)). UAICP defines the codes that are marked with its name.',
    list(
      ReasonCode.options.map((reason) => {
        const marks = [
          ...(PublishedReasonCode.safeParse(reason).success ? ['UAICP'] : []),
          ...(outcomeFor(reason) === 'uncertain' ? [] : [code(outcomeFor(reason))]),
        ];
        return [
          marks.length === 0 ? code(reason) : `${code(reason)} (${marks.join(', ')})`,
          reasonMeaning[reason],
        ];
      }),
    ),
  );

export const correspondencePage = (): string =>
  page(
    'The two specifications side by side',
    'See which phase of UAICP and which operational state of UpFormat belong together, and which fields say the same.',
    '## Operational states and phases',
    'The states of UpFormat’s Table 2, with the phases (UAICP 3) and the outcome (UAICP 6):',
    list(
      Object.entries<readonly Correspondence[]>(correspondences).flatMap(([state, situations]) =>
        situations.map(
          ({ when, phases, outcome }) =>
            [`${code(state)}, ${when}`, `${codes(phases)}; ${code(outcome)}`] as const,
        ),
      ),
    ),
    '## Fields of a message and of an envelope',
    'The fields of UpFormat’s Table 1:',
    list(
      Object.entries<FieldCorrespondence>(fieldCorrespondences).map(
        ([field, given]) => [`${code(field)}${counterpart(given)}`, given.because] as const,
      ),
    ),
  );
