import { useEffect, useState } from 'preact/hooks';
import type { Refusal, StuckAction, StuckLine } from '../../wire.ts';
import { post, refusalIn, useFetched } from '../fetched.ts';
import { linkTo } from '../route.ts';
import { short, visible } from '../words.ts';

const names: Readonly<Record<StuckAction, string>> = {
  retry: 'Try again now',
  skip: 'Go on without it',
  cancel: 'Cancel the task',
};

/** Milliseconds between two looks. */
const pause = 60_000;

/** What an operator may do: only a process that ended can be tried again, or what it called be skipped. */
const actionsFor = ({ reason }: StuckLine): readonly StuckAction[] =>
  reason === 'process_ends' ? ['retry', 'skip', 'cancel'] : ['cancel'];

const Line = ({ task, operates, done }: { task: StuckLine; operates: boolean; done: () => void }) => {
  const { taskId, about, taskClass, message } = task;
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [isBusy, setBusy] = useState(false);
  const press = async (action: StuckAction): Promise<void> => {
    setBusy(true);
    setRefusal(null);
    try {
      await post('api/stuck', { taskId, action });
      done();
    } catch (error) {
      setRefusal(refusalIn(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <li>
      <p>
        <a href={linkTo({ view: 'task', taskId, tab: 'thread' })} title={taskId}>
          {about === '' ? short(taskId) : visible(about)}
        </a>{' '}
        <span class="muted">{taskClass}</span>
      </p>
      <p>{visible(message)}</p>
      {operates && (
        <p class="send">
          {actionsFor(task).map((action) => (
            <>
              <button key={action} type="button" disabled={isBusy} onClick={() => void press(action)}>
                {names[action]}
              </button>{' '}
            </>
          ))}
        </p>
      )}
      <p role="alert">{refusal && visible(refusal.detail)}</p>
    </li>
  );
};

/** The tasks that nothing goes on with, each with the reason and what can be done; nothing without any. */
export const StuckTasks = ({ operates }: { operates: boolean }) => {
  const [turn, setTurn] = useState(0);
  const { value } = useFetched<readonly StuckLine[]>(`api/stuck?turn=${turn}`);
  const [last, setLast] = useState<readonly StuckLine[]>([]);
  if (value !== undefined && value !== last) setLast(value); // show the last list until the next one is loaded
  useEffect(() => {
    const timer = setInterval(() => setTurn((now) => now + 1), pause); // a task gets stuck by time alone
    return () => clearInterval(timer);
  }, []);
  if (last.length === 0) return null;
  return (
    <section class="notice bad" aria-labelledby="stuck">
      <h2 id="stuck">{last.length === 1 ? 'One task is stuck' : `${last.length} tasks are stuck`}</h2>
      <ul class="questions">
        {last.map((task) => (
          <Line key={task.taskId} task={task} operates={operates} done={() => setTurn(turn + 1)} />
        ))}
      </ul>
    </section>
  );
};
