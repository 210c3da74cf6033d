import { adopted } from './adopted.ts';
import { approvals } from './approvals.ts';
import { approversAndSummaries } from './approvers.ts';
import type { Attack } from './attack.ts';
import { besideLedgers } from './beside.ts';
import { boundary } from './boundary.ts';
import { chart } from './chart.ts';
import { children } from './children.ts';
import { clockSteps } from './clock-steps.ts';
import { clocks } from './clocks.ts';
import { confidence } from './confidence.ts';
import { contracts } from './contracts.ts';
import { ends } from './ends.ts';
import { evidence } from './evidence.ts';
import { files } from './files.ts';
import { forgedOrigins } from './forged-origins.ts';
import { handedOut } from './handed-out.ts';
import { host } from './host.ts';
import { lapsedClearances } from './lapsed.ts';
import { laundering } from './laundering.ts';
import { ledger } from './ledger.ts';
import { meaning } from './meaning.ts';
import { origins } from './origins.ts';
import { outputs } from './outputs.ts';
import { participants } from './participants.ts';
import { persons } from './persons.ts';
import { processes } from './processes.ts';
import { races } from './races.ts';
import { restartedOrigins } from './restarted-origins.ts';
import { rollbacks } from './rollbacks.ts';
import { resealed } from './resealed.ts';
import { saysNothing } from './says-nothing.ts';
import { slowHosts } from './slow-hosts.ts';
import { stale } from './stale.ts';
import { stored } from './stored.ts';
import { streams } from './streams.ts';
import { texts } from './texts.ts';
import { forged } from './tokens.ts';
import { tools } from './tools.ts';
import { transforms } from './transforms.ts';
import { verification } from './verification.ts';
import { views } from './views.ts';
import { words } from './words.ts';

/** Every attack, by the file that tries it. */
export const attacks: Readonly<Record<string, readonly Attack[]>> = {
  'outputs.ts': outputs,
  'tokens.ts': forged,
  'approvals.ts': approvals,
  'approvers.ts': approversAndSummaries,
  'evidence.ts': evidence,
  'verification.ts': verification,
  'tools.ts': tools,
  'rollbacks.ts': rollbacks,
  'host.ts': host,
  'boundary.ts': boundary,
  'streams.ts': streams,
  'races.ts': races,
  'processes.ts': processes,
  'stale.ts': stale,
  'files.ts': files,
  'ledger.ts': ledger,
  'stored.ts': stored,
  'resealed.ts': resealed,
  'beside.ts': besideLedgers,
  'chart.ts': chart,
  'children.ts': children,
  'clocks.ts': clocks,
  'clock-steps.ts': clockSteps,
  'texts.ts': texts,
  'persons.ts': persons,
  'ends.ts': ends,
  'handed-out.ts': handedOut,
  'transforms.ts': transforms,
  'contracts.ts': contracts,
  'lapsed.ts': lapsedClearances,
  'says-nothing.ts': saysNothing,
  'confidence.ts': confidence,
  'slow-hosts.ts': slowHosts,
  'words.ts': words,
  'participants.ts': participants,
  'meaning.ts': meaning,
  'adopted.ts': adopted,
  'origins.ts': origins,
  'laundering.ts': laundering,
  'views.ts': views,
  'restarted-origins.ts': restartedOrigins,
  'forged-origins.ts': forgedOrigins,
};
