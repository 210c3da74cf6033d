import * as fc from 'fast-check';
import { Fact } from '../../machines/index.ts';
import { documents, type DocumentName } from '../../schema/index.ts';
import { jwsApprovals } from '../../src/gates/approvals/index.ts';
import { parseDocument } from '../../src/base/boundary/parse-document.ts';
import { readJson } from '../../src/base/boundary/read-json.ts';
import { digest } from '../../src/base/canonical/digest.ts';
import { frozenCopy } from '../../src/base/canonical/freeze.ts';
import { evidenceFault } from '../../src/gates/evidence/fault.ts';
import { defineTaskClass, type VerificationSubject } from '../../src/index.ts';
import { fromJsonLines, replay, toJsonLines, verifyLedger } from '../../src/core/ledger/index.ts';
import { Children } from '../../src/core/shell/children.ts';
import { rooms } from '../../src/core/orchestrator.ts';
import { environmentOf } from '../../src/core/shell/options.ts';
import { readConclusion, readCorrection, readPlan } from '../../src/core/shell/read-output.ts';
import { readFeedback } from '../../src/core/shell/answers/feedback.ts';
import { readSubmission } from '../../src/core/shell/submission.ts';
import { Task } from '../../src/core/shell/task.ts';
import { readFindings } from '../../src/gates/verification/findings.ts';
import { asked, by, claims, compact, edKey, header, now, options } from '../src/gates/approvals/desk.ts';
import { madeLedger } from '../src/core/ledger/made.ts';
import { call, draft, identity, plan, readTool } from '../src/core/shell/scripted.ts';
import { simulatedClock } from '../src/core/shell/simulated-clock.ts';
import { fitting } from '../schema/arbitraries.ts';
import { damaged, malformed } from './malformed.ts';

/** Something that reads what comes from outside; it answers, or throws this library's own error. */
export interface Parser {
  readonly given: fc.Arbitrary<unknown>;
  readonly read: (value: unknown) => unknown;
}

const taskClass = defineTaskClass({ id: 'work', tools: ['read'] });
const base = environmentOf(
  {
    taskClasses: [taskClass],
    model: { answer: async () => null },
    tools: [readTool('read')],
    clock: simulatedClock(),
  },
  () => {},
);
const unborn = (): never => {
  throw new TypeError('no task begins here');
};
const family = {
  store: base.store,
  begin: unborn,
  use: unborn,
  performs: () => true,
  deliver: unborn,
  take: unborn,
  undo: unborn,
  unreported: () => [],
  strandedEnd: unborn,
  endStranded: unborn,
  endNested: unborn,
};
const environment = {
  ...base,
  mediate: rooms.mediate,
  children: new Children({ depth: 1, children: 1 }, family),
};

const submission = { taskClass: 'work', payload: { wish: 'a list' }, explanation: 'please', identity };
const task = Task.of(
  'task',
  readSubmission(submission, environment, environment.ids.uuid),
  taskClass,
  environment,
);

const payload = { balance: 7 };
const evidence = {
  evidence_id: 'e-1',
  evidence_type: 'tool_result',
  source: 'read',
  request_id: '00000000-0000-4000-8000-000000000001',
  trace_id: 'f'.repeat(32),
  hash: digest(payload),
  collected_at: '2026-11-21T05:00:00Z',
  payload,
  'agentcharter:call': 'call-1',
} as const;
const expectedEvidence = {
  requestId: evidence.request_id,
  traceId: evidence.trace_id,
  type: 'tool_result',
  tool: 'read',
  call: 'call-1',
  now: Date.parse('2026-11-21T05:00:00Z'),
  skew: 0,
} as const;

const subject: VerificationSubject = {
  kind: 'draft',
  digest: digest(payload),
  value: payload,
  request: {},
  requestId: evidence.request_id,
  traceId: evidence.trace_id,
  evidence: [evidence],
};
const report = {
  report_id: 'r-1',
  request_id: evidence.request_id,
  verifier_id: 'judge',
  evidence_ids: ['e-1'],
  status: 'pass',
  checks: [{ check_id: 'looks right', result: 'pass' }],
  generated_at: '2026-11-21T05:00:00Z',
};

const records = madeLedger(1).records();
const lines = toJsonLines(records);

const { verify } = jwsApprovals(options);
const texts = (value: unknown): fc.Arbitrary<string> => fc.constant(JSON.stringify(value));
const tokens = fc.oneof(
  damaged(texts(claims)).map((text) => compact(header, String(text), by(edKey))),
  damaged(texts(header)).map((text) => compact(String(text), claims, by(edKey))),
  damaged(fc.constant(compact(header, claims, by(edKey)))),
  malformed(fc.constant(claims)).map((value) => {
    try {
      return compact(header, value, by(edKey));
    } catch {
      return value;
    }
  }),
);

const thoughts = { reasoning: ['so'], questions: [], alternatives: [{ a: 1 }], assumptions: ['none'] };
const plans = fc.constantFrom<unknown>(
  plan([call('read', { amount: 1 })], thoughts),
  plan([], { canProceed: false, missing: { where: 'a place' } }),
);
const drafts = fc.constantFrom<unknown>(
  draft({ done: true }, { ...thoughts, upContext: { entity: 'rooms', fields: { price: 'in euros' } } }),
  { canProceed: true, confidence: 0.9, calls: [call('read')], explanation: 'one more' },
);
const corrections = fc.constantFrom<unknown>(
  { choice: 'fixed', output: plan(), explanation: 'so' },
  { choice: 'needHuman', explanation: 'which?' },
  { choice: 'beyondCapability', explanation: 'too hard' },
);

const request = evidence.request_id;
const facts = fc.constantFrom<unknown>(
  { type: 'request.accepted' },
  { type: 'plan.proposed', digest: 'd', confidence: 1, canProceed: true, calls: [] },
  { type: 'call.succeeded', request, attempt: 0, call: 'c', evidence: { id: 'e', type: 'tool_result' } },
  { type: 'human.responded', question: 'q', feedback: 'approve', by: 'kim' },
  { type: 'dependency.met', dependency: 'd' },
);

const json = fc.oneof(
  texts(submission),
  texts(evidence),
  fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.stringify(value)),
);

const documentParsers = (Object.keys(documents) as DocumentName[]).map((name): readonly [string, Parser] => [
  `the document ${name}`,
  {
    given: malformed(fitting[name]),
    read: (value) => parseDocument(name, documents[name], value),
  },
]);

/** Those that only parse, by name. */
export const parsers: Readonly<Record<string, Parser>> = {
  'bytes of JSON': { given: damaged(json), read: (value) => readJson('message', value as string) },
  ...Object.fromEntries(documentParsers),
  'a request': {
    given: malformed(fc.constant(submission)),
    read: (value) => readSubmission(value, environment, environment.ids.uuid),
  },
  feedback: { given: malformed(fitting['up-feedback']), read: (value) => readFeedback(value, environment) },
  'a fact': { given: malformed(facts), read: (value) => parseDocument('Fact', Fact, value) },
  'a plan of a model': { given: malformed(plans), read: (value) => readPlan(task, environment, value) },
  'a draft of a model': {
    given: malformed(drafts),
    read: (value) => readConclusion(task, environment, value),
  },
  'a correction of a model': { given: malformed(corrections), read: readCorrection },
  'an approval token': { given: tokens, read: (value) => verify(value as string, asked, now) },
  'the findings of a verifier': {
    given: malformed(fc.constant(report)),
    read: (value) =>
      readFindings(value, { verifier: { id: 'judge' }, subject, evidence: [{ type: 'tool_result' }] }),
  },
  'evidence of another party': {
    given: malformed(fc.constant(evidence)),
    read: (value) => evidenceFault(frozenCopy(value), expectedEvidence),
  },
  'lines of a ledger': {
    given: damaged(fc.constant(lines)),
    read: (value) => fromJsonLines(value as string),
  },
  'records of a ledger, verified': {
    given: malformed(fc.constantFrom(...records)).map((record) => [...records.slice(0, 3), record]),
    read: (value) => verifyLedger(value as readonly unknown[]),
  },
  'records of a ledger, replayed': {
    given: malformed(fc.constantFrom(...records)).map((record) => [...records.slice(0, 3), record]),
    read: (value) => replay(value as readonly unknown[]),
  },
};
