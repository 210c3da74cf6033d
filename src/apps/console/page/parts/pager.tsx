interface Given {
  /** How many there are; `null` if no one has counted what a search finds. */
  total: number | null;
  /** How many come before this page. */
  offset: number;
  shown: number;
  what: string;
  /** Shows the page before and the page after; `null` if there is none. */
  previous: (() => void) | null;
  next: (() => void) | null;
}

const countOf = ({ total, offset, shown, what, next }: Given): string => {
  if (total === 0) return `No ${what}`;
  if (total !== null) return `${offset + 1} to ${offset + shown} of ${total.toLocaleString('en')} ${what}`;
  const found = offset + shown === 0 ? `No ${what} found` : `${offset + shown} ${what} found`;
  return next === null ? found : `${found} so far: search on with Next`;
};

/** The position in a list, and buttons for its pages. */
export const Pager = (given: Given) => {
  const { what, previous, next } = given;
  return (
    <nav class="pager" aria-label={`Pages of ${what}`}>
      <span role="status">{countOf(given)}</span>
      {(previous !== null || next !== null) && (
        <>
          <button type="button" disabled={previous === null} onClick={() => previous?.()}>
            Previous
          </button>
          <button type="button" disabled={next === null} onClick={() => next?.()}>
            Next
          </button>
        </>
      )}
    </nav>
  );
};

interface OffsetGiven extends Pick<Given, 'offset' | 'shown' | 'what'> {
  total: number;
  go: (offset: number) => void;
}

/** Buttons for the pages of a list with offsets. */
export const OffsetPager = ({ go, ...place }: OffsetGiven) => {
  const { total, offset, shown } = place;
  const previous = offset === 0 ? null : () => go(Math.max(0, offset - 50));
  const next = offset + shown >= total ? null : () => go(offset + 50);
  return <Pager {...place} previous={previous} next={next} />;
};
