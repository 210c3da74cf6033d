import { useEffect, useState } from 'preact/hooks';
import type { Change } from '../wire.ts';

/** The state of the event stream: `lost` while the browser reconnects, `ended` after a refusal. */
export type Connection = 'connecting' | 'live' | 'lost' | 'ended';

const listeners = new Set<(change: Change) => void>();
const watchers = new Set<(connection: Connection) => void>();
let connection: Connection = 'connecting';

const become = (now: Connection): void => {
  connection = now;
  for (const watcher of watchers) watcher(now);
};

/** Subscribes to changes. Missed changes come first. */
export const connect = (): void => {
  const source = new EventSource('events');
  source.addEventListener('open', () => become('live'));
  source.addEventListener('error', () => become(source.readyState === EventSource.CLOSED ? 'ended' : 'lost'));
  source.addEventListener('change', ({ data }: MessageEvent<string>) => {
    const change = JSON.parse(data) as Change; // our server's event
    if (change.tasks.length > 0) for (const listener of listeners) listener(change);
  });
};

export const onChange = (listener: (change: Change) => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export const useConnection = (): Connection => {
  const [now, setNow] = useState(connection);
  useEffect(() => {
    watchers.add(setNow);
    setNow(connection);
    return () => void watchers.delete(setNow);
  }, []);
  return now;
};
