import { expect } from 'vitest';
import { MessageEnvelope } from '../../../../schema/index.ts';
import type { Model, Turn } from '../../../../src/index.ts';
import type { StreamChunk } from '../../../../src/base/ports/model.ts';
import { createStreamReader, streamOf } from '../../../../src/optional/streaming/index.ts';
import { scene, type Given } from '../../core/shell/scene.ts';
import { draft } from '../../core/shell/scripted.ts';
import { refusalOf } from './stream.ts';

export const contents = ['Three rooms ', 'in Lisbon, ', 'from € 80.'];
export const answer = contents.join('');

export type Say = (
  turn: Turn,
  options: { readonly signal: AbortSignal; readonly stream: StreamChunk },
) => unknown;

export const streamed =
  (given: readonly string[], output: unknown): Say =>
  (_, { stream }) => {
    given.forEach((content, index) => stream({ index, content }));
    return output;
  };

/** Streams its answer in three chunks, and drafts it. */
export const says = streamed(contents, draft({ answer }));

/** A scene whose model has a line for each turn, the last one again and again; and every chunk that is told. */
export const streaming = (lines: readonly (Say | object)[], given: Given = {}) => {
  const turns: Turn['asks'][] = [];
  const model: Model = {
    answer: async (turn, options) => {
      const line = lines[turns.length] ?? lines.at(-1);
      turns.push(turn.asks);
      return typeof line === 'function' ? await (line as Say)(turn, options) : line;
    },
  };
  const scenario = scene({ ...given, options: { ...given.options, model } });
  const chunks: MessageEnvelope[] = [];
  scenario.orchestrator.on('chunk', ({ taskId, envelope }) => {
    expect(MessageEnvelope.safeParse(envelope)).toMatchObject({ success: true });
    expect(envelope.metadata?.['agentcharter:taskId']).toBe(taskId);
    chunks.push(envelope);
  });
  const metadata = (key: string) => chunks.map((chunk) => chunk.metadata?.[`agentcharter:${key}`]);
  const ends = () =>
    chunks.flatMap(({ state, outcome, streaming, metadata }) =>
      metadata?.['agentcharter:content'] === undefined
        ? [{ state, outcome, isFinal: streaming?.is_final, isDiscarded: metadata?.['agentcharter:discard'] }]
        : [],
    );
  /** The streams that were told, each as its own reader reads it. */
  const read = () => {
    const readers = new Map<string | undefined, ReturnType<typeof createStreamReader>>();
    for (const chunk of chunks) {
      const reader = readers.get(streamOf(chunk)) ?? createStreamReader('first');
      readers.set(streamOf(chunk), reader);
      reader.read(chunk);
    }
    return [...readers.values()].map((reader) => reader.progress());
  };
  return { ...scenario, turns, chunks, metadata, ends, read };
};

export const final = { state: 'deliver', outcome: 'success', isFinal: true, isDiscarded: undefined };
export const discarded = (state: string, outcome: string) => ({
  state,
  outcome,
  isFinal: false,
  isDiscarded: true,
});

/** Why a chunk was refused. */
export const refusal = (stream: StreamChunk, chunk: unknown) =>
  refusalOf(() => stream(chunk as Parameters<StreamChunk>[0]));
