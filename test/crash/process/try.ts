import { readFileSync, writeFileSync } from 'node:fs';
import { buildProgram } from './program.ts';
import { runTrial, type Outcome, type Story } from './trial.ts';
import { courseNames } from './courses.ts';
import { boundariesIn, checkOutcome, expectedVerdict, verdictOf } from './laws.ts';
import { atRandom, everyBoundary, randomOf } from './stories.ts';
import { figuresOf, inOneLine, rowsOf } from './figures.ts';
const [, , mode = '', amount = '0', seed = '1'] = process.argv;
const program = await buildProgram();
if (mode === 'fixed') {
  const f = program.path.replace('test/crash/process/child.js', 'docs/examples/shortlisting/shortlist.js');
  const s = readFileSync(f, 'utf8');
  const a = /( +await orchestrator\.recover\(\);\n)( +const workflow = await workflowIn\(orchestrator\);\n)/;
  writeFileSync(f, s.replace(a, '$2$1'));
}
const und: any = {},
  survey: any = {};
for (const c of courseNames) {
  und[c] = await runTrial(program, { course: c, ends: [], cut: 0 });
  survey[c] = { boundaries: boundariesIn(und[c].lives[0]), took: und[c].lives[0].took };
}
const random = randomOf(Number(seed));
const outcomes: Outcome[] = [];
const all: Story[] =
  mode === 'unfixed'
    ? everyBoundary(survey).filter((s) => s.course === 'hiring' && (s.ends[0] as any).boundary > 90)
    : Number(amount) > 0
      ? Array.from({ length: Number(amount) }, () => atRandom(survey, random))
      : [...everyBoundary(survey)];
const it = all.values();
const t = performance.now();
let bad = 0;
await Promise.all(
  [0, 1].map(async () => {
    for (const story of it) {
      try {
        const o = await runTrial(program, story);
        outcomes.push(o);
        await checkOutcome(o, und[story.course]);
        if (Number(amount) === 0) {
          const [v, e] = [verdictOf(o), expectedVerdict(o.lives[0]!.lines)];
          if (v !== e) throw new Error(`verdict ${v}, expected ${e}`);
        }
      } catch (e: any) {
        bad++;
        console.log(
          'BAD',
          JSON.stringify(story),
          String(e.message).slice(0, 1500),
          JSON.stringify(e.cause ?? '').slice(0, 1500),
        );
      }
    }
  }),
);
console.log(all.length, 'bad', bad, (performance.now() - t) / 1000, inOneLine(figuresOf(outcomes)));
if (Number(amount) === 0 && mode === 'fixed') console.log(rowsOf(und));
program.remove();
