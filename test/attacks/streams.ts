import { expect } from 'vitest';
import { createStreamReader } from '../../src/optional/streaming/index.ts';
import type { StreamChunk } from '../../src/base/ports/model.ts';
import { scene } from '../src/core/shell/scene.ts';
import { call, draft, plan, readTool, writeTool } from '../src/core/shell/scripted.ts';
import { chunk, chunksOf, discard, final } from '../src/optional/streaming/stream.ts';
import { stopped, type Attack } from './attack.ts';

const contents = ['Three rooms ', 'in Lisbon, ', 'from € 80.'];

/** An envelope that is refused where it comes; the reader stays as it is, and nothing of it is verified. */
const refused = (attempt: string, before: readonly unknown[], envelope: unknown): Attack => ({
  number: 28,
  attempt,
  expected: 'chunk_refused',
  source: 'UAICP 4.2',
  run: async () => {
    const reader = createStreamReader('first');
    for (const one of before) reader.read(one);
    const progress = reader.progress();
    const stop = await stopped(() => reader.read(envelope));
    expect(reader.progress()).toEqual(progress);
    if (progress.state === 'open') expect(progress.verified).toBeNull();
    return stop;
  },
});

const whole = [...chunksOf(contents), final(contents)];

/** A model that streams what it may not; what comes of it is told, and no listener hears a chunk. */
const streamed = (attempt: string, say: (stream: StreamChunk) => void, when: 'plan' | 'write'): Attack => ({
  number: 28,
  attempt,
  expected: 'chunk_refused',
  source: 'UAICP 4.2',
  run: async () => {
    let stop: unknown;
    const one = scene({
      tools: [writeTool('write'), readTool('read')],
      options: {
        model: {
          answer: async ({ asks }, { stream }) => {
            if (asks === (when === 'plan' ? 'plan' : 'draft')) stop = await stopped(() => say(stream));
            return asks === 'plan' ? plan([call(when === 'write' ? 'write' : 'read')]) : draft();
          },
        },
      },
    });
    const chunks: unknown[] = [];
    one.orchestrator.on('chunk', (event) => chunks.push(event));
    await one.ended(await one.submit());
    expect(chunks).toEqual([]);
    return stop;
  },
});

export const streams: readonly Attack[] = [
  refused('a chunk twice', [chunk(0, 'a')], chunk(0, 'a')),
  refused('a chunk once more, that says something else', [chunk(0, 'a')], chunk(0, 'b')),
  refused('a chunk that is missing', [chunk(0, 'a')], chunk(2, 'c')),
  refused('two chunks in the other order', [], chunk(1, 'b')),
  refused('a chunk after the end', whole, chunk(3, '!')),
  refused('a second end', whole, final(contents)),
  refused('an end that leaves a chunk out', chunksOf(contents), final(contents.slice(1))),
  refused(
    'an end of other contents',
    chunksOf(contents),
    final(['Three rooms ', 'in Lisbon, ', 'for nothing.']),
  ),
  refused('an end before the beginning', [], final([])),
  refused('a chunk of another stream', [chunk(0, 'a')], chunk(1, 'b', { stream: 'another' })),
  refused('a chunk of another attempt', [chunk(0, 'a')], chunk(1, 'b', { attempt: 1 })),
  refused('a chunk after what was shown is taken back', [chunk(0, 'a'), discard(1)], chunk(1, 'b')),
  refused('a chunk that says that it is verified', [], {
    ...chunk(0, 'a'),
    metadata: { ...chunk(0, 'a').metadata, 'agentcharter:unverified': false },
  }),
  refused('a chunk of the phase deliver', [], { ...chunk(0, 'a'), state: 'deliver', outcome: 'success' }),
  refused('a chunk of a megabyte', [], chunk(0, 'a'.repeat(1_000_000))),
  refused('a name for a chunk that is that of another', [], {
    ...chunk(0, 'a'),
    streaming: { ...chunk(0, 'a').streaming, chunk_id: 'another/0' },
  }),
  streamed('a plan that is streamed', (stream) => stream({ index: 0, content: 'a' }), 'plan'),
  streamed(
    'a draft that is streamed although the run writes',
    (stream) => stream({ index: 0, content: 'a' }),
    'write',
  ),
];
