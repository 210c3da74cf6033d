import type { ConformanceReport } from 'agentcharter/testing';
import { linesOf, orchestratorNames, orchestrators, type OrchestratorName } from './orchestrators.ts';

/** The report of each orchestrator that is tested. */
export type Reports = Readonly<Record<OrchestratorName, ConformanceReport>>;

/** A table of Markdown whose columns are as wide as their widest cell. */
const table = (head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] => {
  const widths = head.map((name, at) => Math.max(name.length, ...rows.map((row) => row[at]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line), ''];
};

const parties = (reports: Reports): readonly (readonly string[])[] =>
  orchestratorNames.map((name) => {
    const { program, packages } = orchestrators[name];
    const { subject, counts } = reports[name];
    return [
      subject,
      `[${program}](${program}), ${linesOf(program)} lines`,
      packages.map(({ name, version }) => `${name} ${version}`).join(', '),
      ...[counts.holds, counts.broken, counts.notShown, counts.notOffered].map(String),
    ];
  });

/** The verdict on a rule; of a rule that is broken or not shown, also what happened. */
const verdictOf = (report: ConformanceReport, id: string): string => {
  const rule = report.rules.find((one) => one.id === id);
  if (rule === undefined) return 'not known';
  const { verdict, fault } = rule;
  return verdict === 'broken' || verdict === 'not shown' ? `${verdict}: ${fault}` : verdict;
};

const others = orchestratorNames.filter((name) => name !== 'ours');

/** Whether a program offers what the rule is about, so that it was tested. */
const isTested = (reports: Reports, id: string): boolean =>
  others.some((name) => verdictOf(reports[name], id) !== 'not offered');

/** Whether both programs hold a rule. */
const isHeld = (reports: Reports, id: string): boolean =>
  others.every((name) => verdictOf(reports[name], id) === 'holds');

const heldRules = (reports: Reports): string =>
  reports.ours.rules.flatMap(({ id }) => (isHeld(reports, id) ? `\`${id}\`` : [])).join(', ');

/** The rules that the programs do not both hold. */
const ruleRows = (reports: Reports): readonly (readonly string[])[] =>
  reports.ours.rules
    .filter(({ id }) => isTested(reports, id) && !isHeld(reports, id))
    .map(({ id, statement }) => [
      `\`${id}\``,
      statement,
      ...others.map((name) => verdictOf(reports[name], id)),
    ]);

const untestedRules = (reports: Reports): string =>
  reports.ours.rules.flatMap(({ id }) => (isTested(reports, id) ? [] : `\`${id}\``)).join(', ');

const inferredRules = (reports: Reports): number =>
  reports.ours.rules.filter(({ basis }) => basis === 'inferred').length;

const chapter = (name: OrchestratorName, { subject }: ConformanceReport): readonly string[] => {
  const { notes, subject: tested } = orchestrators[name];
  return [
    `## ${subject}`,
    '',
    `The program does not offer: ${tested.lacks.join(', ')}.`,
    '',
    ...notes.map((note) => `- ${note}`),
    '',
  ];
};

/** One page about the orchestrators that are tested: what each holds, breaks and does not offer (UAICP 8). */
export const comparisonPage = (reports: Reports): string =>
  [
    `# Three orchestrators and ${reports.ours.specification}`,
    '',
    '<!-- Printed by test/docs/examples/conformance, and by npx tsx docs/examples/conformance/main.ts after a build. -->',
    '',
    'See which UAICP rules AgentCharter holds, and how plain programs on LangGraph JS and on the AI SDK compare. You can test your own',
    'orchestrator in [the same way](../../embed/proof.md#conformance).',
    '',
    ...table(
      ['orchestrator', 'program', 'built with', 'holds', 'broken', 'not shown', 'not offered'],
      parties(reports),
    ),
    '`conformance` of `agentcharter/testing` runs the same scenarios with each, with scripted models and tools. A rule is _broken_ if it forbids',
    'something that was seen. It is _not offered_, and was not tested, if the program lacks the capability. It is _not shown_ if too little was seen.',
    '',
    'The two programs are ours: about a hundred lines each, and [work.ts](work.ts), after the documentation of the framework. Neither framework',
    'claims to implement UAICP, and you could add what is missing. The adapters only translate.',
    '',
    `AgentCharter holds ${reports.ours.counts.holds} of ${reports.ours.counts.rules} rules. Both programs hold: ${heldRules(reports)}.`,
    '',
    'They do not both hold:',
    '',
    ...table(['rule', 'what it says', 'LangGraph JS', 'AI SDK'], ruleRows(reports)),
    `Neither program offers what these rules are about: ${untestedRules(reports)}.`,
    '',
    `${inferredRules(reports)} of the rules are inferred from UAICP, which states the others.`,
    '',
    ...chapter('langgraph', reports.langgraph),
    ...chapter('ai-sdk', reports['ai-sdk']),
  ]
    .join('\n')
    .trimEnd()
    .concat('\n');
