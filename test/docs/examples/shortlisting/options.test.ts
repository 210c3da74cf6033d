import { describe, expect, it } from 'vitest';
import { readOptions, usage } from '../../../../docs/examples/shortlisting/options.ts';

const run = (...args: readonly string[]) => {
  let out = '';
  let err = '';
  const result = readOptions(args, {
    stdout: { write: (text) => (out += text) },
    stderr: { write: (text) => (err += text) },
  });
  return { result, out, err };
};

describe('The command line of the example', () => {
  it('needs no options', () => {
    expect(run()).toEqual({
      result: { console: false, json: false, store: 'shortlisting.db' },
      out: '',
      err: '',
    });
  });

  it('accepts an answers file, a mail directory and --json', () => {
    expect(run('--json', '--answers', 'a.json', '--mail=sent', '--store=tasks.db').result).toEqual({
      console: false,
      json: true,
      store: 'tasks.db',
      answers: 'a.json',
      mail: 'sent',
    });
  });

  it('requires the address and the name of a language model together', () => {
    const model = { url: 'http://127.0.0.1:8000/v1', name: 'small' };
    expect(run('--model', model.url, '--model-name', model.name).result).toMatchObject({ model });
    for (const args of [
      ['--model', model.url],
      ['--model-name', model.name],
    ])
      expect(run(...args)).toMatchObject({ result: 2, err: expect.stringContaining('go together') });
  });

  it('prints the usage text on stdout with --help', () => {
    expect(run('--help')).toEqual({ result: 0, out: usage, err: '' });
  });

  it.each([[['--jsn']], [['extra']], [['--answers']], [['--json=yes']], [['--answers', '--json']]])(
    'fails with 2 and the usage text on stderr for %j',
    (args) => {
      const { result, out, err } = run(...args);
      expect(result).toBe(2);
      expect(out).toBe('');
      expect(err).toContain(args[0]?.split('=')[0]);
      expect(err.endsWith(usage)).toBe(true);
    },
  );

  it('describes every option in the usage text', () => {
    const names = ['--answers FILE', '--mail DIR', '--json', '--help', 'SHORTLISTING_SMTP_URL'];
    for (const option of [...names, '--model URL', '--model-name NAME', 'OPENAI_API_KEY'])
      expect(usage).toContain(option);
  });
});
