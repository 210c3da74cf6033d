import { labelOf, toneOf, type Tone } from '../words.ts';

interface Given {
  /** The name of a state or a result. */
  of: string;
  label?: string;
  tone?: Tone;
}

/** A state or a result in words, with its colour. The text conveys the same; the title is its name in the chart. */
export const Pill = ({ of, label, tone = toneOf(of) }: Given) => (
  <span class={`pill ${tone}`} title={of}>
    {label ?? labelOf(of.split('.')[0] ?? '')}
  </span>
);
