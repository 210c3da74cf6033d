import type { Stop } from '../../wire.ts';
import { stops } from '../words.ts';

/** The phases of a run, with the current one (UAICP 3). */
export const Rail = ({ rail }: { rail: readonly Stop[] }) => (
  <ol class="rail" aria-label="Phases">
    {rail.map(({ phase, how }) => (
      <li key={phase} class={how} data-phase={phase} aria-current={how === 'active' ? 'step' : undefined}>
        <span class="name">{phase}</span>
        <span class="how">{stops[how]}</span>
      </li>
    ))}
  </ol>
);
