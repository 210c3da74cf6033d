import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Returns what the compiler prints. */
const compile = (folder: string): Promise<string> =>
  new Promise((resolve) => {
    const tsc = join(root, 'node_modules/.bin/tsc');
    execFile(tsc, ['-p', folder], { cwd: folder }, (_, stdout, stderr) => resolve(stdout + stderr));
  });

/** Exports types that TypeScript infers, and no annotation of them. */
const program = `
import { createOrchestrator, deadlines, defineTaskClass } from 'agentcharter';
import type { Model, Orchestrator, OrchestratorOptions, Rollback, TaskClassDefinition, Tool, Turn } from 'agentcharter';
type Who = Parameters<Orchestrator['respond']>[1];
export const limits = deadlines;
export const tools = (turn: Turn) => turn.tools;
export const calls = (turn: Turn) => turn.calls;
export const answer = (turn: Turn) => turn.answers[0];
export const { contract, checks, beforeDeliver } = defineTaskClass({ id: 'letter', tools: [] });
export const evidence = (definition: TaskClassDefinition) => definition.beforeWrite?.evidence?.[0];
export const output = ({ output }: TaskClassDefinition) => output;
export const issues = ({ output }: TaskClassDefinition) => output?.['~standard'].validate;
export const offer = (definition: TaskClassDefinition) => definition.followup;
export const orchestrator = (model: Model) => createOrchestrator({ model, taskClasses: [] });
export const who = (by: Who) => by;
export const refused = (why: Parameters<Orchestrator['refuse']>[1]) => why;
export const listen = ({ on }: Orchestrator) => on;
export const options = (model: Model) => (given: Parameters<Model['answer']>[1]) => [model, given];
export const given = ({ redact, attest, limits, mayRespond }: OrchestratorOptions) => ({ redact, attest, limits, mayRespond });
export const described = ({ describe, doubt }: Rollback) => ({ describe, doubt });
export const tool = ({ child, doubt, call }: Tool) => ({ child, doubt, call });
`;

let folder: string;

const options = { target: 'es2023', lib: ['es2023', 'esnext.disposable'], module: 'nodenext', strict: true };

const config = (compilerOptions: object, files: readonly string[], base?: string): string =>
  JSON.stringify({ ...(base !== undefined && { extends: base }), compilerOptions, files });

/** Emits the declarations of the root into a package, as the build does, and installs it for a program. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agentcharter-types-'));
  const modules = join(folder, 'node_modules');
  const installed = join(modules, 'agentcharter');
  await mkdir(installed, { recursive: true });
  await copyFile(join(root, 'package.json'), join(installed, 'package.json'));
  const { dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    dependencies: Readonly<Record<string, string>>;
  };
  for (const name of Object.keys(dependencies))
    await symlink(join(root, 'node_modules', name), join(modules, name));
  const build = join(folder, 'build');
  await mkdir(build);
  const emit = {
    rootDir: root,
    outDir: join(installed, 'dist'),
    emitDeclarationOnly: true,
    typeRoots: [join(root, 'node_modules/@types')],
  };
  const files = ['src/index.ts', 'src/types.ts'].map((file) => join(root, file));
  await writeFile(join(build, 'tsconfig.json'), config(emit, files, join(root, 'tsconfig.json')));
  expect(await compile(build)).toBe('');
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(join(folder, 'program.ts'), program);
  const declare = { ...options, declaration: true, outDir: 'out', types: [], skipLibCheck: true };
  await writeFile(join(folder, 'tsconfig.json'), config(declare, ['program.ts']));
}, 120_000);
afterAll(() => rm(folder, { recursive: true }));

it('declares inferred types of the root without an annotation, from its entries alone', async () => {
  expect(await compile(folder)).toBe('');
  const declarations = await readFile(join(folder, 'out/program.d.ts'), 'utf8');
  expect(declarations).toContain('readonly import("agentcharter/types").ToolListing[]');
  expect(declarations).not.toContain('dist/');
}, 60_000);
