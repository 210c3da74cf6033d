import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { call, type Calling } from './call.ts';
import { folder, removeFolders } from './folder.ts';

afterAll(removeFolders);

const on = async (line: string, calling: Calling = {}) => {
  const cwd = calling.cwd ?? (await folder());
  return { cwd, ...(await call(line, { ...calling, cwd })) };
};

interface Ends {
  readonly tasks: readonly { readonly outcome: string; readonly waitsFor: string | null }[];
}
const endsOf = (stdout: string) =>
  (JSON.parse(stdout) as Ends).tasks.map(({ outcome, waitsFor }) => waitsFor ?? outcome);

describe('run', () => {
  it('runs a module’s submissions to their end, with prepared answers', async () => {
    const { code, stdout, stderr } = await on('run charter.js --answers answers.json --json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(endsOf(stdout)).toEqual(['success', 'success']);
  });

  it('ends with 1 while a task waits for an absent person, and resumes on the next run', async () => {
    const first = await on('run charter.js --store run.db --json');
    expect(first.code).toBe(1);
    expect(endsOf(first.stdout)).toEqual(['plan', 'success']);
    const second = await on('run charter.js --store run.db --answers answers.json --json', first);
    expect(second.code).toBe(0);
    expect(endsOf(second.stdout)).toEqual(['success', 'success']);
    const { tasks } = JSON.parse((await on('tasks --store run.db --json', first)).stdout) as Ends;
    expect(tasks).toHaveLength(3); // the letter has a key and begins once, the note has none
  });

  it('asks at the terminal, in the name of --as', async () => {
    const asked = { isTerminal: true, env: { NO_COLOR: '1' } };
    const { code, stdout, stderr } = await on('run charter.js --as dana', { ...asked, input: 'approve\n' });
    expect(code).toBe(0);
    expect(stdout).toContain('dana answers: approve.');
    expect(stderr).toContain('This plan is carried out as it stands.');
    expect(await on('run charter.js', asked)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--as'),
    });
  });

  it('asks again after a comment, which answers nothing', async () => {
    const typed = { isTerminal: true, input: 'comment hm\napprove\n' };
    const { code, stdout } = await on('run charter.js --as dana', typed);
    expect(code).toBe(0);
    expect(stdout).toContain('dana answers: comment.');
  });

  it('shows its progress on a terminal only', async () => {
    const { stderr } = await on('run charter.js --answers answers.json --json', { isTerminal: true });
    expect(stderr).toContain('[                    ] 0/2 tasks have ended');
    expect(stderr.endsWith('\r\u001b[2K')).toBe(true);
    expect((await on('run charter.js --answers answers.json --json')).stderr).toBe('');
  });

  it.each([
    ['a refused task', { by: 'dana', answers: { plan: { type: 'reject' } } }, 1],
    ['an answer that its question excludes', { by: 'writer', answers: { plan: { type: 'approve' } } }, 1],
    ['invalid answers', { by: 'dana', answers: { plan: { type: 'aprove' } } }, 2],
  ])('ends with the right code for %s', async (_, answers, expected) => {
    const cwd = await folder();
    await writeFile(join(cwd, 'other.json'), JSON.stringify(answers));
    expect((await on('run charter.js --answers other.json', { cwd })).code).toBe(expected);
  });

  it('stops on an interrupt, and keeps the started task', async () => {
    const { cwd, code, stderr } = await on('run charter.js --as dana --store run.db', {
      isTerminal: true,
      input: '',
      interruptAfter: 1,
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(/interrupted|waits/);
    expect((await on('ledger verify --store run.db', { cwd })).code).toBe(0);
  });

  it('starts nothing when one of several submissions is invalid', async () => {
    const cwd = await folder();
    const text = `import { identity } from '${join(import.meta.dirname, 'folder.ts')}';
      export { default } from './charter.js';
      export const submissions = [{ taskClass: 'note', payload: {}, identity }, { taskClass: 'note' }];`;
    await writeFile(join(cwd, 'half.js'), text);
    expect((await on('run half.js --store half.db', { cwd })).code).toBe(2);
    expect((await on('tasks --store half.db', { cwd })).stderr).toContain('there is no such file');
  });

  it.each([
    ['throws', `throw new Error('no luck');`, 'no luck'],
    ['has no default export', `export const options = 1;`, 'has no default export'],
    [
      'exports a function that throws',
      `export default () => { throw new Error('not today'); };`,
      'not today',
    ],
    [
      'submits an invalid request',
      `export { default } from './charter.js'; export const submissions = [{}];`,
      'taskClass',
    ],
    [
      'submits nothing',
      `export { default } from './charter.js';`,
      'expected submissions, or a store with an open task',
    ],
  ])('ends with 2 for a module that %s', async (_, text, said) => {
    const cwd = await folder();
    await writeFile(join(cwd, 'broken.js'), text);
    const { code, stderr } = await on('run broken.js', { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain(said);
  });
});

describe('demo', () => {
  it('runs the paper’s hiring workflow without a key, a network or a person', async () => {
    const { code, stdout, stderr } = await on('demo --json');
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'Using the prepared answers.\n',
    });
    const { mail, ...ends } = JSON.parse(stdout) as Ends & { mail: unknown };
    expect(endsOf(JSON.stringify(ends))).toEqual(['success', 'success']);
    expect(mail).toMatchObject([{ to: ['rui.tavares@example.org', 'marta.figueiredo@example.org'] }]);
  });

  it('prints states, phases, evidence and verdicts as they occur', async () => {
    const { stdout } = await on('demo');
    for (const expectedLine of [
      'needsHumanDecision',
      'followup',
      '[verify]',
      'evidence of freelancers.search',
      'known-people: pass',
    ])
      expect(stdout).toContain(expectedLine);
    expect(stdout).toContain('To: rui.tavares@example.org, marta.figueiredo@example.org\n');
  });

  it('asks at a terminal, and invites the chosen people', async () => {
    const { code, stdout } = await on('demo', {
      isTerminal: true,
      input: 'edit\nBerlin\nrank 1\n',
      env: { NO_COLOR: '1' },
    });
    expect(code).toBe(0);
    expect(stdout).toContain('To: jonas.weber@example.org');
  });

  it('writes mail and verifiable ledgers into a folder', async () => {
    const { cwd, code } = await on('demo --out out');
    expect(code).toBe(0);
    expect((await readdir(join(cwd, 'out'))).toSorted()).toEqual([
      'invitation.jsonl',
      'mail-1.txt',
      'recommendation.jsonl',
    ]);
    expect(await readFile(join(cwd, 'out/mail-1.txt'), 'utf8')).toContain('Subject: Invitation');
    for (const judge of ['verify', 'replay'])
      expect((await on(`ledger ${judge} out/invitation.jsonl`, { cwd })).code).toBe(0);
  });

  it('ends with 1 when the person leaves a question unanswered', async () => {
    const { code, stdout } = await on('demo', { isTerminal: true, input: '\n' });
    expect(code).toBe(1);
    expect(stdout).toContain('for a person (information)');
  });
});
