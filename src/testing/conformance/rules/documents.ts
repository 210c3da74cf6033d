import * as z from 'zod';
import { EvidenceObject, MessageEnvelope, VerificationReport } from '../../../../schema/index.ts';
import { issueWords } from '../../../base/boundary/issue-words.ts';
import { clause } from '../../../base/boundary/issues-of.ts';
import { all, delivers, emitsAtLeast, inOrder, trial, type Check, type Rule, type Trial } from '../rule.ts';
import { elsewhere } from '../scenarios/parts.ts';
import { endOf, happenings, type Seen } from '../seen.ts';
import { documentsOf, inAllScenarios } from '../sight.ts';

const fits =
  (list: 'envelopes' | 'evidence' | 'reports', schema: z.ZodType): Check =>
  ({ documents }) => {
    for (const [at, document] of documents[list].entries()) {
      const [issue] = schema.safeParse(document, issueWords.data).error?.issues ?? [];
      if (issue !== undefined) return clause(`${list}[${at}] at /${issue.path.join('/')}`, issue.message);
    }
    return null;
  };

/** Returns the number of results that need evidence. Late results need none. */
const results = (seen: Seen): number =>
  endOf(seen) !== 'deliver'
    ? 0
    : happenings(seen, 'answered').filter(({ evidence }) => evidence === null).length;

const judgements = (seen: Seen): number =>
  happenings(seen, 'verified').filter(({ reported }) => typeof reported !== 'string').length;

/** Checks that no passing report contains a check that did not pass. */
const isConsistent: Check = ({ documents }) => {
  const wrong = documents.reports.findIndex((report) => {
    const { status, checks } = VerificationReport.parse(report);
    return status === 'pass' && (checks.length === 0 || checks.some(({ result }) => result === 'fail'));
  });
  return wrong === -1 ? null : `reports[${wrong}] has status pass, but its checks do not`;
};

const Ids = z.looseObject({ request_id: z.string().optional(), trace_id: z.string().optional() });

/** Returns the request and trace ids in documents. */
const idsIn = (documents: readonly unknown[]): readonly z.infer<typeof Ids>[] =>
  documents.flatMap((one) => {
    const read = Ids.safeParse(one).data ?? {};
    return read.request_id === undefined && read.trace_id === undefined ? [] : [read];
  });

const documentsIn = ({ documents: { envelopes, evidence, reports, audit } }: Seen): readonly unknown[] => [
  ...envelopes,
  ...evidence,
  ...reports,
  ...audit,
];

/** Checks that all documents have the request and trace ids that the tools received. */
const isOfOneRun: Check = (seen) => {
  const ids = idsIn([...happenings(seen, 'called'), ...documentsIn(seen)]);
  const requests = new Set(ids.flatMap(({ request_id }) => request_id ?? []));
  const traces = new Set(ids.flatMap(({ trace_id }) => trace_id ?? []));
  if (requests.size > 1) return `several requests: ${[...requests].join(', ')}`;
  return traces.size > 1 ? `several traces: ${[...traces].join(', ')}` : null;
};

const Nested = z.looseObject({ parent_trace_id: z.literal(elsewhere.trace_id) });

const namesItsParent: Check = ({ documents }) => {
  const wrong = documents.envelopes.findIndex((envelope) => !Nested.safeParse(envelope).success);
  return wrong === -1 ? null : `envelopes[${wrong}] does not name the trace that the run is nested in`;
};

const nested = (check: Check): Trial => trial('a run that is nested in another', check);

/** The documents of the contract (UAICP 4.3, 6). */
export const documentRules: readonly Rule[] = [
  {
    id: 'uaicp-6-envelope',
    section: '6',
    statement: 'Every envelope matches the schema of a message envelope.',
    needs: ['envelopes'],
    sees: inAllScenarios('envelopes', 7, ({ documents }) => documents.envelopes.length),
    control: inOrder,
    trials: [],
    everywhere: fits('envelopes', MessageEnvelope),
  },
  {
    id: 'uaicp-4.3-parent',
    section: '4.3',
    statement: 'The envelopes of a run that is nested in another name the trace of the other.',
    needs: ['envelopes'],
    sees: documentsOf('envelopes', 'envelopes', 2),
    control: nested(delivers),
    trials: [nested(namesItsParent)],
  },
  {
    id: 'uaicp-6-evidence',
    section: '6',
    statement: 'The result of a tool becomes an evidence object that matches its schema.',
    needs: ['evidence'],
    sees: inAllScenarios('evidence objects', 4, ({ documents }) => documents.evidence.length),
    trials: [trial(inOrder.in, emitsAtLeast('evidence', results))],
    everywhere: all(fits('evidence', EvidenceObject), emitsAtLeast('evidence', results)),
  },
  {
    id: 'uaicp-6-report',
    section: '6',
    statement: 'The result of a verifier becomes a verification report that matches its schema.',
    needs: ['reports', 'verifiers'],
    sees: documentsOf('reports', 'reports', 2),
    trials: [
      trial(
        'two verifiers',
        emitsAtLeast('reports', () => 2),
      ),
    ],
    everywhere: all(fits('reports', VerificationReport), emitsAtLeast('reports', judgements), isConsistent),
  },
  {
    id: 'uaicp-6-one-run',
    section: '6',
    isInferred: true,
    statement: 'All documents of a run name one request and one trace.',
    sees: inAllScenarios(
      'documents that name a request or a trace',
      2,
      (seen) => idsIn(documentsIn(seen)).length,
    ),
    needsOneOf: ['envelopes', 'evidence', 'reports', 'audit'],
    control: inOrder,
    trials: [],
    everywhere: isOfOneRun,
  },
];
