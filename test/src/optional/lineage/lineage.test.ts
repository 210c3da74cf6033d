import { lineageMeaning, lineageOf } from 'agentcharter/lineage';
import { describe, expect, it } from 'vitest';
import { drawn, found, messageOf, placesIn, uuid } from './made.ts';

describe('A lineage', () => {
  it('is one tree per thread by parentMessageId', () => {
    const lineage = lineageOf([
      messageOf({ id: 1 }),
      messageOf({ id: 2, answers: 1 }),
      messageOf({ id: 3, thread: 1 }),
      messageOf({ id: 4, answers: 2 }),
      messageOf({ id: 5, answers: 1 }),
      messageOf({ id: 6, answers: 3, thread: 1 }),
    ]);
    expect(drawn(lineage)).toBe('1(2(4) 5) | 3(6)');
    expect(lineage.threads.map(({ threadId }) => threadId)).toEqual([uuid(1_000_000), uuid(1_000_001)]);
    expect(lineage.findings).toEqual([]);
    expect(lineageOf([])).toEqual({ threads: [], findings: [] });
  });

  it('is sorted by time, then by input order', () => {
    const lineage = lineageOf([
      messageOf({ id: 1, second: 9 }),
      messageOf({ id: 2, answers: 1, second: 12 }),
      messageOf({ id: 3, answers: 1, second: 11 }),
      messageOf({ id: 4, answers: 1, second: 11 }),
      messageOf({ id: 5, second: 8 }),
      messageOf({ id: 6, thread: 1, second: 7 }),
    ]);
    expect(drawn(lineage)).toBe('6 | 5 1(3 4 2)');
  });

  it('compares times across offsets and UUIDs in any case', () => {
    const id = 0xabcdef;
    const late = messageOf({ id: 2, timestamp: '2026-01-01T00:00:00-01:00' });
    const early = messageOf({ id, timestamp: '2026-01-01T00:00:00+01:00', threadId: late.threadId });
    const parentMessageId = uuid(id).toUpperCase();
    const child = messageOf({ id: 4, parentMessageId, threadId: late.threadId.toUpperCase() });
    const lineage = lineageOf([late, early, { ...child, timestamp: late.timestamp }]);
    expect(drawn(lineage)).toBe(`${id}(4) 2`);
    expect(lineage.findings).toEqual([]);
  });

  it('makes an orphan and a message of another thread roots of their threads', () => {
    const lineage = lineageOf([
      messageOf({ id: 1 }),
      messageOf({ id: 2, answers: 99 }),
      messageOf({ id: 3, answers: 1, thread: 1 }),
      messageOf({ id: 4, answers: 3, thread: 1 }),
    ]);
    expect(drawn(lineage)).toBe('1 2 | 3(4)');
    expect(lineage.findings).toEqual([
      {
        code: 'orphan',
        index: 1,
        messageId: uuid(2),
        message: `message 2 answers ${uuid(99)}, which is missing`,
      },
      {
        code: 'stranger',
        index: 2,
        messageId: uuid(3),
        message: `message 3 answers ${uuid(1)}, which is in thread ${uuid(1_000_000)}`,
      },
    ]);
  });

  it('breaks each cycle at its earliest message and loses none', () => {
    const lineage = lineageOf([
      messageOf({ id: 1, answers: 3, second: 5 }),
      messageOf({ id: 2, answers: 1, second: 4 }),
      messageOf({ id: 3, answers: 2, second: 4 }),
      messageOf({ id: 4, answers: 3, second: 9 }),
      messageOf({ id: 5, answers: 5, second: 1 }),
    ]);
    expect(drawn(lineage)).toBe('5 2(3(1 4))');
    expect(found(lineage)).toEqual(['cycle 1', 'cycle 4']);
    expect(lineage.findings.map(({ message }) => message)).toEqual([
      'message 2 answers itself, through 3 messages',
      'message 5 answers itself',
    ]);
  });

  it('reports a child that is older than its parent and keeps its place', () => {
    const lineage = lineageOf([
      messageOf({ id: 1, second: 5 }),
      messageOf({ id: 2, answers: 1, second: 4 }),
      messageOf({ id: 3, answers: 1, second: 5 }),
    ]);
    expect(drawn(lineage)).toBe('1(2 3)');
    expect(found(lineage)).toEqual(['time_backwards 1']);
  });

  it('keeps the first of two messages with one messageId and distinguishes copies from conflicts', () => {
    const first = messageOf({ id: 1, payload: { a: 1, b: 2 } });
    const lineage = lineageOf([
      first,
      { ...first, payload: { b: 2, a: 1 } },
      { ...first, payload: { a: 1, b: 3 } },
      { ...first, threadId: uuid(7) },
      { ...first, messageId: first.messageId.toUpperCase() },
    ]);
    expect(placesIn(lineage).map(({ node }) => node.message)).toEqual([first]);
    expect(found(lineage)).toEqual(['repeated 1', 'duplicate 2', 'duplicate 3', 'repeated 4']);
  });

  it('returns frozen copies with unknown fields', () => {
    const given = { ...messageOf({ id: 1 }), 'acme:tone': { warm: true } };
    const [place] = placesIn(lineageOf([given]));
    expect(place?.node.message).toEqual(given);
    expect(place?.node.message).not.toBe(given);
    expect(Object.isFrozen(place?.node.message)).toBe(true);
  });

  it('reports a value that is no message without throwing or quoting it', () => {
    const secret = 'sk-secret';
    const hostile = new Proxy(
      {},
      { getPrototypeOf: () => expect.fail('asked'), has: () => expect.fail('asked') },
    );
    const given: readonly unknown[] = [
      undefined,
      null,
      secret,
      [],
      { messageId: secret },
      { ...messageOf({ id: 1 }), timestamp: secret },
      { ...messageOf({ id: 2 }), payload: { text: 'x'.repeat(2_000_000) } },
      Object.defineProperty({ ...messageOf({ id: 3 }) }, 'state', { enumerable: true, get: () => secret }),
      hostile,
      new Error(secret),
    ];
    const { threads, findings } = lineageOf(given);
    expect(threads).toEqual([]);
    expect(findings.map(({ code, index, messageId }) => [code, index, messageId])).toEqual(
      given.map((_, index) => ['unreadable', index, null]),
    );
    for (const { message, index } of findings)
      expect(message).toMatch(new RegExp(`^message ${index + 1} (?:at "[/\\w]+" )?is not `));
    expect(JSON.stringify(findings)).not.toContain(secret);
  });

  it('has a meaning for each code', () => {
    for (const meaning of Object.values(lineageMeaning)) expect(meaning).toMatch(/^[A-Z].*\.$/);
  });
});

it('A lineage reads a long message once, however often its messageId repeats', () => {
  const long = messageOf({ id: 1, explanation: 'x'.repeat(1_000_000) });
  const again = Array.from({ length: 20_000 }, () => messageOf({ id: 1 }));
  expect(found(lineageOf([long, ...again])).length).toBe(again.length);
});
