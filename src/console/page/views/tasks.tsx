import { useState } from 'preact/hooks';
import { taskFilters, type TaskFilter, type TaskPage } from '../../wire.ts';
import { useFetched } from '../fetched.ts';
import { Heading } from '../parts/heading.tsx';
import { Pager } from '../parts/pager.tsx';
import { TaskTable } from '../parts/task-table.tsx';

const names: Readonly<Record<TaskFilter, string>> = {
  all: 'All',
  asking: 'Waiting for a person',
  open: 'Under way',
  settled: 'Settled',
};

/** All tasks in pages, the newest first. */
export const TasksView = () => {
  const [show, setShow] = useState<TaskFilter>('all');
  const [find, setFind] = useState('');
  const [offset, setOffset] = useState(0);
  const query = new URLSearchParams({ show, find, offset: String(offset) });
  const { value } = useFetched<TaskPage>(`api/tasks?${query.toString()}`);
  const [last, setLast] = useState<TaskPage>();
  if (value !== undefined && value !== last) setLast(value); // show the last page until the next one is loaded
  const page = value ?? last;
  const begin = (change: () => void): void => {
    change();
    setOffset(0);
  };
  return (
    <>
      <Heading title="Tasks" />
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
          <Pager
            total={page.total}
            offset={page.offset}
            shown={page.tasks.length}
            what="tasks"
            go={setOffset}
          />
        </>
      )}
    </>
  );
};
