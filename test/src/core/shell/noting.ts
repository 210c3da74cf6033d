import type { Telemetry } from 'agentcharter';

/** Telemetry that notes the questions that each step answered and asked. */
export const noting = (moments: string[]): Telemetry => {
  const work = { at: { traceparent: '' }, run: (made: () => void) => made(), end: () => {} };
  return {
    begin: () => ({
      at: work.at,
      step: ({ asked, answered }) =>
        void moments.push(
          ...answered.map(({ kind, how }) => `${kind} ${how}`),
          ...asked.map(({ kind }) => `${kind} asked`),
        ),
      work: () => work,
      close: () => {},
    }),
  };
};
