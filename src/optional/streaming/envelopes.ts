import * as z from 'zod';
import { lazily } from '../../base/boundary/lazily.ts';
import { Identifier, MessageEnvelope, Outcome, Phase } from '../../../schema/index.ts';
import { checkData, issueInDocument } from '../../base/boundary/issues-of.ts';
import { parseDocument } from '../../base/boundary/parse-document.ts';
import { frozenCopy } from '../../base/canonical/freeze.ts';

const Count = z.int().nonnegative();

/** The metadata that names the stream of an envelope; the envelope's schema is closed. */
const streamMetadata = lazily(() => ({
  'agentcharter:taskId': z.string().min(1),
  'agentcharter:attempt': Count,
  'agentcharter:stream': Identifier,
}));

const order = <IsFinal extends boolean>(isFinal: IsFinal) =>
  z.looseObject({ chunk_id: z.string(), stream_index: Count, is_final: z.literal(isFinal) });

/** An unverified part of a draft (UAICP 4.2). */
const chunkEnvelopeSchema = lazily(() =>
  MessageEnvelope.extend({
    state: z.literal('execute'),
    outcome: z.literal('pending'),
    streaming: order(false),
    metadata: z.looseObject({
      ...streamMetadata(),
      'agentcharter:unverified': z.literal(true),
      'agentcharter:content': z.string(),
    }),
  }),
);

/** The last envelope of a stream whose draft was delivered. */
const finalEnvelopeSchema = lazily(() =>
  MessageEnvelope.extend({
    state: z.literal('deliver'),
    outcome: z.literal('success'),
    streaming: order(true),
    metadata: z.looseObject({
      ...streamMetadata(),
      'agentcharter:unverified': z.literal(false),
      'agentcharter:chunks': Count,
      'agentcharter:hash': z.string(),
    }),
  }),
);

/** The last envelope of a stream whose draft was not delivered; remove its text from the screen. */
const discardEnvelopeSchema = lazily(() =>
  MessageEnvelope.extend({
    state: Phase.exclude(['deliver']),
    outcome: Outcome.exclude(['success']),
    streaming: order(false),
    metadata: z.looseObject({
      ...streamMetadata(),
      'agentcharter:unverified': z.literal(true),
      'agentcharter:discard': z.literal(true),
      'agentcharter:chunks': Count,
    }),
  }),
);

/** The supported versions of UAICP; a patch version changes nothing (UAICP 9). */
const supportedVersion = /^0\.3(?:\.\d+)?$/;

const schemas = lazily(() => ({
  chunk: chunkEnvelopeSchema(),
  final: finalEnvelopeSchema(),
  discard: discardEnvelopeSchema(),
}));

type Schemas = ReturnType<typeof schemas>;

/** The envelope type of each kind. */
export type StreamEnvelopes = { readonly [Kind in keyof Schemas]: z.infer<Schemas[Kind]> };

export type StreamEnvelope = {
  readonly [Kind in keyof StreamEnvelopes]: {
    readonly kind: Kind;
    readonly envelope: StreamEnvelopes[Kind];
  };
}[keyof StreamEnvelopes];

/** Returns UAICP's `chunk_id`: the stream and the index in it, unique over all streams. */
export const chunkId = (stream: string, index: number): string => `${stream}/${index}`;

/** Returns the stream that an envelope belongs to; `undefined` for none. */
export const streamOf = ({ metadata }: MessageEnvelope): string | undefined => {
  const stream = metadata?.['agentcharter:stream'];
  return typeof stream === 'string' ? stream : undefined;
};

/** Returns a frozen copy of an envelope. Throws `input_unreadable` or `document_invalid`. */
export const readEnvelope = (value: unknown): MessageEnvelope => {
  const copy = frozenCopy(value, 'MessageEnvelope');
  parseDocument('MessageEnvelope', MessageEnvelope, copy);
  return copy as MessageEnvelope; // the original, not zod's output
};

const readAs = <Kind extends keyof StreamEnvelopes>(
  kind: Kind,
  envelope: MessageEnvelope,
): { readonly kind: Kind; readonly envelope: StreamEnvelopes[Kind] } | string => {
  const read = checkData(schemas()[kind], envelope);
  if (read.issues === undefined) return { kind, envelope: read.value as StreamEnvelopes[Kind] }; // made by this kind's schema
  return `it is no ${kind} of a stream: ${read.issues.slice(0, 1).map(issueInDocument).join('')}`;
};

/** Returns the kind and content of a stream envelope, or why it is refused. */
export const readStreamEnvelope = (envelope: MessageEnvelope): StreamEnvelope | string => {
  if (!supportedVersion.test(envelope.uaicp_version))
    return 'VERSION_UNSUPPORTED: expected version 0.3 of UAICP';
  if (Object.hasOwn(envelope.metadata ?? {}, 'agentcharter:discard')) return readAs('discard', envelope);
  return envelope.streaming?.is_final === true ? readAs('final', envelope) : readAs('chunk', envelope);
};
