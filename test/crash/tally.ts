import { momentText } from './life.ts';
import type { Trial } from './trial.ts';

/** What was seen over many trials: a suite that sees nothing finds nothing. */
export class Tally {
  trials = 0;
  /** How often it died at each kind of moment. */
  readonly crashes = new Map<string, number>();
  /** Trials by how often the process died. */
  readonly deaths = [0, 0, 0];
  /** Effects that were asked for again, under a key that their tool knew. */
  repeated = 0;
  adopted = 0;
  /** Effects that a person had to look at. */
  left = 0;
  /** Tasks that ended otherwise than undisturbed: as their tools declare. */
  inDoubt = 0;

  note({ backend, deaths, written, settled }: Trial): void {
    this.trials += 1;
    this.repeated += backend.repeated;
    this.deaths[deaths.length] = (this.deaths[deaths.length] ?? 0) + 1;
    for (const { moment } of deaths) {
      const kind = momentText({ ...moment, name: '' }).trim();
      this.crashes.set(kind, (this.crashes.get(kind) ?? 0) + 1);
    }
    for (const { record } of written) {
      const { kind, fact, brought } = record;
      if (brought.recovery?.resolution === 'adopted') this.adopted += 1;
      if (kind === 'fact' && fact?.type === 'human.responded' && fact.effect !== undefined) this.left += 1;
    }
    if (settled?.outcome === 'uncertain') this.inDoubt += 1;
  }

  line(): string {
    const { trials, deaths, repeated, adopted, left, inDoubt } = this;
    const kinds = [...this.crashes].map(([kind, count]) => `${kind} ${count}`).toSorted();
    return (
      `${trials} trials, ${deaths[1]} with one crash, ${deaths[2]} with two (${kinds.join(', ')}); ` +
      `${repeated} effects repeated with the same key, ${adopted} adopted by lookup, ${left} left to a person, ` +
      `${inDoubt} ends that say what is not known`
    );
  }
}
