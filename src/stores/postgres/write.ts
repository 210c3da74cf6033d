import type { Committed, Step } from '../../base/ports/store.ts';
import type { Coding } from '../codec.ts';
import type { Statement } from './driver.ts';
import { parameters, type Parameter } from './layout.ts';
import { bytesOfName } from './names.ts';
import { firstOf, messagesIn } from '../shared.ts';
import { timed } from './session.ts';
import type { Erasure } from './steps.ts';

/** The store that writes, and its lease in milliseconds. */
export interface Writer {
  readonly node: string;
  readonly lease: number;
}

/** Returns a sequence number as the server takes it: any other one is not the next. */
const seqOf = ({ record: { seq } }: Step): number =>
  Number.isInteger(seq) && seq >= 0 && seq < 2 ** 31 ? seq : -1;

const valuesOf = (
  step: Step,
  { node, lease }: Writer,
  { text }: Coding,
  { own, rewritten, gone }: Erasure,
): Readonly<Record<Parameter, unknown>> => {
  const { indexEntry, consumedApprovals, needs } = step;
  return {
    node,
    lease,
    task_id: bytesOfName(step.taskId),
    fence: step.fence,
    seq: seqOf(step),
    key: step.key === null ? null : bytesOfName(step.key),
    thread_id: bytesOfName(indexEntry.threadId),
    parent: indexEntry.parent === null ? null : bytesOfName(indexEntry.parent),
    size: indexEntry.size,
    head: indexEntry.head,
    at: indexEntry.at,
    is_settled: indexEntry.isSettled,
    is_owed: indexEntry.isOwed,
    asking: indexEntry.asking,
    awaits: indexEntry.awaits,
    rank: indexEntry.rank,
    chart: indexEntry.chart,
    due: firstOf(step.deadlines),
    task_class: needs?.taskClass ?? null,
    tools: needs?.tools ?? null,
    is_turn: needs?.isTurn ?? null,
    summary: text(indexEntry.summary),
    deadlines: text(JSON.stringify(step.deadlines)),
    intents: text(JSON.stringify(step.intents)),
    snapshot: step.snapshot === null ? null : text(step.snapshot),
    body: text(JSON.stringify(own)),
    messages: messagesIn(own).map(bytesOfName),
    jtis: consumedApprovals.map(({ jti }) => bytesOfName(jti)),
    actions: consumedApprovals.map(({ action }) => bytesOfName(action)),
    rewritten: rewritten.map(({ record }) => record.seq),
    bodies: rewritten.map((body) => text(JSON.stringify(body))),
    gone: gone.map(({ message }) => bytesOfName(message)),
    gone_from: gone.map(({ seq }) => seq),
    regulated: step.regulated && JSON.stringify(step.regulated),
  };
};

const places = parameters.map(([, type], index) => `$${index + 1}::${type}`).join(', ');

/** Returns the statement that commits a step, or an erasure. */
export const commitStatement = (
  schema: string,
  step: Step,
  writer: Writer,
  coding: Coding,
  erasure?: Erasure,
): Statement => {
  const { record, emissions } = step;
  const written = erasure ?? { own: { record, emissions }, rewritten: [], gone: [] };
  const values = valuesOf(step, writer, coding, written);
  return {
    text: `SELECT "${schema}".commit_step(${places}) AS answer, ${timed}`,
    values: parameters.map(([name]) => values[name]),
  };
};

/** Returns the answer to a committed step. */
export const answerIn = (rows: readonly object[]): Committed => {
  const [row] = rows as readonly { readonly answer: Committed }[];
  if (row === undefined) throw new TypeError('the server did not answer');
  return row.answer;
};
