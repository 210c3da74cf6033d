import { describe, expect, it } from 'vitest';
import { conformance } from '../../../../src/testing/conformance/index.ts';
import { faultsIn } from './findings.ts';
import { ours } from './ours.ts';

/** A busy machine is no fault of the subject's. */
const patient = { patience: 60_000 };

describe('AgentCharter', () => {
  it('holds every rule, and refuses each invalid approval with its own code', async () => {
    const refusals = new Map<string, string>();
    const report = await conformance(
      ours({ refused: (scenario, code) => refusals.set(scenario, code) }),
      patient,
    );
    expect(faultsIn(report)).toEqual([]);
    expect(report.counts).toEqual({
      rules: 60,
      holds: 60,
      broken: 0,
      notShown: 0,
      notOffered: 0,
      scenarios: 56,
    });
    expect(Object.fromEntries(refusals)).toEqual({
      'an approval of another request': 'APPROVAL_REQUEST_MISMATCH',
      'an approval of other arguments': 'APPROVAL_ARGUMENTS_MISMATCH',
      'an approval that has expired': 'APPROVAL_EXPIRED',
      'an approval that nobody trusted has made': 'APPROVAL_SIGNATURE_WRONG',
      'an approval whose decision is no': 'APPROVAL_REJECTED',
    });
  });
});
