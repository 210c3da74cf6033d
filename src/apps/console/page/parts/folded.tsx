import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

interface Given {
  /** What is folded, such as `42 values`. */
  what: string;
  children: ComponentChildren;
}

/** Content that shows one screen of itself until it is unfolded, by its button or by focus on what is hidden. */
export const Folded = ({ what, children }: Given) => {
  const frame = useRef<HTMLDivElement>(null);
  const [isLong, setLong] = useState(false);
  const [isWhole, setWhole] = useState(false);
  useLayoutEffect(() => {
    const { current } = frame;
    if (current !== null && !isWhole) setLong(current.scrollHeight > current.clientHeight);
  });
  const unfoldFor = ({ target }: FocusEvent): void => {
    const end = frame.current?.getBoundingClientRect().bottom ?? Infinity;
    if (target instanceof Element && target.getBoundingClientRect().bottom > end) setWhole(true);
  };
  return (
    <>
      <div ref={frame} class={isWhole ? 'foldable' : 'foldable folded'} onFocusIn={unfoldFor}>
        {children}
      </div>
      {isLong && (
        <button type="button" class="fold" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show less' : `Show all ${what}`}
        </button>
      )}
    </>
  );
};
