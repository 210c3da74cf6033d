import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { builtPackage } from '../built.ts';
import { skipWithout } from '../needs.ts';
import { quiet } from '../quiet.ts';
import { client, pythonEnv, runPython } from '../src/adapters/http/python/python.ts';
import { fencesIn } from './fences.ts';
import { exampleText } from './programs.ts';

const page = readFileSync(new URL('../../docs/embed/python.md', import.meta.url), 'utf8');

/** The program of each section in Python, and what the page says that it prints. */
const programs = new Map(
  page.split(/^## /m).flatMap((section) => {
    const fences = fencesIn(section);
    const program = fences.find(({ language }) => language === 'python');
    if (program === undefined) return [];
    const prints = fences.find(({ language }) => language === 'text')?.text;
    return [[section.slice(0, section.indexOf('\n')), { text: program.text, prints }] as const];
  }),
);

/** What stands in for the frameworks, with the call shapes that they document. */
const standIns = fileURLToPath(new URL('python', import.meta.url));

const fixed = 'http://127.0.0.1:8080';
const answering =
  'guard.orchestrator.on("question", ({ message }) =>\n' +
  '  guard.orchestrator.respond({ type: "approve", target: message.messageId }, { by: "dana" }));\n';

/** Runs the host of the page on free ports, where Dana approves whatever she is asked; returns its address. */
const startHost = async () => {
  const { compile } = await builtPackage();
  const file = await compile('docs/examples/adapters/python/host.ts');
  writeFileSync(`${file}.test.js`, `${readFileSync(file, 'utf8').replaceAll(/808[01]/g, '0')}\n${answering}`);
  const child = spawn(process.execPath, [...quiet, `${file}.test.js`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [url] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { url, stop: () => child.kill() };
};

describe.skipIf(skipWithout(['python']) !== null)('A program on the page about Python', () => {
  let host: Awaited<ReturnType<typeof startHost>>;
  beforeAll(async () => {
    host = await startHost();
  });
  afterAll(() => host.stop());

  it('has a host that is an example, unchanged', async () => {
    const [block] = fencesIn(page).filter(({ language }) => language === 'ts');
    expect(block?.note).toBe('apart=adapters/python/host.ts');
    expect(block?.text).toBe(await exampleText('adapters/python/host.ts'));
  });

  const paid = '{"text": "Paid: {\\"sent\\": 12000}"}\n';
  it.each([
    ['A first program', undefined],
    ['Functions of your own', undefined],
    ['CrewAI', paid],
    ['Microsoft Agent Framework', paid],
    ['LangChain', paid],
  ])('runs: %s', async (section, expected) => {
    const { text = '', prints } = programs.get(section) ?? {};
    const program = text.replaceAll(fixed, host.url);
    const { code, lines, stderr } = await runPython(program, [], pythonEnv(standIns));
    expect({ code, stderr, printed: lines.map((line) => `${line}\n`).join('') }).toEqual({
      code: 0,
      stderr: '',
      printed: prints ?? expected,
    });
  });

  it('is each of the page', () => {
    expect(programs.size).toBe(5);
  });
});

describe.skipIf(skipWithout(['python', 'mypy']) !== null)('The programs on the page about Python', () => {
  it('have the right types', () => {
    const folder = mkdtempSync(join(tmpdir(), 'mypy-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const files = [...programs.values()].map(({ text }, at) => {
      writeFileSync(join(folder, `program${at}.py`), text);
      return `program${at}.py`;
    });
    const env = { ...pythonEnv(), MYPYPATH: [client, standIns].join(':') };
    const options = ['--strict', '--cache-dir=/dev/null', '--no-error-summary'];
    const { stdout, status } = spawnSync('mypy', [...options, ...files], {
      cwd: folder,
      encoding: 'utf8',
      env,
    });
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
  });
});
