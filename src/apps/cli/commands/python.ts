import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildRoot, packageRoot } from '../../../base/boundary/own-package.ts';
import { command, jsonFlag } from '../command.ts';
import { usage } from '../stop.ts';

/** The build has the files of the client where the sources have them. */
const clientFile = (name: string): Promise<string> =>
  readFile(new URL(`src/adapters/http/python/${name}`, buildRoot() ?? packageRoot()), 'utf8');

/** Returns the text of a file; `null` if there is none. */
const present = async (path: string): Promise<string | null> => {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
};

export const python = command({
  name: 'python',
  description: 'Writes the client for agents in Python to a folder: agentcharter.py, and pyproject.toml.',
  details: 'Your own pyproject.toml is kept. Another agentcharter.py is replaced only with --force.',
  args: { dir: { description: 'the folder; it is created if needed' } },
  flags: { force: { description: 'replace another agentcharter.py' }, json: jsonFlag },
  example: 'python client',
  run: async ({ flags: { force, json }, args: { dir } }, terminal) => {
    const place = terminal.path(dir);
    const files = await Promise.all(
      ['agentcharter.py', 'pyproject.toml'].map(async (name) => {
        const path = join(place, name);
        const [text, found] = await Promise.all([clientFile(name), present(path)]);
        const another = name === 'agentcharter.py' ? 'replaced' : 'kept';
        const state = found === null ? 'written' : found === text ? 'unchanged' : another;
        return { file: join(dir, name), path, text, state };
      }),
    );
    const other = files.find(({ state }) => state === 'replaced');
    if (other !== undefined && !force)
      throw usage(`${other.file} has other content: expected --force to replace it, or another folder`);
    await mkdir(place, { recursive: true });
    for (const { path, text, state } of files)
      if (state === 'written' || state === 'replaced') await writeFile(path, text);
    if (json) await terminal.out.json({ files: files.map(({ file, state }) => ({ file, state })) });
    else for (const { file, state } of files) await terminal.out.line(`${state.padEnd(11)}${file}`);
    return 0;
  },
});
