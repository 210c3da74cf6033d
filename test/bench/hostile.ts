import { hash } from 'node:crypto';
import { deriveContext, mediate, toShacl } from 'agentcharter/semantics';
import { EvidenceObject, UpFormatMessage } from '../../schema/index.ts';
import { parseDocument } from '../../src/base/boundary/parse-document.ts';
import { readJson } from '../../src/base/boundary/read-json.ts';
import { isCharterError } from '../../src/base/errors.ts';
import { heavy } from '../src/optional/semantics/mediate/heavy.ts';

// What the heaviest inputs cost: CPU time of each, beside a reference of the same round that is linear in its bytes. No
// test asserts these times; a ratio that grows from one version to the next is the finding.

const roundsOf = Number(process.env['BENCH_ROUNDS'] ?? 3);
const only = process.env['BENCH_ONLY'] ?? '';

const message = {
  messageId: '00000000-0000-4000-8000-00000000abcd',
  threadId: '00000000-0000-4000-8000-00000000abcd',
  timestamp: '2026-11-21T05:00:00Z',
  state: 'submitted',
  payload: {},
  explanation: '',
};
const parsed = (more: object) => () =>
  parseDocument('UpFormatMessage', UpFormatMessage, { ...message, ...more });

const target = { messageId: message.messageId, part: `${'/~0'.repeat(300_000)}~` };
const fields = Object.fromEntries(
  Array.from({ length: 10_000 }, (_, at) => [
    `a[].p${at}`,
    { description: 'x', predicate: `https://schema.org/p${at}` },
  ]),
);
const keys = JSON.stringify(Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [at, 0])));
const rows = Array.from({ length: 100_000 }, () => ({ evidence_id: 0 }));

const inputs: Readonly<Record<string, () => unknown>> = {
  'JSON: a megabyte and one byte': () => readJson('message', `"${'a'.repeat(1_048_575)}"`),
  'JSON: half a million levels': () => readJson('message', '['.repeat(500_000) + ']'.repeat(500_000)),
  'JSON: ten thousand keys and one': () => readJson('message', keys),
  'document: a time of a megabyte': parsed({ timestamp: `2026-11-21T05:00:00.${'0'.repeat(900_000)}` }),
  'document: a UUID of a megabyte': parsed({ messageId: '0'.repeat(900_000) }),
  'document: a pointer of a megabyte': parsed({ upFeedback: { type: 'comment', target } }),
  'document: a hundred thousand faults': () => parseDocument('rows', EvidenceObject.array(), rows),
  'linked data: a context of 10,000 fields': () => toShacl({ fields }),
  ...Object.fromEntries(heavy.map(([name, , run]) => [`mediation: ${name}`, run])),
  'mediation: a pair that people wrote': () =>
    mediate(
      deriveContext({
        type: 'object',
        properties: { email: { type: 'string', description: 'an e-mail address' } },
      }),
      deriveContext({
        type: 'object',
        properties: { mail: { type: 'string', description: 'the e-mail address' } },
      }),
    ),
};

const megabyte = 'a'.repeat(2 ** 20);
const reference = (): unknown => hash('sha256', JSON.stringify(megabyte));

/** CPU milliseconds of one run; a refusal is a result. */
const spent = (run: () => unknown): number => {
  const before = process.cpuUsage();
  try {
    run();
  } catch (error) {
    if (!isCharterError(error)) throw error;
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
};

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN;

console.log(`${'input'.padEnd(52)}${'CPU ms'.padStart(10)}${'x a megabyte hashed'.padStart(22)}`);
for (const [name, run] of Object.entries(inputs).filter(([title]) => title.includes(only))) {
  spent(run); // warm
  const rounds = Array.from({ length: roundsOf }, () => [spent(run), spent(reference)] as const);
  const ratio = median(rounds.map(([own, other]) => own / Math.max(other, 0.001)));
  const own = median(rounds.map(([of]) => of));
  console.log(`${name.padEnd(52)}${own.toFixed(1).padStart(10)}${ratio.toFixed(1).padStart(22)}`);
}
