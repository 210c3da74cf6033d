import { useEffect, useState } from 'preact/hooks';
import { distance, moment } from '../words.ts';

/** Returns the current time, updated every half minute. */
const useNow = (): number => {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return now;
};

interface Given {
  /** An instant (RFC 3339). */
  at: string;
  /** Whether the date and the time are shown, for a list in which their order matters. */
  isExact?: boolean;
}

/** An instant: how long ago or how far off, with the date and the time as its title; or the other way round. */
export const Time = ({ at, isExact = false }: Given) => {
  const now = useNow();
  const instant = Date.parse(at);
  const [shown, title] = isExact
    ? [moment(instant), distance(instant, now)]
    : [distance(instant, now), moment(instant)];
  return (
    <time dateTime={at} title={title}>
      {shown}
    </time>
  );
};
