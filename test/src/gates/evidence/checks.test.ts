import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  checksOf,
  requirementsOf,
  type EvidenceClauseDefinition,
} from '../../../../src/base/define/evidence.ts';
import { checkedEvidence, isErrorResult, subjectsOf } from '../../../../src/gates/evidence/checks.ts';
import type { EvidenceObject } from '../../../../schema/index.ts';

const evidence = (
  payload: EvidenceObject['payload'],
  more: Partial<EvidenceObject> = {},
): EvidenceObject => ({
  evidence_id: 'e',
  evidence_type: 'tool_result',
  source: 'order.read',
  request_id: 'r',
  trace_id: 't',
  hash: 'sha256:0',
  collected_at: '2026-11-22T12:00:00Z',
  payload,
  ...more,
});

const required = (clause: Omit<EvidenceClauseDefinition, 'type'>) => ({
  evidence: [{ type: 'tool_result' as const, tool: 'order.read', ...clause }],
});
const checks = (clause: Omit<EvidenceClauseDefinition, 'type'>) => checksOf(required(clause));
const meets = async (
  clause: Omit<EvidenceClauseDefinition, 'type'>,
  payload: EvidenceObject['payload'],
  request: unknown = { order: 'o-7' },
) => ((await checkedEvidence(checks(clause), evidence(payload), request)).meets ?? []).length === 1;

describe('collected evidence', () => {
  const notKept = { 'agentcharter:notKept': 'a Map' };
  it.each([null, '', [], {}, notKept, [notKept, notKept]])(
    'is empty when its payload is %j',
    async (payload) => {
      expect(await checkedEvidence([], evidence(payload), {})).toEqual({ empty: true });
    },
  );

  it.each([0, false, [null], { a: null }, { a: notKept }, [notKept, 1]])(
    'is not empty when its payload is %j',
    async (payload) => {
      expect(await checkedEvidence([], evidence(payload), {})).toEqual({});
    },
  );

  it('passes a check when its payload fits the schema', async () => {
    const where = z.object({ status: z.literal('paid') });
    expect(await meets({ where }, { status: 'paid' })).toBe(true);
    expect(await meets({ where }, { status: 'open' })).toBe(false);
  });

  it('passes no check of another tool or type', async () => {
    const where = z.unknown();
    const of = (more: Partial<EvidenceObject>) =>
      checkedEvidence(checks({ where }), evidence({ a: 1 }, more), {});
    expect((await of({})).meets).toHaveLength(1);
    expect((await of({ source: 'order.list' })).meets).toBeUndefined();
    expect((await of({ evidence_type: 'test_report' })).meets).toBeUndefined();
  });

  it('fails a check whose schema throws', async () => {
    const where = z.unknown().refine(() => {
      throw new Error('broken');
    });
    expect(await meets({ where }, { a: 1 })).toBe(false);
  });

  it('concerns the request when both have the same subject', async () => {
    const about = { evidence: '/id', request: '/order' };
    expect(await meets({ about }, { id: 'o-7' })).toBe(true);
    expect(await meets({ about }, { id: 'o-5' })).toBe(false);
    expect(await meets({ about }, { id: 'o-7' }, {})).toBe(false);
    expect(await meets({ about }, {}, {})).toBe(false);
    expect(await meets({ about }, { id: null }, { order: null })).toBe(false);
    expect(await meets({ about }, { id: '' }, { order: '' })).toBe(false);
  });

  it('has a subject that is compared with that of a write', async () => {
    const about = { evidence: '/id', action: '/order' };
    const [check] = checks({ about });
    const name = check?.name ?? '';
    const { subjects = {} } = await checkedEvidence(checks({ about }), evidence({ id: 'o-7' }), {});
    expect(subjectsOf(checks({ about }), { order: 'o-7' }).subjects?.[name]).toBe(subjects[name]);
    expect(subjectsOf(checks({ about }), { order: 'o-8' }).subjects?.[name]).not.toBe(subjects[name]);
    expect(subjectsOf(checks({ about }), {})).toEqual({});
    expect(await checkedEvidence(checks({ about }), evidence({ other: 1 }), {})).toEqual({});
  });
});

it('isErrorResult recognizes only the MCP error mark', () => {
  expect(isErrorResult({ isError: true, content: [] })).toBe(true);
  for (const result of [{ isError: false }, { isError: 'true' }, {}, null, [], 'isError'])
    expect(isErrorResult(result)).toBe(false);
});

describe('an evidence requirement', () => {
  it('has one check name, however often it is declared', () => {
    const asked = required({ about: { evidence: '/id', request: '/order' } });
    expect(checksOf(asked, asked)).toHaveLength(1);
    expect(requirementsOf(asked).evidence).toEqual([
      { type: 'tool_result', tool: 'order.read', check: expect.stringMatching(/^sha256:/) },
    ]);
  });

  it('has another check name when its schema differs', () => {
    const [one, other] = [z.object({ a: z.string() }), z.object({ a: z.number() })].map((where) =>
      requirementsOf(required({ where })),
    );
    expect(one).not.toEqual(other);
  });

  it('has no check without conditions', () => {
    expect(checksOf(required({}))).toEqual([]);
    expect(requirementsOf(required({ allowEmpty: true, byPerson: false })).evidence).toEqual([
      { type: 'tool_result', tool: 'order.read', allowEmpty: true },
    ]);
  });

  it('is met by any of its alternatives', () => {
    const anyOf = [{ type: 'test_report' as const }, { type: 'custom' as const, byPerson: true }];
    expect(requirementsOf({ evidence: [{ anyOf }] }).evidence).toEqual([
      { anyOf: [{ type: 'test_report' }, { type: 'custom', byPerson: true }] },
    ]);
  });
});
