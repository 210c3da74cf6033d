import {
  metrics as globalMetrics,
  type BatchObservableCallback,
  type Meter,
  type MeterProvider,
  type Observable,
} from '@opentelemetry/api';
import * as z from 'zod';
import { lazily } from '../../base/boundary/lazily.ts';
import { Callable, checkDefinition } from '../../base/define/definition.ts';
import type { Stats } from '../../base/ports/stats.ts';

/** Where figures go. By default a meter of `meterProvider`, which is the global one by default. */
export interface OpenTelemetryMetricsOptions {
  readonly meter?: Meter;
  readonly meterProvider?: MeterProvider;
}

const Options = lazily(() =>
  z.strictObject({
    meter: z
      .looseObject({
        createObservableGauge: Callable,
        createObservableCounter: Callable,
        addBatchObservableCallback: Callable,
      })
      .optional(),
    meterProvider: z.looseObject({ getMeter: Callable }).optional(),
  }),
);

const Given = lazily(() =>
  z.object({
    orchestrator: z.object({ stats: Callable }, 'expected an orchestrator, such as `guard.orchestrator`'),
    options: Options(),
  }),
);

/** A figure: what it counts, its unit (UCUM), and its value. */
interface Figure {
  readonly description: string;
  readonly unit: string;
  readonly of: (stats: Stats) => number;
}

const seconds = (milliseconds: number): number => milliseconds / 1_000;

/** What is so now, by its name. */
export const gauges: Readonly<Record<string, Figure>> = {
  'agentcharter.tasks': { description: 'Tasks in the store', unit: '{task}', of: ({ tasks }) => tasks },
  'agentcharter.tasks.settled': {
    description: 'Tasks that are settled',
    unit: '{task}',
    of: ({ settled }) => settled,
  },
  'agentcharter.tasks.owed': {
    description: 'Tasks that a process has something to do for',
    unit: '{task}',
    of: ({ owed }) => owed.tasks,
  },
  'agentcharter.tasks.owed.age': {
    description: 'Time since the last record of the task that has waited longest for a process',
    unit: 's',
    of: ({ owed }) => seconds(owed.age),
  },
  'agentcharter.tasks.held': {
    description: 'Owed tasks that this process holds',
    unit: '{task}',
    of: ({ held }) => held,
  },
  'agentcharter.tasks.held_elsewhere': {
    description: 'Owed tasks that other processes hold',
    unit: '{task}',
    of: ({ heldElsewhere }) => heldElsewhere,
  },
  'agentcharter.tasks.asking': {
    description: 'Tasks that wait for people',
    unit: '{task}',
    of: ({ asking }) => asking.tasks,
  },
  'agentcharter.tasks.asking.age': {
    description: 'Time since the last record of the task that has waited longest for a person',
    unit: 's',
    of: ({ asking }) => seconds(asking.age),
  },
  'agentcharter.tasks.overdue': {
    description: 'Tasks with a deadline that has passed',
    unit: '{task}',
    of: ({ overdue }) => overdue.tasks,
  },
  'agentcharter.tasks.overdue.age': {
    description: 'Time since the earliest deadline that has passed',
    unit: 's',
    of: ({ overdue }) => seconds(overdue.age),
  },
  'agentcharter.tasks.stuck': {
    description: 'Tasks that nothing goes on with',
    unit: '{task}',
    of: ({ stuck }) => stuck.tasks,
  },
  'agentcharter.tasks.stuck.age': {
    description: 'Time since the last record of the task that is stuck longest',
    unit: 's',
    of: ({ stuck }) => seconds(stuck.age),
  },
  'agentcharter.questions': {
    description: 'Open questions to people',
    unit: '{question}',
    of: ({ questions }) => questions,
  },
  'agentcharter.slots.most': {
    description: 'Calls of models and tools that this process makes at once',
    unit: '{call}',
    of: ({ slots }) => slots.most,
  },
  'agentcharter.slots.used': {
    description: 'Calls of models and tools under way in this process',
    unit: '{call}',
    of: ({ slots }) => slots.used,
  },
  'agentcharter.slots.waiting': {
    description: 'Calls of models and tools that wait for a slot of this process',
    unit: '{call}',
    of: ({ slots }) => slots.waiting,
  },
};

/** What this process has done so far, by its name. */
export const counters: Readonly<Record<string, Figure>> = {
  'agentcharter.tasks.taken': {
    description: 'Tasks that this process took over by a lease, beside those that it began',
    unit: '{task}',
    of: ({ totals }) => totals.taken,
  },
  'agentcharter.tasks.lost': {
    description: 'Tasks of this process that another one took over',
    unit: '{task}',
    of: ({ totals }) => totals.lost,
  },
  'agentcharter.leases.late': {
    description: 'Renewals of leases after more than half a lease',
    unit: '{renewal}',
    of: ({ totals }) => totals.lateRenewals,
  },
  'agentcharter.steps.fenced': {
    description: 'Steps that were refused, because another process held the task',
    unit: '{step}',
    of: ({ totals }) => totals.fenced,
  },
  'agentcharter.steps.stored': {
    description: 'Steps that were stored',
    unit: '{step}',
    of: ({ totals }) => totals.commits,
  },
  'agentcharter.steps.time': {
    description: 'Time that steps took to be stored',
    unit: 's',
    of: ({ totals }) => seconds(totals.commitTime),
  },
  'agentcharter.blobs.kept': {
    description: 'Large values that were kept beside ledgers',
    unit: '{value}',
    of: ({ totals }) => totals.blobs,
  },
  'agentcharter.blobs.size': {
    description: 'Bytes of large values that were kept beside ledgers',
    unit: 'By',
    of: ({ totals }) => totals.blobBytes,
  },
  'agentcharter.tokens.input': {
    description: 'Tokens that models said they read',
    unit: '{token}',
    of: ({ totals }) => totals.inputTokens,
  },
  'agentcharter.tokens.output': {
    description: 'Tokens that models said they wrote',
    unit: '{token}',
    of: ({ totals }) => totals.outputTokens,
  },
};

/**
 * Reports the `stats` of an orchestrator as OpenTelemetry metrics, read once for each collection: gauges for what is so now, counters for
 * what this process has done. Returns a function that stops it; call it before you close the orchestrator. Throws
 * `definition_invalid`.
 */
export const openTelemetryMetrics = (
  orchestrator: { readonly stats: () => Promise<Stats> },
  options: OpenTelemetryMetricsOptions = {},
): (() => void) => {
  checkDefinition('telemetry', null, Given(), { orchestrator, options });
  const { meter: given, meterProvider = globalMetrics } = options;
  const meter = given ?? meterProvider.getMeter('agentcharter');
  const made = [
    ...Object.entries(gauges).map(
      ([name, { of, ...about }]) => [meter.createObservableGauge(name, about), of] as const,
    ),
    ...Object.entries(counters).map(
      ([name, { of, ...about }]) => [meter.createObservableCounter(name, about), of] as const,
    ),
  ];
  const answers = meter.createObservableGauge('agentcharter.store.answers', {
    description: 'Whether the store answered: 1, or 0 and the other figures are old',
    unit: '1',
  });
  const observe: BatchObservableCallback = async (result) => {
    const stats = await orchestrator.stats().catch(() => null);
    result.observe(answers, stats === null ? 0 : 1);
    if (stats !== null) for (const [instrument, of] of made) result.observe(instrument, of(stats));
  };
  const instruments: Observable[] = [answers, ...made.map(([instrument]) => instrument)];
  meter.addBatchObservableCallback(observe, instruments);
  return () => meter.removeBatchObservableCallback(observe, instruments);
};
