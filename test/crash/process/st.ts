import { createOrchestrator } from 'agentcharter';
import { sqliteStore } from 'agentcharter/stores/sqlite';
import { jwsApprovals } from 'agentcharter/approvals';
import { shortlist } from '../../../docs/examples/shortlisting/shortlist.ts';
import { reverse } from '../../../docs/examples/finance/reversal.ts';
console.log(
  typeof createOrchestrator,
  typeof sqliteStore,
  typeof shortlist,
  typeof reverse,
  typeof jwsApprovals,
);
