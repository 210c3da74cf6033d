import { conformance, type ConformanceReport, type Subject } from 'agentcharter/testing';
import { orchestrators, type OrchestratorName } from '../../../../docs/examples/conformance/orchestrators.ts';

/** A machine that is busy breaks no rule. */
const patience = 60_000;

/** The report of a subject, however busy the machine is. */
export const reportOn = (subject: Subject): Promise<ConformanceReport> => conformance(subject, { patience });

/** The report of each orchestrator of the example, once for all tests of a file. */
export const reportOnAll = async (): Promise<Record<OrchestratorName, ConformanceReport>> => {
  const [ours, langgraph, aiSdk] = [
    await reportOn(orchestrators.ours.subject),
    await reportOn(orchestrators.langgraph.subject),
    await reportOn(orchestrators['ai-sdk'].subject),
  ];
  return { ours, langgraph, 'ai-sdk': aiSdk };
};

/** The names of the rules of a report that have a verdict. */
export const rulesOf = (
  { rules }: ConformanceReport,
  wanted: ConformanceReport['rules'][number]['verdict'],
): readonly string[] => rules.filter(({ verdict }) => verdict === wanted).map(({ id }) => id);
