import { PrometheusSerializer, PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { onTestFinished } from 'vitest';
import type { Operator } from '../../../../src/core/shell/operator-surface.ts';
import { openTelemetryMetrics } from '../../../../src/optional/telemetry/index.ts';

/** Reports the figures of an orchestrator, and returns what Prometheus would read. */
export const exposed = (orchestrator: Pick<Operator, 'stats'>) => {
  const reader = new PrometheusExporter({ preventServerStart: true });
  const meterProvider = new MeterProvider({ readers: [reader] });
  onTestFinished(() => meterProvider.shutdown());
  const stop = openTelemetryMetrics(orchestrator, { meterProvider });
  const read = async (): Promise<string> => {
    const { resourceMetrics, errors } = await reader.collect();
    if (errors.length > 0) throw errors[0];
    return new PrometheusSerializer().serialize(resourceMetrics);
  };
  return { read, stop };
};

/** Returns the samples of such a text: each name with its value. */
export const samplesIn = (text: string): Readonly<Record<string, number>> =>
  Object.fromEntries(
    text.split('\n').flatMap((line) => {
      const [, name, value] = /^(agentcharter_\w+)(?:\{.*\})? (\S+)/.exec(line) ?? [];
      return name === undefined ? [] : [[name, Number(value)]];
    }),
  );
