import type { Circumstances } from '../../bench/kept.ts';

/** Returns when, where and with what figures were measured. */
export const circumstancesOf = ({ on, machine, node, rounds, runs, versions }: Circumstances): string => {
  const names = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  const size = `${rounds} rounds${runs === null ? '' : ` of ${runs.toLocaleString('en-US')} runs`}`;
  return `Measured on ${on}: ${machine}, Node ${node}, ${size}. ${names.join(', ')}.`;
};
