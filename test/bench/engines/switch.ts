import {
  decide,
  evidenceOf,
  intake,
  isVerified,
  plan,
  reverseWire,
  type Approval,
  type Engine,
  type WireArguments,
  type WireEvidence,
  type WireRequest,
} from '../work.ts';

interface Run {
  state: 'intake' | 'plan' | 'execute' | 'verify' | 'policy' | 'deliver' | 'fail_safe';
  readonly request: WireRequest;
  given: WireArguments | null;
  evidence: WireEvidence | null;
  approval: Approval | null;
}

const begin = (request: WireRequest): Run => ({
  state: 'intake',
  request,
  given: null,
  evidence: null,
  approval: null,
});

/** Runs until the end, or until the policy needs an approval. */
const drive = async (run: Run): Promise<Run> => {
  for (;;)
    switch (run.state) {
      case 'intake':
        intake(run.request);
        run.state = 'plan';
        break;
      case 'plan':
        run.given = plan(run.request);
        run.state = 'execute';
        break;
      case 'execute':
        run.evidence = evidenceOf(run.request, await reverseWire(run.given!));
        run.state = 'verify';
        break;
      case 'verify':
        run.state = isVerified(run.request, run.evidence!) ? 'policy' : 'fail_safe';
        break;
      case 'policy': {
        const verdict = decide(run.request, run.approval);
        if (verdict === 'needs_review') return run;
        run.state = verdict === 'allow' ? 'deliver' : 'fail_safe';
        break;
      }
      case 'deliver':
      case 'fail_safe':
        return run;
    }
};

/** The unit of every other figure: the work by hand, with no guarantee. */
export const engine: Engine = {
  gated: async (request, approval) => {
    const run = await drive(begin(request));
    if (run.state !== 'policy') throw new Error('the run did not pause');
    run.approval = approval;
    return (await drive(run)).state;
  },
  straight: async (request) => (await drive(begin(request))).state,
};
