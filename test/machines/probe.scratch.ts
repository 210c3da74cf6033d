import { charts, explore } from '/work/main/test/machines/explore.ts';
import { read, send, undoable, note } from '/work/main/test/machines/alphabet.ts';
const t0 = performance.now();
const g = explore(charts.task, { name: 'read', taskClass: { beforeDeliver: { evidence: [{ type: 'tool_result' }], verifiers: ['v'] }, limits: { corrections: 1, repairs: 1, rounds: 1, revisions: 1, refreshes: 1, pauses: 1 } }, plans: [[read('r')]] });
console.log(g.states.size, g.edges.length, performance.now() - t0);
