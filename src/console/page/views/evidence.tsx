import type { Grounds as Given } from '../../wire.ts';
import { outcomeInWords } from '../../../boundary/outcome-words.ts';
import { useFetched } from '../fetched.ts';
import { Grounds } from '../parts/grounds.tsx';
import { Pill } from '../parts/pill.tsx';
import { Time } from '../parts/time.tsx';

/** What the gates of a task are based on, and its phases. */
export const EvidenceTab = ({ taskId }: { taskId: string }) => {
  const { value } = useFetched<Given>(`api/tasks/${encodeURIComponent(taskId)}/grounds`, taskId);
  if (value === undefined) return <p class="muted">Loading the documents…</p>;
  return (
    <div class="columns">
      <div>
        <Grounds grounds={value} />
      </div>
      <section aria-labelledby="phases">
        <h2 id="phases">Phases</h2>
        <ol class="phases">
          {value.phases.map(({ phase, outcome, timestamp, codes }, at) => (
            <li key={at}>
              <strong>{phase}</strong>{' '}
              <Pill
                of={outcome}
                {...(outcome === 'uncertain' && { label: outcomeInWords(outcome, codes) })}
              />{' '}
              <span class="muted">
                <Time at={timestamp} />
              </span>
            </li>
          ))}
        </ol>
      </section>
    </div>
  );
};
