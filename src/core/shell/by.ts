import type { Actor, Person } from '../../base/ports/ledger.ts';

/** An actor that the host has authenticated: a person by default (UAICP 5.4). */
export interface By {
  /**
   * The person's name, or all claims about them. `mayRespond` receives them, and they are recorded with an answer.
   */
  readonly by: string | Person;
  /** `human` by default. Feedback comes from people only, so `respond` takes no other. */
  readonly kind?: Actor['kind'];
}
