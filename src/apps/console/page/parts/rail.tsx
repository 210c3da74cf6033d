import type { Stop } from '../../wire.ts';
import { phases, stops } from '../words.ts';

/** The phases of a run, with the current one (UAICP 3). */
export const Rail = ({ rail }: { rail: readonly Stop[] }) => (
  <ol class="rail" aria-label="Phases">
    {rail.map(({ phase, how }) => (
      <li
        key={phase}
        class={how}
        data-phase={phase}
        title={phase}
        aria-current={how === 'active' ? 'step' : undefined}
      >
        <span class="name">{phases[phase]}</span>
        <span class="how">{stops[how]}</span>
      </li>
    ))}
  </ol>
);
