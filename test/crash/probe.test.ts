import { expect, it } from 'vitest';
import { scenarios } from './scenarios.ts';
import { Trial } from './trial.ts';
import { told } from './life.ts';
import { declarations } from './world.ts';
import { checkLaws, undisturbed } from './laws.ts';
import { inspect } from 'node:util';
it('probe', async () => {
  let n = 0;
  const seen = new Map<string, number>();
  const t = performance.now(); const cpu = process.cpuUsage(); let laws = 0;
  for (const scenario of scenarios.filter(({ name }) => (process.env['ONLY'] ?? name) === name)) {
   for (const isForgetful of [false, true])
   for (const one of declarations) {
    const says = { call: one, rollback: one };
    const base = new Trial({ scenario, says, crashes: [], isForgetful });
    await base.run();
    for (const at of base.lives[0]!.moments.keys()) {
      n += 1;
      const trial = new Trial({ scenario, says, crashes: [at], isForgetful });
      let law = '';
      try { await trial.run(); const u = performance.now();
        await checkLaws(trial, undisturbed(base)); laws += performance.now() - u;
      } catch (error) { law = String(error) + inspect((error as Error).cause, { depth: 4, breakLength: Infinity }).slice(0, 700); }
      if (law) {
        const key = `${scenario.name} ${one} ${isForgetful}: ${String(law).slice(0, 50)}`;
        if (!seen.has(key)) console.log(scenario.name, one, isForgetful, law, '@', at, told(base.lives[0]!.moments[at]!), trial.written.map(({ record }) => record.fact?.type ?? record.kind).join(' '));
        seen.set(key, (seen.get(key) ?? 0) + 1);
      }
    }
   }
  }
  const used = process.cpuUsage(cpu); console.log('cpu', ((used.user + used.system) / 1000 / n).toFixed(2)); console.log(n, ((performance.now() - t) / n).toFixed(2), 'ms', (laws / n).toFixed(2), [...seen.values()]);
  expect(told).toBeDefined();
}, 600_000);
