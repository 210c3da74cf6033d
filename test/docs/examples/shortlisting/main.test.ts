import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js'; // oxlint-disable-line no-restricted-imports -- a package's own dist, not ours
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run, type Ran } from '../run.ts';

type Document = Record<string, unknown>;
const isDocument = (value: unknown): value is Document => typeof value === 'object' && value !== null;

const names = ['upformat-message', 'message-envelope', 'evidence-object', 'verification-report'] as const;
type Name = (typeof names)[number];

const nameOf = (document: Document): Name => {
  if ('messageId' in document) return 'upformat-message';
  if ('uaicp_version' in document) return 'message-envelope';
  return 'evidence_id' in document ? 'evidence-object' : 'verification-report';
};

const validators = new Map<Name, (document: unknown) => boolean>();
const read = (stdout: string): Document[] =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Document);

let directory: string;
let stores = 0;
/** A file of its own for each run. */
const storeFile = (): string => join(directory, `tasks-${(stores += 1)}.db`);
const withAnswers = async (answers: unknown, ...args: string[]): Promise<Ran> => {
  const file = join(directory, 'answers.json');
  await writeFile(file, JSON.stringify({ by: 'Dana Reyes', answers }));
  const mail = ['--mail', join(directory, 'mail')];
  return run('shortlisting/main.ts', ['--answers', file, ...mail, '--store', storeFile(), ...args]);
};

const location = { type: 'edit', content: { location: 'Lisbon' } };

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'shortlisting-test-'));
  for (const name of names) {
    const ajv = new Ajv2020({ strict: false, strictNumbers: true });
    addFormats.default(ajv);
    validators.set(
      name,
      ajv.compile(JSON.parse(await readFile(`schema/json/${name}.schema.json`, 'utf8')) as object),
    );
  }
});
afterAll(() => rm(directory, { recursive: true }));

describe('The hiring workflow of UpFormat 3.1', () => {
  it('prints only valid documents, and ends with 0 after delivery', async () => {
    const scripted = ['--answers', 'docs/examples/shortlisting/answers.json'];
    const mail = ['--mail', join(directory, 'scripted'), '--store', storeFile()];
    const { code, stdout } = await run('shortlisting/main.ts', ['--json', ...scripted, ...mail]);
    expect(code).toBe(0);
    const documents = read(stdout);
    const counts = Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
    for (const document of documents) {
      const name = nameOf(document);
      counts[name] += 1;
      expect({ document, isValid: validators.get(name)?.(document) }).toEqual({ document, isValid: true });
    }
    expect(counts).toEqual({
      'upformat-message': 12,
      'message-envelope': 14,
      'evidence-object': 3,
      'verification-report': 3,
    });
  });

  it('follows the paper’s operational states: two runs in one thread, each message by its sender', async () => {
    const { stdout } = await withAnswers(
      { information: location, followup: { type: 'rank', content: ['f-12'] } },
      '--json',
    );
    const messages = read(stdout).filter((document) => nameOf(document) === 'upformat-message');
    expect(messages.map(({ state, agentId }) => `${String(agentId)} ${String(state)}`)).toEqual([
      'hiring-desk submitted',
      'recommender needsHumanDecision',
      'Dana Reyes submitted',
      'agentcharter submitted',
      'recommender completed',
      'agentcharter followup',
      'Dana Reyes submitted',
      'agentcharter completed',
      'hiring-desk submitted',
      'agentcharter submitted',
      'email.send completed',
      'inviter completed',
    ]);
    expect(new Set(messages.map(({ threadId }) => threadId)).size).toBe(1);
    expect(messages[1]).toMatchObject({
      upContext: { fields: { location: expect.stringContaining('City') } },
    });
    const ids = new Set(messages.map(({ messageId }) => messageId));
    for (const { parentMessageId } of messages.slice(1)) expect(ids).toContain(parentMessageId);
  });

  it('prints who says what, and the mapping that the orchestrator made', async () => {
    const scripted = ['--answers', 'docs/examples/shortlisting/answers.json'];
    const made = async (...args: readonly string[]) => {
      const at = await mkdtemp(join(directory, 'printed-'));
      const place = ['--mail', join(at, 'mail'), '--store', join(at, 'tasks.db')];
      return (await run('shortlisting/main.ts', [...args, ...scripted, ...place])).stdout.replaceAll(
        at,
        '/tmp',
      );
    };
    const shown = (await made())
      .replaceAll(/sha256_[\w]+@/g, 'sha256_…@')
      .replaceAll(/sha256:\w+…/g, 'sha256:…');
    const mapped = read(await made('--json')).find(
      (document) => isDocument(document['payload']) && 'links' in document['payload'],
    );
    const { payload, upContext, agentId, state, explanation } = mapped ?? {};
    const { call: _id, ...mapping } = isDocument(payload) ? payload : {};
    const record = JSON.stringify({ agentId, state, explanation, payload: mapping, upContext }, null, 2);
    await expect(`${shown}\n${record}\n`).toMatchFileSnapshot(
      '../../../../docs/examples/shortlisting/printed.txt',
    );
  });

  it('passes every phase of both runs, in the order of UAICP 3', async () => {
    const { stdout } = await withAnswers({ information: location }, '--json');
    const phases = read(stdout)
      .filter((document) => nameOf(document) === 'message-envelope')
      .map(({ state }) => state);
    expect(phases).toEqual([
      'intake',
      'plan',
      'plan',
      'execute',
      'execute',
      'verify',
      'deliver',
      'intake',
      'plan',
      'execute',
      'execute',
      'execute',
      'verify',
      'deliver',
    ]);
  });

  it('invites the first two when no person chooses by the deadline', async () => {
    const { code, stdout } = await withAnswers({ information: location });
    expect(code).toBe(0);
    expect(stdout).toContain('Nobody answered in time: the default was taken.');
    expect(stdout).toContain('ines.moreira@example.org and rui.tavares@example.net');
  });

  it('sends mail to the chosen people only', async () => {
    await rm(join(directory, 'mail'), { recursive: true, force: true });
    const { code } = await withAnswers({
      information: location,
      followup: { type: 'rank', content: ['f-01'] },
    });
    expect(code).toBe(0);
    const files = await readdir(join(directory, 'mail'));
    expect(files).toHaveLength(1);
    expect(await readFile(join(directory, 'mail', files[0] ?? ''), 'utf8')).toContain(
      'To: marta.figueiredo@example.com',
    );
  });

  it('stays at needsHumanDecision with its own exit code until a person names the location', async () => {
    const { code, stdout } = await withAnswers({}, '--json');
    expect(code).toBe(3);
    expect(read(stdout).at(-1)).toMatchObject({ state: 'needsHumanDecision' });
  });

  it('resumes on the next run, and then begins anew', async () => {
    const store = ['--store', storeFile()];
    const paused = await withAnswers({}, '--json', ...store);
    expect(paused.code).toBe(3);
    const [first] = read(paused.stdout);
    const delivered = await withAnswers({ information: location }, '--json', ...store);
    expect(delivered.code).toBe(0);
    const messages = read(delivered.stdout).filter((document) => nameOf(document) === 'upformat-message');
    expect(messages[0]).toMatchObject({ state: 'submitted', upFeedback: { type: 'edit' } });
    expect(new Set(messages.map(({ threadId }) => threadId))).toEqual(new Set([first?.['threadId']]));
    const another = await withAnswers({}, '--json', ...store);
    expect(another.code).toBe(3);
    expect(read(another.stdout)[0]?.['threadId']).not.toBe(first?.['threadId']);
  });

  it('fails and sends nothing when the human rejects', async () => {
    const { code, stdout } = await withAnswers({ information: { type: 'reject' } });
    expect(code).toBe(1);
    expect(stdout).toContain('[fail_safe] failure');
    expect(stdout).toContain('A person rejected the request.');
  });

  it('says that it uses scripted answers without a terminal', async () => {
    const { code, stderr } = await run('shortlisting/main.ts', [
      '--mail',
      join(directory, 'plain'),
      '--store',
      storeFile(),
    ]);
    expect(code).toBe(0);
    expect(stderr).toContain('There is no terminal');
  });
});
