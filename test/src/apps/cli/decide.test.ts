import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createOrchestrator } from '../../../../src/index.ts';
import { sqliteStore } from '../../../../src/stores/sqlite.ts';
import { call, type Calling } from './call.ts';
import { folder, options, removeFolders } from './folder.ts';

afterAll(removeFolders);

const message = '01936d5e-0000-7000-8000-000000000007';
const task = '01936d5e-0000-7000-8000-000000000002';
const decide = `decide ${message} --config charter.js --store tasks.db`;

const stateIn = async (cwd: string): Promise<unknown> => {
  const { tasks } = JSON.parse((await call('tasks --store tasks.db --json', { cwd })).stdout) as {
    tasks: { taskId: string; state: string }[];
  };
  return tasks.find(({ taskId }) => taskId === task)?.state;
};

const on = async (line: string | readonly string[], calling: Calling = {}) => {
  const cwd = calling.cwd ?? (await folder());
  return { cwd, ...(await call(line, { ...calling, cwd })) };
};

describe('decide', () => {
  it('answers through the chart while the orchestrator that owns the store continues', async () => {
    const cwd = await folder();
    await using owner = createOrchestrator({
      ...options(),
      store: sqliteStore(join(cwd, 'tasks.db'), { poll: 20 }),
    });
    await owner.recover();
    const settled = owner.settled(task);
    const { code, stdout, stderr } = await on(`${decide} --approve --as dana`, { cwd });
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: `taken: approve of ${message} by dana\n`,
      stderr: 'approve: This plan is carried out as it stands.\n',
    });
    expect((await settled).outcome).toBe('success');
    expect((await call('ledger verify --store tasks.db', { cwd })).code).toBe(0);
  });

  it('needs no model in the module', async () => {
    const cwd = await folder();
    const guest = `import charter from './charter.js';
export default () => ({ taskClasses: charter().taskClasses });
`;
    await writeFile(join(cwd, 'guest.js'), guest);
    const line = `${decide.replace('charter', 'guest')} --approve --as dana`;
    expect(await on(line, { cwd })).toMatchObject({ code: 0 });
    expect(await stateIn(cwd)).toBe('submitted.execute.concluding');
  });

  it('takes the options of a guard, and runs none of its agents', async () => {
    const cwd = await folder();
    const guard = `import charter from './charter.js';
const refuse = () => { throw new Error('an agent ran'); };
export default () => ({ ...charter(), agents: { [charter().taskClasses[0].id]: refuse }, gather: refuse });
`;
    await writeFile(join(cwd, 'guard.js'), guard);
    const line = `${decide.replace('charter', 'guard')} --approve --as dana`;
    expect(await on(line, { cwd })).toMatchObject({ code: 0 });
    expect(await stateIn(cwd)).toBe('submitted.execute.concluding');
  });

  it('records who answered, and performs no duty itself', async () => {
    const { cwd, code, stdout } = await on(`${decide} --approve --as dana --json`);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ taskId: task, messageId: message, answer: 'approve', by: 'dana' });
    const records = (await call(`ledger show ${task} --store tasks.db`, { cwd })).stdout;
    expect(records).toMatch(/human dana: human\.responded/);
    expect(await stateIn(cwd)).toBe('submitted.execute.concluding');
  });

  it.each([
    ['--reject', 'human.responded'],
    ['--instruct shorter', 'human.responded'],
    ['--edit plan.json', 'human.responded'],
  ])('accepts %s', async (answer, fact) => {
    const cwd = await folder();
    const plan = { canProceed: true, confidence: 1, explanation: 'Mine.', calls: [] };
    await writeFile(join(cwd, 'plan.json'), JSON.stringify(plan));
    expect((await on(`${decide} ${answer} --as dana`, { cwd })).code).toBe(0);
    expect((await call(`ledger show ${task} --store tasks.db`, { cwd })).stdout).toContain(fact);
  });

  it('keeps the question open after a comment', async () => {
    const { cwd, code, stderr } = await on(`${decide} --comment hm --as dana`);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'comment: It is recorded; the question stays open.\n',
    });
    expect(await stateIn(cwd)).toBe('needsHumanDecision');
  });

  it.each(['--approve', '--reject'])('takes a comment that says why, with %s', async (answer) => {
    const { cwd, code } = await on([...decide.split(' '), answer, '--comment', 'too much', '--as', 'dana']);
    expect(code).toBe(0);
    expect((await call(`ledger show ${task} --store tasks.db`, { cwd })).stdout).toContain('said: too much');
    expect(await stateIn(cwd)).not.toBe('needsHumanDecision');
  });

  it('finds a question by its own id', async () => {
    const cwd = await folder();
    const { questions } = JSON.parse((await call('inbox --store tasks.db --json', { cwd })).stdout) as {
      questions: { question: { id: string } }[];
    };
    const id = questions[0]?.question.id ?? '';
    expect((await on(decide.replace(message, id).concat(' --approve --as dana'), { cwd })).code).toBe(0);
  });

  it.each([
    ['an answer without an identity', `${decide} --approve`, 'decide: expected --as IDENTITY'],
    [
      'two answers',
      `${decide} --approve --reject --as dana`,
      'expected one answer, not --approve and --reject',
    ],
    ['a call without an answer or a terminal', `${decide} --as dana`, 'expected an answer, one of --approve'],
    [
      'a question without its host module',
      `decide ${message} --approve --as dana --store tasks.db`,
      'expected --config',
    ],
    [
      'a host without a store',
      `decide ${message} --approve --as dana --config charter.js`,
      'expected --store',
    ],
    [
      'a module that is no host',
      `${decide.replace('charter', 'invoice')} --approve --as dana`,
      'they have at least taskClasses',
    ],
    [
      'a message without a question',
      `${decide.replace('07 ', '05 ')} --approve --as dana`,
      'no question was asked in',
    ],
    [
      'an id that is no message',
      `${decide.replace(message, 'x')} --approve --as dana`,
      'no open question has the id x: `inbox` lists them',
    ],
  ])('refuses %s with exit code 2, and changes nothing', async (_, line, said) => {
    const { cwd, code, stdout, stderr } = await on(line);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(said);
    expect(await stateIn(cwd)).toBe('needsHumanDecision');
  });

  it.each([
    [
      'the agent that asked',
      '--approve --as writer',
      'writer may not answer the plan question: it is the agent that asks, so another person must answer',
    ],
    ['an edit that does not fit', '--edit feedback.json --as dana', 'stays open'],
    ['a token without a verifier', '--approve --as dana --approval a.b.c', ''],
  ])('ends with 1 when the host refuses %s, and keeps the question open', async (_, answer, said) => {
    const { cwd, code, stderr } = await on(`${decide} ${answer}`);
    expect(code).toBe(1);
    expect(stderr).toContain(said);
    expect(stderr).not.toMatch(/^(?:approve|edit): /m); // nothing of it happens
    expect(await stateIn(cwd)).toBe('needsHumanDecision');
  });

  it('ends with 1 when another person answered first', async () => {
    const { cwd } = await on(`${decide} --approve --as dana`);
    expect(await on(`${decide} --reject --as eve`, { cwd })).toMatchObject({ code: 1 });
  });

  it('reads a token from standard input, out of the process list', async () => {
    const { stderr } = await on(`${decide} --approve --as dana --approval -`, {
      input: 'secret.token.here\n',
    });
    expect(stderr).not.toContain('secret');
  });
});

const typed = (line: string, input: string) => on(line, { isTerminal: true, input, env: { NO_COLOR: '1' } });

describe('decide at a terminal', () => {
  it('prints the consequences of each answer before it asks', async () => {
    const { cwd, code, stderr } = await typed(`${decide} --as dana`, 'approve with care\n');
    expect(code).toBe(0);
    expect(stderr.indexOf('This plan is carried out as it stands.')).toBeLessThan(stderr.indexOf('> '));
    expect((await call(`ledger export ${task} --store tasks.db`, { cwd })).stdout).toContain('with care');
  });

  it('asks again after an invalid line, and records nothing when you quit', async () => {
    const { cwd, code, stderr } = await typed(`${decide} --as dana`, 'perhaps\n\n');
    expect(code).toBe(2);
    expect(stderr).toMatch(/This is not a valid answer\.\n\[approve \| edit FILE \| rank A,B,C/);
    expect(stderr).toContain('expected an answer; nothing was submitted');
    expect(await stateIn(cwd)).toBe('needsHumanDecision');
  });

  it.each([
    ['yes', 0],
    ['no', 2],
    ['', 2],
  ])('asks for a confirmation of --approve: %j ends with %i', async (word, code) => {
    const outcome = await typed(`${decide} --approve --as dana`, `${word}\n`);
    expect(outcome.code).toBe(code);
    expect(outcome.stderr).toContain('Submit this answer?');
  });

  it('skips the confirmation with --yes', async () => {
    const { code, stderr } = await typed(`${decide} --approve --yes --as dana`, '');
    expect(code).toBe(0);
    expect(stderr).not.toContain('Submit this answer?');
  });

  it('never asks in CI, even at a terminal', async () => {
    const asked = await on(`${decide} --as dana`, {
      isTerminal: true,
      env: { CI: 'true' },
      input: 'approve\n',
    });
    expect(asked).toMatchObject({ code: 2, stderr: expect.stringContaining('expected an answer') });
  });
});
