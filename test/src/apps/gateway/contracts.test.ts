import { expect, it } from 'vitest';
import type { JsonObject } from '../../../../schema/index.ts';
import { rollbackIssues } from '../../../../src/apps/gateway/contracts.ts';

const anything = { additionalProperties: true };

const issuesWith = (
  inputSchema: JsonObject,
  ofWrite: JsonObject = anything,
  pointer = '/arguments/order',
) => {
  const [write, undo] = [
    { name: 'pay', inputSchema: ofWrite },
    { name: 'undo', inputSchema },
  ];
  return rollbackIssues({ tool: 'undo', arguments: { order: pointer } }, { write, undo }, ['rollback']).map(
    ({ path, message }) => `${path}: ${message}`,
  );
};

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

const typed = (type: string): JsonObject => ({ properties: { order: { type } } });

it.each([
  [
    'names another argument of the write',
    { properties: { orders: {} } },
    ': pay has no argument "order". Did you mean "orders"?',
  ],
  ['is of another type', typed('object'), ': is of type object, and undo requires string'],
])('An argument that %s is refused', (_, ofWrite, says) => {
  expect(issuesWith(typed('string'), ofWrite)).toEqual([`/rollback/arguments/order${says}`]);
});

it.each([
  ['is of the same type', typed('string'), typed('string'), '/arguments/order'],
  ['is an integer where a number is taken', typed('number'), typed('integer'), '/arguments/order'],
  ['has a type, and is taken of any', { properties: { order: {} } }, typed('object'), '/arguments/order'],
  ['is within another one', typed('string'), typed('object'), '/arguments/order/id'],
  ['is of the result', typed('string'), { properties: {} }, '/result/order'],
  ['is all of them', typed('object'), { properties: {} }, '/arguments'],
])('An argument that %s is let through', (_, ofUndo, ofWrite, pointer) => {
  expect(issuesWith(ofUndo, ofWrite, pointer)).toEqual([]);
});
