import { labelOf, toneOf, type Tone } from '../words.ts';

interface Given {
  /** The name of a state or a result. */
  of: string;
  label?: string;
  tone?: Tone;
}

/** A state or a result in words, with its colour. The text conveys the same. */
export const Pill = ({ of, label, tone = toneOf(of) }: Given) => {
  const [outer = '', ...inner] = of.split('.');
  return (
    <span class={`pill ${tone}`} title={of}>
      {label ?? labelOf(outer)}
      {label === undefined && inner.length > 0 && <small> {inner.join(' · ')}</small>}
    </span>
  );
};
