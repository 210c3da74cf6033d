import * as z from 'zod';
import { Identifier } from '../../../schema/index.ts';
import { didYouMean } from '../boundary/did-you-mean.ts';
import { lazily } from '../boundary/lazily.ts';
import type { Issue } from '../errors.ts';
import type { Tool } from '../ports/tool.ts';

/** What a quota is about: everything, or what has all of these; `owner: '*'` is each owner by itself. */
export interface QuotaScope {
  readonly tool?: string;
  readonly taskClass?: string;
  /** The `owner_id` of requests. */
  readonly owner?: string;
}

/**
 * A limit over many tasks, which their store counts, so that it holds over all processes with it.
 *
 * `calls`: at most so many are in flight at once; others wait. `tasks`: at most so many are open, children not counted; `submit` throws
 * `quota_exceeded` beyond. `amount`: the sum of what writes do in an hour, a day or a month (UTC), by a name in `amounts` of their tools;
 * a write beyond it is denied.
 */
export type Quota =
  | ({ readonly calls: number } & QuotaScope)
  | ({ readonly tasks: number } & Omit<QuotaScope, 'tool'>)
  | ({
      readonly amount: string;
      readonly most: number;
      readonly per: 'hour' | 'day' | 'month';
    } & QuotaScope);

const Most = z.int().min(0);
const scope = { taskClass: Identifier.optional(), owner: Identifier.optional() };
const ofTool = { ...scope, tool: Identifier.optional() };

/** The schema of quotas. */
export const quotasSchema = lazily(() =>
  z.array(
    z.union(
      [
        z.strictObject({ calls: Most, ...ofTool }),
        z.strictObject({
          tasks: Most,
          ...scope,
          tool: z.never('must be left out: it counts tasks').optional(),
        }),
        z.strictObject({
          amount: Identifier,
          most: Most,
          per: z.enum(['hour', 'day', 'month']),
          ...ofTool,
        }),
      ],
      {
        error:
          "must be { calls: 5 }, { tasks: 100 } or { amount: 'cents', most: 100_000, per: 'day' }, with `tool`, `taskClass` or `owner`; numbers are whole",
      },
    ),
    'must be an array of quotas',
  ),
);

const unknownIn = (
  kind: string,
  name: string | undefined,
  known: readonly string[],
  path: string,
): readonly Issue[] =>
  name === undefined || known.includes(name)
    ? []
    : [
        {
          path,
          message: `unknown ${kind} ${JSON.stringify(name)}: expected one of ${known.join(', ')}${didYouMean(name, known)}`,
        },
      ];

/** Returns the issues of quotas that name what is not there, or that two have in common. */
export const quotaIssues = (
  quotas: readonly Quota[],
  tools: ReadonlyMap<string, Tool>,
  taskClasses: ReadonlyMap<string, unknown>,
): readonly Issue[] =>
  quotas.flatMap((quota, index) => {
    const path = `/quotas/${index}`;
    const named = 'tool' in quota ? quota.tool : undefined;
    const those = [...tools.values()].filter(({ name }) => named === undefined || name === named);
    const amounts = those.flatMap((tool) => Object.keys(tool.amounts ?? {}));
    const twin = quotas.findIndex((one) => quotaName(one, '') === quotaName(quota, ''));
    return [
      ...unknownIn('tool', named, [...tools.keys()], `${path}/tool`),
      ...unknownIn('task class', quota.taskClass, [...taskClasses.keys()], `${path}/taskClass`),
      ...('amount' in quota
        ? unknownIn('amount', quota.amount, [...new Set(amounts)], `${path}/amount`)
        : []),
      ...(twin < index ? [{ path, message: `is about the same as /quotas/${twin}` }] : []),
    ];
  });

/** Returns the name under which a quota counts for an owner. */
export const quotaName = (quota: Quota, owner: string): string => {
  const { taskClass = null, owner: whose = null } = quota;
  const tool = 'tool' in quota ? (quota.tool ?? null) : null;
  const of = 'amount' in quota ? ['amount', quota.amount, quota.per] : ['calls' in quota ? 'calls' : 'tasks'];
  return JSON.stringify([...of, tool, taskClass, whose === '*' ? owner : whose]);
};
