import {
  defineTaskClass,
  defineTaskTool,
  defineVerifier,
  type DefinedTaskClass,
  type InboxEntry,
  type Orchestrator,
  type Tool,
  type Turn,
  type Verifier,
} from 'agentcharter';
import { AnyInput, call, draft, plan, type ProposedCall } from '../src/core/shell/scripted.ts';
import { reading, writing, type Site } from './tools.ts';
import type { Backend } from './backend.ts';

export const minute = 60_000;
export const hour = 60 * minute;
const year = 365 * 24 * hour;

/** Something that somebody outside does once, as soon as it may be done. */
export interface Move {
  readonly name: string;
  readonly mayBeMade: (backend: Backend, orchestrator: Orchestrator) => Promise<boolean>;
  readonly make: (orchestrator: Orchestrator, taskId: string) => Promise<void>;
}

/** One way that a task goes, and everything that it needs of others. */
export interface Scenario {
  readonly name: string;
  readonly taskClasses: readonly DefinedTaskClass[];
  /** A function of the turn alone, or no two lives would hear the same. */
  readonly says: (turn: Turn) => unknown;
  readonly tools: (site: Site) => readonly Tool[];
  readonly verifiers?: readonly Verifier[];
  readonly moves?: readonly Move[];
  /** Something is in doubt though nothing crashes. */
  readonly isDoubtful?: boolean;
  /** What the person leaves to time, unless a process has just begun again. */
  readonly isLeft?: (entry: InboxEntry) => boolean;
  /** How long nobody begins the process again. */
  readonly down?: number;
}

/** No duty is too slow, however long a process is down: only what a scenario says has a deadline that matters. */
const patient = {
  accept: year,
  model: year,
  policy: year,
  call: year,
  verifier: year,
  question: year,
  dependency: year,
  rollback: year,
  offer: year,
  followup: year,
};
const limits = { repairs: 0, corrections: 0 };
const shared = { id: 'work', deadlines: patient, limits };

/** What was read, in order; a write may have been done without a result that is known. */
const read = ({ evidence }: Turn): unknown[] =>
  evidence
    .map(({ payload }) => payload as Readonly<Record<string, unknown>>)
    .flatMap((payload) => ('read' in payload ? [payload] : []));

const planning =
  (calls: readonly ProposedCall[], more: object = {}) =>
  (turn: Turn) =>
    turn.asks === 'plan' ? plan(calls) : draft({ read: read(turn) }, more);

const sound = defineVerifier({
  id: 'sound',
  verify: () => ({ checks: [{ check_id: 'looks right', result: 'pass' }] }),
});

const stock = { evidence: [{ type: 'tool_result', tool: 'stock' }], verifiers: ['sound'] } as const;

const approved: Scenario = {
  name: 'approved',
  taskClasses: [
    defineTaskClass({
      ...shared,
      tools: ['stock', 'order'],
      authorities: ['human'],
      beforeWrite: { evidence: [...stock.evidence], verifiers: [...stock.verifiers] },
      beforeDeliver: { evidence: [...stock.evidence], verifiers: [...stock.verifiers] },
      accept: ({ answers }) =>
        answers.length > 0
          ? { accepted: true }
          : { missing: { size: 'How many?' }, explanation: 'It lacks a size.' },
    }),
  ],
  verifiers: [sound],
  says: planning([call('stock'), call('order', { amount: 2 })]),
  tools: (site) => [reading(site, 'stock'), writing(site, 'order', { tier: 'write_high_risk' })],
};

const undone: Scenario = {
  name: 'undone',
  taskClasses: [defineTaskClass({ ...shared, tools: ['first', 'second', 'refuses'] })],
  says: planning([call('first'), call('second'), call('refuses')]),
  tools: (site) => [
    writing(site, 'first'),
    writing(site, 'second'),
    writing(site, 'refuses', { first: ({ notDone }) => notDone('no funds') }),
  ],
};

/** Its first plan is not good enough for its verifier: its second keeps one write, and another is undone. */
const repaired: Scenario = {
  name: 'repaired',
  taskClasses: [
    defineTaskClass({
      ...shared,
      limits: { ...limits, repairs: 1 },
      repairTo: 'plan',
      tools: ['kept', 'stray', 'better'],
      beforeDeliver: { verifiers: ['second'] },
    }),
  ],
  verifiers: [
    defineVerifier({
      id: 'second',
      verify: ({ value }) => ({
        checks: [
          { check_id: 'second', result: (value as { attempt?: number }).attempt === 1 ? 'pass' : 'fail' },
        ],
      }),
    }),
  ],
  says: ({ asks, attempt }) =>
    asks === 'plan' ? plan([call('kept'), call(attempt === 0 ? 'stray' : 'better')]) : draft({ attempt }),
  tools: (site) => ['kept', 'stray', 'better'].map((name) => writing(site, name)),
};

const asking: Scenario = {
  name: 'asking',
  taskClasses: [defineTaskClass({ ...shared, tools: ['look', 'choose'] })],
  says: planning([call('look'), call('choose')]),
  tools: (site) => [
    reading(site, 'look'),
    writing(site, 'choose', {
      first: ({ answer, needsHuman }) =>
        answer === null ? needsHuman({ explanation: 'Which?' }) : undefined,
    }),
  ],
};

const isWaiting = async (_backend: Backend, orchestrator: Orchestrator): Promise<boolean> =>
  (await orchestrator.list()).some(({ state }) => state === 'waiting');

const waiting: Scenario = {
  name: 'waiting',
  taskClasses: [defineTaskClass({ ...shared, tools: ['track', 'ship'] })],
  says: planning([call('track'), call('ship')]),
  tools: (site) => [
    reading(site, 'track', {
      first: ({ met, notYet }) =>
        met === null ? notYet({ dependency: 'label', explanation: '' }) : undefined,
    }),
    writing(site, 'ship', {
      first: ({ met, notYet }) =>
        met === null ? notYet({ dependency: 'parcel', explanation: '' }) : undefined,
    }),
  ],
  moves: ['label', 'parcel'].map((dependency) => ({
    name: dependency,
    mayBeMade: isWaiting,
    make: (orchestrator, taskId) =>
      orchestrator.resolve(taskId, dependency, { arrived: true }, { by: 'carrier' }),
  })),
};

const delegate = {
  name: 'delegate',
  description: 'has it done',
  tier: 'write_low_risk',
  input: AnyInput,
  taskClass: 'part',
  request: () => ({ payload: {} }),
} as const;
const orders = defineTaskTool({
  ...delegate,
  rollback: { describe: () => ({ type: 'withdraw', target: 'part', payload: {} }), run: async () => null },
});

const nested: Scenario = {
  name: 'nested',
  taskClasses: [
    defineTaskClass({ ...shared, tools: ['delegate', 'sign'], authorities: ['human'] }),
    defineTaskClass({ ...shared, id: 'part', tools: ['look', 'note'], authorities: ['human'] }),
  ],
  says: (turn) => {
    if (turn.taskClass === 'part') return planning([call('look'), call('note')])(turn);
    const payloads = turn.evidence.flatMap(({ payload }) => (payload as { payload?: unknown }).payload ?? []);
    return turn.asks === 'plan' ? plan([call('delegate', {}), call('sign')]) : draft({ heard: payloads });
  },
  tools: (site) => [
    reading(site, 'look'),
    writing(site, 'note', { tier: 'write_high_risk' }),
    writing(site, 'sign'),
    { ...orders, tier: 'write_high_risk' },
  ],
};

/** What is slow is under way when the task is cancelled. */
const cancel: Move = {
  name: 'cancel',
  mayBeMade: async (backend) => backend.begun.has('slow'),
  make: (orchestrator, taskId) => orchestrator.cancel(taskId, { by: 'dana' }),
};

/** Its child is in the middle of a write when the whole is cancelled. */
const abandoned: Scenario = {
  name: 'abandoned',
  taskClasses: [
    defineTaskClass({ ...shared, tools: ['delegate'] }),
    defineTaskClass({ ...shared, id: 'part', tools: ['first', 'slow'] }),
  ],
  says: (turn) =>
    planning(turn.taskClass === 'part' ? [call('first'), call('slow')] : [call('delegate', {})])(turn),
  tools: (site) => [writing(site, 'first'), writing(site, 'slow', { takes: minute }), orders],
  moves: [cancel],
};

/** Its child has delivered two writes when a later call fails: both are undone through the child's ledger. */
const discarded: Scenario = {
  name: 'discarded',
  taskClasses: [
    defineTaskClass({ ...shared, tools: ['delegate', 'refuses'] }),
    defineTaskClass({ ...shared, id: 'part', tools: ['first', 'second'] }),
  ],
  says: (turn) =>
    planning(
      turn.taskClass === 'part'
        ? ['first', 'second'].map((name) => call(name))
        : [call('delegate', {}), call('refuses')],
    )(turn),
  tools: (site) => [
    writing(site, 'first'),
    writing(site, 'second'),
    writing(site, 'refuses', { first: ({ notDone }) => notDone('no funds') }),
    defineTaskTool(delegate),
  ],
};

/** The first answer of a write is lost on its way, and that of a rollback. */
const lost: Scenario = {
  name: 'lost',
  isDoubtful: true,
  taskClasses: [defineTaskClass({ ...shared, tools: ['first', 'second', 'refuses'] })],
  says: planning([call('first'), call('second'), call('refuses')]),
  tools: (site) => [
    writing(site, 'first', { isLost: 'call' }),
    writing(site, 'second', { isLost: 'rollback' }),
    writing(site, 'refuses', { first: ({ notDone }) => notDone('no funds') }),
  ],
};

const offering: Scenario = {
  name: 'offering',
  taskClasses: [
    defineTaskClass({
      ...shared,
      tools: ['look', 'pay'],
      followup: () => ({ explanation: 'More?', payload: {}, byDefault: { more: false } }),
    }),
  ],
  says: planning([call('look'), call('pay')], { confidence: 0.1 }),
  tools: (site) => [reading(site, 'look'), writing(site, 'pay')],
};

const cancelled: Scenario = {
  name: 'cancelled',
  taskClasses: [defineTaskClass({ ...shared, tools: ['first', 'slow'] })],
  says: planning([call('first'), call('slow')]),
  tools: (site) => [writing(site, 'first'), writing(site, 'slow', { takes: minute })],
  moves: [cancel],
};

/** What is slow comes back when its run has ended: it is undone all the same. */
const late: Scenario = {
  ...cancelled,
  name: 'late',
  tools: (site) => [writing(site, 'first'), writing(site, 'slow', { takes: 2 * minute, deadline: minute })],
};

/** Two questions, ten minutes apart, which silence decides while nobody runs the process. */
const expired: Scenario = {
  name: 'expired',
  taskClasses: [
    defineTaskClass({
      ...shared,
      tools: ['quick', 'slow', 'pay'],
      deadlines: { ...patient, question: hour },
      defaults: { tool: { choice: 'default' } },
    }),
  ],
  says: planning([call('quick'), call('slow'), call('pay')]),
  tools: (site) => [
    ...[0, 10 * minute].map((takes) =>
      reading(site, takes === 0 ? 'quick' : 'slow', {
        takes,
        first: ({ answer, needsHuman }) =>
          answer === null ? needsHuman({ explanation: 'Which?' }) : undefined,
      }),
    ),
    writing(site, 'pay'),
  ],
  isLeft: ({ question: { kind } }) => kind === 'tool',
  down: 3 * hour,
};

/** The same, and the process is back in time. */
const raced: Scenario = { ...expired, name: 'raced', down: minute };

/** An offer that nobody takes until it lapses, while nobody runs the process. */
const lapsed: Scenario = {
  ...offering,
  name: 'lapsed',
  taskClasses: [
    defineTaskClass({
      ...shared,
      deadlines: { ...patient, followup: hour },
      tools: ['look', 'pay'],
      followup: () => ({ explanation: 'More?', payload: {}, byDefault: { more: false } }),
    }),
  ],
  isLeft: ({ question: { kind } }) => kind === 'followup',
  down: 3 * hour,
};

export const scenarios: readonly Scenario[] = [
  approved,
  undone,
  repaired,
  asking,
  waiting,
  nested,
  offering,
  cancelled,
  abandoned,
  discarded,
  lost,
  late,
  expired,
  raced,
  lapsed,
];
