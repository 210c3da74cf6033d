import { clausesOf, type Limits, type ProposedCall, type TaskClass } from '../../../machines/index.ts';
import type { World } from '../charter/world.ts';
import { checksIn, type ProofSubject } from './subject.ts';

const none = {
  corrections: 0,
  repairs: 0,
  rounds: 1,
  revisions: 0,
  refreshes: 0,
  pauses: 0,
  clearances: 0,
  recoveries: 0,
} as const satisfies Partial<Limits>;

/** Events that most worlds omit, so that they stay small. */
const ofModel = [
  'output.rejected',
  'capability.exceeded',
  'information.requested',
  'help.requested',
  'model',
  'unsure',
] as const;
const ofHost = [
  'run.failed',
  'evidence.changed',
  'output.changed',
  'accept',
  'request.refused',
  'rank',
  'comment',
] as const;
const ofTools = ['question.raised', 'dependency.awaited'] as const;
const failures = ['call.failed', 'call.doubted', 'call', 'start', 'rollback', 'policy', 'verifier'] as const;
const approvals = ['approval', 'edit', 'instruction', 'needs_review'] as const;

/** Returns the calls that produce the required evidence, without the given write. */
const neededBy = (
  { contract, calls, types }: ProofSubject,
  write?: ProposedCall,
): readonly ProposedCall[] => {
  const reads = calls.filter(({ tier }) => tier === 'read_only');
  const { beforeWrite, beforeDeliver } = contract;
  const needed = [...beforeWrite.evidence, ...beforeDeliver.evidence].flatMap((requirement) => {
    const [clause] = clausesOf(requirement);
    if (clause === undefined) return [];
    if (clause.tool === undefined)
      return reads.filter(({ tool }) => types.get(tool)?.includes(clause.type)).slice(0, 1);
    return calls.filter(
      ({ tool, tier }) => tool === clause.tool && (write !== undefined || tier === 'read_only'),
    );
  });
  return [...new Set(needed)].filter(({ tool }) => tool !== write?.tool);
};

/** Returns variants of evidence: with and without what a check asks. */
const variantsOf = (
  contract: Pick<TaskClass, 'beforeWrite' | 'beforeDeliver'>,
): NonNullable<World['evidenceCases']> => {
  const checks = checksIn(contract);
  return checks.meets.length === 0 ? [{}] : [checks, {}];
};

const people = ['Ann', 'Ben', 'Cem', 'Dia', 'Eli', 'Fay', 'Gus', 'Ida'] as const;

/** Returns the limits of a world: those of the task class, lowered to what the world tries. */
const limitsIn = ({ limits }: TaskClass, tried: Partial<Limits>): Partial<Limits> => {
  const names = Object.keys(none) as (keyof typeof none)[]; // its own
  return {
    ...limits,
    ...Object.fromEntries(names.map((name) => [name, Math.min(limits[name], tried[name] ?? none[name])])),
  };
};

type Part = Pick<World, 'name' | 'plans'> &
  Partial<Pick<World, 'further' | 'edited' | 'never'>> & {
    readonly limits: Partial<Limits>;
    readonly followup?: boolean;
  };

const worldOf = (subject: ProofSubject, { limits, followup = false, ...part }: Part): World => {
  const { id: _id, ...contract } = subject.contract;
  return {
    ...part,
    taskClass: {
      ...contract,
      limits: limitsIn(subject.contract, limits),
      followup: followup && contract.followup,
    },
    approvers: Array.from({ length: contract.approvers }, (_, at) => people[at] ?? `Person ${at + 1}`),
    evidenceCases: variantsOf(contract),
    evidenceTypes: subject.types,
  };
};

/** Returns the approval events that other worlds omit: one way to approve is enough there. */
const otherApprovals = ({ authorities }: TaskClass): NonNullable<World['never']> => [
  ...approvals,
  'reject',
  ...(authorities.includes('human') ? (['approval.granted'] as const) : []),
];

/** Returns a world in which a call is held. A read that is held goes through the gate before writes. */
const ofHeld = (subject: ProofSubject, call: ProposedCall): Part => {
  const tier = call.tier === 'read_only' ? 'write_low_risk' : call.tier;
  return {
    name: `${call.tool}: values or a tool that its run does not accept`,
    plans: [[...neededBy(subject, call), { ...call, tier, held: ['FLOW_FORBIDDEN'] }]],
    limits: { pauses: Math.max(1, subject.contract.approvers), clearances: 1 },
    never: [...ofModel, ...ofHost, ...ofTools, ...failures, 'evidence', 'edit', 'instruction'],
  };
};

const worldsOfWrite = (subject: ProofSubject, call: ProposedCall): readonly World[] => {
  const { contract } = subject;
  const needed = neededBy(subject, call);
  const plan = [...needed, call];
  const calm = otherApprovals(contract);
  const { tool } = call;
  const isAgeing = [...contract.beforeWrite.evidence, ...contract.beforeDeliver.evidence].length > 0;
  const parts: readonly (Part | false)[] = [
    {
      name: `${tool}: who approves, edits or rejects it, and what lapses`,
      plans: needed.length === 0 ? [plan] : [plan, [call]],
      ...(contract.approvers < 3 && {
        edited: { ...call, digest: `${call.digest.slice(0, 121)}-edited` },
      }),
      limits: contract.approvers < 3 ? { pauses: 2, clearances: 1 } : { pauses: 1 },
      never: [...ofModel, ...ofHost, ...ofTools, ...failures, 'evidence'],
    },
    {
      name: `${tool}: what fails, is late or is in doubt`,
      plans: [plan],
      limits: { pauses: 2, recoveries: 1 },
      never: [...ofModel, ...ofHost, ...ofTools, ...calm, 'evidence'],
    },
    subject.holding.has(tool) && ofHeld(subject, call),
    isAgeing && {
      name: `${tool}: evidence that grows too old`,
      plans: [plan],
      limits: { pauses: 2, refreshes: 1 },
      never: [...ofModel, ...ofHost, ...ofTools, ...failures, ...calm],
    },
    contract.limits.repairs > 0 && {
      name: `${tool}: another attempt, with it or without it`,
      plans: [plan, needed],
      limits: { pauses: 2, repairs: 1 },
      never: [
        ...ofModel,
        ...ofHost,
        ...ofTools,
        ...calm,
        ...failures.filter((name) => name !== 'rollback'),
        'evidence',
      ],
    },
  ];
  return parts.flatMap((part) => (part === false ? [] : [worldOf(subject, part)]));
};

/** Returns a world with two writes, if the task class has two tools that write. */
const worldOfTwo = (subject: ProofSubject): readonly World[] => {
  const [first, second] = subject.calls.filter(({ tier }) => tier !== 'read_only');
  if (first === undefined || second === undefined) return [];
  const needed = neededBy(subject, first).filter(({ tool }) => tool !== second.tool);
  const part: Part = {
    name: `${first.tool} and ${second.tool}: one after the other`,
    plans: [[...needed, first, second]],
    limits: { pauses: 2 },
    never: [
      ...ofModel,
      ...ofHost,
      ...ofTools,
      ...otherApprovals(subject.contract),
      'call.doubted',
      'call',
      'start',
      'policy',
      'verifier',
      'evidence',
    ],
  };
  return [worldOf(subject, part)];
};

/** Returns small worlds of a task class. Each tries one aspect in full. */
export const worldsOf = (subject: ProofSubject): readonly World[] => {
  const needed = neededBy(subject);
  const [read] = subject.calls.filter(({ tier }) => tier === 'read_only');
  const reads = needed.length === 0 && read !== undefined ? [read] : needed;
  const ofAnswer: Part = {
    name: 'the answer: what the model, a person and the clock do to it',
    plans: reads.length === 0 ? [[]] : [reads, []],
    further: [],
    followup: true,
    limits: { pauses: 1, corrections: 1, revisions: 1, rounds: 2 },
    never: [...failures, ...ofTools, 'evidence.changed', 'output.changed', 'evidence', 'rank'],
  };
  return [
    worldOf(subject, ofAnswer),
    ...subject.writes.flatMap(({ call }) => worldsOfWrite(subject, call)),
    ...subject.heldReads.slice(0, 1).map((call) => worldOf(subject, ofHeld(subject, call))),
    ...worldOfTwo(subject),
  ];
};
