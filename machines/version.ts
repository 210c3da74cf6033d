/**
 * The version of the charts: a task stays with the one that it began under.
 *
 * It changes with everything that could lead a fact to another snapshot.
 */
export const chartVersion = '2';
