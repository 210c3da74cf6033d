import type { Units } from 'agentcharter/semantics';

/** What one of a unit comes to, in the first unit of its line; and what is added then. Codes of UCUM. */
const scales: readonly Readonly<Record<string, readonly [factor: number, offset?: number]>>[] = [
  { m: [1], km: [1000], cm: [0.01], mm: [0.001], mi: [1609.344], '[in_i]': [0.0254] },
  { kg: [1], g: [0.001], lb: [0.45359237], oz: [0.028349523125] },
  { s: [1], ms: [0.001], min: [60], h: [3600], d: [86_400] },
  { Cel: [1], K: [1, -273.15], '[degF]': [5 / 9, -160 / 9] },
  { 'm/s': [1], 'km/h': [1 / 3.6], '[mi_i]/h': [0.44704] },
  { Pa: [1], hPa: [100], 'mm[Hg]': [133.322387415] },
  { J: [1], kWh: [3_600_000], Wh: [3600] },
  { W: [1], kW: [1000] },
  { L: [1], mL: [0.001], m3: [1000] },
];

/** The units that the pairs declare. */
export const units: Units = {
  convert(value, from, to) {
    const scale = scales.find((one) => Object.hasOwn(one, from) && Object.hasOwn(one, to));
    const [factor, offset = 0] = scale?.[from] ?? [];
    const [into, start = 0] = scale?.[to] ?? [];
    if (factor === undefined || into === undefined) return undefined;
    return Number(((value * factor + offset - start) / into).toFixed(6));
  },
};
