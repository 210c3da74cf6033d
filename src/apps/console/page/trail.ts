import { useEffect, useState } from 'preact/hooks';

/** The place of a page: its cursor, and how many items come before it. */
interface Place {
  readonly after: string | null;
  readonly offset: number;
}

/** What the server said of a page. */
interface Seen {
  readonly total: number | null;
  readonly next: string | null;
  readonly shown: number;
}

const first: Place = { after: null, offset: 0 };

/** The pages on the way to the current one. A cursor leads forward only, so the way back is remembered. */
export const useTrail = () => {
  const [trail, setTrail] = useState<readonly Place[]>([first]);
  const place = trail.at(-1) ?? first;
  const previous = trail.length > 1 ? (): void => setTrail(trail.slice(0, -1)) : null;
  return {
    query: place.after === null ? {} : { after: place.after },
    previous,
    reset: (): void => setTrail([first]),
    /** Returns what the pager shows of a page. */
    pagesOf: ({ total, next, shown }: Seen) => {
      const forward = (after: string) => () => setTrail([...trail, { after, offset: place.offset + shown }]);
      return { total, shown, offset: place.offset, previous, next: next === null ? null : forward(next) };
    },
  };
};

/** Leaves a page that has become empty because its items were answered or changed. */
export const useReturn = ({ previous }: ReturnType<typeof useTrail>, seen: Seen | undefined): void => {
  const isEmptied = seen !== undefined && seen.total !== null && seen.next === null && seen.shown === 0;
  const leave = isEmptied ? previous : null;
  useEffect(() => leave?.(), [leave !== null]);
};
