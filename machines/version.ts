/**
 * The version of the charts. A task keeps the one that it began under until its owner loads it, at the latest in `recover()`.
 *
 * It changes with everything that could lead a fact to another snapshot.
 */
export const chartVersion = '2';
