import type { Context, Duty } from '../../machines/index.ts';
import type { Intent } from '../ports/store.ts';
import type { Tool } from '../ports/tool.ts';
import type { TaskDocuments } from './task-documents.ts';

interface Tools {
  readonly tools: ReadonlyMap<string, Tool>;
}

/** The key that a rollback is given: another than that of the effect which it undoes. */
export const rollbackKey = (digest: string): string => `rollback:${digest}`;

/** Whether a write is a task that is undone through its own ledger, where its tool declares no rollback of its own. */
export const isUndoneByLedger = (tool: Tool | undefined): boolean => tool?.child?.undo === 'ledger';

/** Effects that have begun and have no outcome yet. */
export const intentsOf = (
  { calls, effects }: Context,
  { compensating }: Pick<TaskDocuments, 'compensating'>,
): readonly Intent[] => {
  const begun = Object.values(calls).filter(({ status }) => status === 'started');
  const undoing = [
    ...effects.filter(({ status }) => status === 'undoing'),
    ...compensating.flatMap(({ digest, call, hasBegun }) =>
      hasBegun ? [{ digest, tool: call?.tool ?? '' }] : [],
    ),
  ];
  return [
    ...begun.map(({ digest, tool }) => ({ kind: 'call' as const, key: digest, tool })),
    ...undoing.map(({ digest, tool }) => ({ kind: 'rollback' as const, key: rollbackKey(digest), tool })),
  ];
};

/** Whether a dependency is a task of this orchestrator: nobody but that task says what becomes of it. */
export const isChild = ({ dependencies, calls }: Context, dependency: string, { tools }: Tools): boolean =>
  Object.hasOwn(dependencies, dependency) &&
  (dependencies[dependency] ?? []).some((call) => tools.get(calls[call]?.tool ?? '')?.child !== undefined);

/** Whether a duty is the orchestrator's own, and not only a person's, another's, or time's. */
export const isOurs = (
  duty: Duty,
  context: Context,
  documents: TaskDocuments,
  environment: Tools,
): boolean => {
  switch (duty.kind) {
    case 'ask':
      return mayResolve(context, documents, duty.question, environment);
    case 'await':
      return isChild(context, duty.dependency, environment);
    case 'refine':
    case 'wake':
      return false;
    case 'accept':
    case 'propose':
    case 'correct':
    case 'conclude':
    case 'decide':
    case 'call':
    case 'observe':
    case 'verify':
    case 'undo':
    case 'offer':
      return true;
  }
};

/** How often an effect in doubt is taken up before it is left to a person. */
const recoveryLimit = 3;

export const mayTakeUp = ({ recoveries }: TaskDocuments, key: string): boolean =>
  (recoveries[key] ?? 0) < recoveryLimit;

/** Whether a question is about an effect in doubt whose tool says how that is resolved without a person. */
const mayResolve = (
  { questions, calls }: Context,
  documents: TaskDocuments,
  question: string,
  { tools }: Tools,
): boolean => {
  const { kind, about } = questions[question] ?? {};
  const call = kind === 'doubt' && about !== undefined ? calls[about] : undefined;
  return (
    call !== undefined &&
    (tools.get(call.tool)?.doubt ?? 'unsafe') !== 'unsafe' &&
    mayTakeUp(documents, call.digest)
  );
};
