import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EvidenceObject } from '../../../../schema/index.ts';
import { digest } from '../../../../src/base/canonical/digest.ts';
import { callKey, evidenceFault, type ExpectedEvidence } from '../../../../src/gates/evidence/fault.ts';
import { key, plain, runs } from '../../base/canonical/generated.ts';
import { refused } from '../../base/canonical/refused.ts';

const requestId = '00000000-0000-4000-8000-000000000001';
const otherId = '00000000-0000-4000-8000-000000000002';
const collected = '2026-11-21T05:00:00Z';

/** The sample of RFC 8785, 3.2.2; its numbers as ECMAScript reads them. */
const payload = {
  numbers: [333333333.3333333, 1e30, 4.5, 2e-3, 1e-27],
  string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"/',
  literals: [null, true, false],
};

/** Python's own: `hashlib.sha256(bytes.fromhex(…))` of the bytes that RFC 8785 prints in 3.2.4. */
const hex = '2d5e01a318d0f0879ab568c4be289c8b1f64ef8921a53c6277d5e069978baacb';

const valid: EvidenceObject = {
  evidence_id: 'evidence-1',
  evidence_type: 'tool_result',
  source: 'search',
  request_id: requestId,
  trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
  hash: `sha256:${hex}`,
  collected_at: collected,
  payload,
  'agentcharter:call': 'call-1', // stored ledgers contain this name, so it is written out
};

const expected: ExpectedEvidence = {
  requestId,
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  type: 'tool_result',
  tool: 'search',
  call: 'call-1',
  now: Date.parse(collected),
  skew: 5_000,
};

const without = (name: string): Record<string, unknown> => {
  const { [name]: _, ...rest } = valid;
  return rest;
};
const faultOf = (changes: object, of: Partial<ExpectedEvidence> = {}) =>
  evidenceFault({ ...valid, ...changes }, { ...expected, ...of });

const misfit = { code: 'EVIDENCE_INVALID', explanation: 'it does not fit its schema' };
const mistyped = { code: 'EVIDENCE_INVALID', explanation: 'it is of another type than its tool declares' };
const mismatch = { code: 'EVIDENCE_HASH_MISMATCH', explanation: 'its hash does not match its payload' };
const foreign = (explanation: string) => ({ code: 'EVIDENCE_FOREIGN', explanation });
const ofRequest = foreign('it belongs to another request, or to none');
const ofTrace = foreign('it belongs to another trace, or to none');
const ofSource = foreign('its source is another tool');
const ofCall = foreign('it belongs to another call');
const future = { code: 'EVIDENCE_FROM_FUTURE', explanation: 'its collection time is in the future' };

describe('valid evidence [UAICP 5.1]', () => {
  it('has the hash that an independent program computes over the RFC 8785 form of its payload', () => {
    expect(evidenceFault(valid, expected)).toBeNull();
  });

  it('may have its payload keys in any order', () => {
    const { literals, numbers, string } = payload;
    expect(faultOf({ payload: { string, literals, numbers } })).toBeNull();
  });

  it.each([null, false, 0, '', [], {}])('may have the payload %j', (payload) => {
    expect(faultOf({ payload, hash: digest(payload) })).toBeNull();
  });

  it('may have further members and any id', () => {
    const more = { evidence_id: 'another', parent_trace_id: 'p', actor: 'a', 'vendor:score': [1] };
    expect(faultOf(more)).toBeNull();
  });

  it('may be of any age, because a deadline limits its age', () => {
    expect(faultOf({ collected_at: '1970-01-01T00:00:00Z' })).toBeNull();
  });
});

describe('evidence with another hash than its payload’s [UAICP 5.1]', () => {
  it.each<[string, string]>([
    ['of another payload', digest({ ...payload, literals: [] })],
    ['of the text of its payload as it came', digest(JSON.stringify(payload))],
    ['without its algorithm', hex],
    ['of another algorithm', `sha512:${hex}`],
    ['of an older algorithm', 'md5:d14b166c32fceaca062bc24579f10650'],
    ['in upper case', `sha256:${hex.toUpperCase()}`],
    ['with its algorithm in upper case', `SHA256:${hex}`],
    ['in base64', `sha256:${Buffer.from(hex, 'hex').toString('base64')}`],
    ['cut short', `sha256:${hex.slice(0, -1)}`],
    ['with something after it', `sha256:${hex}\n`],
    ['that is empty', ''],
  ])('is rejected: a hash %s', (_, hash) => {
    expect(faultOf({ hash })).toEqual(mismatch);
  });

  it.each<[string, unknown]>([
    ['a member changed', { ...payload, literals: [null, true, true] }],
    ['a member added', { ...payload, more: null }],
    ['an omitted member', { numbers: payload.numbers, string: payload.string }],
    ['an array in another order', { ...payload, literals: [true, null, false] }],
    ['a number as text', { ...payload, numbers: payload.numbers.map(String) }],
    ['its own text', JSON.stringify(payload)],
    ['null', null],
  ])('is rejected: a payload with %s', (_, payload) => {
    expect(faultOf({ payload })).toEqual(mismatch);
  });

  it('is rejected without a payload', () => {
    expect(evidenceFault(without('payload'), expected)).toEqual(mismatch);
    expect(faultOf({ payload: undefined, hash: digest(null) })).toEqual(mismatch);
  });

  it.each(refused)('is rejected when its payload has no canonical form: %s', (_, value) => {
    expect(faultOf({ payload: [value] })).toEqual(mismatch);
    expect(faultOf({ payload: [value], hash: digest([null]) })).toEqual(mismatch);
  });
});

describe('evidence that does not fit its schema [UAICP 6]', () => {
  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a list', [valid]],
    ['its own text', JSON.stringify(valid)],
    ...['evidence_id', 'evidence_type', 'source', 'hash', 'collected_at'].map((name): [string, unknown] => [
      `no ${name}`,
      without(name),
    ]),
    ['an empty evidence_id', { ...valid, evidence_id: '' }],
    ['an unknown type', { ...valid, evidence_type: 'hearsay' }],
    ['a request id that is no UUID', { ...valid, request_id: 'request-1' }],
    ['no instant', { ...valid, collected_at: 'yesterday' }],
    ['an instant without its offset', { ...valid, collected_at: '2026-11-21T05:00:00' }],
    ['an impossible date', { ...valid, collected_at: '2026-02-29T05:00:00Z' }],
    ['a hash that is no string', { ...valid, hash: [`sha256:${hex}`] }],
    ['a payload that is not JSON', { ...valid, payload: 1n }],
  ])('is rejected: %s', (_, value) => {
    expect(evidenceFault(value, expected)).toEqual(misfit);
  });
});

describe('unrelated evidence [UAICP 5.1]', () => {
  it.each<[string, object, Partial<ExpectedEvidence>, object]>([
    ['another request', { request_id: otherId }, { requestId: otherId }, ofRequest],
    ['another trace', { trace_id: 'f'.repeat(32) }, { traceId: 'f'.repeat(32) }, ofTrace],
    ['another source', { source: 'Search' }, { tool: 'Search' }, ofSource],
    ['another call', { [callKey]: 'call-2' }, { call: 'call-2' }, ofCall],
    ['another type', { evidence_type: 'test_report' }, { type: 'test_report' }, mistyped],
  ])('is rejected in both directions: %s', (_, changes, of, fault) => {
    expect(faultOf(changes)).toEqual(fault);
    expect(faultOf({}, of)).toEqual(fault);
    expect(faultOf(changes, of)).toBeNull();
  });

  it('is rejected without request, trace or call', () => {
    expect(evidenceFault(without('request_id'), expected)).toEqual(ofRequest);
    expect(evidenceFault(without('trace_id'), expected)).toEqual(ofTrace);
    expect(evidenceFault(without(callKey), expected)).toEqual(ofCall);
    for (const call of [null, ['call-1'], { id: 'call-1' }, 1]) {
      expect(faultOf({ [callKey]: call })).toEqual(ofCall);
    }
  });

  it('is rejected for any call id when no call is expected', () => {
    for (const call of ['call-1', null]) {
      expect(faultOf({ [callKey]: call }, { call: null })).toEqual(ofCall);
    }
  });

  it('is rejected under the parent’s trace', () => {
    expect(faultOf({ trace_id: 'other', parent_trace_id: expected.traceId })).toEqual(ofTrace);
  });
});

describe('evidence from the future [UAICP 5.1]', () => {
  it.each<[string, string, number, object | null]>([
    ['now', '2026-11-21T05:00:00Z', 0, null],
    ['a millisecond ahead without allowed skew', '2026-11-21T05:00:00.001Z', 0, future],
    ['exactly as far ahead as clocks may differ', '2026-11-21T05:00:05Z', 5_000, null],
    ['a millisecond further', '2026-11-21T05:00:05.001Z', 5_000, future],
    ['as far ahead in another zone', '2026-11-21T06:30:05+01:30', 5_000, null],
    ['further ahead in another zone', '2026-11-20T23:00:05.001-06:00', 5_000, future],
    ['at the end of time', '9999-12-31T23:59:59Z', 5_000, future],
    ['any time with unlimited skew', '9999-12-31T23:59:59Z', Infinity, null],
  ])('is judged by the clock skew: %s', (_, collected_at, skew, fault) => {
    expect(faultOf({ collected_at }, { skew })).toEqual(fault);
  });

  it('has a comparable time whenever its schema accepts it', () => {
    const digits = fc.array(fc.nat(9), { minLength: 1, maxLength: 30 }).map((some) => some.join(''));
    const offset = fc.constantFrom('Z', '+00:00', '-00:00', '+23:59', '-23:59', '+24:00', '+01', '+0100');
    const text = fc
      .tuple(fc.nat(9_999), fc.nat(13), fc.nat(32), fc.nat(25), fc.nat(61), fc.nat(61), digits, offset)
      .map(([year, month, day, hour, minute, second, fraction, zone]) => {
        const [mm, dd, h, m, s] = [month, day, hour, minute, second].map((n) => String(n).padStart(2, '0'));
        return `${String(year).padStart(4, '0')}-${mm}-${dd}T${h}:${m}:${s}.${fraction}${zone}`;
      });
    const seen = { taken: 0 };
    fc.assert(
      fc.property(text, (collected_at) => {
        if (!EvidenceObject.safeParse({ ...valid, collected_at }).success) return;
        seen.taken += 1;
        expect(Date.parse(collected_at)).not.toBeNaN();
      }),
      runs(2_000),
    );
    expect(seen.taken).toBeGreaterThan(100);
  });
});

/** Each condition, a change that breaks only this one, and the fault; in the order of the checks. */
const conditions = [
  ['schema', { evidence_id: '' }, misfit],
  ['type', { evidence_type: 'custom' }, mistyped],
  ['hash', { hash: `sha256:${'0'.repeat(64)}` }, mismatch],
  ['request', { request_id: otherId }, ofRequest],
  ['trace', { trace_id: 'other' }, ofTrace],
  ['source', { source: 'other' }, ofSource],
  ['call', { [callKey]: 'other' }, ofCall],
  ['time', { collected_at: '2026-11-21T05:00:05.001Z' }, future],
] as const;

describe('the conditions of evidence', () => {
  it.each(conditions)('are each sufficient to reject: %s', (_, changes, fault) => {
    expect(faultOf(changes)).toEqual(fault);
  });

  it('are all required in every combination, and the first failure is named', () => {
    for (let broken = 0; broken < 2 ** conditions.length; broken += 1) {
      const faults = conditions.filter((_, at) => (broken & (2 ** at)) !== 0);
      const changes = Object.assign({}, ...faults.map(([, change]) => change)) as object;
      expect(faultOf(changes), faults.map(([name]) => name).join(' ')).toEqual(faults[0]?.[2] ?? null);
    }
  });
});

/** The members that decide whether evidence counts. */
const deciding = ['evidence_type', 'source', 'request_id', 'trace_id', 'hash', 'payload', callKey] as const;

const values = fc.oneof(
  plain,
  fc.constantFrom(...refused.map(([, value]) => [value])),
  fc.constantFrom(...Object.values(valid), hex, otherId, undefined, 1n, 'tool_result', 'call-1'),
  fc.constantFrom('1970-01-01T00:00:00Z', '2026-11-21T05:00:05Z', '2026-11-21T05:00:06Z', 'now'),
);
const names = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...Object.keys(valid)) },
  { weight: 1, arbitrary: fc.constantFrom('parent_trace_id', 'actor', 'vendor:x') },
  { weight: 1, arbitrary: key },
);
const mutation = fc.array(fc.tuple(names, fc.option(values, { nil: null }), fc.boolean()), {
  minLength: 1,
  maxLength: 3,
});

describe('randomly changed evidence', () => {
  it('is accepted only when no relevant member changed', () => {
    const seen = { counted: 0, refused: 0 };
    fc.assert(
      fc.property(mutation, (changes) => {
        const changed: Record<string, unknown> = { ...valid };
        for (const [name, value, isDropped] of changes) {
          if (isDropped) delete changed[name];
          else changed[name] = value;
        }
        const isEqual = deciding.every((name) => isDeepStrictEqual(changed[name], valid[name]));
        const { collected_at: at } = changed;
        const isInTime = typeof at === 'string' && Date.parse(at) <= expected.now + expected.skew;
        const isFit = EvidenceObject.safeParse(changed).success;
        const counts = evidenceFault(changed, expected) === null;
        seen[counts ? 'counted' : 'refused'] += 1;
        expect(counts).toBe(isEqual && isInTime && isFit);
      }),
      runs(3_000),
    );
    expect(Math.min(seen.counted, seen.refused)).toBeGreaterThan(50);
  });
});
