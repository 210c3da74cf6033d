interface Given {
  total: number;
  offset: number;
  shown: number;
  what: string;
  go: (offset: number) => void;
}

/** Links to the pages of a list. */
export const Pager = ({ total, offset, shown, what, go }: Given) => (
  <nav class="pager" aria-label={`Pages of ${what}`}>
    <span role="status">
      {total === 0
        ? `No ${what}`
        : `${offset + 1} to ${offset + shown} of ${total.toLocaleString('en')} ${what}`}
    </span>
    {total > shown && (
      <>
        <button type="button" disabled={offset === 0} onClick={() => go(Math.max(0, offset - 50))}>
          Previous
        </button>
        <button type="button" disabled={offset + shown >= total} onClick={() => go(offset + 50)}>
          Next
        </button>
      </>
    )}
  </nav>
);
