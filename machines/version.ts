/**
 * The version of the charts. A task keeps its version until its owner loads it, at the latest in `recover()`.
 *
 * It changes whenever a fact could lead to a different snapshot.
 */
export const chartVersion = '2';
