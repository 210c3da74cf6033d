import { buildProgram } from '../crash/process/program.ts';
import { Chaos } from './chaos.ts';
import { violationsOf } from './history.ts';
import { classNames } from './charter.ts';
const program = await buildProgram('test/cluster/node.ts');
try {
  const plan = JSON.parse(process.argv[2] ?? '{}');
  const trial = await Chaos.run(program, {
    seed: 1,
    nodes: 3,
    classes: classNames,
    faults: { kill: 5, freeze: 4 },
    longest: 30_000,
    downtime: 1_500,
    tasks: 30,
    planted: null,
    ...plan,
  });
  console.log(trial.history.tasks.length, trial.faults.length, trial.refused);
  const by: Record<string, number> = {};
  for (const { indexEntry } of trial.history.tasks) {
    const s = JSON.parse(indexEntry.summary).summary;
    const k = `${s.taskClass} ${s.state} ${s.outcome} ${s.reasons.map((r: any) => r.code)}`;
    by[k] = (by[k] ?? 0) + 1;
  }
  console.log(by);
  const v = await violationsOf(trial.history);
  const laws: Record<string, number> = {};
  for (const { law } of v) laws[law] = (laws[law] ?? 0) + 1;
  console.log(laws, v.slice(0, 6));
  (await import('node:fs')).writeFileSync('/tmp/chaos-last.json', JSON.stringify(trial));
} finally {
  program.remove();
}
