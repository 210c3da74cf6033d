import * as fc from 'fast-check';
import type { Arbitrary } from 'fast-check';
import { documents } from '../../schema/index.ts';
import type { DocumentName } from '../../schema/index.ts';
import { share } from '../share.ts';

/** The runs of every property here. */
export const runs = { numRuns: Number(process.env['FC_RUNS'] ?? share(1000, 250)) };

const withoutProto = (value: unknown): boolean => !JSON.stringify(value).includes('"__proto__"');

const json = fc.jsonValue({ maxDepth: 2, depthSize: 'small' }).filter(withoutProto);
const jsonObject = fc
  .dictionary(
    fc.oneof(
      fc.string({ maxLength: 8 }),
      fc.constantFrom('constructor', 'toString', 'hasOwnProperty', 'then'),
    ),
    json,
    { maxKeys: 3, noNullPrototype: true },
  )
  .filter(withoutProto);
const extensions = fc.dictionary(fc.stringMatching(/^[a-z]{1,5}:[a-zA-Z]{1,5}$/), json, {
  maxKeys: 2,
  noNullPrototype: true,
});

const text = fc.string({ maxLength: 20, unit: 'grapheme' });
const name = fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' });
const texts = fc.array(text, { maxLength: 3 });
const uuid = fc.oneof(
  fc.uuid(),
  fc.uuid().map((id) => id.toUpperCase()),
);
const offset = fc.constantFrom('Z', '+00:00', '-00:00', '+05:30', '-23:59');
const dateTime = fc
  .tuple(
    fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
    fc.constantFrom('', '.1', '.123456789'),
    offset,
  )
  .map(([date, fraction, zone]) => `${date.toISOString().slice(0, 19)}${fraction}${zone}`);
const pointer = fc
  .array(fc.string({ maxLength: 4 }), { maxLength: 3 })
  .map((parts) => parts.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''));

/** An open object: its fields, of which `required` are always there, and unknown ones. */
const open = <Fields>(
  fields: { [Key in keyof Fields]: Arbitrary<Fields[Key]> },
  required: (keyof Fields)[],
): Arbitrary<object> =>
  fc
    .tuple(extensions, fc.record(fields, { requiredKeys: required, noNullPrototype: true }))
    .map(([unknown, known]) => ({ ...unknown, ...known }));

const oneOf = (
  name: 'operational-state' | 'risk-tier' | 'phase' | 'outcome' | 'reason-code',
): Arbitrary<string> => fc.constantFrom<string>(...documents[name].options);

const upThought = open(
  {
    reasoning: texts,
    questions: texts,
    confidence: fc.double({ min: 0, max: 1, noNaN: true }),
    canProceed: fc.boolean(),
    alternatives: fc.array(json, { maxLength: 2 }),
    assumptions: texts,
  },
  [],
);

const characters = fc.nat();
const textEdit = open({ part: pointer, offset: characters, length: characters, text }, [
  'offset',
  'length',
  'text',
]);
const annotation = open({ part: pointer, offset: characters, length: characters, text }, ['text']);
const operation = fc.oneof(
  open({ op: fc.constantFrom('add', 'replace', 'test'), path: pointer, value: json }, [
    'op',
    'path',
    'value',
  ]),
  open({ op: fc.constantFrom('move', 'copy'), path: pointer, from: pointer }, ['op', 'path', 'from']),
  open({ op: fc.constant('remove'), path: pointer }, ['op', 'path']),
);
const ranking = fc.array(json, { maxLength: 3 });
const content = fc.oneof(
  text,
  ranking,
  open(
    {
      text,
      value: json,
      edits: fc.array(textEdit, { maxLength: 2 }),
      annotations: fc.array(annotation, { maxLength: 2 }),
      diff: fc.oneof(fc.array(operation, { maxLength: 2 }), jsonObject),
    },
    [],
  ),
);
const weight = fc.oneof(text, fc.integer());
const target = fc.oneof(uuid, open({ messageId: uuid, part: pointer }, ['messageId']));
const metadata = open({ severity: weight, priority: weight }, []);
const upFeedback = fc.oneof(
  open(
    {
      type: fc.constantFrom('edit', 'approve', 'reject', 'comment', 'instruction'),
      target,
      content,
      metadata,
    },
    ['type', 'target'],
  ),
  open({ type: fc.constant('rank'), target, content: ranking, metadata }, ['type', 'target', 'content']),
);

const upContext = open(
  {
    entity: text,
    fields: fc.dictionary(name, fc.oneof(text, open({ description: text }, ['description'])), {
      maxKeys: 2,
      noNullPrototype: true,
    }),
    concepts: texts,
    constraints: jsonObject,
    schema: fc.oneof(name, jsonObject),
  },
  [],
).filter(withoutProto);

const upFormatMessage = open(
  {
    messageId: uuid,
    threadId: uuid,
    parentMessageId: uuid,
    timestamp: dateTime,
    state: oneOf('operational-state'),
    payload: jsonObject,
    explanation: text,
    agentId: text,
    upThought,
    upFeedback,
    upContext,
  },
  ['messageId', 'threadId', 'timestamp', 'state', 'payload', 'explanation'],
);

const rollbackAction = open({ type: text, target: text, payload: fc.oneof(text, jsonObject) }, []);

const messageEnvelope = fc.record(
  {
    uaicp_version: text,
    request_id: uuid,
    trace_id: name,
    parent_trace_id: name,
    state: oneOf('phase'),
    timestamp: dateTime,
    identity: open(
      {
        agent_id: name,
        owner_id: name,
        user_id: name,
        control_class: fc.constantFrom('autonomous', 'human-supervised', 'human-directed'),
      },
      ['agent_id', 'owner_id', 'control_class'],
    ),
    outcome: oneOf('outcome'),
    streaming: open({ chunk_id: text, is_final: fc.boolean(), stream_index: fc.maxSafeInteger() }, []),
    rollback_action: rollbackAction,
    metadata: extensions,
  },
  {
    requiredKeys: ['uaicp_version', 'request_id', 'trace_id', 'state', 'timestamp', 'identity', 'outcome'],
    noNullPrototype: true,
  },
);

const evidenceObject = open(
  {
    evidence_id: name,
    evidence_type: fc.constantFrom(
      'tool_result',
      'source_citation',
      'test_report',
      'approval_token',
      'custom',
    ),
    source: name,
    request_id: uuid,
    trace_id: name,
    parent_trace_id: name,
    actor: text,
    hash: text,
    collected_at: dateTime,
    payload: fc.oneof(json, jsonObject),
  },
  ['evidence_id', 'evidence_type', 'source', 'hash', 'collected_at'],
);

const check = open({ check_id: name, result: fc.constantFrom('pass', 'fail', 'skip'), details: text }, [
  'check_id',
  'result',
]);
const verificationReport = open(
  {
    report_id: name,
    request_id: uuid,
    verifier_id: name,
    evidence_ids: texts,
    status: fc.constantFrom('pass', 'fail', 'partial'),
    checks: fc.array(check, { maxLength: 2 }),
    generated_at: dateTime,
  },
  ['report_id', 'request_id', 'status', 'checks', 'generated_at'],
);

/** Documents that fit, with unknown fields wherever the schema is open. */
export const fitting: Readonly<Record<DocumentName, Arbitrary<unknown>>> = {
  'upformat-message': upFormatMessage,
  'operational-state': oneOf('operational-state'),
  'up-thought': upThought,
  'up-feedback': upFeedback,
  'up-context': upContext,
  'message-envelope': messageEnvelope,
  'evidence-object': evidenceObject,
  'verification-report': verificationReport,
  'rollback-action': rollbackAction,
  'risk-tier': oneOf('risk-tier'),
  phase: oneOf('phase'),
  outcome: oneOf('outcome'),
  'reason-code': oneOf('reason-code'),
};
