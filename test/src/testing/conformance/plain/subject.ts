import { MessageEnvelope } from '../../../../../schema/index.ts';
import type { Subject } from '../../../../../src/testing/conformance/index.ts';
import type { Flaw } from './flaws.ts';
import { PlainRun } from './run.ts';

/** The plain orchestrator as a subject, with at most one thing wrong. */
export const plain = (flaw?: Flaw): Subject => ({
  name: flaw === undefined ? 'a plain orchestrator' : `a plain orchestrator that ${flaw}`,
  lacks: [],
  start: (scenario) => new PlainRun(scenario, (one) => one === flaw),
  admits: (envelope) => {
    const { uaicp_version: version } = MessageEnvelope.parse(envelope);
    return flaw === 'reads every version' || version.startsWith('0.3');
  },
});
