const milliseconds = { second: 1_000, minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;

type Unit = keyof typeof milliseconds;

/** A duration: milliseconds, or words such as `'2 days'` or `'90 seconds'`. */
export type Duration = number | `${number} ${Unit}${'s' | ''}`;

const isUnit = (word: string): word is Unit => Object.hasOwn(milliseconds, word);

/** Returns a duration in milliseconds. Throws `RangeError` for one that is not at least 0. */
export const millisecondsOf = (duration: Duration): number => {
  const [, count, unit = ''] = /^(\S+) (\w+?)s?$/.exec(String(duration)) ?? [];
  const length = isUnit(unit) ? Number(count) * milliseconds[unit] : Number(duration);
  if (Number.isFinite(length) && length >= 0) return length;
  throw new RangeError(
    `passTime: expected milliseconds, or a count of seconds, minutes, hours or days, and not ${JSON.stringify(duration)}`,
  );
};
