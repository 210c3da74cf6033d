import { useEffect, useRef, useState } from 'preact/hooks';
import type { FeedbackType } from '../../../../../schema/index.ts';
import type { InboxEntry } from '../../../../core/kernel/summary.ts';
import type { Refusal } from '../../wire.ts';
import { post, refusalIn } from '../fetched.ts';
import { Choice, consequence } from './choice.tsx';
import { feedbackOf, type Draft } from './feedback.ts';
import { AnswerFields } from './answer-fields.tsx';
import { forget, useDraft } from './kept.ts';
import { hasFields, nameOfAnswer, offeredFor } from './offered.ts';
import { Problem } from './problem.tsx';

/** Milliseconds before a question that came by itself takes a press that may be meant for the one before. */
const settling = 600;

interface Given {
  entry: InboxEntry;
  /** Whether the question came by itself after another answer. */
  isNext: boolean;
  /** Called before an answer is sent, and after a refusal. */
  sending: (isSending: boolean) => void;
  done: (type: FeedbackType) => void;
}

/** The answer form: the open field or the decision first, then the other answers, each with its consequence. */
export const AnswerForm = ({ entry, isNext, sending, done }: Given) => {
  const [draft, change] = useDraft(entry);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [isBusy, setBusy] = useState(isNext);
  const sent = useRef<{ readonly text: string; readonly key: string }>(null);
  const { open, first, more } = offeredFor(entry);
  const chosen = draft.type ?? open;

  useEffect(() => {
    if (!isNext) return undefined;
    const timer = setTimeout(() => setBusy(false), settling);
    return () => clearTimeout(timer);
  }, []);

  const write = (changed: Partial<Draft>): void => {
    setRefusal(null);
    change({ type: chosen, ...changed });
  };

  const send = async (type: FeedbackType | null): Promise<void> => {
    const written = feedbackOf(entry, { ...draft, type });
    if ('missing' in written) return setRefusal({ code: 'incomplete', detail: written.missing });
    const text = JSON.stringify(written);
    if (sent.current?.text !== text) sent.current = { text, key: crypto.randomUUID() }; // a retry keeps its idempotency key
    setBusy(true);
    sending(true);
    try {
      await post('api/respond', { ...written, key: sent.current.key });
      forget(entry);
      if (type === 'comment') change({ text: '', type: null });
      if (type !== null) done(type);
    } catch (error) {
      setRefusal(refusalIn(error));
    } finally {
      setBusy(false);
      sending(false);
    }
  };

  const press = (type: FeedbackType): void => {
    if (!hasFields(entry, type)) return void send(type);
    setRefusal(null);
    change({ type: draft.type === type ? null : type });
  };
  const choices = (types: readonly FeedbackType[]) => (
    <div class="choices">
      {types.map((type) => (
        <Choice
          key={type}
          entry={entry}
          type={type}
          isOpen={hasFields(entry, type) ? chosen === type : null}
          isDisabled={isBusy}
          press={() => press(type)}
        />
      ))}
    </div>
  );
  const fields = chosen !== null && hasFields(entry, chosen) && (
    <div class="fields">
      <AnswerFields
        entry={entry}
        draft={{ ...draft, type: chosen }}
        write={write}
        isWrong={refusal !== null}
      />
      <Problem refusal={refusal} />
      <p class="send">
        <button type="submit" class="primary" disabled={isBusy}>
          {nameOfAnswer(entry, chosen)}
        </button>{' '}
        {chosen === open && <span class="muted">{consequence(entry, chosen)}</span>}
      </p>
    </div>
  );

  return (
    <form
      class="answer"
      aria-labelledby="your-answer"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void send(chosen);
      }}
    >
      <h2 id="your-answer">Your answer</h2>
      {chosen === open && fields}
      {first.length > 0 && choices(first)}
      {more.length > 0 && (
        <details class="more" open={chosen !== null && more.includes(chosen)}>
          <summary>More</summary>
          {choices(more)}
        </details>
      )}
      {chosen !== open && fields}
      {fields === false && <Problem refusal={refusal} />}
    </form>
  );
};
