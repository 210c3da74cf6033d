import { distance, useNow } from '../words.ts';

/** An instant (RFC 3339), relative and exact. */
export const Time = ({ at }: { at: string }) => {
  const now = useNow();
  return (
    <time dateTime={at} title={at}>
      {distance(Date.parse(at), now)}
    </time>
  );
};
