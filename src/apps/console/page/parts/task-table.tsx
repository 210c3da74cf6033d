import type { TaskLine } from '../../wire.ts';
import { linkTo } from '../route.ts';
import { short, visible } from '../words.ts';
import { Columns } from './columns.tsx';
import { Standing } from './standing.tsx';
import { Time } from './time.tsx';

/** Tasks as rows: what was requested, as the link, when, how the task stands, and the reason of a failure. */
export const TaskTable = ({ tasks }: { tasks: readonly TaskLine[] }) => (
  <div class="scroll">
    <table class="tasks wide">
      <Columns names={['Task', 'Class', 'Began', 'State', 'Why']} />
      <tbody>
        {tasks.map((task) => {
          const { taskId, taskClass, about, began, reasons, why } = task;
          return (
            <tr key={taskId}>
              <td data-label="Task">
                <a href={linkTo({ view: 'task', taskId, tab: 'thread' })} title={taskId}>
                  {about === '' ? short(taskId) : visible(about)}
                </a>
              </td>
              <td data-label="Class">{taskClass}</td>
              <td data-label="Began">{began !== null && <Time at={began} />}</td>
              <td data-label="State">
                <Standing of={task} />
              </td>
              <td data-label="Why" title={reasons.map(({ code }) => code).join(', ')}>
                {why.join(' ')}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  </div>
);
