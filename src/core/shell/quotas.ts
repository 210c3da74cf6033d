import type { Context, Fact } from '../../../machines/index.ts';
import { withDates } from '../../base/define/dates.ts';
import { currentName } from '../../base/define/formerly.ts';
import { quotaName, type Quota } from '../../base/define/quota.ts';
import { CharterError, causeOf } from '../../base/errors.ts';
import type { CallDocument } from '../../base/ports/ledger.ts';
import type {
  Claim,
  Obstacle,
  Pausable,
  Regulated,
  Regulation,
  Release,
  Subject,
} from '../../base/ports/regulation.ts';
import type { Tool } from '../../base/ports/tool.ts';
import type { TaskView } from '../kernel/view.ts';

/** Returns the window of a time in milliseconds since 1970, as the first characters of its RFC 3339 text. */
const windowOf = (quota: Quota, at: number): string =>
  'amount' in quota ? new Date(at).toISOString().slice(0, { hour: 13, day: 10, month: 7 }[quota.per]) : '';

const inWords = (count: number): string => count.toLocaleString('en-US');

/** Returns what a quota says, and how it stands, in words. */
const sayFull = (
  [of, ...rest]: readonly (string | null)[],
  { most, amount, window }: Pick<Claim, 'most' | 'amount' | 'window'>,
  used: number,
): string => {
  const [tool, taskClass, owner] = of === 'amount' ? rest.slice(2) : rest;
  const whose = [
    ...(typeof tool === 'string' ? [`of tool ${tool}`] : []),
    ...(typeof taskClass === 'string' ? [`of task class ${taskClass}`] : []),
    ...(typeof owner === 'string' ? [`of owner ${owner}`] : []),
  ].join(' ');
  const about = whose === '' ? '' : ` ${whose}`;
  if (of === 'amount')
    return `${inWords(used)} of ${inWords(most)} ${rest[0]}${about} are used in ${window} (UTC), and this needs ${inWords(amount)}`;
  const what = of === 'calls' ? 'calls in flight' : 'open tasks';
  return `there are ${inWords(used)} ${what}${about}, and ${inWords(most)} may be`;
};

/** A step that is held, and what it would begin. Nothing was recorded. */
export class Held extends Error {
  override readonly name = 'Held';
  readonly regulated: Regulated;
  /** `null` if it is gone meanwhile. */
  readonly obstacle: Obstacle | null;

  constructor(regulated: Regulated, obstacle: Obstacle | null) {
    super(obstacle === null ? 'it was held, and may be repeated' : sayObstacle(obstacle));
    this.regulated = regulated;
    this.obstacle = obstacle;
  }
}

/** Returns the name of what is paused, in words. */
export const inProse = (of: Pausable): string => {
  if ('tool' in of) return `tool ${of.tool}`;
  return 'agent' in of ? `agent ${of.agent}` : `task class ${of.taskClass}`;
};

/** Returns why a step is held, in words. */
export const sayObstacle = (obstacle: Obstacle): string => {
  if ('full' in obstacle)
    return sayFull(
      JSON.parse(obstacle.full.quota) as readonly (string | null)[],
      obstacle.full,
      obstacle.used,
    ); // as `quotaName` wrote it
  const { of, by, reason, at } = obstacle.paused;
  return `${inProse(of)} is paused by ${by} since ${new Date(at).toISOString()}: ${reason}`;
};

/** Returns the error for a task that does not begin. */
export const notBegun = ({ message, obstacle }: Held): CharterError<'quota_exceeded'> => {
  const details =
    obstacle !== null && 'full' in obstacle
      ? { used: obstacle.used, most: obstacle.full.most }
      : { used: 0, most: 0 };
  return new CharterError(
    'quota_exceeded',
    `the task did not begin: ${message}; submit it again, with its key, when others have ended`,
    details,
  );
};

const shown = (value: unknown): string => (typeof value === 'string' ? JSON.stringify(value) : String(value));

/** What a call does of an amount; an error if its tool cannot say it, `null` for nothing. */
type AmountOf = (quota: Extract<Quota, { amount: string }>, call: CallDocument) => number | Error | null;

const amountOf =
  (tools: ReadonlyMap<string, Tool>): AmountOf =>
  ({ amount: name }, call) => {
    const amounts = tools.get(call.tool)?.amounts ?? {};
    const read = Object.hasOwn(amounts, name) ? amounts[name] : undefined;
    if (read === undefined) return null;
    try {
      const amount = read(withDates(call.arguments, call.dates ?? []));
      if (Number.isSafeInteger(amount) && amount >= 0) return amount;
      const most = inWords(Number.MAX_SAFE_INTEGER);
      return new TypeError(`returned ${shown(amount)}: expected a whole number from 0 to ${most}`);
    } catch (error) {
      return error instanceof Error ? error : new Error(causeOf(error));
    }
  };

type Task = Pick<TaskView, 'projection' | 'taskClass'>;

/** A function of a tool that did not say how much a call does. */
interface AmountFault {
  readonly callback: string;
  readonly error: Error;
}

/** The quotas of a process, and what steps count against them. */
export interface Quotas {
  /** Returns what a step begins and ends; `null` for nothing. `before` is `null` for the first step of a task. */
  readonly regulated: (
    before: TaskView | null,
    after: TaskView,
    fact: Fact | null,
    at: number,
  ) => Regulated | null;
  /** Returns why a write would exceed an amount; `null` if it would not, and an error of its tool that cannot say it. */
  readonly refusal: (
    view: Task,
    call: CallDocument,
    at: number,
    store: Pick<Regulation, 'obstacle'>,
  ) => Promise<string | AmountFault | null>;
  /** Returns what the start of a call may be paused by. */
  readonly subjects: (view: Task, call: CallDocument | null) => readonly Subject[];
}

const isIn = (quota: Quota, name: string, { projection: { request } }: Task): boolean =>
  (!('tool' in quota) || quota.tool === undefined || quota.tool === name) &&
  (quota.taskClass ?? request.taskClass) === request.taskClass &&
  (quota.owner === '*' || (quota.owner ?? request.identity.owner_id) === request.identity.owner_id);

const isUndoneIn = ({ effects }: Context, digest: string): boolean =>
  effects.some((effect) => effect.digest === digest && effect.status === 'undone');

/** Returns the calls that began or ended by a fact; those of an earlier attempt may be gone. */
const changedCalls = (before: Context, after: Context, fact: Fact | null) => {
  const begun: string[] = [];
  const releases: Release[] = [];
  if (before.calls === after.calls && before.effects === after.effects) return { begun, releases };
  for (const id of new Set([...Object.keys(before.calls), ...Object.keys(after.calls)])) {
    const [was, is] = [before.calls[id], after.calls[id]];
    const digest = (is ?? was)?.digest ?? '';
    const hasFailed =
      (fact?.type === 'call.failed' && fact.call === id) ||
      (is?.status === 'failed' && was?.status !== 'failed');
    const isUndone = hasFailed || (isUndoneIn(after, digest) && !isUndoneIn(before, digest));
    if (is?.status === 'started' && was?.status !== 'started') begun.push(id);
    else if (isUndone || (was?.status === 'started' && is?.status !== 'started'))
      releases.push({ call: id, isUndone });
  }
  return { begun, releases };
};

const claimOf = (
  quota: Quota,
  view: Task,
  at: number,
  rest: Pick<Claim, 'call' | 'amount' | 'most'>,
): Claim => ({
  quota: quotaName(quota, view.projection.request.identity.owner_id),
  window: windowOf(quota, at),
  ...rest,
});

/** Creates the quotas of a process. */
export const createQuotas = (quotas: readonly Quota[], tools: ReadonlyMap<string, Tool>): Quotas => {
  const amountIn = amountOf(tools);
  const claimsOfCall = (view: Task, call: CallDocument, at: number): readonly Claim[] =>
    quotas.flatMap((quota) => {
      if (!isIn(quota, currentName(tools, call.tool), view)) return [];
      if ('calls' in quota)
        return [claimOf(quota, view, at, { call: call.id, amount: 1, most: quota.calls })];
      const amount = 'amount' in quota ? amountIn(quota, call) : null;
      if (amount === null || !('amount' in quota)) return [];
      const { most } = quota;
      return [
        claimOf(quota, view, at, {
          call: call.id,
          amount: typeof amount === 'number' ? amount : most + 1,
          most,
        }),
      ];
    });

  const claimsOfTask = (view: TaskView, at: number): readonly Claim[] =>
    quotas.flatMap((quota) =>
      'tasks' in quota && isIn(quota, '', view)
        ? [claimOf(quota, view, at, { call: '', amount: 1, most: quota.tasks })]
        : [],
    );

  const subjects: Quotas['subjects'] = ({ projection: { request } }, call) => [
    ...(call === null ? [] : [`tool ${currentName(tools, call.tool)}` as const]),
    `taskClass ${request.taskClass}`,
    `agent ${request.identity.agent_id}`,
  ];

  return {
    subjects,
    refusal: async (view, call, at, store) => {
      const claims: Claim[] = [];
      for (const quota of quotas) {
        if (!('amount' in quota) || !isIn(quota, currentName(tools, call.tool), view)) continue;
        const amount = amountIn(quota, call);
        if (amount instanceof Error)
          return { callback: `amounts.${quota.amount} of tool ${call.tool}`, error: amount };
        if (amount !== null)
          claims.push(claimOf(quota, view, at, { call: call.id, amount, most: quota.most }));
      }
      if (claims.length === 0) return null;
      const obstacle = await store.obstacle({ begins: [], claims, releases: [] });
      return obstacle && sayObstacle(obstacle);
    },
    regulated: (before, after, fact, at) => {
      if (before === null) {
        const claims = after.projection.request.parent === undefined ? claimsOfTask(after, at) : [];
        return claims.length === 0 ? null : { begins: [], claims, releases: [] };
      }
      const { begun, releases } = changedCalls(before.context, after.context, fact);
      const calls = begun.flatMap((id) => after.projection.calls[id] ?? []);
      if (calls.length === 0 && (releases.length === 0 || quotas.length === 0)) return null;
      return {
        begins: [...new Set(calls.flatMap((call) => subjects(after, call)))],
        claims: calls.flatMap((call) => claimsOfCall(after, call, at)),
        releases: quotas.length === 0 ? [] : releases,
      };
    },
  };
};
