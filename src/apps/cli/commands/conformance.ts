import type { Subject } from '../../../testing/conformance/index.ts';
import { command, jsonFlag } from '../command.ts';
import { countOf } from '../counts.ts';
import { defaultOf, loadModule } from '../modules.ts';
import { usage } from '../stop.ts';

const isSubject = (value: unknown): value is Subject =>
  typeof value === 'object' &&
  value !== null &&
  'name' in value &&
  'start' in value &&
  typeof value.start === 'function' &&
  'lacks' in value &&
  Array.isArray(value.lacks);

export const conformance = command({
  name: 'conformance',
  description:
    'Tests an orchestrator against the rules of UAICP v0.3. Exit code 1 if a rule is broken or not shown.',
  details:
    'The default export of MODULE is a Subject of agentcharter/testing, or a function that returns one.',
  args: { module: { description: 'the module' } },
  flags: {
    patience: { description: 'the time limit of a scenario in milliseconds', value: 'N', default: '5000' },
    json: jsonFlag,
  },
  example: 'conformance subject.js',
  run: async ({ flags: { patience, json }, args: { module: file } }, terminal) => {
    const testing = await import('../../../testing/conformance/index.ts');
    const what = 'a Subject of agentcharter/testing: name, lacks, start';
    const subject = await defaultOf(await loadModule(file, terminal), file, what);
    if (!isSubject(subject)) throw usage(`${file}: expected ${what}`);
    const progress = terminal.progress();
    let played = 0;
    const start: Subject['start'] = (scenario) => {
      played += 1;
      progress.print(`scenario ${played}: ${scenario.id}`);
      return subject.start(scenario);
    };
    const watched = Object.create(subject, { start: { value: start } }) as Subject; // everything else is inherited
    const limit = countOf('patience', patience, 1);
    const report = await testing.conformance(watched, { patience: limit }).finally(progress.end);
    if (json) await terminal.out.json(report);
    else await terminal.out.lines(testing.conformancePage(report));
    return report.counts.broken + report.counts.notShown > 0 ? 1 : 0;
  },
});
