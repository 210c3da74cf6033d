import { describe, expect, it } from 'vitest';
import type { EvidenceObject, VerificationCheck } from '../../../schema/index.ts';
import { noReport, readFindings, subjectKey, type Asked } from '../../../src/verification/findings.ts';
import { refusalOf } from '../canonical/generated.ts';
import { refused } from '../canonical/refused.ts';

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
  'agentcharter:subject': digest, // the name is stored: it is written out here
};

const invalid = noReport('REPORT_INVALID', 'facts', 'it reported no checks that can be read');

describe('what a verifier found', () => {
  it('is a pass where every check passes, and stands for all the evidence that it was shown [UAICP 5.2]', () => {
    expect(readFindings(passed, asked())).toEqual({
      status: 'pass',
      code: null,
      checks: passed.checks,
      evidenceIds: all,
    });
  });

  it('may be a whole report, which stands for the evidence that it names', () => {
    expect(readFindings(report, asked())).toEqual({
      status: 'pass',
      code: null,
      checks: passed.checks,
      evidenceIds: ['e-1'],
    });
  });

  it('may say more than it must, in itself and in its checks', () => {
    const checks = [{ ...check('sums'), details: 'all of them', 'vendor:score': 0.5 }];
    expect(readFindings({ checks, 'vendor:model': 'none' }, asked())).toMatchObject({
      status: 'pass',
      checks,
    });
  });

  it('is read once: what is changed afterwards changes nothing', () => {
    const given = { checks: [{ check_id: 'sums', result: 'pass', details: 'as it was' }] };
    const reading = readFindings(given, asked());
    given.checks[0]!.details = 'otherwise';
    expect(reading.checks).toMatchObject([{ details: 'as it was' }]);
  });
});

describe('what cannot be read is no report, and no pass: REPORT_INVALID [UAICP 5.2]', () => {
  it.each<[string, unknown]>([
    ['null', null],
    ['true', true],
    ['a word', 'pass'],
    ['a list of checks', passed.checks],
    ['a bare status', { status: 'pass' }],
    ['no check at all', { checks: [] }],
    ['a check without a name', { checks: [{ check_id: '', result: 'pass' }] }],
    ['a check without a result', { checks: [{ check_id: 'sums' }] }],
    ['a result of its own', { checks: [{ check_id: 'sums', result: 'passed' }] }],
    ['a result that is no word', { checks: [{ check_id: 'sums', result: true }] }],
    ['one check of several that cannot be read', { checks: [...passed.checks, {}] }],
    ['a status of its own', { ...passed, status: 'ok' }],
    ['a request that is no UUID', { ...passed, request_id: 'request-1' }],
    ['no request', { ...passed, request_id: null }],
    ['a verifier without a name', { ...passed, verifier_id: '' }],
    ['evidence that is no list', { ...passed, evidence_ids: 'e-1' }],
    ['evidence in place of its name', { ...passed, evidence_ids: [evidence[0]] }],
    ['no instant', { ...passed, generated_at: 'now' }],
  ])('%s', (_, answer) => {
    expect(readFindings(answer, asked())).toEqual(invalid);
  });

  it('says so in one check that failed, under the verifier’s name', () => {
    expect(invalid).toEqual({
      status: 'fail',
      code: 'REPORT_INVALID',
      checks: [{ check_id: 'facts', result: 'fail', details: 'it reported no checks that can be read' }],
      evidenceIds: [],
    });
  });

  it.each(refused)(
    'is refused before it is read where two readers could read two things: %s',
    (_, value, path) => {
      const nested = path === '' ? '/more' : `/more${path}`;
      expect(refusalOf(() => readFindings({ ...passed, more: value }, asked())).details).toMatchObject({
        document: 'Findings',
        path: nested,
      });
      expect(
        refusalOf(() => readFindings({ checks: [{ ...check('sums'), details: value }] }, asked())),
      ).toBeDefined();
    },
  );

  it('a getter or a proxy is never asked', () => {
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

  it('a promise of findings is none', () => {
    expect(refusalOf(() => readFindings(Promise.resolve(passed), asked()))).toBeDefined();
  });
});

describe('a report of something else: REPORT_FOREIGN [UAICP 5.2]', () => {
  it.each<[string, object]>([
    ['another request', { request_id: otherId }],
    ['another verifier', { verifier_id: 'Facts' }],
    ['another subject, by its stored name', { 'agentcharter:subject': `sha256:${'b'.repeat(64)}` }],
    ['another subject', { [subjectKey]: `sha256:${'b'.repeat(64)}` }],
    ['a subject that is no digest', { [subjectKey]: 0 }],
    ['its subject in a list', { [subjectKey]: [digest] }],
  ])('%s', (_, changes) => {
    const reading = readFindings({ ...report, ...changes }, asked());
    expect(reading).toMatchObject({ status: 'fail', code: 'REPORT_FOREIGN', checks: passed.checks });
    expect(readFindings({ ...passed, ...changes }, asked())).toMatchObject({ code: 'REPORT_FOREIGN' });
  });

  it('is that first, whatever else is wrong with it', () => {
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
    ['names what does not stand', [], ['e-9'], false],
    ['names what does not stand beside what does', [], [...all, 'e-9'], false],
    ['names it in other letters', [], ['E-1'], false],
    ['names a member of every object', [], ['constructor'], false],
    ['names nothing, where nothing is required', [], [], true],
    ['names nothing, where something is required', [{ type: 'tool_result' }], [], false],
    ['leaves out a type that is required', ofType, ['e-1', 'e-2', 'e-4'], false],
    ['leaves out the other type that is required', ofType, ['e-3'], false],
    ['names one of each type', ofType, ['e-4', 'e-3'], true],
    ['names the type, of another tool', ofTool, ['e-4'], false],
    ['names another type of it', [{ type: 'test_report', tool: 'search' }], all, false],
    ['names one of two that the tool supplied', ofTool, ['e-2'], true],
    ['names all', [...ofType, ...ofTool], all, true],
    ['names one twice', ofTool, ['e-1', 'e-1'], true],
    ['is required to cover what nobody supplied', [{ type: 'test_report' }], all, false],
  ])('one that %s', (_, required, evidence_ids, counts) => {
    const reading = readFindings({ ...report, evidence_ids }, asked(required));
    expect(reading).toMatchObject(counts ? { status: 'pass', code: null } : mismatch);
    expect(reading.evidenceIds).toEqual(evidence_ids);
  });

  it('one that names none stands for all it was shown, and lacks what was not among it', () => {
    expect(readFindings(passed, asked(ofType))).toMatchObject({ status: 'pass', evidenceIds: all });
    expect(readFindings(passed, asked([{ type: 'test_report' }]))).toMatchObject(mismatch);
    expect(readFindings(passed, asked([{ type: 'tool_result', tool: 'library' }]))).toMatchObject(mismatch);
  });

  it('is that before what its checks come to', () => {
    const worse = { evidence_ids: ['e-9'], status: 'pass', checks: [check('x', 'fail')] };
    expect(readFindings(worse, asked([], ['sums']))).toMatchObject(mismatch);
  });
});

describe('a report without a check that its verifier must report: REPORT_INVALID', () => {
  it.each<[string, readonly VerificationCheck[]]>([
    ['none of them', [check('other')]],
    ['one of two', [check('sums')]],
    ['one of two, in other letters', [check('sums'), check('Names')]],
    ['one of two, and the other failed', [check('sums', 'fail')]],
  ])('%s', (_, checks) => {
    expect(readFindings({ checks }, asked([], ['sums', 'names']))).toMatchObject({
      status: 'fail',
      code: 'REPORT_INVALID',
      checks,
    });
  });

  it('is that before it is contradictory', () => {
    const worse = { checks: [check('sums', 'fail')], status: 'pass' };
    expect(readFindings(worse, asked([], ['sums', 'names']))).toMatchObject({ code: 'REPORT_INVALID' });
  });
});

describe('a report that says pass beside a check that did not pass: REPORT_CONTRADICTORY [UAICP 5.2]', () => {
  it.each<[string, readonly VerificationCheck[], readonly string[] | undefined]>([
    ['failed', [check('sums'), check('names', 'fail')], undefined],
    ['was skipped', [check('sums'), check('names', 'skip')], undefined],
    ['is required, and was skipped', [check('sums'), check('names', 'skip')], ['names']],
    ['failed, although nobody required it', [check('sums'), check('names', 'fail')], ['sums']],
    ['failed under a name that passed too', [check('sums'), check('sums', 'fail')], ['sums']],
    ['was skipped under a name that passed too', [check('sums'), check('sums', 'skip')], ['sums']],
  ])('a check that %s', (_, checks, requires) => {
    expect(readFindings({ ...report, checks }, asked([], requires))).toMatchObject({
      status: 'fail',
      code: 'REPORT_CONTRADICTORY',
      checks,
    });
  });
});

describe('the status of a report is recomputed from its checks [UAICP 5.2]', () => {
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
  ])('%s', (_, checks, requires, status) => {
    const reading = readFindings({ checks }, asked([], requires));
    expect(reading).toMatchObject({ status, code: null, checks });
    for (const claimed of ['fail', 'partial']) {
      const held = readFindings({ checks, status: claimed }, asked([], requires));
      expect(held.status).toBe(status === 'pass' ? 'fail' : status);
      expect(held.code).toBeNull();
    }
  });

  it('a pass is one of nothing but passes: in every case of two checks, what is required and what is claimed', () => {
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
    // unclaimed or claimed: all passed under any requirement, or the one that is required beside a skipped one
    expect(passes.map(({ a, b, requires, claimed }) => `${a} ${b} ${requires?.join()} ${claimed}`)).toEqual([
      ...[undefined, 'a', 'b', 'a,b'].flatMap((one) =>
        [undefined, 'pass'].map((c) => `pass pass ${one} ${c}`),
      ),
      ...[undefined, 'pass'].map((c) => `pass skip a ${c}`),
      ...[undefined, 'pass'].map((c) => `skip pass b ${c}`),
    ]);
  });

  it('a report in which nothing passed is no pass, also where no check is required by name', () => {
    expect(readFindings({ checks: [check('a', 'skip')] }, asked([], [])).status).not.toBe('pass');
  });
});

it('no report is a failed check with the reason why there is none', () => {
  expect(noReport('VERIFIER_TIMEOUT', 'facts', 'it took too long')).toEqual({
    status: 'fail',
    code: 'VERIFIER_TIMEOUT',
    checks: [{ check_id: 'facts', result: 'fail', details: 'it took too long' }],
    evidenceIds: [],
  });
});
