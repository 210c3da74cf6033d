import type { DefinedTaskClass } from '../../base/define/task-class.ts';
import type { Identity } from '../../../schema/index.ts';
import type { RequestDocument } from '../../base/ports/ledger.ts';
import type { Ports } from './duties/performer.ts';
import { labelledRequest } from './labelled-request.ts';
import { Held, notBegun } from './quotas.ts';
import type { TaskCache } from './task-cache.ts';
import type { LiveTask } from './live-task.ts';
import { Task } from './task.ts';

/** The input of a new task. */
export interface Beginning {
  readonly taskId: string;
  readonly request: RequestDocument;
  /** The parent, if the task is a call of it. */
  readonly parent?: LiveTask;
  readonly key?: string | undefined;
  /** By default the task class that the request names. */
  readonly taskClass?: DefinedTaskClass;
}

/** Returns the task class for an agent. A limit asks only where people supervise it. */
const askingOf = (taskClass: DefinedTaskClass, { control_class: control }: Identity): DefinedTaskClass =>
  control === 'human-supervised'
    ? taskClass
    : { ...taskClass, contract: { ...taskClass.contract, atLimit: 'stop' } };

/**
 * Returns what begins a task: for a caller, or as a call of another task. This process holds it from its first step, unless
 * it has no room and no code of it works on the task: then the first process that has takes it.
 */
export const createBegin =
  (environment: Ports, cache: TaskCache, hasRoom: () => boolean) =>
  ({ taskId, parent, key, ...given }: Beginning): Promise<void> => {
    const { isOwner, turns, holds } = environment;
    const isOurs = !isOwner || parent !== undefined || turns.live().includes(taskId) || hasRoom();
    const ports = isOurs ? environment : cache.visiting;
    const begin = async (): Promise<void> => {
      const taskClass = askingOf(
        given.taskClass ?? environment.taskClassOf(given.request.taskClass),
        given.request.identity,
      );
      const request = labelledRequest(given.request, taskClass, environment.tools);
      const caller = request.parent && parent?.tracing.placeOfCall(request.parent.call);
      const task = Task.of(taskId, request, taskClass, ports, caller);
      const { user_id: user, agent_id: agent } = request.identity;
      const isPersons = user !== undefined && parent === undefined;
      const by = isPersons ? ({ kind: 'human', id: user } as const) : ({ kind: 'agent', id: agent } as const);
      await cache.begin(task, by, key).catch((error: unknown) => {
        throw error instanceof Held ? notBegun(error) : error;
      });
    };
    return isOurs ? holds.beginning(taskId, begin) : begin();
  };
