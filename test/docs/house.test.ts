import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The code on a page, in its lines and its blocks. */
const codeOn = (page: string): readonly string[] => {
  const text = readFileSync(root + page, 'utf8');
  const blocks = [...text.matchAll(/^```\w*\n(.*?)^```$/gms)].map(([, block = '']) => block);
  const spans = [...text.replaceAll(/^```.*?^```$/gms, '').matchAll(/`([^`]+)`/g)].map(
    ([, span = '']) => span,
  );
  return [...blocks, ...spans];
};

const isOurs = /^(?:src|machines|schema|test|docs)\/[\w./-]*$/;
const pathsOn = (page: string): readonly string[] =>
  codeOn(page)
    .flatMap((code) => code.split(/\s+/))
    .filter((word) => isOurs.test(word));

const scriptsOn = (page: string): readonly string[] =>
  codeOn(page).flatMap((code) => [...code.matchAll(/npm run ([\w:-]+)/g)].map(([, script = '']) => script));

describe.each(['AGENTS.md', '.github/CONTRIBUTING.md'])('%s', (page) => {
  it('names only files and folders that exist', () => {
    expect(pathsOn(page).length).toBeGreaterThan(3);
    expect(pathsOn(page).filter((path) => !existsSync(root + path))).toEqual([]);
  });

  it('names only commands that package.json has', () => {
    expect(scriptsOn(page).length).toBeGreaterThan(1);
    expect(scriptsOn(page).filter((script) => !Object.hasOwn(manifest.scripts, script))).toEqual([]);
  });
});

const foldersIn = (path: string): readonly string[] =>
  readdirSync(root + path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

it('AGENTS.md has a line for each floor of src, and names its rooms there', () => {
  const lines = readFileSync(`${root}AGENTS.md`, 'utf8').split('\n');
  const floors = foldersIn('src').map((floor) => ({
    floor,
    said: lines.find((line) => line.startsWith(`| \`src/${floor}/\``)) ?? '',
  }));
  expect(floors.filter(({ said }) => said === '')).toEqual([]);
  const rooms = floors
    .filter(({ floor }) => ['base', 'gates', 'optional', 'core', 'apps'].includes(floor))
    .flatMap(({ floor, said }) => foldersIn(`src/${floor}`).map((room) => ({ room, said })));
  expect(rooms.length).toBeGreaterThan(20);
  expect(rooms.flatMap(({ room, said }) => (said.includes(`\`${room}\``) ? [] : [room]))).toEqual([]);
});
