import type { ReasonCode } from '../../../../schema/index.ts';
import { attemptLimits, skippedAttempts } from '../../../base/ports/attempts.ts';
import { orchestratorActor } from '../../kernel/statement.ts';
import { emitCallbackFailed } from '../events.ts';
import { stated, type Stating } from '../live-task.ts';
import type { Work } from './performer.ts';

/** A function of the host that is about to be called. */
interface Callback {
  /** Its public name. */
  readonly name: string;
  /** What happens in it, such as "its model was asked". */
  readonly during: string;
  /** The task's reason code; `null` if the task continues without it. */
  readonly code: ReasonCode | null;
}

/** What is attempted again after a crash. */
type Attempted = Pick<Work, 'task' | 'environment'>;

/** Returns why a function of the host is not called again: too many processes in a row ended in it. `null` if it may be. */
const reasonOf = ({ task, environment }: Attempted, during: string): string | null => {
  const attempts = environment.holds.attemptsOf(task.taskId);
  if (attempts < attemptLimits.most) return null;
  return attempts < skippedAttempts
    ? `the process that performs this task ended, or stood still, ${attempts} times in a row while ${during}`
    : `an operator had it skipped, because the process that performs this task ended, or stood still, while ${during}`;
};

/** Returns a function of the host that throws, in place of being called, if too many processes in a row ended in it. */
export const unlessTooMany =
  <Given extends readonly unknown[], Result>(
    work: Attempted,
    during: string,
    call: (...given: Given) => Result,
  ) =>
  (...given: Given): Result => {
    const reason = reasonOf(work, during);
    if (reason !== null) throw new Error(reason);
    return call(...given);
  };

/** Returns why a function of the host is not called again, and emits it as an error. `null` if it may be called. */
export const tooManyAttempts = (work: Attempted, { name, during, code }: Callback): string | null => {
  const reason = reasonOf(work, during);
  if (reason !== null) emitCallbackFailed(work.environment, work.task, name, code, new Error(reason));
  return reason;
};

/** Returns the public name of a model, or of an agent that the host runs. */
export const modelName = ({ task, environment }: Attempted): string =>
  environment.model.isElsewhere === true ? `agent of ${task.taskClass.id}` : 'model.answer';

/** Asks a person in place of a model whose turns end their process. Returns `false` if the model may be asked. */
export async function* askInstead(work: Work): Stating<boolean> {
  const { model, ids } = work.environment;
  const during = model.isElsewhere === true ? 'its agent took a turn' : 'its model was asked';
  const callback = { name: modelName(work), during, code: null };
  const reason = tooManyAttempts(work, callback);
  if (reason === null) return false;
  const explanation = `There is no output: ${reason}. An instruction lets it try again.`;
  const statement = { actor: orchestratorActor, brought: { explanation } };
  yield stated({ type: 'help.requested', question: ids.uuid() }, statement);
  return true;
}
