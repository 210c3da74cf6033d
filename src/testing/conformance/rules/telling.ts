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

const saysHowItEnded: Check = (seen) => {
  const { result } = seen.documents;
  const end = endOf(seen);
  if (end !== 'deliver' && end !== 'fail_safe') return null;
  if (result === null) return `it ended in ${end}, and has no result`;
  return (result.outcome === 'success') === (end === 'deliver')
    ? null
    : `it ended in ${end}, and says ${result.outcome}`;
};

const isUncertain: Check = ({ documents: { result } }) =>
  result?.outcome === 'uncertain' ? null : `it says ${result?.outcome ?? 'nothing'}, and not uncertain`;

const hasReason: Check = (seen) =>
  endOf(seen) === 'fail_safe' && (seen.documents.result?.reasonCodes.length ?? 0) === 0
    ? 'it failed safe without a reason code'
    : null;

const saysWhatIsMissing: Check = ({ documents: { result } }) => {
  const codes = result?.reasonCodes ?? [];
  return codes.includes('EVIDENCE_MISSING') ? null : `it says ${codes.join(', ') || 'nothing'}`;
};

const knowsVersions: Check = (seen) => {
  const [own, other] = happenings(seen, 'admitted');
  if (own?.isLetIn === false) return 'an envelope of its own is not let in';
  return other?.isLetIn === true ? `an envelope of version ${other.version} is let in` : null;
};

const countResults = (seen: Seen): number => (seen.documents.result === null ? 0 : hasPlanned(seen));

const streamed = trial('a streamed draft', delivers);

/** The rules of streaming, cancellation and envelopes (UAICP 4.2, 7, 9). */
export const streamingRules: readonly Rule[] = [
  {
    id: 'uaicp-4.2-stream-unverified',
    section: '4.2',
    says: 'What is shown of a draft before it is delivered is marked as unverified.',
    sees: documentsOf('chunks', 'chunks', 2),
    control: streamed,
    trials: [trial('a streamed draft', marksChunks)],
  },
  {
    id: 'uaicp-4.2-stream-order',
    section: '4.2',
    says: 'Each chunk has a name of its own, and its place in the stream.',
    sees: documentsOf('chunks', 'chunks', 2),
    control: streamed,
    trials: [trial('a streamed draft', ordersChunks)],
  },
  {
    id: 'uaicp-4.2-stream-commit',
    section: '4.2',
    says: 'No chunk is final of a draft that is not delivered.',
    sees: documentsOf('chunks', 'chunks', 2),
    trials: [trial('a streamed draft that does not pass', commitsNothing)],
  },
  {
    id: 'uaicp-7-outcome',
    section: '7',
    isInferred: true,
    says: 'A run that has ended says success where it delivered, and nowhere else.',
    sees: inAllScenarios('results of runs that planned', 2, countResults),
    control: inOrder,
    trials: [trial('no evidence', saysHowItEnded)],
    everywhere: saysHowItEnded,
  },
  {
    id: 'uaicp-7-uncertain',
    section: '7',
    says: 'Where required evidence is missing the outcome is uncertain.',
    sees: runsThatPlanned,
    control: inOrder,
    trials: [trial('no evidence', isUncertain), trial('evidence of another tool', isUncertain)],
  },
  {
    id: 'uaicp-7-reasons',
    section: '7',
    says: 'A run that fails safe says why, by reason codes.',
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
    says: 'Where required evidence is missing, the reason codes say so.',
    needs: ['reason codes'],
    sees: runsThatPlanned,
    control: inOrder,
    trials: [trial('no evidence', saysWhatIsMissing)],
  },
  {
    id: 'uaicp-9-version',
    section: '9',
    isInferred: true,
    says: 'An envelope of a version that is not spoken is not let in.',
    sees: inEachTrial('envelopes from outside', (seen) => happenings(seen, 'admitted').length, 2),
    trials: [trial('an envelope from outside', knowsVersions)],
  },
];
