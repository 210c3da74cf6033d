import { RiskTier } from '../../../schema/index.ts';
import { didYouMean } from '../../base/boundary/did-you-mean.ts';
import { refuseDefinition } from '../../base/define/definition.ts';
import { quotaIssues, type Quota } from '../../base/define/quota.ts';
import { formerNameIssues, withFormerNames } from '../../base/define/formerly.ts';
import type {
  ActionOf,
  TaskClasses,
  TaskClassId,
  ToolName,
  Tools,
  WithKnownTools,
} from '../../base/define/inferred.ts';
import { lackingRollback } from '../../base/define/rollback.ts';
import type { DefinedTaskClass } from '../../base/define/task-class.ts';
import { CharterError, type Issue } from '../../base/errors.ts';
import { continuedCharts } from '../ledger/chart.ts';
import type { Approvals } from '../../base/ports/approvals.ts';
import type { BlobOptions } from '../../base/ports/blobs.ts';
import type { Clock } from '../../base/ports/clock.ts';
import type { Ids } from '../../base/ports/ids.ts';
import type { MayRespond } from '../../base/ports/may-respond.ts';
import type { Model } from '../../base/ports/model.ts';
import type { Attest, Policy, RulesOf } from '../../base/ports/policy.ts';
import type { Store } from '../../base/ports/store.ts';
import type { Telemetry } from '../../base/ports/telemetry.ts';
import type { Tool } from '../../base/ports/tool.ts';
import type { Verifier } from '../../base/ports/verifier.ts';
import { memoryStore } from '../../stores/memory.ts';
import { isUndoneByLedger } from '../kernel/view.ts';
import { manualRollback } from '../kernel/words.ts';
import { anyoneButRequester } from './approvals.ts';
import { blobDefaults } from './blobs.ts';
import { withAuthorities } from './authorities.ts';
import { checkOptions } from './check-options.ts';
import type { ChildLimits } from './children.ts';
import { checkedIds, randomIds, storeClock, systemClock } from './clock.ts';
import type { Environment, Turns } from './environment.ts';
import { fixedTaskClass, fixedTool, fixedVerifier } from './fixed.ts';
import { createHolds, noHolds } from './holds.ts';
import { handClass, handTool } from './by-hand.ts';
import { createMeter } from './meter.ts';
import { unknownLabels, unknownSources, warnOfUnlabelled } from './labels.ts';
import { nothingRedacted, strictRedaction, type Redact } from './redact.ts';
import { createPauses } from './pauses.ts';
import { Callers } from './callers.ts';
import { createQuotas } from './quotas.ts';
import { createSlots, createYield } from './slots.ts';
import { steadyClock } from './steady-clock.ts';
import { warnOfUnapprovable } from './unapprovable.ts';
import { unknownInRules, unknownNames } from './unknown-names.ts';

/** The options of an orchestrator. */
export interface OrchestratorOptions<Given extends Tools = Tools, Classes extends TaskClasses = TaskClasses> {
  /** Their tools must be among `tools`. */
  readonly taskClasses: Classes & WithKnownTools<Classes, Given>;
  readonly model: Model;
  readonly tools?: Given;
  readonly verifiers?: readonly Verifier[];
  /** By default every write is denied. A table may name only these tools and task classes. */
  readonly policy?: Policy<ActionOf<Given>> & RulesOf<ToolName<Given>, TaskClassId<Classes>>;
  /**
   * By default no approval token is accepted. A warning (`AGENTCHARTER_NO_APPROVER`) then names the high-risk tools that
   * no one can approve.
   */
  readonly approvals?: Approvals;
  /** By default any person may answer, but not the requesting agent. */
  readonly mayRespond?: MayRespond;
  /** By default no identity is attested. */
  readonly attest?: Attest;
  /** By default nothing is redacted. */
  readonly redact?: Redact;
  /** Milliseconds by which the clock of evidence may be ahead of this one; 30,000 by default. */
  readonly skew?: number;
  readonly store?: Store;
  /**
   * Where large values of results and states of agents go: `{ store: sqliteBlobs(file) }`. By default they are cut at 1 MiB of text,
   * and a state at 8 MiB.
   */
  readonly blobs?: BlobOptions;
  readonly clock?: Clock;
  readonly ids?: Ids;
  /** By default there is no telemetry. */
  readonly telemetry?: Telemetry;
  /**
   * Signs the chunks of streams, for readers that others can reach too (`streamKey`): at least 24 bytes. By default
   * chunks are not signed.
   */
  readonly streamSecret?: string;
  /** Limits over many tasks, which the store counts: none by default. Give the same ones to all processes. */
  readonly quotas?: readonly Quota[];
  /** The maximum depth of nested tasks (4 by default), and the maximum number of children of each (16). */
  readonly limits?: Partial<ChildLimits>;
  /** The maximum number of concurrent calls of models and tools, over all tasks; 8 by default. */
  readonly concurrency?: number;
  /** The maximum number of idle tasks in memory; 100 by default. */
  readonly idleTasks?: number;
  /**
   * `owner` performs the duties of tasks, one orchestrator at a time for each store. `guest` reads, submits and
   * answers; the owner does the rest. `owner` by default.
   */
  readonly role?: 'owner' | 'guest';
  /**
   * Whether it takes tasks by itself, on a store with leases; `true` by default. With `false` it performs what `perform` names, for a queue of your
   * own, and what its guard's runs work on.
   */
  readonly takes?: boolean;
}

/** The options of a guest, which calls no model. */
export interface GuestOptions<
  Given extends Tools = Tools,
  Classes extends TaskClasses = TaskClasses,
> extends Omit<OrchestratorOptions<Given, Classes>, 'model' | 'role'> {
  readonly role: 'guest';
  /** Is never called. You can pass the options of the owner as they are. */
  readonly model?: Model;
}

/** The model of a guest that has none. */
const noModel: Model = { answer: () => Promise.reject(new Error('a guest calls no model')) };

const denyWrites: Policy = { decide: () => ({ verdict: 'deny', reasons: ['no policy is configured'] }) };

const byName = <Thing>(things: readonly Thing[], nameOf: (thing: Thing) => string, path: string) => {
  const map = new Map<string, Thing>();
  const issues: Issue[] = [];
  for (const thing of things) {
    const name = nameOf(thing);
    if (map.has(name)) issues.push({ path, message: `two have the name ${JSON.stringify(name)}` });
    map.set(name, thing);
  }
  return { map, issues };
};

const knownTaskClass = (
  taskClasses: ReadonlyMap<string, DefinedTaskClass>,
  id: string,
  taskId: string | undefined,
): DefinedTaskClass => {
  const taskClass = taskClasses.get(id);
  if (taskClass !== undefined) return taskClass;
  const known = [...taskClasses.keys()];
  const title = `unknown task class ${JSON.stringify(id)}`;
  const message =
    taskId === undefined
      ? `${title}: expected one of ${known.join(', ')}${didYouMean(id, known)}`
      : `task ${taskId} is of an ${title}, which is not among \`taskClasses\` here (${known.join(', ')}): follow and answer it at a process that has it`;
  throw new CharterError('not_found', message, { kind: 'task class', id, known });
};

const highestTier = (tiers: readonly RiskTier[]): RiskTier =>
  RiskTier.options.findLast((tier) => tiers.includes(tier)) ?? 'read_only';

/** Raises the tier of a task tool to the highest tier of its child's tools (UAICP 4.3, 5.3). */
const raised = (
  tool: Tool,
  tools: ReadonlyMap<string, Tool>,
  taskClasses: ReadonlyMap<string, DefinedTaskClass>,
): Tool => {
  const tiersBelow = ({ tier, child }: Tool, visited: readonly string[]): readonly RiskTier[] => {
    if (child === undefined || visited.includes(child.taskClass)) return [tier];
    const below = (taskClasses.get(child.taskClass)?.tools ?? []).flatMap((name) => tools.get(name) ?? []);
    return [tier, ...below.flatMap((one) => tiersBelow(one, [...visited, child.taskClass]))];
  };
  if (tool.child === undefined) return tool;
  const tier = highestTier(tiersBelow(tool, []));
  const isNothingToUndo = tier === 'read_only' && isUndoneByLedger(tool);
  return Object.freeze({ ...tool, tier, rollback: isNothingToUndo ? null : tool.rollback });
};

/** Failures of one tool that an agent reads and goes on after, by default; an agent's framework shows its model each error. */
const mostFailures = 8;

/** Adapts a task class to an agent in its own host, which can be offline and often states no confidence. */
const forHost = (taskClass: DefinedTaskClass, { isElsewhere = false }: Model): DefinedTaskClass => {
  if (!isElsewhere) return taskClass;
  const { contract, unstated = 'proceed' } = taskClass;
  const limits = { failures: mostFailures, ...contract.limits };
  return { ...taskClass, contract: { ...contract, unstated, host: true, limits } };
};

/**
 * Returns the issues of high-risk tools without a rollback: handmade ones, or tasks raised by their tools (UAICP
 * 5.3).
 */
const irreversible = (
  tools: ReadonlyMap<string, Tool>,
  raisedTools: ReadonlyMap<string, Tool>,
): readonly Issue[] =>
  [...tools.values()].flatMap(({ name, tier, rollback }) => {
    const lacking = lackingRollback({ tier, rollback, raised: raisedTools.get(name)?.tier ?? tier });
    return lacking === null ? [] : [{ ...lacking, path: `/tools/${name}${lacking.path}` }];
  });

/**
 * Returns the environment for options; without `agents`, its model takes every turn. Throws `definition_invalid` if a
 * member or a name does not fit.
 */
export const environmentOf = (
  options: OrchestratorOptions | GuestOptions,
  emit: Environment['emit'],
  agents: Turns | null = null,
): Environment => {
  const issuesOfValues = checkOptions(options);
  const tools = byName((options.tools ?? []).map(fixedTool), ({ name }) => name, '/tools');
  const verifiers = byName((options.verifiers ?? []).map(fixedVerifier), ({ id }) => id, '/verifiers');
  const taskClasses = byName(
    options.taskClasses.map((one) => withAuthorities(fixedTaskClass(one), options)),
    ({ id }) => id,
    '/taskClasses',
  );
  const raisedTools = new Map(
    [...tools.map].map(([name, tool]) => [name, raised(tool, tools.map, taskClasses.map)] as const),
  );
  const { concurrency = 8, role = 'owner', model = noModel, skew = 30_000 } = options;
  const issues = [
    ...issuesOfValues,
    ...[...tools.map.values()].flatMap(({ name, tier }) =>
      RiskTier.safeParse(tier).success
        ? []
        : [{ path: `/tools/${name}/tier`, message: `must be one of ${RiskTier.options.join(', ')}` }],
    ),
    ...[...tools.map.values()].flatMap(({ name, child }) =>
      child === undefined || taskClasses.map.has(child.taskClass)
        ? []
        : [
            {
              path: `/tools/${name}/taskClass`,
              message: `unknown task class ${JSON.stringify(child.taskClass)}: expected one of ${[...taskClasses.map.keys()].join(', ')}${didYouMean(child.taskClass, taskClasses.map.keys())}`,
            },
          ],
    ),
    ...irreversible(tools.map, raisedTools),
    ...unknownSources(tools.map),
    ...unknownLabels(tools.map, taskClasses.map),
    ...tools.issues,
    ...formerNameIssues(tools.map),
    ...quotaIssues(options.quotas ?? [], tools.map, taskClasses.map),
    ...verifiers.issues,
    ...taskClasses.issues,
    ...options.taskClasses.flatMap((taskClass) => unknownNames(taskClass, tools.map, verifiers.map)),
    ...(role === 'guest' ? [] : unknownInRules(options.policy, tools.map, taskClasses.map)),
  ];
  refuseDefinition(agents === null ? 'orchestrator' : 'guard', null, issues);
  warnOfUnlabelled([...tools.map.values()]);
  if (role === 'owner' && options.approvals === undefined)
    warnOfUnapprovable(taskClasses.map.values(), raisedTools);
  const { store = memoryStore() } = options;
  const meter = createMeter();
  const blobs = options.blobs === undefined ? null : blobDefaults(options.blobs);
  const known = withFormerNames(new Map([...raisedTools, [manualRollback, handTool()]]));
  const classes = Object.freeze([...taskClasses.map.keys()]);
  const turns = agents ?? { taskClasses: classes, live: () => [], hosted: () => [] };
  const capabilities = Object.freeze({
    charts: continuedCharts,
    taskClasses: Object.freeze([...classes, manualRollback]),
    agents: Object.freeze([...turns.taskClasses, manualRollback]),
    tools: Object.freeze([...known.keys()]),
  });
  const { clock: machine = systemClock } = options;
  const clock =
    store.lease === Infinity
      ? steadyClock(machine)
      : steadyClock(storeClock(store, machine), () => store.now() !== null);
  return {
    taskClassOf: (id, taskId) =>
      id === manualRollback && taskId !== undefined
        ? handClass()
        : forHost(knownTaskClass(taskClasses.map, id, taskId), model),
    isOwner: role === 'owner',
    takes: options.takes ?? true,
    tools: known,
    verifiers: verifiers.map,
    model,
    policy: options.policy ?? denyWrites,
    approvals: options.approvals ?? null,
    mayRespond: options.mayRespond ?? anyoneButRequester,
    attest: options.attest ?? null,
    redact: options.redact === undefined ? nothingRedacted : strictRedaction(options.redact, blobs?.most),
    clock,
    skew,
    ids: options.ids === undefined ? randomIds : checkedIds(options.ids),
    store,
    blobs,
    quotas: createQuotas(options.quotas ?? [], known),
    pauses: createPauses({ store, clock, emit }),
    callers: new Callers(),
    holds: role === 'guest' ? noHolds : createHolds(store, capabilities, clock),
    turns,
    onStoreLost: () => {},
    telemetry: options.telemetry ?? null,
    streamSecret: options.streamSecret ?? null,
    // where work computes, leases are renewed between two pieces of it
    slots: createSlots(concurrency, store.lease === Infinity ? null : createYield()),
    concurrency,
    emit,
    meter,
  };
};
