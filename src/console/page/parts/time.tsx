import { distance, useNow } from '../words.ts';

/** An instant (RFC 3339): how far away, and exactly. */
export const Time = ({ at }: { at: string }) => {
  const now = useNow();
  return (
    <time dateTime={at} title={at}>
      {distance(Date.parse(at), now)}
    </time>
  );
};
