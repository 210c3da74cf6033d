import type { ConformanceReport, RuleReport } from 'agentcharter/testing';
import { linesOf, orchestratorNames, orchestrators, type OrchestratorName } from './orchestrators.ts';
import { lineOf } from './words.ts';

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

const verdictOf = (report: ConformanceReport, id: string): string =>
  report.rules.find((rule) => rule.id === id)?.verdict ?? 'not known';

const ruleRows = (reports: Reports): readonly (readonly string[])[] =>
  reports.ours.rules.map(({ id, says, basis }) => [
    `\`${id}\``,
    says,
    basis,
    ...orchestratorNames.map((name) => verdictOf(reports[name], id)),
  ]);

const fault = ({ id, scenario, fault, trace }: RuleReport): string =>
  scenario === null
    ? `- \`${id}\`: ${fault}.`
    : `- \`${id}\`, in “${scenario}”: ${fault}.\n  \`${lineOf(trace)}\``;

const faults = (
  title: string,
  rules: readonly RuleReport[],
  wanted: RuleReport['verdict'],
): readonly string[] => {
  const found = rules.filter(({ verdict }) => verdict === wanted);
  return found.length === 0 ? [] : [title, '', ...found.map(fault), ''];
};

const chapter = (name: OrchestratorName, { subject, rules }: ConformanceReport): readonly string[] => {
  const { notes, subject: tested } = orchestrators[name];
  return [
    `## ${subject}`,
    '',
    ...faults('What is broken, and what happened there:', rules, 'broken'),
    ...faults('What is not shown, and what was seen:', rules, 'not shown'),
    `What the program has no means for: ${tested.lacks.join(', ')}.`,
    '',
    'How to read this:',
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
    '_Printed by `test/docs/examples/conformance`, and by `npx tsx docs/examples/conformance/main.ts` after a build._',
    '',
    ...table(
      ['orchestrator', 'program', 'built with', 'holds', 'broken', 'not shown', 'not offered'],
      parties(reports),
    ),
    '`conformance` of `agentcharter/testing` plays the same scenarios with each, with scripted models and tools. A rule is',
    '_broken_ where something was seen that it forbids, and _not offered_ where the program has no means that the rule is',
    'about: then it was not tested. Each rule names how much it must see: with less, it is _not shown_, and does not hold.',
    'A rule is _stated_ where UAICP says it in so many words, and _inferred_ where it follows from what UAICP says.',
    '',
    'The programs on LangGraph JS and on the AI SDK are ours: about a hundred lines each, and [work.ts](work.ts), after the',
    'documentation of the framework, for “evidence, verification, approval before risky writes”. Neither framework claims to',
    'implement UAICP. What is told here is told of these programs, and not of what can be built on the frameworks: a',
    'user could add what is missing. The adapters beside them translate, and add no guarantee.',
    '',
    ...table(['rule', 'what it says', 'basis', 'AgentCharter', 'LangGraph JS', 'AI SDK'], ruleRows(reports)),
    ...chapter('langgraph', reports.langgraph),
    ...chapter('ai-sdk', reports['ai-sdk']),
  ]
    .join('\n')
    .trimEnd()
    .concat('\n');
