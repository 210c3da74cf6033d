import { RiskTier } from '../../schema/index.ts';
import type { DefinedTaskClass } from '../define/task-class.ts';
import { CharterError, type Issue } from '../errors.ts';
import type { Approvals } from '../ports/approvals.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import type { Model } from '../ports/model.ts';
import type { Policy } from '../ports/policy.ts';
import type { Store } from '../ports/store.ts';
import type { Tool } from '../ports/tool.ts';
import type { Verifier } from '../ports/verifier.ts';
import { memoryStore } from '../stores/memory.ts';
import { randomIds, systemClock } from './clock.ts';
import type { Environment } from './environment.ts';
import type { OpenQuestion } from './questions.ts';
import { createSlots } from './slots.ts';

/** Says who may answer a question: `identity` is what the host authenticated. */
export type MayRespond = (
  identity: string,
  asked: { readonly taskId: string; readonly question: OpenQuestion; readonly requester: string },
) => boolean | Promise<boolean>;

/** What an orchestrator is made of; what is left out is the strict or the local choice. */
export interface OrchestratorOptions {
  readonly taskClasses: readonly DefinedTaskClass[];
  readonly model: Model;
  readonly tools?: readonly Tool[];
  readonly verifiers?: readonly Verifier[];
  /** Left out, every write is denied. */
  readonly policy?: Policy;
  /** Left out, no approval token is accepted. */
  readonly approvals?: Approvals;
  /** Left out, everybody may answer but the agent that asked. */
  readonly mayRespond?: MayRespond;
  readonly store?: Store;
  readonly clock?: Clock;
  readonly ids?: Ids;
  /** Calls of model, tools and verifiers that run at once, over all tasks; 8 where left out. */
  readonly concurrency?: number;
}

const denyWrites: Policy = { decide: () => ({ verdict: 'deny', reasons: ['no policy is configured'] }) };

export const everybodyElse: MayRespond = (identity, { requester }) => identity !== requester;

const named = <Thing>(things: readonly Thing[], nameOf: (thing: Thing) => string, path: string) => {
  const map = new Map<string, Thing>();
  const issues: Issue[] = [];
  for (const thing of things) {
    const name = nameOf(thing);
    if (map.has(name)) issues.push({ path, message: `two have the name ${JSON.stringify(name)}` });
    map.set(name, thing);
  }
  return { map, issues };
};

const unknownNames = (
  taskClass: DefinedTaskClass,
  tools: ReadonlyMap<string, unknown>,
  verifiers: ReadonlyMap<string, unknown>,
): readonly Issue[] => {
  const { beforeWrite, beforeDeliver } = taskClass.contract;
  const path = `/taskClasses/${taskClass.id}`;
  const missing = (kind: string, names: readonly string[], known: ReadonlyMap<string, unknown>): Issue[] =>
    names
      .filter((name) => !known.has(name))
      .map((name) => ({
        path,
        message: `unknown ${kind} ${JSON.stringify(name)}: expected one of ${[...known.keys()].join(', ') || 'none'}`,
      }));
  const evidence = [...beforeWrite.evidence, ...beforeDeliver.evidence].flatMap(({ tool }) => tool ?? []);
  return [
    ...missing('tool', [...taskClass.tools, ...evidence], tools),
    ...missing('verifier', [...beforeWrite.verifiers, ...beforeDeliver.verifiers], verifiers),
  ];
};

/** The environment that options describe; throws `definition_invalid` where names do not fit together. */
export const environmentOf = (options: OrchestratorOptions, emit: Environment['emit']): Environment => {
  const tools = named(options.tools ?? [], ({ name }) => name, '/tools');
  const verifiers = named(options.verifiers ?? [], ({ id }) => id, '/verifiers');
  const taskClasses = named(options.taskClasses, ({ id }) => id, '/taskClasses');
  const { concurrency = 8 } = options;
  const isCount = Number.isInteger(concurrency) && concurrency > 0;
  const issues = [
    ...(isCount ? [] : [{ path: '/concurrency', message: 'expected an integer above 0' }]),
    ...[...tools.map.values()].flatMap(({ name, tier }) =>
      RiskTier.safeParse(tier).success
        ? []
        : [{ path: `/tools/${name}/tier`, message: `expected one of ${RiskTier.options.join(', ')}` }],
    ),
    ...tools.issues,
    ...verifiers.issues,
    ...taskClasses.issues,
    ...options.taskClasses.flatMap((taskClass) => unknownNames(taskClass, tools.map, verifiers.map)),
  ];
  if (issues.length > 0) {
    const detail = issues.map(({ path, message }) => `${path} ${message}`).join('; ');
    throw new CharterError('definition_invalid', `orchestrator: ${detail}`, {
      definition: 'orchestrator',
      issues,
    });
  }
  return {
    taskClasses: taskClasses.map,
    tools: tools.map,
    verifiers: verifiers.map,
    model: options.model,
    policy: options.policy ?? denyWrites,
    approvals: options.approvals ?? null,
    clock: options.clock ?? systemClock,
    ids: options.ids ?? randomIds,
    store: options.store ?? memoryStore(),
    slots: createSlots(concurrency),
    emit,
  };
};
