import * as z from 'zod';
import { checkDefinition } from '../../base/define/definition.ts';
import { CharterError } from '../../base/errors.ts';
import type { MessageEnvelope } from '../../../schema/index.ts';
import { chunkId, readEnvelope, readStreamEnvelope, type StreamEnvelope } from './envelopes.ts';
import { isSignedWith } from './sign.ts';
import { chunkRemedy, createTally } from './tally.ts';

/** The progress of reading a stream. */
export interface StreamProgress {
  /** `final` after its draft was delivered; `discarded` when it will not be delivered. */
  readonly state: 'open' | 'final' | 'discarded';
  /** The id of the stream; `null` before its first chunk. */
  readonly stream: string | null;
  readonly chunks: number;
  /** The unverified text so far; empty after a discard. */
  readonly text: string;
  /** The verified text, when the stream is final and its hash matches; `null` until then. */
  readonly verified: string | null;
}

/** A reader of one stream. */
export interface StreamReader {
  readonly progress: () => StreamProgress;
  /**
   * Reads the next envelope. A refused one changes nothing: the reader keeps waiting for the right one.
   *
   * Throws `chunk_refused`, or `document_invalid` and `input_unreadable` if it is not an envelope.
   */
  readonly read: (envelope: unknown) => StreamProgress;
}

/** The stream that a reader accepts. */
export type StreamSource =
  | {
      readonly taskId: string;
      /** The stream's id, if you know it; by default the first stream of the task. */
      readonly stream?: string;
      /**
       * The result of `streamKey` for this task; only signed chunks are accepted. Required if others can send
       * chunks.
       */
      readonly key?: string;
    }
  /** The first stream to arrive; only for chunks directly from your own orchestrator. */
  | 'first';

/** An optional member. An explicit `undefined` is refused: it would silently remove the restriction. */
const text = (expected: string) => z.string(expected).min(1, expected).exactOptional();

const Source = z.union([
  z.strictObject({
    taskId: z.string().min(1),
    stream: text('expected the name of a stream; omit `stream` to read the first one of the task'),
    key: text(
      'expected what streamKey returns for this task; omit `key` only if no one else can send chunks',
    ),
  }),
  z.literal('first'),
]);

const noProgress: StreamProgress = { state: 'open', stream: null, chunks: 0, text: '', verified: null };

const taskIn = ({ metadata }: MessageEnvelope): string | null => {
  const taskId = metadata?.['agentcharter:taskId'];
  return typeof taskId === 'string' ? taskId : null;
};

/** Returns a key of the fields that all envelopes of a stream share. */
const ownerOf = ({ envelope }: StreamEnvelope): string => {
  const { request_id: request, trace_id: trace, metadata } = envelope;
  const attempt = metadata['agentcharter:attempt'];
  return JSON.stringify([
    metadata['agentcharter:taskId'],
    request,
    trace,
    attempt,
    metadata['agentcharter:stream'],
  ]);
};

/**
 * Reads the envelopes of one stream in order (UAICP 4.2). It refuses chunks of another task or stream, and with
 * `key` all unsigned ones, also as the first chunk.
 *
 * Throws `definition_invalid` for an invalid source, also if `key` or `stream` is `undefined`.
 */
export const createStreamReader = (source: StreamSource): StreamReader => {
  checkDefinition('stream reader', '', Source, source);
  const expected: Partial<Exclude<StreamSource, 'first'>> = source === 'first' ? {} : source;
  const tally = createTally();
  let progress = noProgress;
  let owner: string | null = null;

  /** Returns why an envelope is not the next of this stream; `null` if it is. */
  const faultOf = (given: StreamEnvelope): string | null => {
    const { kind, envelope } = given;
    const { chunk_id: id, stream_index: index } = envelope.streaming;
    const { 'agentcharter:taskId': task, 'agentcharter:stream': stream } = envelope.metadata;
    if (expected.taskId !== undefined && task !== expected.taskId) return 'it belongs to another task';
    if (expected.stream !== undefined && stream !== expected.stream) return 'it belongs to another stream';
    if (progress.state !== 'open') return `the stream is ${progress.state}`;
    if (owner !== null && ownerOf(given) !== owner) return 'it belongs to another stream';
    if (id !== chunkId(envelope.metadata['agentcharter:stream'], index))
      return 'its chunk_id is of another chunk';
    if (kind === 'chunk') return tally.faultOf(index, envelope.metadata['agentcharter:content']);
    if (owner === null) return 'a stream does not begin with its end';
    if (kind === 'discard') return null; // safe at any position: the missing chunks are not needed any more
    if (index !== tally.chunks()) return tally.faultOf(index, '') ?? 'it is not the end';
    const { chunks, hash } = tally.sum();
    const { 'agentcharter:chunks': claimed, 'agentcharter:hash': claimedHash } = envelope.metadata;
    if (claimed !== chunks) return `it ends ${claimed} chunks, and ${chunks} were read`;
    return claimedHash === hash ? null : 'its hash is not that of what was read';
  };

  const next = ({ kind, envelope }: StreamEnvelope): StreamProgress => {
    switch (kind) {
      case 'chunk': {
        const { 'agentcharter:content': content, 'agentcharter:stream': stream } = envelope.metadata;
        tally.add(content);
        return { ...progress, stream, chunks: tally.chunks(), text: tally.text() };
      }
      case 'final':
        return { ...progress, state: 'final', verified: tally.text() };
      case 'discard':
        return { ...progress, state: 'discarded', text: '' };
    }
  };

  const refusal = (envelope: MessageEnvelope, reason: string): CharterError<'chunk_refused'> => {
    const index = envelope.streaming?.stream_index ?? null;
    const expected = progress.state === 'open' ? tally.chunks() : null;
    const details = { taskId: taskIn(envelope), index, expected, reason };
    const message = `chunk ${index ?? '?'} is refused: ${reason}; ${chunkRemedy(expected)}`;
    return new CharterError('chunk_refused', message, details);
  };

  return {
    progress: () => progress,
    read: (value) => {
      const envelope = readEnvelope(value);
      if (expected.key !== undefined && !isSignedWith(expected.key, envelope))
        throw refusal(envelope, 'it is not signed with the key of this task');
      const given = readStreamEnvelope(envelope);
      if (typeof given === 'string') throw refusal(envelope, given);
      const fault = faultOf(given);
      if (fault !== null) throw refusal(envelope, fault);
      owner ??= ownerOf(given);
      progress = Object.freeze(next(given));
      return progress;
    },
  };
};
