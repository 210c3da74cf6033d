import {
  clausesOf,
  type Call,
  type Context,
  type EvidenceClause,
  type EvidenceRequirement,
  type Fact,
  type Requirements,
  type taskMachine,
} from '../../../machines/index.ts';
import { foldName } from '../../../machines/names.ts';
import { isEndorsed, isHeld, isPassed, isWrite } from '../charter/properties/predicates.ts';
import { inEveryState, inEveryStep, type Property } from '../property.ts';
import type { ProofSubject } from './subject.ts';

/** A property of the chart of a task. */
export type TaskProperty = Property<typeof taskMachine>;

/** What must be there before a gate opens. */
export interface PromisedRequirements<Name extends string = string> {
  /** Tools whose result must be there. */
  readonly tools?: readonly Name[];
  /** Verifiers that must pass. */
  readonly verifiers?: readonly string[];
}

/** What the author of a task class promises, apart from the task class itself. By default nothing. */
export interface Promises<Name extends string = string> {
  /** How many people or systems approve each high-risk write before it begins. */
  readonly approvers?: number;
  /** Tools whose calls begin only after someone approved them. */
  readonly approved?: readonly Name[];
  /** Tools that are never called. */
  readonly uncalled?: readonly Name[];
  readonly beforeWrite?: PromisedRequirements<Name>;
  readonly beforeDeliver?: PromisedRequirements<Name>;
}

/** Returns the call that a fact begins. */
const begunBy = (fact: Fact, { calls }: Context): Call | undefined =>
  fact.type === 'call.started' ? calls[fact.call] : undefined;

/** Returns the property that each call which begins is as promised. */
const ofCalls = (name: string, holds: (call: Call, before: Context) => boolean): TaskProperty =>
  inEveryStep<typeof taskMachine>(name, ({ from, event }) => {
    const call = begunBy(event, from.context);
    return call === undefined || holds(call, from.context);
  });

const ofWrites = (name: string, holds: (call: Call, before: Context) => boolean): TaskProperty =>
  ofCalls(name, (call, before) => !isWrite(call) || holds(call, before));

const ofDeliveries = (name: string, holds: (delivered: Context) => boolean): TaskProperty =>
  inEveryState<typeof taskMachine>(name, ({ context }) => context.outcome !== 'delivered' || holds(context));

const approversOf = ({ approvers }: Call): number => new Set(approvers.map(foldName)).size;

const approvedBy = (count: number): TaskProperty =>
  ofCalls(
    count === 1
      ? 'someone approves every high-risk write before it begins'
      : `${count} different people approve every high-risk write before it begins`,
    (call) => call.tier !== 'write_high_risk' || approversOf(call) >= count,
  );

const clauseName = ({ tool, type, check }: EvidenceClause): string =>
  `${tool ?? `evidence of type ${type}`}${check === undefined ? '' : ` (${check})`}`;

const namesOf = (requirement: EvidenceRequirement): string =>
  [...new Set(clausesOf(requirement).map(clauseName))].join(' or ');

const before = {
  write: 'before a write begins',
  deliver: 'before an answer is delivered',
} as const;

/** Returns the properties of required evidence and verifiers. */
const required = ({
  beforeWrite: w,
  beforeDeliver: d,
}: Readonly<Record<'beforeWrite' | 'beforeDeliver', Requirements>>) => [
  ...w.evidence.map((needed) =>
    ofWrites(`${namesOf(needed)} succeeds ${before.write}`, (call, c) => isHeld(c, needed, call)),
  ),
  ...w.verifiers.map((id) =>
    ofWrites(`the verifier ${id} passes ${before.write}`, (call, c) => isPassed(c, id, call.digest)),
  ),
  ...d.evidence.map((needed) =>
    ofDeliveries(`${namesOf(needed)} succeeds ${before.deliver}`, (c) => isHeld(c, needed)),
  ),
  ...d.verifiers.map((id) =>
    ofDeliveries(`the verifier ${id} passes ${before.deliver}`, (c) =>
      isPassed(c, id, c.draft?.digest ?? ''),
    ),
  ),
];

/** Returns promised requirements as those of a task class: any result of the tool counts. */
const asRequirements = (
  { types }: ProofSubject,
  { tools = [], verifiers = [] }: PromisedRequirements = {},
): Requirements => ({
  evidence: tools.map((tool) => ({ anyOf: (types.get(tool) ?? []).map((type) => ({ type, tool })) })),
  verifiers,
});

const distinct = (properties: readonly TaskProperty[]): readonly TaskProperty[] => [
  ...new Map(properties.map((property) => [property.name, property])).values(),
];

/** Returns what the author promises, as properties. */
export const promisedProperties = (subject: ProofSubject, promises: Promises): readonly TaskProperty[] => {
  const { approvers, approved = [], uncalled = [], beforeWrite, beforeDeliver } = promises;
  return distinct([
    ...(approvers === undefined ? [] : [approvedBy(approvers)]),
    ...approved.map((tool) =>
      ofCalls(
        `someone approves ${tool} before it begins`,
        (call) => call.tool !== tool || approversOf(call) > 0,
      ),
    ),
    ...uncalled.map((tool) => ofCalls(`${tool} is never called`, (call) => call.tool !== tool)),
    ...required({
      beforeWrite: asRequirements(subject, beforeWrite),
      beforeDeliver: asRequirements(subject, beforeDeliver),
    }),
  ]);
};

/** Returns what happens to a call that is held, as a property. */
const heldProperty = ({ contract }: ProofSubject): TaskProperty =>
  contract.flows === 'refuse'
    ? ofCalls('a call whose origins or tool are not accepted never starts', ({ held }) => held === undefined)
    : ofCalls('a person endorses a call whose origins or tool are not accepted before it starts', isEndorsed);

/** Returns what a task class itself promises, as properties. */
export const contractProperties = (subject: ProofSubject): readonly TaskProperty[] => {
  const { contract, calls, holding } = subject;
  const isRisky = calls.some(({ tier }) => tier === 'write_high_risk');
  return distinct([
    ...(isRisky ? [approvedBy(contract.approvers)] : []),
    ...(holding.size === 0 ? [] : [heldProperty(subject)]),
    ...required(contract),
  ]);
};
