import { expect, test } from 'vitest';
import { readJson } from '../../../../src/base/boundary/read-json.ts';
import type { ReadLimits } from '../../../../src/base/boundary/scan.ts';
import { refusalOf } from '../canonical/generated.ts';

/** The source, the path of the fault, the reason, what is accepted, and limits if not the default. */
test.each<[string | Uint8Array, string, string, string, Partial<ReadLimits>?]>([
  [Uint8Array.of(0xff), '', 'it is not UTF-8', 'JSON in UTF-8'],
  ['{', '', 'it is not JSON', 'one JSON value (RFC 8259)'],
  ['"abc"', '', 'it has 5 bytes', '4 bytes', { bytes: 4 }],
  [Uint8Array.of(0x31, 0x32), '', 'it has 2 bytes', '1 bytes', { bytes: 1 }],
  ['[[[]]]', '/0/0', 'it is nested too deeply', 'a depth of 2', { depth: 2 }],
  ['{"a":{"b":{}}}', '/a/b', 'it is nested too deeply', 'a depth of 2', { depth: 2 }],
  ['{"a":1,"b":[0,{"c":2}]}', '/b/1/c', 'it is one key too many', '2 keys in all', { keys: 2 }],
  ['[0,{"a":1,"a":2}]', '/1/a', 'the key occurs twice', 'each key once'],
  ['{"a":[0,-1e999]}', '/a/1', 'it is too large for a number', 'a finite double'],
  [
    '{"a":9007199254740992}',
    '/a',
    'it is an integer that not every reader holds exactly',
    'up to 2^53-1, or a string',
  ],
])('readJson rejects %o at "%s": %s; accepted: %s', (source, path, reason, accepted, limits) => {
  const { details, message } = refusalOf(() => readJson('message', source, limits));
  expect(details).toEqual({ document: 'message', path, reason });
  const place = path === '' ? 'message' : `message at "${path}"`;
  expect(message).toBe(`${place} is not read: ${reason}; accepted: ${accepted}`);
});

test.each<[string, Partial<ReadLimits>]>([
  ['"abc"', { bytes: 5 }],
  ['[[]]', { depth: 2 }],
  ['{"a":1,"b":[0,{"c":2}]}', { keys: 3 }],
])('readJson accepts %s within the limits %j', (source, limits) => {
  expect(readJson('message', source, limits)).toEqual(JSON.parse(source));
});
