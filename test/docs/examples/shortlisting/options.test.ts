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

describe('the command line', () => {
  it('needs no options', () => {
    expect(run()).toEqual({
      result: { console: false, json: false, store: 'shortlisting.db' },
      out: '',
      err: '',
    });
  });

  it('takes an answers file, a mail directory, and --json', () => {
    expect(run('--json', '--answers', 'a.json', '--mail=sent', '--store=tasks.db').result).toEqual({
      console: false,
      json: true,
      store: 'tasks.db',
      answers: 'a.json',
      mail: 'sent',
    });
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
    for (const option of ['--answers FILE', '--mail DIR', '--json', '--help', 'SHORTLISTING_SMTP_URL'])
      expect(usage).toContain(option);
  });
});
