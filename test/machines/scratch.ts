import { charts, explore } from './explore.ts';
import { configurations } from './configurations.ts';
import { broken } from './properties.ts';
for (const kind of ['task','execution'] as const) for (const k of configurations) {
  const t0 = performance.now();
  try { const g = explore(charts[kind], k, 100000); const t1=performance.now();
  const b = broken(g, k, kind==='task');
  console.log(kind, k.name, g.states.size, g.edges.length, Math.round(t1-t0), Math.round(performance.now()-t1));
  for (const [p,w] of Object.entries(b)) console.log('   BROKEN', p, '\n        ', w);
  } catch (e) { console.log(kind, k.name, 'THREW', String(e).slice(0,300)); }
}
