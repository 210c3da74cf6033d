import { describe, expect, it } from 'vitest';
import { skipWithout } from '../../../needs.ts';
import { run } from '../run.ts';

const noPython = skipWithout(['python']);

describe('The example of an agent in Python', () => {
  it.skipIf(noPython !== null)('pays a bill after a person’s approval, and delivers', async () => {
    const { code, stdout, stderr } = await run('adapters/http/main.ts');
    const lines = stdout.trimEnd().split('\n');
    const linesBy = (by: string) => lines.filter((line) => line.startsWith(by)); // two programs, and no order between them
    expect({ code, stderr, lines: lines.length }).toEqual({ code: 0, stderr: '', lines: 6 });
    expect(linesBy('python')).toEqual([
      'python: bill.read: done',
      'python: money.send: done',
      'python: conclusion: delivered {"paid": true}',
    ]);
    expect(linesBy('here')).toEqual([
      'here: Call money.send with to "Ada", cents 12000. Kim approves it.',
      'here: 12000 cents are sent to Ada',
      'here: the run is completed.settled',
    ]);
  });
});
