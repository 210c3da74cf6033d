import * as z from 'zod';
import { EvidenceObject } from '../../../schema/index.ts';
import { byPriority } from '../../feedback/weight.ts';
import type { InboxEntry, TaskSummary } from '../../orchestrator/summary.ts';
import type { Orchestrator } from '../../orchestrator/surface.ts';
import type { Grounds, InboxPage, QuestionLine, QuestionView } from '../wire.ts';
import { groundsIn } from './grounds.ts';
import { offsetIn, pageOf } from './page-of.ts';
import { reasonsFor } from './reasons.ts';

/** Questions on one page of the inbox. */
const size = 50;
/** Maximum length of an explanation in a list, in characters. */
const cut = 240;

/** Returns a question as a row of the inbox. */
export const rowOf = (entry: InboxEntry, tasks: ReadonlyMap<string, TaskSummary>): QuestionLine => {
  const { message, question, taskId, severity, priority } = entry;
  return {
    messageId: message.messageId,
    taskId,
    taskClass: tasks.get(taskId)?.taskClass ?? '',
    kind: question.kind,
    explanation: message.explanation.slice(0, cut),
    askedAt: message.timestamp,
    deadline: question.deadline,
    ...(severity !== undefined && { severity }),
    ...(priority !== undefined && { priority }),
  };
};

/** Returns the tasks by id. */
export const tasksIn = async (orchestrator: Orchestrator): Promise<ReadonlyMap<string, TaskSummary>> =>
  new Map((await orchestrator.list()).map((task) => [task.taskId, task]));

/** Returns a page of the open questions, the most urgent first. */
export const inboxPage = async (orchestrator: Orchestrator, query: URLSearchParams): Promise<InboxPage> => {
  const entries = (await orchestrator.inbox()).toSorted(byPriority);
  const { items, ...place } = pageOf(entries, offsetIn(query), size);
  const tasks = items.length === 0 ? new Map<string, TaskSummary>() : await tasksIn(orchestrator);
  return { ...place, questions: items.map((entry) => rowOf(entry, tasks)) };
};

/** Returns the evidence that the digest of an approval covers, unabridged (UAICP 5.3). */
const signedIn = ({ question, message }: InboxEntry): Partial<Grounds> => {
  if (question.kind !== 'approval') return {};
  const { data } = z.array(EvidenceObject).safeParse(message.payload['evidence']);
  return data === undefined ? {} : { evidence: data, evidenceCount: data.length };
};

/** Returns a question with the basis of its answer; `undefined` if it is not open. */
export const questionView = async (
  orchestrator: Orchestrator,
  messageId: string,
): Promise<QuestionView | undefined> => {
  const entry = (await orchestrator.inbox()).find(({ message }) => message.messageId === messageId);
  const summary = entry && (await tasksIn(orchestrator)).get(entry.taskId);
  if (entry === undefined || summary === undefined) return undefined;
  const [documents, records] = await Promise.all([
    orchestrator.documents(entry.taskId),
    orchestrator.ledger(entry.taskId),
  ]);
  const grounds = { ...groundsIn(documents), ...signedIn(entry) };
  return { entry, grounds, reasons: reasonsFor(summary, records) };
};
