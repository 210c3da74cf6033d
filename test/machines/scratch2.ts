import { createActor } from 'xstate';
import { charts, explore, inputOf } from './explore.ts';
import { configurations } from './configurations.ts';
import { waysOf } from './properties.ts';
import { transitionsOf, nameOf, nodesOf } from './transitions.ts';
import { keyOf } from './alphabet.ts';
import { taskMachine, executionMachine } from '../../machines/index.ts';
for (const kind of ['task','execution'] as const) {
  const machine: any = kind==='task'?taskMachine:executionMachine;
  const all = transitionsOf(machine); const defs = new Map(all.map(t=>[t.definition, nameOf(t)]));
  const taken = new Set<any>(), visited = new Set<string>(); let mism=0, n=0, unknown=0;
  for (const k of configurations) { if (k.careless) continue;
    const g = explore(charts[kind], k, 100000); const ways = waysOf(g);
    for (const [key, way] of ways) for (const last of [...(g.leaving.get(key) ?? [])]) { n++;
      const actor = createActor(machine, { input: inputOf(k) as any, inspect: (e:any)=>{ if (e.type==='@xstate.microstep'||e.type==='@xstate.transition'){ for (const t of e._transitions??[]) { if(!defs.has(t)) unknown++; taken.add(t);} for (const x of e.snapshot._nodes) visited.add(x.id);} } });
      actor.start();
      for (const e of [...way,last]) { actor.send(e.fact as any); if (keyOf(actor.getSnapshot() as any)!==e.to) mism++; }
    }
  }
  console.log(kind, 'paths', n, 'mismatch', mism, 'transitions', all.filter(t=>taken.has(t.definition)).length, '/', all.length, 'unknown', unknown, 'states', nodesOf(machine.root).filter(x=>visited.has(x.id)).length,'/',nodesOf(machine.root).length);
  for (const t of all) if (!taken.has(t.definition)) console.log('   untaken', nameOf(t));
  for (const x of nodesOf(machine.root)) if (!visited.has(x.id)) console.log('   unvisited', x.id);
}
