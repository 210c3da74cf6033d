import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import type { Question } from '../../../../docs/examples/shortlisting/human.ts';
import { terminalHuman } from '../../../../docs/examples/shortlisting/terminal.ts';

const signal = new AbortController().signal;
const location: Question = {
  id: 'q-1',
  kind: 'information',
  text: 'Where should they work?',
  ends: 'Answer until Friday; then the task fails.',
  accepts: ['edit', 'instruction', 'reject'],
  fields: { location: 'a city, a country, or both' },
};
const choice: Question = {
  id: 'q-2',
  kind: 'followup',
  text: 'Who should be invited?',
  accepts: ['rank', 'comment'],
  choices: [
    { id: 'f-07', label: 'Inês' },
    { id: 'f-12', label: 'Rui' },
  ],
};

/** A terminal at which somebody types the lines, one at each prompt. */
const terminal = (...lines: readonly string[]) => {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const output = new PassThrough();
  const screen = new PassThrough();
  const left = [...lines];
  output.on('data', (chunk: Buffer) => {
    screen.write(chunk);
    if (!/(> |: )$/.test(chunk.toString())) return;
    const line = left.shift();
    if (line !== undefined) setImmediate(() => input.write(`${line}\n`));
  });
  return {
    input,
    human: terminalHuman(input, output, 'dana'),
    shown: () => text(screen.end()),
  };
};

describe('The human at a terminal', () => {
  it('reads the question and gives the requested field', async () => {
    const { human, shown } = terminal('Lisbon, Portugal');
    expect(await human.answer(location, signal)).toEqual({
      type: 'edit',
      content: { location: 'Lisbon, Portugal' },
      by: 'dana',
    });
    expect(await shown()).toBe(
      '\nWhere should they work?\n  location: a city, a country, or both\n' +
        'Answer until Friday; then the task fails.\n[reject | instruction TEXT | Enter to skip]\nlocation: ',
    );
  });

  it('fills in each field in turn', async () => {
    const fields = { location: 'a city', start: 'a date' };
    const { human } = terminal('Lisbon', '2026-03-02');
    expect(await human.answer({ ...location, fields }, signal)).toMatchObject({
      content: { location: 'Lisbon', start: '2026-03-02' },
    });
  });

  it.each(['2 1', 'f-12, f-07', '2,f-07'])('ranks the choices with %j', async (line) => {
    const { human } = terminal(line);
    expect(await human.answer(choice, signal)).toEqual({
      type: 'rank',
      content: ['f-12', 'f-07'],
      by: 'dana',
    });
  });

  it.each(['3', '1 1', 'approve', 'rank', 'comment'])(
    'is asked again after the invalid answer %j',
    async (line) => {
      const { human, shown } = terminal(line, '1');
      expect(await human.answer(choice, signal)).toMatchObject({ type: 'rank', content: ['f-07'] });
      expect(await shown()).toContain(
        'This is not a valid answer: [numbers, best first | comment TEXT | Enter',
      );
    },
  );

  it.each([
    ['approve', { type: 'approve', content: null }],
    ['Reject too dear', { type: 'reject', content: 'too dear' }],
    ['instruction ask Porto too', { type: 'instruction', content: 'ask Porto too' }],
  ])('may answer %j', async (line, said) => {
    const { human } = terminal(line);
    const accepts = ['approve', 'reject', 'instruction'];
    expect(await human.answer({ ...choice, accepts }, signal)).toEqual({ ...said, by: 'dana' });
  });

  it('leaves a question with an empty line', async () => {
    expect(await terminal('').human.answer(choice, signal)).toBeUndefined();
  });

  it('leaves a question when the terminal closes', async () => {
    const { human, input } = terminal();
    const answer = human.answer(choice, signal);
    setImmediate(() => input.end());
    expect(await answer).toBeUndefined();
  });

  it('leaves a closed question, and answers the next', async () => {
    const { human, input } = terminal();
    expect(await human.answer(choice, AbortSignal.timeout(20))).toBeUndefined();
    const next = human.answer(choice, signal);
    setImmediate(() => input.write('1\n'));
    expect(await next).toMatchObject({ content: ['f-07'] });
  });

  it('answers one question at a time', async () => {
    const { human } = terminal('Lisbon', '2');
    expect(await Promise.all([human.answer(location, signal), human.answer(choice, signal)])).toMatchObject([
      { content: { location: 'Lisbon' } },
      { content: ['f-12'] },
    ]);
  });

  it('sees no control characters of a question', async () => {
    const { human, shown } = terminal('');
    await human.answer({ ...choice, text: 'Safe\u001B[2J?\u202E\n> ' }, signal);
    expect(await shown()).toMatch(/^\nSafe \[2J\? > \n/);
  });

  it('is absent without a terminal', async () => {
    const output = new PassThrough();
    expect(await terminalHuman(new PassThrough(), output).answer(choice, signal)).toBeUndefined();
    expect(output.readableLength).toBe(0);
  });
});
