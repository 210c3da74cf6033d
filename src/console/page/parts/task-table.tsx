import type { TaskLine } from '../../wire.ts';
import { linkTo } from '../route.ts';
import { short } from '../words.ts';
import { Outcome } from './outcome.tsx';
import { Pill } from './pill.tsx';

/** Tasks as rows: link, state, and reason of failure. */
export const TaskTable = ({ tasks }: { tasks: readonly TaskLine[] }) => (
  <div class="scroll">
    <table class="tasks wide">
      <thead>
        <tr>
          <th scope="col">Task</th>
          <th scope="col">Class</th>
          <th scope="col">State</th>
          <th scope="col">Outcome</th>
          <th scope="col">Why</th>
        </tr>
      </thead>
      <tbody>
        {tasks.map(({ taskId, taskClass, state, outcome, reasons, why }) => (
          <tr key={taskId}>
            <td data-label="Task">
              <a href={linkTo({ view: 'task', taskId, tab: 'thread' })} title={taskId}>
                {short(taskId)}
              </a>
            </td>
            <td data-label="Class">{taskClass}</td>
            <td data-label="State">
              <Pill of={state} />
            </td>
            <td data-label="Outcome">
              <Outcome outcome={outcome} codes={reasons.map(({ code }) => code)} />
            </td>
            <td data-label="Why" title={reasons.map(({ code }) => code).join(', ')}>
              {why.join(' ')}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
