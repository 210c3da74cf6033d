import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { oneChecker, tsc } from '../compiler.ts';
import { skipWithout } from '../needs.ts';
import { fencesIn } from './fences.ts';
import { programsIn, run } from './programs.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = 'docs/embed/queues.md';
const markdown = await readFile(join(root, page), 'utf8');

/** The files of the programs that are not run, and that of the one that is. */
const files = new Map([
  ...fencesIn(markdown).flatMap(({ note, text }) => {
    const [, file] = /^apart=(\S+)$/.exec(note) ?? [];
    return file === undefined ? [] : [[file, text] as const];
  }),
  ...programsIn(page, markdown).map(({ blocks }) => ['service.ts', blocks.join('\n')] as const),
]);

/** Compiles files as a reader's project would, against the packages of the engines; returns what the compiler says. */
const compiled = async (given: ReadonlyMap<string, string>): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'queues-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const project = join(folder, 'project');
  await mkdir(project);
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  await symlink(join(root, 'test/docs/queues/node_modules'), join(project, 'node_modules'));
  const compilerOptions = { rootDir: '/', noEmit: true };
  const config = { extends: join(root, 'test/tsconfig.json'), compilerOptions, include: ['.'] };
  const write = (file: string, text: string) => writeFile(join(project, file), text);
  await write('package.json', '{ "type": "module" }');
  await write('tsconfig.json', JSON.stringify(config));
  for (const [file, text] of given) await write(file, text);
  return (await run(tsc, ['-p', 'tsconfig.json', ...oneChecker], project))[0];
};

describe.skipIf(skipWithout(['queues']) !== null)('The programs for queues that are not run', () => {
  it('are for three engines, and compile against their packages', async () => {
    const text = [...files.values()].join('\n');
    for (const engine of ['@temporalio/worker', '@restatedev/restate-sdk', 'TASK_ID'])
      expect(text).toContain(engine);
    expect(await compiled(files)).toBe('');
  });

  it('would not compile with a name that an engine does not have', async () => {
    const wrong = [...files].map(
      ([file, text]) => [file, text.replaceAll('heartbeat', 'heartbeets')] as const,
    );
    expect(await compiled(new Map(wrong))).toContain('heartbeets');
  });
});

describe('The manifests for Kubernetes', () => {
  const manifests = fencesIn(markdown).flatMap(({ language, text }) =>
    language === 'yaml' ? parseAllDocuments(text, { strict: true }) : [],
  );

  it('are YAML, and stop at the exit code that the program gives for a task that cannot be performed', () => {
    expect(manifests.flatMap(({ errors }) => errors)).toEqual([]);
    expect(manifests.map((manifest) => manifest.get('kind'))).toEqual(['Job', 'CronJob']);
    const code = manifests[0]?.getIn(['spec', 'podFailurePolicy', 'rules', 0, 'onExitCodes', 'values', 0]);
    expect(files.get('perform.ts')).toContain(`'not_found') ? ${String(code)} :`);
  });
});
