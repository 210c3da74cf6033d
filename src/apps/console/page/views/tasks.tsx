import { useState } from 'preact/hooks';
import { taskFilters, type TaskFilter, type TaskPage } from '../../wire.ts';
import { useFetched } from '../fetched.ts';
import { Heading } from '../parts/heading.tsx';
import { Pager } from '../parts/pager.tsx';
import { StuckTasks } from '../parts/stuck.tsx';
import { TaskTable } from '../parts/task-table.tsx';
import { useReturn, useTrail } from '../trail.ts';

const names: Readonly<Record<TaskFilter, string>> = {
  all: 'All',
  asking: 'Waiting for a person',
  open: 'In progress',
  settled: 'Settled',
};

const seenIn = ({ total, next, tasks }: TaskPage) => ({ total, next, shown: tasks.length });

/** All tasks in pages, the newest first. */
export const TasksView = ({ operates }: { operates: boolean }) => {
  const [show, setShow] = useState<TaskFilter>('all');
  const [find, setFind] = useState('');
  const trail = useTrail();
  const query = new URLSearchParams({ show, find, ...trail.query });
  const { value } = useFetched<TaskPage>(`api/tasks?${query.toString()}`);
  const [last, setLast] = useState<TaskPage>();
  if (value !== undefined && value !== last) setLast(value); // show the last page until the next one is loaded
  const page = value ?? last;
  useReturn(trail, value && seenIn(value));
  const begin = (change: () => void): void => {
    change();
    trail.reset();
  };
  return (
    <>
      <Heading title="Tasks" />
      <StuckTasks operates={operates} />
      <div class="tools">
        <fieldset class="filters">
          <legend class="unseen">Which tasks</legend>
          {taskFilters.map((filter) => (
            <label key={filter}>
              <input
                type="radio"
                name="show"
                checked={show === filter}
                onChange={() => begin(() => setShow(filter))}
              />
              {names[filter]} <span class="muted">{page?.counts[filter].toLocaleString('en')}</span>
            </label>
          ))}
        </fieldset>
        <label class="field find">
          Find
          <input
            type="search"
            placeholder="class, state, identifier or reason"
            value={find}
            onInput={({ currentTarget }) => begin(() => setFind(currentTarget.value))}
          />
        </label>
      </div>
      {page && (
        <>
          <TaskTable tasks={page.tasks} />
          <Pager {...trail.pagesOf(seenIn(page))} what="tasks" />
        </>
      )}
    </>
  );
};
