import * as z from 'zod';
import { occasionsOf, type Context, type Duty, type Occasion } from '../../machines/index.ts';
import type { MessageEnvelope, Phase } from '../../schema/index.ts';
import { CharterError } from '../errors.ts';
import { deepFreeze } from '../canonical/deep-freeze.ts';
import { digest } from '../canonical/digest.ts';
import type { StreamDocument } from '../ports/ledger.ts';
import type { StreamChunk, Turn } from '../ports/model.ts';
import { chunkId, readEnvelope } from '../streaming/envelopes.ts';
import { isSaidBy } from '../streaming/said.ts';
import { signed, streamKey } from '../streaming/sign.ts';
import { createTally, type Tally } from '../streaming/tally.ts';
import { rfc3339 } from './clock.ts';
import { uaicpVersion } from './documents.ts';
import type { Environment } from './environment.ts';
import type { DraftOutput } from './outputs.ts';
import type { TaskView } from './view.ts';

/** The task whose drafts are streamed. */
export interface Drafter {
  readonly view: TaskView;
}

/** The ports of streams. */
export type StreamPorts = Pick<Environment, 'clock' | 'emit' | 'ids' | 'tools' | 'streamSecret'>;

/** A draft that a model has proposed: its digest, and the output whole, with the payload that its schema read. */
export interface Drafted {
  readonly digest: string;
  readonly output: DraftOutput;
}

/** One turn of the model, which may stream what it drafts. */
export interface Drafting {
  readonly stream: StreamChunk;
  /** The model has answered: nothing more is streamed. */
  readonly end: () => void;
  /** The model drafted this; what it streamed of it, if anything. Where it streamed something else, that is discarded. */
  readonly drafted: (draft: Drafted) => StreamDocument | undefined;
}

interface Stream {
  readonly id: string;
  readonly request: string;
  readonly attempt: number;
  readonly tally: Tally;
  /** The digest of the draft that says what was streamed. */
  draft: string | null;
  /** The phase that was entered last. */
  phase: Phase;
}

/** A phase as a step entered it. */
type Entered = Extract<Occasion, { kind: 'envelope' }>;

const chunkStep = { state: 'execute', outcome: 'pending' } as const;
const finalStep = { state: 'deliver', outcome: 'success' } as const;

const ChunkOf = z.strictObject({ index: z.int().nonnegative(), content: z.string() });

/** What becomes of a stream with a step: its draft is delivered, or is known not to be what is delivered. */
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

/** The last phase of a step; what ends in `deliver` without this stream leaves it in the phase before. */
const phaseIn = (context: Context): Entered | undefined =>
  occasionsOf(context)
    .filter((occasion) => occasion.kind === 'envelope')
    .findLast(({ phase }) => phase !== 'deliver');

/** Why nothing is delivered, where that is the end (UAICP 7). */
const reasonsIn = (entered: Entered | undefined): Readonly<Record<string, readonly string[]>> =>
  entered?.phase === 'fail_safe'
    ? {
        'agentcharter:reasonCodes': entered.reasonCodes,
        'agentcharter:missingEvidence': entered.missingEvidence,
      }
    : {};

/**
 * What a task's model shows of its drafts, as envelopes that nobody records (UAICP 4.2).
 *
 * Every stream that was begun ends once: finally, when its draft is delivered, or to be discarded. One that the
 * orchestrator closes on has no end.
 */
export class Streams {
  readonly #drafter: Drafter;
  readonly #environment: StreamPorts;
  /** Whether a stream was begun and has not ended. */
  isOpen = false;
  #stream: Stream | null = null;

  constructor(drafter: Drafter, environment: StreamPorts) {
    this.#drafter = drafter;
    this.#environment = environment;
  }

  /** Opens a turn of the model; what an earlier one left open is discarded. */
  open(asks: Turn['asks'], signal: AbortSignal): Drafting {
    this.#discard();
    const tally = createTally();
    let stream: Stream | null = null;
    let isAnswered = false;
    const closedBy = (): string | null => {
      if (signal.aborted) return 'nobody waits for it any more';
      if (isAnswered || (stream !== null && stream !== this.#stream)) return 'its stream has ended';
      if (asks !== 'draft') return `a ${asks} is not streamed`;
      return this.#hasWrite() ? 'the run holds a write, and only what is read-only is streamed' : null;
    };
    return {
      stream: (chunk) => {
        const read = ChunkOf.safeParse(chunk);
        const index = read.data?.index ?? null;
        const closed = closedBy();
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
      drafted: ({ digest: named, output }) => {
        if (stream === null || stream !== this.#stream) return undefined;
        const said = { digest: digest(output), payload: output.payload };
        stream.draft = isSaidBy(tally.text(), said) ? named : null;
        return { id: stream.id, ...tally.sum() };
      },
    };
  }

  /** Ends the stream whose end a step, already recorded, has decided. */
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

  /** Whether the request has a call that writes, in any attempt, made or not; a tool that nobody knows does. */
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
    const message = `chunk ${index ?? '?'} of task ${taskId} is refused: ${reason}`;
    return new CharterError('chunk_refused', message, { taskId, index, expected, reason });
  }
}
