import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { chartVersion } from '../../machines/index.ts';
import { buildProgram } from '../crash/process/program.ts';
import { taskClasses } from './charter.ts';
import type { NodeConfig } from './node.ts';

/** A version of the deployment. */
export interface Version {
  /** Where its program is. */
  readonly path: string;
  /** The newest version of the chart that it reads. */
  readonly chart: number;
  readonly lacks: NodeConfig['lacks'];
}

/** Two versions of the deployment, side by side. */
export interface Programs {
  readonly older: Version;
  readonly newer: Version;
  readonly remove: () => void;
}

/** What nodes of a version can perform. */
export interface Able {
  readonly taskClasses: readonly string[];
  readonly tools: readonly string[];
  /** The newest version of the chart that it reads. */
  readonly chart: number;
}

/** Returns what nodes of a version can perform. */
export const ableOf = ({ chart, lacks }: Pick<Version, 'chart' | 'lacks'>): Able => ({
  taskClasses: taskClasses.flatMap(({ id }) => (id === lacks?.taskClass ? [] : [id])),
  tools: taskClasses.flatMap(({ contract: { tools = [] } }) => tools).filter((tool) => tool !== lacks?.tool),
  chart,
});

/** Gives a program the next version of the chart, with the same rules: tasks of the older one are carried over. */
const raiseChart = (path: string): void => {
  const file = join(dirname(path), '../../machines/version.js');
  const before = readFileSync(file, 'utf8');
  const after = before.replace(`'${chartVersion}'`, `'${Number(chartVersion) + 1}'`);
  if (after === before) throw new Error(`${file} has no version of the chart`);
  writeFileSync(file, after);
};

/** Translates both versions. The older one is this library, without a class and its tool; the newer one has the next chart. */
export const buildPrograms = async (): Promise<Programs> => {
  const [older, newer] = await Promise.all([
    buildProgram('test/cluster/node.ts'),
    buildProgram('test/cluster/node.ts'),
  ]);
  raiseChart(newer.path);
  const chart = Number(chartVersion);
  return {
    older: { path: older.path, chart, lacks: { taskClass: 'mailing', tool: 'mail' } },
    newer: { path: newer.path, chart: chart + 1, lacks: null },
    remove: () => {
      older.remove();
      newer.remove();
    },
  };
};
