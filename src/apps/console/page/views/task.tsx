import type { TaskView } from '../../wire.ts';
import { useFetched } from '../fetched.ts';
import { Heading } from '../parts/heading.tsx';
import { QuestionCard } from '../parts/question-card.tsx';
import { Rail } from '../parts/rail.tsx';
import { Reasons } from '../parts/reasons.tsx';
import { Standing } from '../parts/standing.tsx';
import { Time } from '../parts/time.tsx';
import { linkTo, tabs, type Tab } from '../route.ts';
import { short, visible } from '../words.ts';
import { ChartTab } from './chart.tsx';
import { EvidenceTab } from './evidence.tsx';
import { LedgerTab } from './ledger.tsx';
import { ThreadTab } from './thread.tsx';

const names: Readonly<Record<Tab, string>> = {
  thread: 'Thread',
  evidence: 'Evidence and verification',
  ledger: 'Ledger',
  chart: 'Full chart',
};

const Chosen = ({ tab, view: { summary } }: { tab: Tab; view: TaskView }) => {
  switch (tab) {
    case 'thread':
      return <ThreadTab threadId={summary.threadId} />;
    case 'evidence':
      return <EvidenceTab taskId={summary.taskId} />;
    case 'ledger':
      return <LedgerTab taskId={summary.taskId} />;
    case 'chart':
      return <ChartTab state={summary.state} />;
  }
};

/** A task: its phases, its violations, and its thread, evidence, ledger or chart. */
export const TaskRoom = ({ taskId, tab }: { taskId: string; tab: Tab }) => {
  const { value, refusal } = useFetched<TaskView>(`api/tasks/${encodeURIComponent(taskId)}`, taskId);
  if (value === undefined)
    return (
      <>
        <Heading title={`Task ${short(taskId)}`} />
        <p class="muted">{refusal === undefined ? 'Loading the task…' : refusal.detail}</p>
      </>
    );
  const { summary, about, began, rail, reasons, questions } = value;
  return (
    <>
      <p class="back">
        <a href={linkTo({ view: 'tasks' })}>All tasks</a>
      </p>
      <Heading title={`Task ${short(taskId)}`}>
        {summary.taskClass} <Standing of={summary} />
      </Heading>
      <p class="text">
        {visible(about)}
        {began !== null && (
          <span class="muted">
            {about !== '' && ' · '}began <Time at={began} />
          </span>
        )}
      </p>
      <details class="codes">
        <summary>Identifiers</summary>
        <dl class="terms">
          <div>
            <dt>Task</dt>
            <dd>
              <code>{taskId}</code>, {value.records.toLocaleString('en')} records
            </dd>
          </div>
          <div>
            <dt>Thread</dt>
            <dd>
              <code>{visible(summary.threadId)}</code>
            </dd>
          </div>
          <div>
            <dt>State</dt>
            <dd>
              <code>{summary.state}</code>
            </dd>
          </div>
        </dl>
      </details>
      <Rail rail={rail} />
      {questions.map((line) => (
        <QuestionCard key={line.messageId} line={line} />
      ))}
      <Reasons reasons={reasons} hasFailed={summary.reasons.length > 0} />
      <nav class="tabs" aria-label="Parts of the task">
        {tabs.map((one) => (
          <a
            key={one}
            href={linkTo({ view: 'task', taskId, tab: one })}
            aria-current={one === tab ? 'page' : undefined}
          >
            {names[one]}
          </a>
        ))}
      </nav>
      <Chosen tab={tab} view={value} />
    </>
  );
};
