import type { ReasonCode } from '../../../../schema/index.ts';
import { attemptLimits, skippedAttempts } from '../../../base/ports/attempts.ts';
import { orchestratorActor } from '../../kernel/statement.ts';
import type { Environment } from '../environment.ts';
import { emitCallbackFailed } from '../events.ts';
import type { Task } from '../task.ts';

/** The ports of counting attempts. */
export type AttemptPorts = Pick<Environment, 'holds' | 'emit' | 'redact'>;

/** A function of the host that is about to be called. */
interface Callback {
  /** Its public name. */
  readonly name: string;
  /** What happens in it, such as "its model was asked". */
  readonly during: string;
  /** The task's reason code; `null` if the task continues without it. */
  readonly code: ReasonCode | null;
}

/** Returns why a function of the host is not called again: too many processes in a row ended in it. `null` if it may be. */
const reasonOf = ({ holds }: Pick<Environment, 'holds'>, { taskId }: Task, during: string): string | null => {
  const attempts = holds.attemptsOf(taskId);
  if (attempts < attemptLimits.most) return null;
  return attempts < skippedAttempts
    ? `the process that performs this task ended, or stood still, ${attempts} times in a row while ${during}`
    : `an operator had it skipped, because the process that performs this task ended, or stood still, while ${during}`;
};

/** Returns a function of the host that throws, in place of being called, if too many processes in a row ended in it. */
export const unlessTooMany =
  <Given extends readonly unknown[], Result>(
    environment: Pick<Environment, 'holds'>,
    task: Task,
    during: string,
    call: (...given: Given) => Result,
  ) =>
  (...given: Given): Result => {
    const reason = reasonOf(environment, task, during);
    if (reason !== null) throw new Error(reason);
    return call(...given);
  };

/** Returns why a function of the host is not called again, and emits it as an error. `null` if it may be called. */
export const tooManyAttempts = (
  environment: AttemptPorts,
  task: Task,
  { name, during, code }: Callback,
): string | null => {
  const reason = reasonOf(environment, task, during);
  if (reason !== null) emitCallbackFailed(environment, task, name, code, new Error(reason));
  return reason;
};

/** Returns the public name of a model, or of an agent that the host runs. */
export const modelName = ({ isElsewhere }: Environment['model'], { taskClass }: Task): string =>
  isElsewhere === true ? `agent of ${taskClass.id}` : 'model.answer';

/** Asks a person in place of a model whose turns end their process. Returns `false` if the model may be asked. */
export const askInstead = async (
  task: Task,
  environment: AttemptPorts & Pick<Environment, 'model' | 'ids'>,
): Promise<boolean> => {
  const { model, ids } = environment;
  const during = model.isElsewhere === true ? 'its agent took a turn' : 'its model was asked';
  const callback = { name: modelName(model, task), during, code: null };
  const reason = tooManyAttempts(environment, task, callback);
  if (reason === null) return false;
  const explanation = `There is no output: ${reason}. An instruction lets it try again.`;
  const statement = { actor: orchestratorActor, brought: { explanation } };
  await task.submitWithRetry({ type: 'help.requested', question: ids.uuid() }, statement);
  return true;
};
