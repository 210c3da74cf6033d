import { useLayoutEffect, useState } from 'preact/hooks';
import type { InboxEntry } from '../../../../core/kernel/summary.ts';
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

/** A draft that survives a reload, without its token. */
export const useDraft = (entry: InboxEntry): readonly [Draft, (change: Partial<Draft>) => void] => {
  const [draft, setDraft] = useState(() => keptFor(entry));
  useLayoutEffect(() => {
    // before the next render: a reload may come first
    if (draft.type === null) return forget(entry);
    const { token: _, ...kept } = draft;
    try {
      sessionStorage.setItem(keyOf(entry), JSON.stringify(kept));
    } catch {
      // too long to be stored: a reload loses it
    }
  }, [draft]);
  return [draft, (change) => setDraft((now) => ({ ...now, ...change }))];
};
