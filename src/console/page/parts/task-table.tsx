import type { TaskSummary } from '../../../orchestrator/summary.ts';
import { linkTo } from '../route.ts';
import { short } from '../words.ts';
import { Pill } from './pill.tsx';

/** Tasks as rows: link, state, and reason of failure. */
export const TaskTable = ({ tasks }: { tasks: readonly TaskSummary[] }) => (
  <div class="scroll">
    <table class="tasks">
      <thead>
        <tr>
          <th scope="col">Task</th>
          <th scope="col">Class</th>
          <th scope="col">State</th>
          <th scope="col">Outcome</th>
          <th scope="col">Reasons</th>
        </tr>
      </thead>
      <tbody>
        {tasks.map(({ taskId, taskClass, state, outcome, reasons }) => (
          <tr key={taskId}>
            <td>
              <a href={linkTo({ view: 'task', taskId, tab: 'thread' })} title={taskId}>
                {short(taskId)}
              </a>
            </td>
            <td>{taskClass}</td>
            <td>
              <Pill of={state} />
            </td>
            <td>{outcome === 'pending' ? <span class="muted">pending</span> : <Pill of={outcome} />}</td>
            <td>
              <code>{[...new Set(reasons.map(({ code }) => code))].join(', ')}</code>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
