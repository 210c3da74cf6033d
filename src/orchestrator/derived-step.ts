import type { Fact } from '../../machines/index.ts';
import { project } from '../ledger/projection/project.ts';
import { isSnapshotTaken } from '../ledger/resting.ts';
import { snapshotText } from '../ledger/snapshot-text.ts';
import type { LedgerEntry } from '../ports/ledger.ts';
import { runningDeadlines, type RunningDeadline } from './deadlines.ts';
import { emissionsOf, receivedIn } from './documents.ts';
import type { Environment } from './environment.ts';
import type { Consequence } from './journal.ts';
import type { ContextOf } from './meaning.ts';
import { isAskedAnew } from './messages.ts';
import type { Statement } from './record.ts';
import { isTurn, storedProjectionOf, viewOf, type Charted, type TaskView, type ViewPorts } from './view.ts';

/** The ports of deriving a step. */
export type DerivingPorts = Pick<Environment, 'clock' | 'ids' | 'policy' | 'tools' | 'verifiers' | 'isOwner'>;

/** What a step is derived from: the task before it, the chart after it, its entry, and the deadlines that run. */
interface Step {
  readonly of: ViewPorts;
  readonly before: TaskView;
  readonly charted: Charted;
  readonly entry: LedgerEntry;
  readonly running: readonly RunningDeadline[];
  readonly statement: Pick<Statement, 'consumedApprovals' | 'key'>;
}

/** What follows from a step: the task after it, its deadlines, and what is stored with its record. */
interface Derived {
  readonly after: TaskView;
  readonly running: readonly RunningDeadline[];
  readonly consequence: Consequence;
}

const noApprovals: Consequence['consumedApprovals'] = Object.freeze([]);

/** Returns the text of the snapshot that is recorded with a step; `null` for none. */
const snapshotOf = ({
  before,
  charted: { snapshot, duties },
  entry: { kind, fact },
}: Step): string | null => {
  if (kind !== 'fact' && kind !== 'upgrade') return null;
  const isTaken = fact === null || isSnapshotTaken(before.context, snapshot.context, duties);
  return isTaken ? snapshotText(snapshot) : null;
};

/** Returns the deadlines, documents and projection of a fact. */
const followFact = (
  { of: { taskClass }, before, charted, entry, running: still }: Step,
  fact: Fact | null,
  { clock, tools, verifiers, isOwner, ids, policy }: DerivingPorts,
  contextOf: ContextOf,
) => {
  const { context } = charted.snapshot;
  const projection = project(before.projection, { before: before.context, after: context, record: entry });
  const kept = still.filter(
    ({ of, id }) => of !== 'question' || fact === null || !isAskedAnew(before.context, context, id),
  );
  const timing = { context, projection, taskClass, tools, verifiers, isOwner };
  const running = runningDeadlines(kept, charted.duties, clock.read(), timing);
  const emitted = emissionsOf({
    before: fact === null ? null : before.context,
    after: context,
    record: entry,
    projection,
    taskClass,
    argumentsContext: (tool) => contextOf(tools.get(tool)?.input),
    deadlines: running,
    uuid: ids.uuid,
    policyVersion: policy.version ?? null,
  });
  return { ...emitted, running };
};

/** Returns what another record leaves as it is, and the message that it brought. */
const followOther = ({ before, charted, entry, running }: Step) => {
  const { context } = charted.snapshot;
  const projection = project(before.projection, { before: before.context, after: context, record: entry });
  return { ...receivedIn(entry, projection), running };
};

/** Derives a step in one pass: everything that follows from its entry is computed once, and stored with it. */
export const derivedStep = (step: Step, ports: DerivingPorts, contextOf: ContextOf): Derived => {
  const { of, charted, entry, statement } = step;
  const { emissions, projection, running } =
    entry.kind === 'fact' ? followFact(step, entry.fact, ports, contextOf) : followOther(step);
  const after = viewOf(of, charted, projection);
  const consequence = {
    snapshot: snapshotOf(step),
    emissions,
    consumedApprovals: statement.consumedApprovals ?? noApprovals,
    key: statement.key ?? null,
    beside: storedProjectionOf(entry, after, running),
    isTurn: isTurn(after),
  };
  return { after, running, consequence };
};
