import * as z from 'zod';
import { occasionsOf, type Context, type Duty, type Occasion } from '../../../machines/index.ts';
import type { MessageEnvelope, Phase } from '../../../schema/index.ts';
import { deepFreeze } from '../../base/canonical/deep-freeze.ts';
import { digest } from '../../base/canonical/digest.ts';
import { CharterError } from '../../base/errors.ts';
import type { StreamDocument } from '../../base/ports/ledger.ts';
import type { StreamChunk, Turn } from '../../base/ports/model.ts';
import { matchesDraft } from '../../optional/streaming/draft-match.ts';
import { chunkId, readEnvelope } from '../../optional/streaming/envelopes.ts';
import { signed, streamKey } from '../../optional/streaming/sign.ts';
import { chunkRemedy, createTally, type Tally } from '../../optional/streaming/tally.ts';
import { uaicpVersion } from '../kernel/envelopes.ts';
import { rfc3339 } from '../kernel/now.ts';
import type { DraftOutput } from '../kernel/outputs.ts';
import type { TaskView } from '../kernel/view.ts';
import type { Environment } from './environment.ts';
import type { WorkSignal } from './work-signal.ts';

/** The task that streams its drafts. */
export interface Drafter {
  readonly view: TaskView;
}

/** The ports of streams. */
export type StreamPorts = Pick<Environment, 'clock' | 'emit' | 'ids' | 'tools' | 'streamSecret'>;

/** A proposed draft: its digest, and the whole output with the payload that its schema read. */
export interface Drafted {
  readonly digest: string;
  readonly output: DraftOutput;
}

/** One turn of the model, which may stream its draft. */
export interface Drafting {
  readonly stream: StreamChunk;
  /** Ends the turn: the model has answered, and nothing more is streamed. */
  readonly end: () => void;
  /** Ends the turn with a draft; returns its stream, if any. A stream of other content will be discarded. */
  readonly onDraft: (draft: Drafted) => StreamDocument | undefined;
}

interface Stream {
  readonly id: string;
  readonly request: string;
  readonly attempt: number;
  readonly tally: Tally;
  /** The digest of the draft that equals the streamed text. */
  draft: string | null;
  /** The last phase that was entered. */
  phase: Phase;
}

/** A phase that a step entered. */
type Entered = Extract<Occasion, { kind: 'envelope' }>;

const chunkStep = { state: 'execute', outcome: 'pending' } as const;
const finalStep = { state: 'deliver', outcome: 'success' } as const;

const ChunkOf = z.strictObject({ index: z.int().nonnegative(), content: z.string() });

/**
 * Returns how a step ends a stream: its draft is delivered, or cannot be delivered any more; `null` if it continues.
 */
const endOf = (
  { request, attempt, draft }: Stream,
  context: Context,
  isAsked: boolean,
): 'final' | 'discard' | null => {
  const isOfRun = context.request === request && context.attempt === attempt;
  const stands = draft !== null && context.draft?.digest === draft;
  if (stands && context.outcome === 'delivered') return 'final';
  if (context.outcome !== null || context.reasons.length > 0) return 'discard';
  return stands || (isOfRun && isAsked) ? null : 'discard';
};

/** Returns the last phase of a step, except `deliver`, which is not the phase of a discarded stream. */
const phaseIn = (context: Context): Entered | undefined =>
  occasionsOf(context)
    .filter((occasion) => occasion.kind === 'envelope')
    .findLast(({ phase }) => phase !== 'deliver');

/** Returns the reasons of a final failure (UAICP 7). */
const reasonsIn = (entered: Entered | undefined): Readonly<Record<string, readonly string[]>> =>
  entered?.phase === 'fail_safe'
    ? {
        'agentcharter:reasonCodes': entered.reasonCodes,
        'agentcharter:missingEvidence': entered.missingEvidence,
      }
    : {};

/**
 * The streams of a task's drafts, as envelopes that are not recorded (UAICP 4.2).
 *
 * Every stream ends once: final when its draft is delivered, or discarded. If the orchestrator closes, a stream has
 * no end.
 */
export class Streams {
  readonly #drafter: Drafter;
  readonly #environment: StreamPorts;
  /** Whether a stream has begun and not ended. */
  isOpen = false;
  #stream: Stream | null = null;

  constructor(drafter: Drafter, environment: StreamPorts) {
    this.#drafter = drafter;
    this.#environment = environment;
  }

  /** Opens a turn of the model; an open stream of an earlier turn is discarded. */
  open(asks: Turn['asks'], signal: WorkSignal): Drafting {
    this.#discard();
    const tally = createTally();
    let stream: Stream | null = null;
    let isAnswered = false;
    const whyClosed = (): string | null => {
      if (signal.aborted) return 'it is no longer needed';
      if (isAnswered || (stream !== null && stream !== this.#stream)) return 'its stream has ended';
      if (asks !== 'draft') return `a ${asks} is not streamed`;
      return this.#hasWrite() ? 'the run has a write; only read-only runs are streamed' : null;
    };
    return {
      stream: (chunk) => {
        const read = ChunkOf.safeParse(chunk);
        const index = read.data?.index ?? null;
        const closed = whyClosed();
        if (closed !== null) throw this.#refusal(index, null, closed);
        if (!read.success) throw this.#refusal(index, tally.chunks(), 'expected { index, content } alone');
        const { content } = read.data;
        const fault = tally.faultOf(read.data.index, content);
        if (fault !== null) throw this.#refusal(index, tally.chunks(), fault);
        stream ??= this.#begin(tally);
        tally.add(content);
        this.#emitChunk(stream, read.data.index, chunkStep, {
          'agentcharter:unverified': true,
          'agentcharter:content': content,
        });
      },
      end: () => {
        isAnswered = true;
      },
      onDraft: ({ digest: named, output }) => {
        if (stream === null || stream !== this.#stream) return undefined;
        const answerDraft = { digest: digest(output), payload: output.payload };
        stream.draft = matchesDraft(tally.text(), answerDraft) ? named : null;
        return { id: stream.id, ...tally.sum() };
      },
    };
  }

  /** Ends the stream if a recorded step has decided its end. */
  step(duties: readonly Duty[]): void {
    const stream = this.#stream;
    if (stream === null) return;
    const { context } = this.#drafter.view;
    const entered = phaseIn(context);
    stream.phase = entered?.phase ?? stream.phase;
    const end = endOf(
      stream,
      context,
      duties.some(({ kind }) => kind === 'conclude'),
    );
    if (end === 'final') this.#deliver(stream);
    else if (end === 'discard') this.#discard(entered);
  }

  #begin(tally: Tally): Stream {
    const { request, attempt } = this.#drafter.view.context;
    const id = this.#environment.ids.uuid();
    this.#stream = { id, request, attempt, tally, draft: null, phase: 'execute' };
    this.isOpen = true;
    return this.#stream;
  }

  #deliver(stream: Stream): void {
    const { chunks, hash } = stream.tally.sum();
    this.#stream = null;
    this.isOpen = false;
    this.#emitChunk(stream, chunks, finalStep, {
      'agentcharter:unverified': false,
      'agentcharter:chunks': chunks,
      'agentcharter:hash': hash,
    });
  }

  #discard(entered?: Entered): void {
    const stream = this.#stream;
    if (stream === null) return;
    this.#stream = null;
    this.isOpen = false;
    const chunks = stream.tally.chunks();
    const step = { state: stream.phase, outcome: entered?.outcome ?? 'pending' };
    this.#emitChunk(stream, chunks, step, {
      'agentcharter:unverified': true,
      'agentcharter:discard': true,
      'agentcharter:chunks': chunks,
      ...reasonsIn(entered),
    });
  }

  /** Returns whether the request has a call that writes, in any attempt. Unknown tools count as writing. */
  #hasWrite(): boolean {
    const { tools } = this.#environment;
    const calls = Object.values(this.#drafter.view.projection.calls);
    return calls.some(({ tool }) => tools.get(tool)?.tier !== 'read_only');
  }

  #emitChunk(
    { id, request, attempt }: Stream,
    index: number,
    step: Pick<MessageEnvelope, 'state' | 'outcome'>,
    metadata: Readonly<Record<string, unknown>>,
  ): void {
    const { taskId, projection } = this.#drafter.view;
    const { clock, emit, streamSecret } = this.#environment;
    const { parentTraceId, identity } = projection.request;
    const envelope = readEnvelope({
      uaicp_version: uaicpVersion,
      request_id: request,
      trace_id: projection.traceId,
      ...(parentTraceId !== undefined && { parent_trace_id: parentTraceId }),
      timestamp: rfc3339(clock.now()),
      identity,
      ...step,
      streaming: { chunk_id: chunkId(id, index), stream_index: index, is_final: step === finalStep },
      metadata: {
        'agentcharter:taskId': taskId,
        'agentcharter:attempt': attempt,
        'agentcharter:stream': id,
        ...metadata,
      },
    });
    const shown = streamSecret === null ? envelope : signed(envelope, streamKey(streamSecret, taskId));
    emit('chunk', { taskId, envelope: deepFreeze(shown) });
  }

  #refusal(index: number | null, expected: number | null, reason: string): CharterError<'chunk_refused'> {
    const { taskId } = this.#drafter.view;
    const message = `chunk ${index ?? '?'} of task ${taskId} is refused: ${reason}; ${chunkRemedy(expected)}`;
    return new CharterError('chunk_refused', message, { taskId, index, expected, reason });
  }
}
