import { describe, expect, it } from 'vitest';
import type { EvidenceObject, VerificationCheck } from '../../../../schema/index.ts';
import {
  noReport,
  readFindings,
  subjectKey,
  type Asked,
} from '../../../../src/gates/verification/findings.ts';
import { refusalOf } from '../../base/canonical/generated.ts';
import { refused } from '../../base/canonical/refused.ts';

const requestId = '00000000-0000-4000-8000-000000000001';
const otherId = '00000000-0000-4000-8000-000000000002';
const digest = `sha256:${'a'.repeat(64)}`;

const shown = (
  evidence_id: string,
  source: string,
  evidence_type: EvidenceObject['evidence_type'] = 'tool_result',
): EvidenceObject => ({
  evidence_id,
  evidence_type,
  source,
  hash: digest,
  collected_at: '2026-11-21T05:00:00Z',
});
const evidence = [
  shown('e-1', 'search'),
  shown('e-2', 'search'),
  shown('e-3', 'library', 'source_citation'),
  shown('e-4', 'clock'),
];

const asked = (required: Asked['evidence'] = [], requires?: readonly string[]): Asked => ({
  verifier: { id: 'facts', ...(requires !== undefined && { requires }) },
  subject: {
    kind: 'draft',
    digest,
    value: { answer: 42 },
    request: {},
    requestId,
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    evidence,
  },
  evidence: required,
});

const check = (check_id: string, result: VerificationCheck['result'] = 'pass'): VerificationCheck => ({
  check_id,
  result,
});
const passed = { checks: [check('sums'), check('names')] };
const all = ['e-1', 'e-2', 'e-3', 'e-4'];

const report = {
  report_id: 'report-1',
  request_id: requestId,
  verifier_id: 'facts',
  evidence_ids: ['e-1'],
  status: 'pass',
  checks: passed.checks,
  generated_at: '2026-11-21T05:00:00Z',
  'agentcharter:subject': digest, // stored ledgers contain this name, so it is written out
};

const invalid = noReport('REPORT_INVALID', 'facts', 'its checks cannot be read');

describe('the result of a verifier', () => {
  it('passes when every check passes, and covers all the evidence shown [UAICP 5.2]', () => {
    expect(readFindings(passed, asked())).toEqual({
      status: 'pass',
      code: null,
      checks: passed.checks,
      evidenceIds: all,
    });
  });

  it('may be a whole report, which covers the evidence that it names', () => {
    expect(readFindings(report, asked())).toEqual({
      status: 'pass',
      code: null,
      checks: passed.checks,
      evidenceIds: ['e-1'],
    });
  });

  it('may have further members, in itself and in its checks', () => {
    const checks = [{ ...check('sums'), details: 'all of them', 'vendor:score': 0.5 }];
    expect(readFindings({ checks, 'vendor:model': 'none' }, asked())).toMatchObject({
      status: 'pass',
      checks,
    });
  });

  it('is copied, so later changes have no effect', () => {
    const given = { checks: [{ check_id: 'sums', result: 'pass', details: 'as it was' }] };
    const reading = readFindings(given, asked());
    given.checks[0]!.details = 'otherwise';
    expect(reading.checks).toMatchObject([{ details: 'as it was' }]);
  });
});

describe('an unreadable result: REPORT_INVALID [UAICP 5.2]', () => {
  it.each<[string, unknown]>([
    ['null', null],
    ['true', true],
    ['a string', 'pass'],
    ['a list of checks', passed.checks],
    ['a bare status', { status: 'pass' }],
    ['no check at all', { checks: [] }],
    ['a check without a name', { checks: [{ check_id: '', result: 'pass' }] }],
    ['a check without a result', { checks: [{ check_id: 'sums' }] }],
    ['an unknown result', { checks: [{ check_id: 'sums', result: 'passed' }] }],
    ['a result that is no string', { checks: [{ check_id: 'sums', result: true }] }],
    ['one check of several that cannot be read', { checks: [...passed.checks, {}] }],
    ['an unknown status', { ...passed, status: 'ok' }],
    ['a request id that is no UUID', { ...passed, request_id: 'request-1' }],
    ['no request', { ...passed, request_id: null }],
    ['a verifier without a name', { ...passed, verifier_id: '' }],
    ['evidence ids that are no list', { ...passed, evidence_ids: 'e-1' }],
    ['an evidence object in place of its id', { ...passed, evidence_ids: [evidence[0]] }],
    ['no instant', { ...passed, generated_at: 'now' }],
  ])('fails: %s', (_, answer) => {
    expect(readFindings(answer, asked())).toEqual(invalid);
  });

  it('fails in one check under the verifier’s name', () => {
    expect(invalid).toEqual({
      status: 'fail',
      code: 'REPORT_INVALID',
      checks: [{ check_id: 'facts', result: 'fail', details: 'its checks cannot be read' }],
      evidenceIds: [],
    });
  });

  it.each(refused)('is rejected before it is parsed when it is ambiguous: %s', (_, value, path) => {
    const nested = path === '' ? '/more' : `/more${path}`;
    expect(refusalOf(() => readFindings({ ...passed, more: value }, asked())).details).toMatchObject({
      document: 'Findings',
      path: nested,
    });
    expect(
      refusalOf(() => readFindings({ checks: [{ ...check('sums'), details: value }] }, asked())),
    ).toBeDefined();
  });

  it('never runs a getter or a proxy', () => {
    let reads = 0;
    const count = () => {
      reads += 1;
      return 'pass' as const;
    };
    const inCheck = {
      check_id: 'sums',
      get result() {
        return count();
      },
    };
    const onTop = {
      get checks() {
        count();
        return passed.checks;
      },
    };
    const proxy = new Proxy(passed, {
      get: count,
      ownKeys: () => (count(), []),
      getPrototypeOf: () => (count(), null),
    });
    for (const answer of [{ checks: [inCheck] }, onTop, proxy, { checks: proxy }]) {
      expect(refusalOf(() => readFindings(answer, asked())).details.document).toBe('Findings');
    }
    expect(reads).toBe(0);
  });

  it('is rejected when it is a promise', () => {
    expect(refusalOf(() => readFindings(Promise.resolve(passed), asked()))).toBeDefined();
  });
});

describe('a report on something else: REPORT_FOREIGN [UAICP 5.2]', () => {
  it.each<[string, object]>([
    ['another request', { request_id: otherId }],
    ['another verifier', { verifier_id: 'Facts' }],
    ['another subject, by its stored name', { 'agentcharter:subject': `sha256:${'b'.repeat(64)}` }],
    ['another subject', { [subjectKey]: `sha256:${'b'.repeat(64)}` }],
    ['a subject that is no digest', { [subjectKey]: 0 }],
    ['its subject in a list', { [subjectKey]: [digest] }],
  ])('fails for %s', (_, changes) => {
    const reading = readFindings({ ...report, ...changes }, asked());
    expect(reading).toMatchObject({ status: 'fail', code: 'REPORT_FOREIGN', checks: passed.checks });
    expect(readFindings({ ...passed, ...changes }, asked())).toMatchObject({ code: 'REPORT_FOREIGN' });
  });

  it('fails with this code before any other', () => {
    const worse = {
      request_id: otherId,
      evidence_ids: ['e-9'],
      status: 'pass',
      checks: [check('x', 'fail')],
    };
    expect(readFindings(worse, asked([], ['sums']))).toMatchObject({
      status: 'fail',
      code: 'REPORT_FOREIGN',
    });
  });
});

describe('a report on other evidence: REPORT_EVIDENCE_MISMATCH [UAICP 5.2]', () => {
  const mismatch = { status: 'fail', code: 'REPORT_EVIDENCE_MISMATCH' };
  const ofType: Asked['evidence'] = [{ type: 'tool_result' }, { type: 'source_citation' }];
  const ofTool: Asked['evidence'] = [{ type: 'tool_result', tool: 'search' }];

  it.each<[string, Asked['evidence'], readonly string[], boolean]>([
    ['names unknown evidence', [], ['e-9'], false],
    ['names unknown beside known evidence', [], [...all, 'e-9'], false],
    ['names an id in another case', [], ['E-1'], false],
    ['names an Object.prototype member', [], ['constructor'], false],
    ['names nothing when nothing is required', [], [], true],
    ['names nothing when evidence is required', [{ type: 'tool_result' }], [], false],
    ['omits a required type', ofType, ['e-1', 'e-2', 'e-4'], false],
    ['omits the other required type', ofType, ['e-3'], false],
    ['names one of each type', ofType, ['e-4', 'e-3'], true],
    ['names the type of another tool', ofTool, ['e-4'], false],
    ['names another type of the tool', [{ type: 'test_report', tool: 'search' }], all, false],
    ['names one of two from the tool', ofTool, ['e-2'], true],
    ['names all', [...ofType, ...ofTool], all, true],
    ['names one twice', ofTool, ['e-1', 'e-1'], true],
    ['must cover missing evidence', [{ type: 'test_report' }], all, false],
  ])('is checked against the evidence shown: it %s', (_, required, evidence_ids, counts) => {
    const reading = readFindings({ ...report, evidence_ids }, asked(required));
    expect(reading).toMatchObject(counts ? { status: 'pass', code: null } : mismatch);
    expect(reading.evidenceIds).toEqual(evidence_ids);
  });

  it('that names no evidence covers all it was shown, and nothing else', () => {
    expect(readFindings(passed, asked(ofType))).toMatchObject({ status: 'pass', evidenceIds: all });
    expect(readFindings(passed, asked([{ type: 'test_report' }]))).toMatchObject(mismatch);
    expect(readFindings(passed, asked([{ type: 'tool_result', tool: 'library' }]))).toMatchObject(mismatch);
  });

  it('fails with this code before its checks count', () => {
    const worse = { evidence_ids: ['e-9'], status: 'pass', checks: [check('x', 'fail')] };
    expect(readFindings(worse, asked([], ['sums']))).toMatchObject(mismatch);
  });
});

describe('a report without a required check: REPORT_INVALID', () => {
  it.each<[string, readonly VerificationCheck[]]>([
    ['no required check', [check('other')]],
    ['one of two required checks', [check('sums')]],
    ['one of two in another case', [check('sums'), check('Names')]],
    ['one of two, which failed', [check('sums', 'fail')]],
  ])('fails with %s', (_, checks) => {
    expect(readFindings({ checks }, asked([], ['sums', 'names']))).toMatchObject({
      status: 'fail',
      code: 'REPORT_INVALID',
      checks,
    });
  });

  it('fails with this code before a contradiction counts', () => {
    const worse = { checks: [check('sums', 'fail')], status: 'pass' };
    expect(readFindings(worse, asked([], ['sums', 'names']))).toMatchObject({ code: 'REPORT_INVALID' });
  });
});

describe('a report that passes despite a failed or skipped check: REPORT_CONTRADICTORY [UAICP 5.2]', () => {
  it.each<[string, readonly VerificationCheck[], readonly string[] | undefined]>([
    ['failed', [check('sums'), check('names', 'fail')], undefined],
    ['was skipped', [check('sums'), check('names', 'skip')], undefined],
    ['is required, and was skipped', [check('sums'), check('names', 'skip')], ['names']],
    ['failed without being required', [check('sums'), check('names', 'fail')], ['sums']],
    ['failed under a name that passed too', [check('sums'), check('sums', 'fail')], ['sums']],
    ['was skipped under a name that passed too', [check('sums'), check('sums', 'skip')], ['sums']],
  ])('fails when a check %s', (_, checks, requires) => {
    expect(readFindings({ ...report, checks }, asked([], requires))).toMatchObject({
      status: 'fail',
      code: 'REPORT_CONTRADICTORY',
      checks,
    });
  });
});

describe('the status of a report, recomputed from its checks [UAICP 5.2]', () => {
  it.each<[string, readonly VerificationCheck[], readonly string[] | undefined, string]>([
    ['all passed', [check('a'), check('b')], undefined, 'pass'],
    ['one failed', [check('a'), check('b', 'fail')], undefined, 'fail'],
    ['one was skipped', [check('a'), check('b', 'skip')], undefined, 'partial'],
    ['all were skipped', [check('a', 'skip'), check('b', 'skip')], undefined, 'partial'],
    ['one failed and one was skipped', [check('a', 'skip'), check('b', 'fail')], undefined, 'fail'],
    ['the required ones passed, beside skipped others', [check('a'), check('b', 'skip')], ['a'], 'pass'],
    ['a required one was skipped', [check('a', 'skip'), check('b')], ['a'], 'partial'],
    ['a required one failed', [check('a', 'fail'), check('b')], ['a'], 'fail'],
    ['another failed beside the required ones', [check('a'), check('b', 'fail')], ['a'], 'fail'],
  ])('is right when %s', (_, checks, requires, status) => {
    const reading = readFindings({ checks }, asked([], requires));
    expect(reading).toMatchObject({ status, code: null, checks });
    for (const claimed of ['fail', 'partial']) {
      const held = readFindings({ checks, status: claimed }, asked([], requires));
      expect(held.status).toBe(status === 'pass' ? 'fail' : status);
      expect(held.code).toBeNull();
    }
  });

  it('is pass only with passed checks, in every combination of two checks, requirements and claims', () => {
    const results = ['pass', 'fail', 'skip'] as const;
    const claims = [undefined, 'pass', 'fail', 'partial'];
    const cases = results.flatMap((a) =>
      results.flatMap((b) =>
        [undefined, ['a'], ['b'], ['a', 'b']].flatMap((requires) =>
          claims.map((claimed) => ({ a, b, requires, claimed })),
        ),
      ),
    );
    const passes = cases.filter(({ a, b, requires, claimed }) => {
      const answer = {
        checks: [check('a', a), check('b', b)],
        ...(claimed !== undefined && { status: claimed }),
      };
      return readFindings(answer, asked([], requires)).status === 'pass';
    });
    expect(cases).toHaveLength(144);
    // with or without a claimed status: all passed, or the required one passed beside a skipped one
    expect(passes.map(({ a, b, requires, claimed }) => `${a} ${b} ${requires?.join()} ${claimed}`)).toEqual([
      ...[undefined, 'a', 'b', 'a,b'].flatMap((one) =>
        [undefined, 'pass'].map((c) => `pass pass ${one} ${c}`),
      ),
      ...[undefined, 'pass'].map((c) => `pass skip a ${c}`),
      ...[undefined, 'pass'].map((c) => `skip pass b ${c}`),
    ]);
  });

  it('is not pass when no check passed, even without required checks', () => {
    expect(readFindings({ checks: [check('a', 'skip')] }, asked([], [])).status).not.toBe('pass');
  });
});

it('noReport returns a failed check with the reason', () => {
  expect(noReport('VERIFIER_TIMEOUT', 'facts', 'it took too long')).toEqual({
    status: 'fail',
    code: 'VERIFIER_TIMEOUT',
    checks: [{ check_id: 'facts', result: 'fail', details: 'it took too long' }],
    evidenceIds: [],
  });
});
