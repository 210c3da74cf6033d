import * as z from 'zod';
import { Streaming } from '../../../../schema/index.ts';
import { delivers, inOrder, neverDelivers, trial, type Check, type Rule } from '../rule.ts';
import { endOf, happenings, type Seen } from '../seen.ts';
import { documentsOf, hasPlanned, inAllScenarios, inEachTrial, runsThatPlanned } from '../sight.ts';

const streamingOf = ({ documents }: Seen) =>
  documents.chunks.map(({ envelope, isUnverified }) => {
    const read = z.looseObject({ streaming: Streaming }).safeParse(envelope);
    return { ...read.data?.streaming, isUnverified };
  });

const marksChunks: Check = (seen) => {
  const wrong = streamingOf(seen).findIndex(
    ({ is_final, isUnverified }) => is_final !== true && !isUnverified,
  );
  return wrong === -1 ? null : `chunks[${wrong}] is not marked as unverified`;
};

const ordersChunks: Check = (seen) => {
  const chunks = streamingOf(seen);
  const wrong = chunks.findIndex(({ stream_index }, at) => stream_index !== at);
  if (wrong !== -1) return `chunks[${wrong}] has the stream_index ${chunks[wrong]?.stream_index}`;
  const ids = new Set(chunks.map(({ chunk_id }) => chunk_id));
  return ids.has(undefined) || ids.size < chunks.length ? 'its chunks have no chunk_id of their own' : null;
};

const commitsNothing: Check = (seen) => {
  const isFinal = streamingOf(seen).some(({ is_final }) => is_final === true);
  return isFinal ? 'a chunk of a draft that did not pass is final' : neverDelivers(seen);
};

const reportsOutcome: Check = (seen) => {
  const { result } = seen.documents;
  const end = endOf(seen);
  if (end !== 'deliver' && end !== 'fail_safe') return null;
  if (result === null) return `it ended in ${end}, and has no result`;
  return (result.outcome === 'success') === (end === 'deliver')
    ? null
    : `it ended in ${end}, but its outcome is ${result.outcome}`;
};

const isUncertain: Check = ({ documents: { result } }) =>
  result?.outcome === 'uncertain' ? null : `its outcome is ${result?.outcome ?? 'missing'}, not uncertain`;

const hasReason: Check = (seen) =>
  endOf(seen) === 'fail_safe' && (seen.documents.result?.reasonCodes.length ?? 0) === 0
    ? 'it failed safe without a reason code'
    : null;

const reportsMissingEvidence: Check = ({ documents: { result } }) => {
  const codes = result?.reasonCodes ?? [];
  return codes.includes('EVIDENCE_MISSING') ? null : `its reason codes are: ${codes.join(', ') || 'none'}`;
};

const knowsVersions: Check = (seen) => {
  const [own, other] = happenings(seen, 'admitted');
  if (own?.isLetIn === false) return 'its own envelope is not admitted';
  return other?.isLetIn === true ? `an envelope of version ${other.version} is admitted` : null;
};

const countResults = (seen: Seen): number => (seen.documents.result === null ? 0 : hasPlanned(seen));

const streamed = trial('a streamed draft', delivers);

/** The rules of streaming, cancellation and envelopes (UAICP 4.2, 7, 9). */
export const streamingRules: readonly Rule[] = [
  {
    id: 'uaicp-4.2-stream-unverified',
    section: '4.2',
    statement: 'Parts of a draft that are shown before delivery are marked as unverified.',
    sees: documentsOf('chunks', 'chunks', 2),
    control: streamed,
    trials: [trial('a streamed draft', marksChunks)],
  },
  {
    id: 'uaicp-4.2-stream-order',
    section: '4.2',
    statement: 'Each chunk has a unique id, and its position in the stream.',
    sees: documentsOf('chunks', 'chunks', 2),
    control: streamed,
    trials: [trial('a streamed draft', ordersChunks)],
  },
  {
    id: 'uaicp-4.2-stream-commit',
    section: '4.2',
    statement: 'A draft that is not delivered has no final chunk.',
    sees: documentsOf('chunks', 'chunks', 2),
    trials: [trial('a streamed draft that does not pass', commitsNothing)],
  },
  {
    id: 'uaicp-7-outcome',
    section: '7',
    isInferred: true,
    statement: 'The outcome of an ended run is success if it delivered, and only then.',
    sees: inAllScenarios('results of runs that planned', 2, countResults),
    control: inOrder,
    trials: [trial('no evidence', reportsOutcome)],
    everywhere: reportsOutcome,
  },
  {
    id: 'uaicp-7-uncertain',
    section: '7',
    statement: 'If required evidence is missing, the outcome is uncertain.',
    sees: runsThatPlanned,
    control: inOrder,
    trials: [trial('no evidence', isUncertain), trial('evidence of another tool', isUncertain)],
  },
  {
    id: 'uaicp-7-reasons',
    section: '7',
    statement: 'A run that fails safe has reason codes.',
    needs: ['reason codes'],
    sees: inAllScenarios('runs that planned and failed safe', 2, (seen) =>
      endOf(seen) === 'fail_safe' ? hasPlanned(seen) : 0,
    ),
    control: inOrder,
    trials: [trial('a read that fails', hasReason)],
    everywhere: hasReason,
  },
  {
    id: 'uaicp-7-missing-evidence',
    section: '7',
    statement: 'If required evidence is missing, EVIDENCE_MISSING is among the reason codes.',
    needs: ['reason codes'],
    sees: runsThatPlanned,
    control: inOrder,
    trials: [trial('no evidence', reportsMissingEvidence)],
  },
  {
    id: 'uaicp-9-version',
    section: '9',
    isInferred: true,
    statement: 'An envelope of an unsupported version is not admitted.',
    sees: inEachTrial('envelopes from outside', (seen) => happenings(seen, 'admitted').length, 2),
    trials: [trial('an envelope from outside', knowsVersions)],
  },
];
