import * as z from 'zod';
import type { ConformanceReport, RuleReport } from './report.ts';
import type { EmittedName, TraceStep } from './seen.ts';
import type { Approval, Fact } from './subject.ts';
import { minute } from './world.ts';

/** Escapes a text for a table cell or a line of a trace. */
const plain = (text: string): string => text.replaceAll(/[\r\n]+/g, ' ').replaceAll('|', '\\|');

const short = (value: unknown): string => {
  const text = JSON.stringify(value) ?? '';
  return text.length > 160 ? `${text.slice(0, 157)}...` : text;
};

const DocumentSummary = z.looseObject({
  of: z.looseObject({ kind: z.string(), to: z.string().optional(), tool: z.string().optional() }),
  state: z.string(),
  outcome: z.string(),
  source: z.string(),
  status: z.string(),
  verifier_id: z.string(),
  isUnverified: z.boolean(),
  reasonCodes: z.array(z.string()),
});

/** Returns the identifying content of a document as text. */
const documentInWords = (name: EmittedName, document: unknown): string => {
  const { of, ...summary } = DocumentSummary.partial().safeParse(document).data ?? {};
  const words = {
    envelope: [summary.state, summary.outcome],
    evidence: ['of', summary.source],
    report: ['of', summary.verifier_id, summary.status],
    audit: ['of', of?.kind, of?.to ?? of?.tool, summary.outcome],
    chunk: [summary.isUnverified === true ? 'unverified' : 'verified'],
    result: [summary.outcome, ...(summary.reasonCodes ?? [])],
  }[name];
  return [name, ...words.filter((word) => word !== undefined)].join(' ');
};

const approvalInWords = ({ id, approver, decision, action, ...rest }: Approval): string => {
  const { request_id, issuedAt, expiresAt, isForged } = rest;
  const times = [issuedAt, expiresAt].map((at) => new Date(at).toISOString().slice(11, 19)).join(' to ');
  const of = request_id === null ? 'this request' : `request ${request_id}`;
  const by = isForged ? `an impostor in the name of ${approver}` : approver;
  const decides = { approve: 'approves', reject: 'rejects' }[decision];
  return `${by} ${decides} ${action.tool} ${short(action.arguments)} of ${of}, ${times}, as ${id}`;
};

const factInWords = (fact: Fact): string => {
  switch (fact.type) {
    case 'approval.presented':
      return approvalInWords(fact.approval);
    case 'approval.refused':
      return `${fact.by} refuses ${fact.action.tool}`;
    case 'run.cancelled':
      return `${fact.by} cancels the run`;
    case 'evidence.arrived':
      return `evidence arrives: ${short(fact.evidence)}`;
    case 'time.passed':
      return `${fact.milliseconds / minute} minutes pass`;
  }
};

/** Returns a step of a trace as a line. */
const lineOf = (step: TraceStep): string => {
  switch (step.kind) {
    case 'planned':
    case 'drafted':
      return `model: ${step.kind} attempt ${step.attempt}`;
    case 'called':
      return `tool: ${step.tool} called with ${short(step.arguments)}`;
    case 'answered':
      return `tool: ${step.tool} answered${step.evidence === null ? '' : ` with evidence ${short(step.evidence)}`}`;
    case 'failed':
      return `tool: ${step.tool} failed`;
    case 'undone':
      return `tool: ${step.tool} undone for ${short(step.arguments)}`;
    case 'verified':
      return `verifier: ${step.verifier} received evidence: ${step.evidence}, reported ${short(step.reported)}`;
    case 'decided':
      return `policy: ${step.verdict} ${step.tool}`;
    case 'stated':
      return `stated: ${factInWords(step.fact)}: ${step.answer}`;
    case 'released':
      return 'released: held calls continue';
    case 'rested':
      return `at rest in ${step.phase}`;
    case 'emitted':
      return `emitted: ${documentInWords(step.name, step.document)}`;
    case 'admitted':
      return `envelope of version ${step.version}: ${step.isLetIn ? 'admitted' : 'not admitted'}`;
    case 'threw':
      return `threw: ${step.error}`;
  }
};

const sawInWords = ({ saw }: RuleReport): string =>
  saw === null ? '' : `${saw.count} of at least ${saw.least} ${saw.what}`;

const row = (rule: RuleReport): string => {
  const { id, statement, basis, verdict, lacks } = rule;
  const verdictText = lacks.length === 0 ? verdict : `${verdict}: ${lacks.join(', ')}`;
  return `| \`${id}\` | ${plain(statement)} | ${basis} | ${sawInWords(rule)} | ${verdictText} |`;
};

const traceBlock = (trace: readonly TraceStep[]): readonly string[] =>
  trace.length === 0
    ? []
    : ['```text', ...trace.map((step) => `${step.at.slice(11, 19)} ${plain(lineOf(step))}`), '```', ''];

const chapter = ({ id, statement, scenario, fault, trace }: RuleReport): readonly string[] => [
  `### \`${id}\``,
  '',
  statement,
  '',
  `${scenario === null ? 'The rule' : `In the scenario “${scenario}”:`} ${plain(fault ?? '')}.`,
  '',
  ...traceBlock(trace),
];

const chapters = (title: string, rules: readonly RuleReport[]): readonly string[] =>
  rules.length === 0 ? [] : [`## ${title}`, '', ...rules.flatMap(chapter)];

/** Formats a report as Markdown: a table of the rules, and the reason of each broken or unshown rule. */
export const conformancePage = ({ subject, specification, rules, counts }: ConformanceReport): string => {
  const { holds, broken, notShown, notOffered, scenarios } = counts;
  const having = (verdict: RuleReport['verdict']) => rules.filter((rule) => rule.verdict === verdict);
  return [
    `# ${subject} and ${specification}`,
    '',
    `Of ${counts.rules} rules ${holds} hold. Broken: ${broken}; not shown: ${notShown}; not offered: ${notOffered}. Played scenarios: ${scenarios}.`,
    '',
    'A rule is stated if the specification contains it, and inferred if it follows from the specification.',
    '',
    'Each rule has a minimum of observations. A rule with fewer is not shown, and does not hold.',
    '',
    '| rule | requirement | basis | saw | verdict |',
    '| --- | --- | --- | --- | --- |',
    ...rules.map(row),
    '',
    ...chapters('Broken rules', having('broken')),
    ...chapters('Rules that are not shown', having('not shown')),
  ].join('\n');
};
