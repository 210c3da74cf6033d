import { toneOf } from '../words.ts';

/** A state or an outcome, with its colour. The text conveys the same. */
export const Pill = ({ of }: { of: string }) => {
  const [outer, ...inner] = of.split('.');
  return (
    <span class={`pill ${toneOf(of)}`}>
      {outer}
      {inner.length > 0 && <small> {inner.join(' · ')}</small>}
    </span>
  );
};
