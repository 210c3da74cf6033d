/** Facts by name, as guards read them. */
export type Facts = Readonly<Record<string, boolean>>;

/** The facts that an action changes: by the type of the event, or by its own parameters as JSON. */
export interface FactChanges {
  readonly by: 'event' | 'params';
  readonly of: Readonly<Record<string, Facts>>;
}

/** What a file simulates: the facts of its context, and the actions that change them. */
export interface Simulation {
  /** The facts when a run begins. */
  readonly facts: Facts;
  readonly changes: Readonly<Record<string, FactChanges>>;
}
