import { expect } from 'vitest';
import type { MessageEnvelope } from '../../../../schema/index.ts';
import { CharterError } from '../../../../src/index.ts';
import { hashOfStream } from '../../../../src/optional/streaming/index.ts';

const streamId = '00000000-0000-4000-8000-000000000009';

interface Place {
  readonly index: number;
  readonly stream?: string;
  readonly attempt?: number;
}

/** An envelope of a stream; what is given goes over what would be right. */
const envelope = (
  { index, stream = streamId, attempt = 0 }: Place,
  step: Partial<MessageEnvelope>,
  metadata: Readonly<Record<string, unknown>>,
  isFinal = false,
): MessageEnvelope => ({
  uaicp_version: '0.3',
  request_id: '00000000-0000-4000-8000-000000000001',
  trace_id: '0af7651916cd43dd8448eb211c80319c',
  state: 'execute',
  timestamp: '2026-11-21T05:00:00.000Z',
  identity: { agent_id: 'recommender', owner_id: 'acme', control_class: 'human-supervised' },
  outcome: 'pending',
  streaming: { chunk_id: `${stream}/${index}`, stream_index: index, is_final: isFinal },
  ...step,
  metadata: {
    'agentcharter:taskId': 'task',
    'agentcharter:attempt': attempt,
    'agentcharter:stream': stream,
    ...metadata,
  },
});

export const chunk = (index: number, content: string, place: Partial<Place> = {}): MessageEnvelope =>
  envelope({ index, ...place }, {}, { 'agentcharter:unverified': true, 'agentcharter:content': content });

export const chunksOf = (contents: readonly string[]): readonly MessageEnvelope[] =>
  contents.map((content, index) => chunk(index, content));

export const final = (contents: readonly string[], place: Partial<Place> = {}): MessageEnvelope =>
  envelope(
    { index: contents.length, ...place },
    { state: 'deliver', outcome: 'success' },
    {
      'agentcharter:unverified': false,
      'agentcharter:chunks': contents.length,
      'agentcharter:hash': hashOfStream(contents),
    },
    true,
  );

export const discard = (index: number, place: Partial<Place> = {}): MessageEnvelope =>
  envelope(
    { index, ...place },
    { state: 'fail_safe', outcome: 'uncertain' },
    { 'agentcharter:unverified': true, 'agentcharter:discard': true, 'agentcharter:chunks': index },
  );

/** The same envelope, with other metadata. */
export const saying = (
  given: MessageEnvelope,
  metadata: Readonly<Record<string, unknown>>,
): MessageEnvelope => ({ ...given, metadata: { ...given.metadata, ...metadata } });

/** What a refusal says; anything else that is thrown, or nothing, fails the test. */
export const refusalOf = (attempt: () => unknown): CharterError<'chunk_refused'>['details'] => {
  let thrown: unknown;
  try {
    attempt();
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(CharterError);
  expect(thrown).toMatchObject({ code: 'chunk_refused' });
  return (thrown as CharterError<'chunk_refused'>).details;
};
