import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { skipWithout } from '../../needs.ts';
import { fencesIn } from '../fences.ts';
import { run } from './run.ts';

const page = fileURLToPath(new URL('../../../docs/examples/cluster/README.md', import.meta.url));

describe.skipIf(skipWithout(['postgres']) !== null)('the example of a cluster', () => {
  it('finishes a task once whose node was killed, and prints what its page shows', async () => {
    const [shown] = fencesIn(await readFile(page, 'utf8')).filter(({ language }) => language === 'text');
    const { code, stdout, stderr } = await run('cluster/main.ts');
    expect({ code, stdout }).toEqual({ code: 0, stdout: shown?.text });
    expect(stderr).toMatch(/^The console: http:\/\/127\.0\.0\.1:\d+\/\?token=\S+\n$/);
  });
});
