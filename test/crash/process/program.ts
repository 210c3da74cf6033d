import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const memory = '/dev/shm';

/** A new folder; in memory where the system has such a place, for the sake of speed. */
export const newFolder = (): string => mkdtempSync(join(existsSync(memory) ? memory : tmpdir(), 'crash-'));

export interface Program {
  readonly path: string;
  readonly remove: () => void;
}

/**
 * Translates the sources and the program that is killed into a folder of their own: what starts a thousand times is not
 * translated each time. There, `agentcharter` is what has just been translated, by its own name.
 */
export const buildProgram = async (source = 'test/crash/process/child.ts'): Promise<Program> => {
  const folder = newFolder();
  const { version, exports, name, type } = createRequire(import.meta.url)(
    join(root, 'package.json'),
  ) as Record<string, unknown>;
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version, type, exports }));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  const outDir = join(folder, 'dist');
  const options = { noCheck: true, noEmit: false, outDir, rootDir: root, types: [] };
  const config = {
    extends: join(root, 'test/tsconfig.json'),
    compilerOptions: options,
    files: [join(root, source)],
    include: [],
  };
  const file = join(folder, 'tsconfig.json');
  writeFileSync(file, JSON.stringify(config));
  const tsc = createRequire(import.meta.url).resolve('typescript/package.json');
  await promisify(execFile)(process.execPath, [join(dirname(tsc), 'bin/tsc'), '-p', file], { cwd: root });
  return {
    path: join(outDir, source.replace(/\.ts$/, '.js')),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};
