import { clausesOf, stricter, type Call, type Context, type TaskClass } from '../../../machines/index.ts';
import { isOutstanding, isToBeMade, isWrite } from '../../../machines/owed.ts';
import { didYouMean } from '../../base/boundary/did-you-mean.ts';
import { currentName, inRecordedNames } from '../../base/define/formerly.ts';
import type { DefinedTaskClass } from '../../base/define/task-class.ts';
import { isCharterError } from '../../base/errors.ts';
import type { CallDocument } from '../../base/ports/ledger.ts';
import { keptAuthorities } from './authorities.ts';
import { contractChange, type Compared } from './duties/clearance.ts';
import type { Environment } from './environment.ts';
import type { Rehydrated } from './rehydrate.ts';
import type { Change } from './surface.ts';
import type { LiveTask } from './live-task.ts';

/** What open tasks are compared with. */
export type Application = Pick<Environment, 'tools' | 'verifiers' | 'taskClassOf' | 'redact'>;

/** An open task, as far as it is compared. */
export interface OpenTask extends Pick<LiveTask, 'taskId' | 'knownCalls'> {
  readonly context: Context;
  /** The contract that it began with. */
  readonly begun: TaskClass;
  readonly calls: Readonly<Record<string, CallDocument>>;
}

type Found = Omit<Change, 'taskId'>;

/** Returns the part of an open task that is compared. */
export const openTaskOf = (
  taskId: string,
  { snapshot, projection, contract }: Rehydrated,
  knownCalls: LiveTask['knownCalls'] = new Map(),
): OpenTask => ({
  taskId,
  knownCalls,
  context: snapshot.context,
  begun: contract,
  calls: projection.calls,
});

/** Returns that there is no tool of a name, and what to do. */
const noTool = ({ tools }: Pick<Environment, 'tools'>, name: string): string =>
  `tool ${JSON.stringify(name)} is gone: expected it among \`tools\`, or \`formerly: [${JSON.stringify(name)}]\` on the tool that takes its place${didYouMean(name, tools.keys())}`;

/** Returns what is different about the tool of a call, in a sentence; `null` if nothing is. */
export const toolChange = async (
  environment: Pick<Environment, 'tools' | 'redact'>,
  call: CallDocument,
  { context, ...known }: Pick<OpenTask, 'taskId' | 'knownCalls'> & Compared['task']['view'],
): Promise<(Pick<Change, 'kind'> & { readonly says: string }) | null> => {
  const { tools, redact } = environment;
  const tool = tools.get(call.tool);
  if (tool === undefined) return { kind: 'tool_missing', says: noTool(environment, call.tool) };
  const task = { ...known, taskClass: { checks: [] }, view: { context } }; // checks are of evidence, and no part of an action
  const ports = { tools, redact, emit: () => {} }; // an error is emitted where the call is made
  const change = await contractChange({ task, environment: ports, tool, call });
  const now = currentName(tools, call.tool);
  const name = `tool ${JSON.stringify(call.tool)}${now === call.tool ? '' : ` (now ${JSON.stringify(now)})`}`;
  return change && { kind: change.kind, says: `${name} is not what it was: ${change.why}` };
};

/** Returns what happens to a call whose tool changed. */
const fateOf = (call: Call): string =>
  isWrite(call) && (call.status === 'started' || call.status === 'doubted' || call.underWay)
    ? 'a person is asked whether it happened'
    : 'it is not made as it is, and planned and approved anew';

const changesOfCall = async (
  { taskId, context, knownCalls, calls }: OpenTask,
  id: string,
  call: Call,
  ports: Application,
): Promise<readonly Found[]> => {
  const document = calls[id];
  const isOpen = isToBeMade(call) || isOutstanding(call) || call.status === 'doubted';
  if (document === undefined || !isOpen) return [];
  const change = await toolChange(ports, document, { taskId, knownCalls, context });
  if (change === null) return [];
  const message = `a call waits, and ${change.says}; ${fateOf(call)}. To have it made, keep the tool as it was until then`;
  return [{ kind: change.kind, name: document.tool, message, stops: false }];
};

/** Returns what keeps the writes that were made from being undone. */
const changesOfWrites = ({ context }: OpenTask, ports: Application): readonly Found[] =>
  context.effects.flatMap(({ rollback, status, tool: name }): readonly Found[] => {
    const tool = ports.tools.get(name);
    if (!rollback || tool?.rollback || (status !== 'committed' && status !== 'undoing')) return [];
    const stops = context.reasons.length > 0;
    const says =
      tool === undefined
        ? noTool(ports, name)
        : `tool ${JSON.stringify(name)} declares no rollback any more: expected the one that it had`;
    const message = `a write ${stops ? 'is to be undone' : 'cannot be undone if the task fails'}, and ${says}`;
    return [{ kind: tool === undefined ? 'tool_missing' : 'rollback_missing', name, message, stops }];
  });

/** Returns what keeps a gate of a task closed. */
const changesOfGates = ({ context }: OpenTask, { tools, verifiers }: Application): readonly Found[] => {
  const { beforeWrite, beforeDeliver } = context.taskClass;
  const calls = Object.values(context.calls);
  const gates = [
    ...(calls.some((call) => isWrite(call) && isToBeMade(call)) ? [['writes', beforeWrite] as const] : []),
    ['delivers', beforeDeliver] as const,
  ];
  const hasEvidence = (name: string): boolean =>
    tools.has(name) || calls.some(({ tool, evidence }) => tool === name && evidence !== null);
  return gates.flatMap(([when, gate]) => [
    ...gate.verifiers.flatMap((name): readonly Found[] => {
      if (verifiers.has(name)) return [];
      const message = `verifier ${JSON.stringify(name)} is asked before the task ${when}, and is gone: expected it among \`verifiers\`${didYouMean(name, verifiers.keys())}`;
      return [{ kind: 'verifier_missing', name, message, stops: true }];
    }),
    ...gate.evidence.flatMap((requirement): readonly Found[] => {
      const names = clausesOf(requirement).map(({ tool }) => tool);
      const [name] = names;
      if (name === undefined || names.some((one) => one === undefined || hasEvidence(one))) return [];
      const message = `its evidence is required before the task ${when}, and ${noTool({ tools }, name)}`;
      return [{ kind: 'tool_missing', name, message, stops: true }];
    }),
  ]);
};

/** Returns what a stricter task class does to a task. Fewer tools alone change only what was approved. */
const changesOfClass = ({ context }: OpenTask, known: DefinedTaskClass): readonly Found[] => {
  const { taskClass, questions, calls } = context;
  const now: Readonly<Record<string, unknown>> = stricter(taskClass, keptAuthorities(known, taskClass));
  const before: typeof now = taskClass;
  const members = Object.keys(now).filter((one) => JSON.stringify(now[one]) !== JSON.stringify(before[one]));
  const isApproving =
    Object.values(questions).some(({ kind }) => kind === 'approval') ||
    Object.values(calls).some((call) => isToBeMade(call) && call.approvers.length > 0);
  if (members.every((one) => one === 'tools') && (members.length === 0 || !isApproving)) return [];
  const name = taskClass.id;
  const message = `task class ${JSON.stringify(name)} is stricter than when the task began, in ${members.join(', ')}: the stricter rules apply, and what was approved and not made is approved anew`;
  return [{ kind: 'class_changed', name, message, stops: false }];
};

/** Returns a task class, or that it is missing. */
export const classOf = (
  { taskClassOf }: Pick<Environment, 'taskClassOf'>,
  taskId: string,
  name: string,
): DefinedTaskClass | Found => {
  try {
    return taskClassOf(name, taskId);
  } catch (error) {
    if (!isCharterError(error, 'not_found')) throw error;
    return { kind: 'class_missing', name, message: error.message, stops: true };
  }
};

/**
 * Returns what an open task will meet that is not as it was: tools of calls that are to be made or whose outcome is not known,
 * the undoing of its writes, its gates, its task class. What changed and does it no harm is left out.
 */
export const changesOf = async (open: OpenTask, ports: Application): Promise<readonly Change[]> => {
  const { taskId, context, begun } = open;
  const known = classOf(ports, taskId, begun.id);
  if ('kind' in known) return [Object.freeze({ taskId, ...known })];
  const goesOn = context.reasons.length === 0 && context.outcome === null;
  const calls = goesOn ? Object.entries(context.calls) : [];
  const ofCalls = await Promise.all(calls.map(([id, call]) => changesOfCall(open, id, call, ports)));
  const found = [
    ...ofCalls.flat(),
    ...changesOfWrites(open, ports),
    ...(goesOn ? changesOfGates(open, ports) : []),
    ...(goesOn ? changesOfClass(open, inRecordedNames(known, begun, ports.tools)) : []),
  ];
  const { tools: [name] = [] } = begun;
  const hasNone = goesOn && name !== undefined && begun.tools?.every((one) => !ports.tools.has(one)) === true;
  if (hasNone && found.length === 0)
    found.push({
      kind: 'tool_missing',
      name,
      message: `the task can call nothing any more: ${noTool(ports, name)}`,
      stops: false,
    });
  const messages = new Map(found.map((one) => [one.message, Object.freeze({ taskId, ...one })]));
  return [...messages.values()];
};
