import { useEffect, useState } from 'preact/hooks';
import type { Change, Refusal } from '../wire.ts';
import { onChange } from './live.ts';

/** Minimum milliseconds between two requests of one path. */
const pause = 400;

/** A request that the server refused or did not answer. */
export class Refused extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.detail);
    this.refusal = refusal;
  }
}

const silent: Refusal = {
  code: 'silent',
  detail: 'The console does not respond. Check that its program is running.',
};

const answered = async <Value>(response: Promise<Response>): Promise<Value> => {
  const got = await response.catch(() => {
    throw new Refused(silent);
  });
  const body = (await got.json().catch(() => {
    throw new Refused({
      code: 'shut',
      detail: 'The console no longer accepts this page. Open it with a new link.',
    });
  })) as unknown;
  if (!got.ok) throw new Refused(body as Refusal);
  return body as Value; // our server's response
};

export const get = <Value>(path: string): Promise<Value> => answered(fetch(path));

export const post = (path: string, body: unknown): Promise<unknown> =>
  answered(
    fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  );

export const refusalIn = (error: unknown): Refusal =>
  error instanceof Refused ? error.refusal : { code: 'broken', detail: String(error) };

/** The last response of a path, and the error of any later request. */
export interface Fetched<Value> {
  readonly path: string;
  readonly value?: Value;
  readonly refusal?: Refusal;
}

/** Returns whether the server did not respond. Then the last value stays; after a refusal it does not. */
const isSilence = ({ refusal }: Fetched<unknown>): boolean =>
  refusal !== undefined && refusal.code !== 'not_found';

const isOf =
  (taskId: string) =>
  ({ tasks }: Change): boolean =>
    tasks === 'all' || tasks.includes(taskId);

/** Fetches a path, and again after each change. `of` is the task to observe; by default all. */
export const useFetched = <Value>(path: string, of?: string): Fetched<Value> => {
  const [fetched, setFetched] = useState<Fetched<Value>>({ path });
  useEffect(() => {
    let isBusy = false;
    let isDue = false;
    let isLeft = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async (): Promise<void> => {
      isDue = isBusy;
      if (isBusy) return;
      isBusy = true;
      const next = await get<Value>(path).then(
        (value): Fetched<Value> => ({ path, value }),
        (error: unknown): Fetched<Value> => ({ path, refusal: refusalIn(error) }),
      );
      if (isLeft) return;
      setFetched((last) => (isSilence(next) && last.path === path ? { ...last, ...next } : next));
      timer = setTimeout(() => {
        isBusy = false;
        if (isDue) void look();
      }, pause);
    };
    void look();
    const matters = of === undefined ? () => true : isOf(of);
    const leave = onChange((change) => {
      if (matters(change)) void look();
    });
    return () => {
      isLeft = true;
      leave();
      clearTimeout(timer);
    };
  }, [path, of]);
  return fetched.path === path ? fetched : { path };
};
