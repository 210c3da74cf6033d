import { deepFreeze } from '../../canonical/deep-freeze.ts';
import { causeOf } from '../../errors.ts';
import type { Redact } from '../redact.ts';
import type { TraceContext, WorkEnd, WorkTelemetry } from '../../ports/telemetry.ts';
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

const thrownBy = (error: unknown, redact: Redact): WorkEnd['thrown'] => {
  const [name = '', ...rest] = causeOf(error).split(': ');
  return { name, message: String(redact(rest.join(': '), 'explanation')) };
};

interface Followed {
  readonly telemetry: WorkTelemetry;
  readonly at: TraceContext;
  readonly signal: AbortSignal;
  readonly quietly: Quietly;
  readonly redact: Redact;
}

/** A span that telemetry follows; it ends at the latest when the signal says that nobody waits for its work any more. */
export const followedSpan = ({ telemetry, at, signal, quietly, redact }: Followed): Span => {
  let thrown: { readonly error: unknown } | undefined;
  let isEnded = false;
  const end: Span['end'] = (outcome, code = null) => {
    if (isEnded) return;
    isEnded = true;
    signal.removeEventListener('abort', giveUp);
    const failure = thrown && quietly(() => thrownBy(thrown?.error, redact));
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
