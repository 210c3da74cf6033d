import { describe, expect, it } from 'vitest';
import { hashOfProjection, type StoredProjection } from '../../../../src/core/kernel/seal.ts';

const indexEntry: StoredProjection['indexEntry'] = {
  taskId: 'task',
  threadId: 'thread',
  parent: null,
  size: 3,
  at: 1_763_700_000_000,
  isSettled: false,
  isOwed: true,
  asking: 1,
  awaits: 0,
  rank: '',
  chart: '',
  summary: '{"said":"grün"}',
};
const beside: StoredProjection = {
  indexEntry,
  deadlines: [
    { of: 'question', id: 'q-1', at: 1_763_700_060_000 },
    { of: 'evidence', id: 'e-1', at: 1_763_700_090_000 },
  ],
  intents: [{ kind: 'call', key: 'key-1', tool: 'pay' }],
};

/** Python's: `hashlib.sha256` of `json.dumps(v, separators=(',', ':'), ensure_ascii=False)`. */
const known = {
  whole: 'sha256:ec8aeec9faf0a06a3782d2725bdb67f6df18a755dcd303c9d2c78e452606c430',
  settled: 'sha256:8eb68155bce970dfacdafa912df480446a5a917b28e2aec9af0e339b8b23fb3a',
};

describe('The hash of a stored projection', () => {
  it('matches an independent program that hashes the parts as lists in fixed order', () => {
    expect(hashOfProjection(beside)).toBe(known.whole);
    const over = {
      parent: 'parent',
      size: 1,
      at: 0,
      isSettled: true,
      isOwed: false,
      asking: 0,
      awaits: 0,
      rank: '',
      chart: '',
      summary: '{}',
    };
    expect(hashOfProjection({ indexEntry: { ...indexEntry, ...over }, deadlines: [], intents: [] })).toBe(
      known.settled,
    );
  });

  it.each<[string, Partial<StoredProjection>]>([
    ['a moved deadline', { deadlines: beside.deadlines.map((one) => ({ ...one, at: one.at + 1 })) }],
    ['deadlines in another order', { deadlines: beside.deadlines.toReversed() }],
    ['a missing intent', { intents: [] }],
    ['an intent of another key', { intents: beside.intents.map((one) => ({ ...one, key: 'key-2' })) }],
    ['a hidden question', { indexEntry: { ...indexEntry, asking: 0 } }],
    ['another task', { indexEntry: { ...indexEntry, taskId: 'other' } }],
  ])('differs with %s', (_, changes) => {
    expect(hashOfProjection({ ...beside, ...changes })).not.toBe(known.whole);
  });
});
