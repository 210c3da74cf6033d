import type { Grounds as Given } from '../../wire.ts';
import { outcomeInWords } from '../../../../base/boundary/outcome-words.ts';
import { useFetched } from '../fetched.ts';
import { Grounds } from '../parts/grounds.tsx';
import { Time } from '../parts/time.tsx';
import { phases } from '../words.ts';

/** What the gates of a task are based on, and when it reported each phase. */
export const EvidenceTab = ({ taskId }: { taskId: string }) => {
  const { value } = useFetched<Given>(`api/tasks/${encodeURIComponent(taskId)}/grounds`, taskId);
  if (value === undefined) return <p class="muted">Loading the documents…</p>;
  return (
    <div class="columns">
      <div>
        <Grounds grounds={value} />
      </div>
      <section aria-labelledby="reported">
        <h2 id="reported">Phases as reported</h2>
        <ol class="phases">
          {value.phases.map(({ phase, outcome, timestamp, codes }, at) => (
            <li key={at} title={`${phase}, ${outcome}`}>
              <strong>{phases[phase]}</strong>{' '}
              <span class="muted">
                <Time at={timestamp} />
                {outcome !== 'pending' && <> · the task: {outcomeInWords(outcome, codes).toLowerCase()}</>}
              </span>
            </li>
          ))}
        </ol>
      </section>
    </div>
  );
};
