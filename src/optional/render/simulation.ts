/** Facts by name, as guards read them. */
export type Facts = Readonly<Record<string, boolean>>;

/**
 * The facts that an action changes, by its own parameters as JSON or by the type of the event.
 *
 * An event may have several outcomes, for one of its actions: they come in turn, and after the last the first again. The
 * type `''` stands for all that are not named.
 */
export type FactChanges =
  | { readonly by: 'params'; readonly of: Readonly<Record<string, Facts>> }
  | { readonly by: 'event'; readonly of: Readonly<Record<string, readonly [Facts, ...Facts[]]>> };

/** What a file simulates: the facts of its context, and the actions that change them. */
export interface Simulation {
  /** The facts when a run begins. */
  readonly facts: Facts;
  readonly changes: Readonly<Record<string, FactChanges>>;
}
