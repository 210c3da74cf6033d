import type { Clock } from '../../ports/clock.ts';
import { digest } from '../../canonical/digest.ts';
import { systemClock, wakeAfter } from '../../orchestrator/clock.ts';
import { play } from './play.ts';
import { conformanceReport, reportOn, type ConformanceReport } from './report.ts';
import { rules } from './rules/index.ts';
import { scenarios } from './scenarios/index.ts';
import type { Seen } from './seen.ts';
import type { Subject } from './subject.ts';

/** How a subject is tested. */
export interface ConformanceOptions {
  /** Milliseconds that the subject may take for one scenario; 5 seconds where left out. */
  readonly patience?: number;
  /** What measures the patience: the machine's own clock where left out. Scenarios have a clock of their own. */
  readonly clock?: Clock;
}

/** Tests an orchestrator from outside: which rules of UAICP v0.3 hold, and how each of the others is broken (UAICP 8). */
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
