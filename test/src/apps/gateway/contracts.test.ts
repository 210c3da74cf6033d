import { expect, it } from 'vitest';
import type { JsonObject } from '../../../../schema/index.ts';
import { rollbackIssues } from '../../../../src/apps/gateway/contracts.ts';

const issuesWith = (inputSchema: JsonObject) =>
  rollbackIssues({ tool: 'undo', arguments: { order: '/arguments/order' } }, { name: 'undo', inputSchema }, [
    'rollback',
  ]).map(({ path, message }) => `${path}: ${message}`);

it.each([
  ['takes others', { additionalProperties: true }],
  ['takes others of a form', { additionalProperties: { type: 'string' } }],
  ['takes names of a pattern', { patternProperties: { '^o': {} } }],
  ['refers to its names', { $ref: '#/$defs/input' }],
  ['joins its names', { allOf: [{ properties: { order: {} } }] }],
])('An argument that a tool does not name is not refused if the tool %s', (_, schema) => {
  expect(issuesWith(schema)).toEqual([]);
});

it.each([
  ['nothing of its arguments', {}, '. It has none'],
  [
    'that there are no others',
    { properties: { orders: {} }, additionalProperties: false },
    '. Did you mean "orders"?',
  ],
])('An argument that a tool does not name is refused if the tool says %s', (_, schema, hint) => {
  expect(issuesWith(schema)).toEqual([`/rollback/arguments/order: undo has no argument "order"${hint}`]);
});

it('An argument that a tool requires is missing, whatever its name', () => {
  const [issue, ...more] = issuesWith({ additionalProperties: true, required: ['order', 'constructor'] });
  expect(more).toEqual([]);
  expect(issue).toContain('/rollback/arguments: undo requires "constructor": add where its value is');
});
