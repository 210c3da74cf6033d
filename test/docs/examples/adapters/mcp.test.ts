import { expect, it } from 'vitest';
import { run } from '../run.ts';

it('guards an MCP server with an allowed read, an approved write and a refused one', async () => {
  const { stdout, stderr, code } = await run('adapters/mcp.ts');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout.replaceAll(/\/\S*\/(?=\w+\.txt")/g, '')).toMatchInlineSnapshot(`
    "omitted: write_file
    fs.read_text_file: read_only
    fs.move_file: write_high_risk
    failure, BEYOND_CAPABILITY [ 'draft.txt' ]
    approval: Call fs.move_file with source "draft.txt", destination "final.txt".
    success [ 'final.txt' ]
    "
  `);
});
