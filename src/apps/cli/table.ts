import type { Command } from './command.ts';
import { cancel } from './commands/cancel.ts';
import { check } from './commands/check.ts';
import { completionOf } from './commands/completion.ts';
import { conformance } from './commands/conformance.ts';
import { consoleCommand } from './commands/console.ts';
import { decide } from './commands/decide.ts';
import { demo } from './commands/demo.ts';
import { gateway } from './commands/gateway.ts';
import { inbox } from './commands/inbox.ts';
import { inspect } from './commands/inspect.ts';
import { ledgerExport } from './commands/ledger-export.ts';
import { ledgerFlows } from './commands/ledger-flows.ts';
import { ledgerReplay } from './commands/ledger-replay.ts';
import { ledgerShow } from './commands/ledger-show.ts';
import { ledgerVerify } from './commands/ledger-verify.ts';
import { pause, pauses, resume } from './commands/pauses.ts';
import { paths } from './commands/paths.ts';
import { prune } from './commands/prune.ts';
import { python } from './commands/python.ts';
import { render } from './commands/render.ts';
import { retry } from './commands/retry.ts';
import { run } from './commands/run.ts';
import { schemaCheck, schemaList, schemaPrint } from './commands/schema.ts';
import { stats } from './commands/stats.ts';
import { storeCopy } from './commands/store-copy.ts';
import { tasks } from './commands/tasks.ts';
import { thread } from './commands/thread.ts';
import { upgrade } from './commands/upgrade.ts';

/** All commands. Help, errors and completion are derived from it. */
export const table: readonly Command[] = [
  demo,
  run,
  gateway,
  tasks,
  inbox,
  decide,
  cancel,
  retry,
  pause,
  resume,
  pauses,
  prune,
  stats,
  thread,
  ledgerShow,
  ledgerVerify,
  ledgerReplay,
  ledgerExport,
  ledgerFlows,
  storeCopy,
  upgrade,
  render,
  paths,
  check,
  conformance,
  schemaList,
  schemaPrint,
  schemaCheck,
  inspect,
  consoleCommand,
  python,
  completionOf(() => table),
];
