import { distance, moment, useNow } from '../words.ts';

/** An instant (RFC 3339): how long ago or how far off, and the date and the time. */
export const Time = ({ at }: { at: string }) => {
  const now = useNow();
  return (
    <time dateTime={at} title={at}>
      {distance(Date.parse(at), now)}, {moment(Date.parse(at))}
    </time>
  );
};
