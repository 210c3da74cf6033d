import { describe, expect, it } from 'vitest';
import { createStreamReader, hashOfStream, streamOf } from '../../../../src/optional/streaming/index.ts';
import type { MessageEnvelope } from '../../../../schema/index.ts';
import { chunk, chunksOf, discard, final, refusalOf, saying } from './stream.ts';

const contents = ['Three rooms ', 'in Lisbon, ', 'from € 80.'];
const text = contents.join('');

/** A reader that has read these. */
const having = (...envelopes: readonly unknown[]) => {
  const reader = createStreamReader('first');
  for (const envelope of envelopes) reader.read(envelope);
  return reader;
};

describe('a reader of a stream', () => {
  it('returns the text so far, marked as not verified [UAICP 4.2]', () => {
    const reader = createStreamReader('first');
    expect(reader.progress()).toEqual({ state: 'open', stream: null, chunks: 0, text: '', verified: null });
    expect(chunksOf(contents).map((envelope) => reader.read(envelope))).toMatchObject([
      { state: 'open', chunks: 1, text: 'Three rooms ', verified: null },
      { state: 'open', chunks: 2, text: 'Three rooms in Lisbon, ', verified: null },
      { state: 'open', chunks: 3, text, verified: null },
    ]);
    expect(reader.progress().stream).toBe(streamOf(chunk(0, '')));
  });

  it('returns verified text only after the final envelope', () => {
    const reader = having(...chunksOf(contents));
    expect(reader.read(final(contents))).toMatchObject({ state: 'final', text, verified: text });
  });

  it('returns no text after the stream is discarded', () => {
    const reader = having(...chunksOf(contents));
    expect(reader.read(discard(3))).toMatchObject({ state: 'discarded', text: '', verified: null });
  });

  it('accepts a discard when earlier chunks are missing', () => {
    expect(having(chunk(0, 'Three ')).read(discard(3)).state).toBe('discarded');
  });

  it('returns frozen progress', () => {
    const progress = having(chunk(0, 'x')).progress();
    expect(() => Object.assign(progress, { verified: 'mine' })).toThrow(TypeError);
  });
});

describe('A stream source', () => {
  it.each([
    ['key', { taskId: 't', key: undefined }],
    ['key', { taskId: 't', key: '' }],
    ['stream', { taskId: 't', stream: undefined }],
  ])('with an undefined %s is rejected, so that no stream is read unsigned: %j', (member, source) => {
    // its type forbids it; a program in JavaScript does it
    expect(() => createStreamReader(source as never)).toThrow(
      expect.objectContaining({
        code: 'definition_invalid',
        details: expect.objectContaining({
          issues: [{ path: `/${member}`, message: expect.stringMatching(/omit/) }],
        }),
      }),
    );
  });
});

describe('a reader of a stream that receives an unexpected envelope', () => {
  it.each<[string, readonly MessageEnvelope[], MessageEnvelope, number | null, RegExp]>([
    ['a chunk that came before', chunksOf(contents), chunk(1, 'in Lisbon, '), 3, /came before/],
    ['the first chunk again', [chunk(0, 'a')], chunk(0, 'a'), 1, /came before/],
    ['a gap', [chunk(0, 'a')], chunk(2, 'c'), 1, /missing/],
    ['a stream that begins late', [], chunk(1, 'b'), 0, /missing/],
    [
      'a chunk after the final one',
      [...chunksOf(contents), final(contents)],
      chunk(3, '!'),
      null,
      /is final/,
    ],
    ['a final one twice', [...chunksOf(contents), final(contents)], final(contents), null, /is final/],
    ['a discard after the final one', [...chunksOf(contents), final(contents)], discard(3), null, /is final/],
    ['a chunk after the discard', [chunk(0, 'a'), discard(1)], chunk(1, 'b'), null, /is discarded/],
    ['a final one after the discard', [chunk(0, 'a'), discard(1)], final(['a']), null, /is discarded/],
    ['an end before its stream', [], final([]), 0, /begin with its end/],
    ['a discard before its stream', [], discard(0), 0, /begin with its end/],
    ['a final one before the last chunk', [chunk(0, 'a')], final(['a', 'b']), 1, /missing/],
    ['a final one at an index that was used', chunksOf(['a', 'b']), final(['a']), 2, /came before/],
    ['a final one of other contents', chunksOf(['a', 'b']), final(['a', 'c']), 2, /hash/],
    [
      'a final envelope of the same text in other chunks',
      chunksOf(['a', 'bc']),
      final(['ab', 'c']),
      2,
      /hash/,
    ],
    [
      'a final one that counts otherwise',
      [chunk(0, 'a')],
      saying(final(['a']), { 'agentcharter:chunks': 2 }),
      1,
      /2 chunks/,
    ],
    ['a chunk of another stream', [chunk(0, 'a')], chunk(1, 'b', { stream: 'other' }), 1, /another stream/],
    ['a chunk of another attempt', [chunk(0, 'a')], chunk(1, 'b', { attempt: 1 }), 1, /another stream/],
    [
      'a chunk of another request',
      [chunk(0, 'a')],
      { ...chunk(1, 'b'), request_id: '00000000-0000-4000-8000-000000000002' },
      1,
      /another stream/,
    ],
    [
      'a chunk of another trace',
      [chunk(0, 'a')],
      { ...chunk(1, 'b'), trace_id: 'b'.repeat(32) },
      1,
      /another stream/,
    ],
    [
      'a chunk of another task',
      [chunk(0, 'a')],
      saying(chunk(1, 'b'), { 'agentcharter:taskId': 'other' }),
      1,
      /another stream/,
    ],
    ['the end of another stream', [chunk(0, 'a')], final(['a'], { stream: 'other' }), 1, /another stream/],
    ['the discard of another stream', [chunk(0, 'a')], discard(1, { stream: 'other' }), 1, /another stream/],
    [
      'a chunk under the name of another',
      [chunk(0, 'a')],
      { ...chunk(1, 'b'), streaming: { ...chunk(1, 'b').streaming, chunk_id: 'x/1' } },
      1,
      /chunk_id/,
    ],
    ['too many bytes', [], chunk(0, 'x'.repeat(65_537)), 0, /at most 65536/],
    ['too many bytes of two-byte characters', [], chunk(0, 'é'.repeat(32_769)), 0, /at most 65536/],
  ])('rejects %s and waits for the right one', (_, before, wrong, expected, reason) => {
    const reader = having(...before);
    const held = reader.progress();
    const refusal = refusalOf(() => reader.read(wrong));
    expect(refusal).toMatchObject({ expected, index: wrong.streaming?.stream_index });
    expect(refusal.reason).toMatch(reason);
    expect(reader.progress()).toBe(held);
  });

  it.each<[string, MessageEnvelope]>([
    ['that is final in another state', { ...final(['a']), state: 'verify' }],
    ['that is final and failed safe', { ...final(['a']), state: 'fail_safe' }],
    ['that is final and pending', { ...final(['a']), outcome: 'pending' }],
    ['that is final and unverified', saying(final(['a']), { 'agentcharter:unverified': true })],
    ['that is both final and discarded', saying(final(['a']), { 'agentcharter:discard': true })],
    [
      'that is in state deliver but not final',
      { ...final(['a']), streaming: { ...final(['a']).streaming, is_final: false } },
    ],
    [
      'that has content, and claims to be final',
      { ...chunk(1, 'b'), streaming: { ...chunk(1, 'b').streaming, is_final: true } },
    ],
    ['that has content, and claims to deliver', { ...chunk(1, 'b'), state: 'deliver' }],
    ['that claims to be verified', saying(chunk(1, 'b'), { 'agentcharter:unverified': false })],
    ['that does not say whether it is', saying(chunk(1, 'b'), { 'agentcharter:unverified': undefined })],
    ['without content', saying(chunk(1, 'b'), { 'agentcharter:content': 7 })],
    ['that discards with outcome success', { ...discard(1), outcome: 'success' }],
    ['that discards in state deliver', { ...discard(1), state: 'deliver' }],
    ['of another minor version', { ...chunk(1, 'b'), uaicp_version: '0.4' }],
    ['of another major version', { ...chunk(1, 'b'), uaicp_version: '1.0.0' }],
    ['without an index', { ...chunk(1, 'b'), streaming: { chunk_id: 'x', is_final: false } }],
    ['without a stream', saying(chunk(1, 'b'), { 'agentcharter:stream': 7 })],
  ])('rejects an envelope %s', (_, wrong) => {
    const plain = JSON.parse(JSON.stringify(wrong)) as unknown;
    const reader = having(chunk(0, 'a'));
    refusalOf(() => reader.read(plain));
    expect(reader.read(final(['a']))).toMatchObject({ state: 'final', verified: 'a' });
  });

  it('accepts a later patch version [UAICP 9]', () => {
    const reader = having(chunk(0, 'a'));
    expect(reader.read({ ...chunk(1, 'b'), uaicp_version: '0.3.1' })).toMatchObject({ text: 'ab' });
  });

  it('rejects an envelope without a stream', () => {
    const { streaming: _, metadata: __, ...plain } = chunk(0, 'a');
    expect(refusalOf(() => createStreamReader('first').read(plain))).toMatchObject({
      taskId: null,
      index: null,
      expected: 0,
    });
  });

  it('rejects a value that is no envelope', () => {
    const { read } = createStreamReader('first');
    expect(() => read({ ...chunk(0, 'a'), secret: 1 })).toThrow(
      expect.objectContaining({ code: 'document_invalid' }),
    );
    expect(() => read(chunk(0, '\ud800'))).toThrow(expect.objectContaining({ code: 'input_unreadable' }));
    expect(() => read(null)).toThrow(expect.objectContaining({ code: 'document_invalid' }));
  });

  it('names the task in the error and quotes no content', () => {
    const reader = having(chunk(0, 'a'));
    const wrong = saying(chunk(5, 'my secret'), {});
    expect(refusalOf(() => reader.read(wrong)).taskId).toBe('task');
    expect(() => reader.read(wrong)).toThrow(/^(?!.*secret)/);
  });
});

it('a reader of a stream keeps what it read when the envelope object changes later', () => {
  const mutable = structuredClone(chunk(0, 'a'));
  const reader = having(mutable);
  mutable.metadata!['agentcharter:content'] = 'b';
  expect(reader.read(final(['a'])).verified).toBe('a');
});

it('hashOfStream matches an independent implementation', () => {
  // python3: hashlib.sha256(json.dumps(a, ensure_ascii=False, separators=(',', ':')).encode())
  expect(hashOfStream(contents)).toBe(
    'sha256:4a19edf428afd83f9e1ffea4b084416c6aee604670aa0d97fd95a462104da536',
  );
  expect(hashOfStream([])).toBe('sha256:4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945');
  expect(hashOfStream(['', 'a"b\\c\n\u0001', '😀'])).toBe(
    'sha256:56547b652b61dee48f5ae1f598b03350a47c9b78cfc93d693cf82bf98a701dfc',
  );
});
