import { expect } from 'vitest';
import { simulatedClock, settle } from '../src/core/shell/simulated-clock.ts';
import { scene } from '../src/core/shell/scene.ts';
import { call, draft, plan, readTool } from '../src/core/shell/scripted.ts';
import { rfc3339 } from '../../src/core/kernel/now.ts';
import { digest } from '../../src/base/canonical/digest.ts';
import { failedSafe, unmoved, type Attack, type Stop } from './attack.ts';
import { bank, bring, signed } from './bank.ts';
import { forgery } from './tokens.ts';

const minute = 60_000;
const day = 86_400_000;

/** A clock that somebody sets. */
const settable = () => {
  const clock = simulatedClock();
  let shift = 0;
  return { ...clock, now: () => clock.now() + shift, set: (by: number) => void (shift = by) };
};

/** Evidence that was collected at a strange hour. */
const collected = (attempt: string, expected: Stop, collected_at: string): Attack => ({
  number: 35,
  attempt,
  expected,
  source: 'RFC 3339',
  run: async () => {
    const payload = { balance: 7 };
    const one = scene({
      model: [plan([call('balance')]), draft()],
      tools: [
        readTool('balance', {
          call: (_, { evidence, requestId, traceId, call: id }) =>
            evidence({
              evidence_id: 'e-1',
              evidence_type: 'tool_result',
              source: 'balance',
              request_id: requestId,
              trace_id: traceId,
              hash: digest(payload),
              collected_at,
              payload,
              'agentcharter:call': id,
            }),
        }),
      ],
      taskClass: { limits: { repairs: 0 } },
    });
    return failedSafe(one, await one.submit());
  },
});

export const clocks: readonly Attack[] = [
  {
    number: 35,
    attempt: 'a clock that is set back, so that an expired approval holds again',
    expected: 'APPROVAL_EXPIRED',
    source: 'RFC 7519, 4.1.4',
    run: async () => {
      const clock = settable();
      const one = { ...bank(undefined, { options: { clock } }), clock };
      await one.submit();
      const token = await signed(one, { exp: Math.floor(clock.now() / 1_000) + 60 });
      clock.set(10 * minute);
      expect(await unmoved(one, () => bring(one, token))).toBe('APPROVAL_EXPIRED');
      clock.set(-10 * minute);
      const stop = await unmoved(one, () => bring(one, token));
      expect(one.paid).toEqual([]);
      return stop;
    },
  },
  {
    number: 35,
    attempt: 'a clock that is set back, so that a question never expires',
    expected: 'QUESTION_EXPIRED',
    source: 'RFC 3339',
    run: async () => {
      const clock = settable();
      const one = { ...bank(undefined, { options: { clock } }), clock };
      const taskId = await one.submit();
      clock.set(8 * day);
      await expect(one.answer('comment', 'wait')).rejects.toMatchObject({ code: 'feedback_refused' });
      clock.set(-8 * day);
      await settle();
      const stop = await failedSafe(one, taskId);
      const records = await one.orchestrator.ledger(taskId);
      const times = records.map(({ timestamp }) => Date.parse(timestamp));
      expect(times).toEqual(times.toSorted((first, second) => first - second));
      expect(one.paid).toEqual([]);
      return stop;
    },
  },
  {
    number: 35,
    attempt: 'an approval after its deadline, in a process that slept',
    expected: 'QUESTION_EXPIRED',
    source: 'RFC 3339',
    run: async () => {
      const one = bank();
      const taskId = await one.submit();
      const approval = await signed(one, { exp: Math.floor((one.clock.now() + 9 * day) / 1_000) });
      one.clock.leap(8 * day);
      await expect(bring(one, approval)).rejects.toMatchObject({ code: 'feedback_refused' });
      expect(one.paid).toEqual([]);
      return failedSafe(one, taskId);
    },
  },
  collected('evidence of a leap second', 'EVIDENCE_INVALID', '2016-12-31T23:59:60Z'),
  collected('evidence of a day that there is not', 'EVIDENCE_INVALID', '2026-02-30T00:00:00Z'),
  collected('evidence of a time without an offset', 'EVIDENCE_INVALID', '2026-11-21T05:00:00'),
  collected('evidence of the year 10000', 'EVIDENCE_INVALID', '+010000-01-01T00:00:00Z'),
  collected(
    'evidence of half a minute and a millisecond ahead',
    'EVIDENCE_FROM_FUTURE',
    rfc3339(Date.parse('2026-11-21T05:00:30.001Z')),
  ),
  forgery(
    35,
    'an approval that ends before it begins',
    'APPROVAL_MALFORMED',
    (one) => signed(one, { exp: 1 }),
    'RFC 7519',
  ),
  forgery(
    35,
    'an expiry beyond every date',
    'APPROVAL_MALFORMED',
    (one) => signed(one, { exp: Number.MAX_SAFE_INTEGER }),
    'RFC 7519',
  ),
  forgery(
    35,
    'an expiry of half a second',
    'APPROVAL_MALFORMED',
    (one) => signed(one, { exp: one.clock.now() / 1_000 + 0.5 }),
    'RFC 7519',
  ),
];
