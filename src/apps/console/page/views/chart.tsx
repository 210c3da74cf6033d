import { useEffect, useRef, useState } from 'preact/hooks';
import { chartOf, light } from '../chart.ts';
import { Pill } from '../parts/pill.tsx';

/** The whole chart, with the current states of the task highlighted. */
export const ChartTab = ({ state }: { state: string }) => {
  const frame = useRef<HTMLDivElement>(null);
  const [isLoaded, setLoaded] = useState(false);
  const [isWhole, setWhole] = useState(false);
  const [problem, setProblem] = useState('');

  useEffect(() => {
    let isLeft = false;
    const load = async (): Promise<void> => {
      const svg = await chartOf();
      if (isLeft) return;
      frame.current?.replaceChildren(svg);
      setLoaded(true);
    };
    load().catch((error: unknown) => setProblem(String(error)));
    return () => {
      isLeft = true;
    };
  }, []);

  useEffect(() => {
    const svg = frame.current?.firstElementChild;
    if (!isLoaded || !svg) return;
    const lit = light(svg, state);
    if (!isWhole) lit?.scrollIntoView({ block: 'center', inline: 'center' });
  }, [isLoaded, isWhole, state]);

  return (
    <section aria-label="Full chart">
      <p class="tools">
        <span role="status">
          The task is in <Pill of={state} /> <code>{state}</code>
        </span>
        <button type="button" aria-pressed={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show at full size' : 'Fit to the page'}
        </button>
      </p>
      {problem !== '' && (
        <p class="notice bad" role="alert">
          {problem}
        </p>
      )}
      <div
        ref={frame}
        class={isWhole ? 'chart-frame whole' : 'chart-frame'}
        tabIndex={0}
        role="group"
        aria-label="All states and transitions; it scrolls"
      />
    </section>
  );
};
