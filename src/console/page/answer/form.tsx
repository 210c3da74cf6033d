import { useRef, useState } from 'preact/hooks';
import type { FeedbackType } from '../../../../schema/index.ts';
import type { InboxEntry } from '../../../orchestrator/summary.ts';
import type { Refusal } from '../../wire.ts';
import { post, refusalIn } from '../fetched.ts';
import { answers } from '../words.ts';
import { feedbackOf, type Draft } from './feedback.ts';
import { Fields } from './fields.tsx';
import { forget, useDraft } from './kept.ts';
import { Problem } from './problem.tsx';

const order = Object.keys(answers) as FeedbackType[];

/** Returns the consequence of an answer type, as the question states it. A comment decides nothing. */
const consequence = ({ question }: InboxEntry, type: FeedbackType): string =>
  question.consequences[type] ?? 'The comment is recorded; the question stays open.';

interface Given {
  entry: InboxEntry;
  done: (notice: string) => void;
}

/** The answer form: the allowed types, the consequence of each, and its fields. */
export const AnswerForm = ({ entry, done }: Given) => {
  const [draft, change] = useDraft(entry);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [isSending, setSending] = useState(false);
  const sent = useRef<{ readonly text: string; readonly key: string }>(null);

  const choose = (type: FeedbackType): void => {
    setRefusal(null);
    change({ type });
  };
  const write = (changed: Partial<Draft>): void => {
    setRefusal(null);
    change(changed);
  };

  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    const written = feedbackOf(entry, draft);
    if ('missing' in written) return setRefusal({ code: 'incomplete', detail: written.missing });
    const text = JSON.stringify(written);
    if (sent.current?.text !== text) sent.current = { text, key: crypto.randomUUID() }; // a retry keeps its idempotency key
    setSending(true);
    try {
      await post('api/respond', { ...written, key: sent.current.key });
      forget(entry);
      const { type } = draft;
      if (type === 'comment') change({ text: '', type: null });
      if (type !== null) done(`${answers[type]}: ${consequence(entry, type)}`);
    } catch (error) {
      setRefusal(refusalIn(error));
    } finally {
      setSending(false);
    }
  };

  return (
    <form class="answer" onSubmit={(event) => void send(event)} aria-labelledby="your-answer" noValidate>
      <h2 id="your-answer">Your answer</h2>
      <fieldset class="choices">
        <legend class="unseen">Your decision</legend>
        {order
          .filter((type) => entry.question.accepts.includes(type))
          .map((type) => (
            <label key={type} class={`choice ${type}`}>
              <input
                type="radio"
                name="answer"
                value={type}
                checked={draft.type === type}
                onChange={() => choose(type)}
              />
              <span>
                <strong>{answers[type]}</strong>
                <span class="consequence">{consequence(entry, type)}</span>
              </span>
            </label>
          ))}
      </fieldset>
      <Fields entry={entry} draft={draft} write={write} isWrong={refusal !== null} />
      <Problem refusal={refusal} />
      <button type="submit" class="primary" disabled={isSending || draft.type === null}>
        {draft.type === null ? 'Send' : `Send: ${answers[draft.type]}`}
      </button>
    </form>
  );
};
