import { expect, it } from 'vitest';
import { digest } from '../../../../src/base/canonical/digest.ts';
import { matchesDraft } from '../../../../src/optional/streaming/draft-match.ts';

const payload = { answer: 'Three rooms.', rooms: [{ name: 'Alfama', price: 80 }], empty: '' };
const output = { canProceed: true, confidence: 0.9, explanation: 'I looked.', payload };
const draft = { digest: digest(output), payload };

it.each([
  ['a string of its payload', 'Three rooms.'],
  ['a string deep in its payload', 'Alfama'],
  ['its payload as JSON', JSON.stringify(payload)],
  ['its payload as JSON, written otherwise', JSON.stringify({ ...payload, answer: 'Three rooms.' }, null, 2)],
  ['the whole output as JSON', JSON.stringify(output)],
])('isSaidBy finds %s in a draft', (_, text) => expect(matchesDraft(text, draft)).toBe(true));

it.each([
  ['a part of a string', 'Three'],
  ['more than it', 'Three rooms. All free!'],
  ['a key', 'answer'],
  ['a number', '80'],
  ['an explanation, which no verifier sees', 'I looked.'],
  ['JSON of something else', JSON.stringify({ ...payload, answer: 'Four rooms.' })],
  ['JSON that two readers would read differently', `{"answer":"x",${JSON.stringify(payload).slice(1)}`],
  ['a digest', draft.digest],
  ['text that is not JSON', '{"answer":'],
])('isSaidBy does not find %s in a draft', (_, text) => expect(matchesDraft(text, draft)).toBe(false));
