import { deepFreeze } from '../../canonical/deep-freeze.ts';
import { causeOf, thrownCode } from '../../errors.ts';
import { redactedText, type Redact } from '../redact.ts';
import type { Thrown, TraceContext, WorkEnd, WorkTelemetry } from '../../ports/telemetry.ts';
import { within, type Quietly } from './guard.ts';

/** One piece of work: where it stands in its trace, and what telemetry is told of it. */
export interface Span {
  readonly at: TraceContext;
  /** Does the work at its place; what it throws is told when the span ends. */
  readonly run: <Result>(work: () => Result | Promise<Result>) => Promise<Result>;
  /** Says what came of it; what is said a second time is not heard. */
  readonly end: (outcome: WorkEnd['outcome'], code?: WorkEnd['code']) => void;
}

/** A span that nobody follows. */
export const bareSpan = (at: TraceContext): Span => ({ at, run: async (work) => work(), end: () => {} });

const thrownBy = (error: unknown, { redact, errorMessages }: Words): Thrown => ({
  code: thrownCode(error),
  ...(errorMessages && { message: redactedText(redact, causeOf(error)) }),
});

/** What telemetry is told of an error beyond its code. */
export interface Words {
  readonly redact: Redact;
  readonly errorMessages: boolean;
}

interface Followed extends Words {
  readonly telemetry: WorkTelemetry;
  readonly at: TraceContext;
  readonly signal: AbortSignal;
  readonly quietly: Quietly;
}

/** A span that telemetry follows; it ends at the latest when the signal says that nobody waits for its work any more. */
export const followedSpan = ({ telemetry, at, signal, quietly, ...words }: Followed): Span => {
  let thrown: { readonly error: unknown } | undefined;
  let isEnded = false;
  const end: Span['end'] = (outcome, code = null) => {
    if (isEnded) return;
    isEnded = true;
    signal.removeEventListener('abort', giveUp);
    const failure = thrown && quietly(() => thrownBy(thrown?.error, words));
    quietly(() => telemetry.end(deepFreeze({ outcome, code, ...(failure && { thrown: failure }) })));
  };
  const giveUp = (): void => end('given_up');
  signal.addEventListener('abort', giveUp);
  return {
    at,
    run: async (work) => {
      try {
        return await within(quietly, (inner) => telemetry.run(inner), work);
      } catch (error) {
        thrown = { error };
        throw error;
      }
    },
    end,
  };
};
