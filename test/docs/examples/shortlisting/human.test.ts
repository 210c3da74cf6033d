import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import freelancers from '../../../../docs/examples/shortlisting/freelancers.json' with { type: 'json' };
import { readAnswers, scriptedHuman } from '../../../../docs/examples/shortlisting/human.ts';

const signal = new AbortController().signal;
const question = { id: 'q-1', kind: 'information', text: 'Where?', accepts: ['edit', 'reject'] };
const shipped = new URL('../../../../docs/examples/shortlisting/answers.json', import.meta.url).pathname;

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'answers-'));
});
afterAll(() => rm(directory, { recursive: true }));

const fileWith = async (text: string): Promise<string> => {
  const path = join(directory, 'answers.json');
  await writeFile(path, text);
  return path;
};

describe('A scripted human', () => {
  it('gives the location and the choice of the example', async () => {
    const dana = scriptedHuman(await readAnswers(shipped));
    expect(await dana.answer(question, signal)).toEqual({
      type: 'edit',
      content: { location: 'Lisbon' },
      by: 'Dana Reyes',
    });
    const choice = await dana.answer({ ...question, id: 'q-2', kind: 'followup', accepts: ['rank'] }, signal);
    const lisbon = freelancers.filter(({ location }) => location.city === 'Lisbon').map(({ id }) => id);
    expect(choice).toMatchObject({ type: 'rank', content: ['f-12', 'f-01'] });
    expect(lisbon).toEqual(expect.arrayContaining(choice?.content as string[]));
  });

  it('leaves an unprepared kind of question open', async () => {
    const dana = scriptedHuman(await readAnswers(shipped));
    for (const kind of ['approval', 'constructor', '__proto__'])
      expect(await dana.answer({ ...question, kind }, signal)).toBeUndefined();
  });

  it('answers a question once, so that a comment does not repeat', async () => {
    const dana = scriptedHuman(await readAnswers(shipped));
    expect(await dana.answer(question, signal)).toBeDefined();
    expect(await dana.answer(question, signal)).toBeUndefined();
  });

  it('leaves a closed question alone', async () => {
    const dana = scriptedHuman(await readAnswers(shipped));
    expect(await dana.answer(question, AbortSignal.abort())).toBeUndefined();
  });

  it('may approve without a text', async () => {
    const path = await fileWith('{ "by": "Dana", "answers": { "approval": { "type": "approve" } } }');
    const dana = scriptedHuman(await readAnswers(path));
    const approval = { ...question, kind: 'approval', accepts: ['approve', 'reject'] };
    expect(await dana.answer(approval, signal)).toEqual({ type: 'approve', content: null, by: 'Dana' });
  });

  it('throws with the accepted answers when the prepared one is another', async () => {
    const dana = scriptedHuman(await readAnswers(shipped));
    await expect(dana.answer({ ...question, accepts: ['approve', 'reject'] }, signal)).rejects.toThrow(
      '"information" is answered with edit; it accepts approve, reject',
    );
  });
});

describe('A file of answers', () => {
  it('that does not fit is refused with its path, the position and the accepted values', async () => {
    const path = await fileWith('{ "by": " ", "answers": { "followup": { "type": "choose" } } }');
    const reading = readAnswers(path);
    await expect(reading).rejects.toThrow(path);
    await expect(reading).rejects.toThrow('"edit"|"approve"|"reject"|"rank"|"comment"|"instruction"');
    await expect(reading).rejects.toThrow('at answers.followup.type');
    await expect(reading).rejects.toThrow('at by');
  });

  it('that is missing or not JSON is named', async () => {
    await expect(readAnswers(await fileWith('{'))).rejects.toThrow(/answers\.json is not JSON/);
    await expect(readAnswers(join(directory, 'none.json'))).rejects.toThrow(/none\.json/);
  });
});
