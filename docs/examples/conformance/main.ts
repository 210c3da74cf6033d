import { conformance, conformancePage, type ConformanceReport } from 'agentcharter/testing';
import {
  exitCodeOf,
  isOrchestratorName,
  orchestratorNames,
  orchestrators,
  type OrchestratorName,
} from './orchestrators.ts';
import { comparisonPage } from './page.ts';

const usage = `usage: main.ts [${orchestratorNames.join('|')}|all] [--json]`;

const test = (name: OrchestratorName): Promise<ConformanceReport> =>
  conformance(orchestrators[name].subject, { patience: 60_000 });

/** Prints the page, or the report, of one orchestrator or of all; 0 unless ours was tested and did not hold. */
const main = async (name: string, isJson: boolean): Promise<number> => {
  const print = (page: string, reports: unknown): void =>
    console.log(isJson ? JSON.stringify(reports, null, 2) : page.trimEnd());
  if (isOrchestratorName(name)) {
    const report = await test(name);
    print(conformancePage(report), report);
    return name === 'ours' ? exitCodeOf(report) : 0;
  }
  if (name !== 'all') {
    console.error(usage);
    return 2;
  }
  const ours = await test('ours');
  const reports = { ours, langgraph: await test('langgraph'), 'ai-sdk': await test('ai-sdk') };
  print(comparisonPage(reports), reports);
  return exitCodeOf(ours);
};

const given = process.argv.slice(2);
const names = given.filter((argument) => argument !== '--json');
process.exitCode = await main(names.join(' ') || 'all', given.includes('--json'));
