import type { Clock } from '../../base/ports/clock.ts';
import { digest } from '../../base/canonical/digest.ts';
import { systemClock, wakeAfter } from '../../core/shell/clock.ts';
import { play } from './play.ts';
import { conformanceReport, reportOn, type ConformanceReport } from './report.ts';
import { rules } from './rules/index.ts';
import { scenarios } from './scenarios/index.ts';
import type { Seen } from './seen.ts';
import type { Subject } from './subject.ts';

/** Options of `conformance`. */
export interface ConformanceOptions {
  /** Time limit of a scenario in milliseconds. By default 5 seconds. */
  readonly patience?: number;
  /** The clock for the time limit. By default the system clock. Scenarios use their own clock. */
  readonly clock?: Clock;
}

/**
 * Tests an orchestrator as a black box. Reports which rules of UAICP v0.3 hold, and how the others are broken
 * (UAICP 8).
 */
export const conformance = async (
  subject: Subject,
  { patience = 5_000, clock = systemClock }: ConformanceOptions = {},
): Promise<ConformanceReport> => {
  const { hash = (payload: unknown) => digest(payload), lacks } = subject;
  const played = new Map<string, Seen>();
  for (const [id, scenario] of scenarios) {
    if (scenario.needs?.some((capability) => lacks.includes(capability)) === true) continue;
    const expiry = new AbortController();
    const cancel = wakeAfter(clock, patience, () => expiry.abort());
    played.set(id, await play(subject, scenario, hash, { signal: expiry.signal }));
    cancel();
  }
  return conformanceReport(
    subject.name,
    rules.map((rule) => reportOn(rule, played, lacks)),
    played.size,
  );
};
