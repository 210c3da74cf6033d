import { expect, it } from 'vitest';
import { run } from '../run.ts';

it('guards an MCP server with an allowed read, an approved write and a refused one', async () => {
  const { stdout, stderr, code } = await run('adapters/mcp.ts');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatchInlineSnapshot(`
    "left out: write_file
    fs.read_text_file: read_only
    fs.move_file: write_high_risk
    failure, BEYOND_CAPABILITY [ 'draft.txt' ]
    approval: May fs.move_file be called with these arguments?
    success [ 'final.txt' ]
    "
  `);
});
