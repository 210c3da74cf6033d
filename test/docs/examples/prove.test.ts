import { expect, it } from 'vitest';
import { run } from './run.ts';

it('proves your own task class, and finds a fault in your own chart by a shortest run', async () => {
  const { stdout, stderr, code } = await run('prove.ts');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatchInlineSnapshot(`
    "a wire transfer: 0 properties broken, 2728 paths replayed

    a paid invoice stays paid: broken
      1. approve
         open -> approved
      2. pay
         approved -> paid
      3. remind
         paid -> open

    test("a paid invoice stays paid", () => {
      const graph = explore(machine, {
        ...exploration,
        events: [
          {"type":"approve"},
          {"type":"pay"},
          {"type":"remind"},
        ],
      });
      const asked = properties.filter((property) => property.name === "a paid invoice stays paid");
      expect(check(graph, asked).map(({ trace }) => trace)).toEqual([]);
    });

    "
  `);
});
