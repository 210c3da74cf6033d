import { useLayoutEffect, useState } from 'preact/hooks';
import type { InboxEntry } from '../../../orchestrator/summary.ts';
import { emptyDraft, type Draft } from './feedback.ts';

const keyOf = ({ message }: InboxEntry): string => `answer ${message.messageId}`;

const keptFor = (entry: InboxEntry): Draft => {
  const empty = emptyDraft(entry);
  try {
    const kept = JSON.parse(sessionStorage.getItem(keyOf(entry)) ?? '{}') as Partial<Draft>; // written below
    return { ...empty, ...kept };
  } catch {
    return empty;
  }
};

export const forget = (entry: InboxEntry): void => sessionStorage.removeItem(keyOf(entry));

/** An answer while it is written: a reload brings it back, without a token. */
export const useDraft = (entry: InboxEntry): readonly [Draft, (change: Partial<Draft>) => void] => {
  const [draft, setDraft] = useState(() => keptFor(entry));
  useLayoutEffect(() => {
    // at once: a reload may come before the next picture
    if (draft.type === null) return forget(entry);
    const { token: _, ...kept } = draft;
    try {
      sessionStorage.setItem(keyOf(entry), JSON.stringify(kept));
    } catch {
      // too long to be kept: it is lost with a reload
    }
  }, [draft]);
  return [draft, (change) => setDraft((now) => ({ ...now, ...change }))];
};
