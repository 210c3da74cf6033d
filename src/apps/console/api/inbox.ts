import * as z from 'zod';
import { EvidenceObject } from '../../../../schema/index.ts';
import type { LedgerRecord } from '../../../base/ports/ledger.ts';
import type { InboxEntry, TaskSummary } from '../../../core/kernel/summary.ts';
import type { Orchestrator } from '../../../core/shell/surface.ts';
import { causesOf, headlineOf } from '../headline.ts';
import type { Grounds, InboxPage, QuestionLine, QuestionView } from '../wire.ts';
import { groundsIn } from './grounds.ts';
import { cursorIn } from './page-of.ts';
import { reasonsFor } from './reasons.ts';

/** Tasks whose questions are on one page of the inbox. */
const size = 50;
/** Maximum of issues of one output. */
const maxIssues = 50;
/** Maximum length of a headline or of a cause in a list, in characters. */
const cut = 240;

const rowOf = (entry: InboxEntry, taskClass: string): QuestionLine => {
  const { message, question, taskId, severity, priority } = entry;
  const why = causesOf(entry).join(' ');
  return {
    messageId: message.messageId,
    taskId,
    taskClass,
    kind: question.kind,
    headline: headlineOf(entry).join(' ').slice(0, cut),
    ...(why !== '' && { why: why.slice(0, cut) }),
    askedAt: message.timestamp,
    deadline: question.deadline,
    ...(severity !== undefined && { severity }),
    ...(priority !== undefined && { priority }),
  };
};

/** Returns the summary of a task; `undefined` if it does not exist. */
export const summaryOf = async (
  orchestrator: Orchestrator,
  taskId: string,
): Promise<TaskSummary | undefined> => (await orchestrator.list({ taskId }))[0];

/** Returns questions as rows of the inbox. */
export const rowsOf = async (
  orchestrator: Orchestrator,
  entries: readonly InboxEntry[],
): Promise<readonly QuestionLine[]> => {
  const taskIds = [...new Set(entries.map(({ taskId }) => taskId))];
  const summaries = await Promise.all(taskIds.map((taskId) => summaryOf(orchestrator, taskId)));
  const classes = new Map(summaries.map((summary, at) => [taskIds[at], summary?.taskClass ?? '']));
  return entries.map((entry) => rowOf(entry, classes.get(entry.taskId) ?? ''));
};

/** Returns a page of the open questions, the most urgent first. */
export const inboxPage = async (orchestrator: Orchestrator, query: URLSearchParams): Promise<InboxPage> => {
  const { items, next } = await orchestrator.inbox({ order: 'urgent', limit: size, after: cursorIn(query) });
  const { questions: total } = await orchestrator.counts();
  return { total, next, questions: await rowsOf(orchestrator, items) };
};

/** Returns the evidence that the digest of an approval covers, unabridged (UAICP 5.3). */
const signedIn = ({ question, message }: InboxEntry): Partial<Grounds> => {
  if (question.kind !== 'approval') return {};
  const { data } = z.array(EvidenceObject).safeParse(message.payload['evidence']);
  return data === undefined ? {} : { evidence: data, evidenceCount: data.length };
};

/** Returns the output that a question for help is about; `null` for any other question. */
const rejectedIn = (records: readonly LedgerRecord[], { question }: InboxEntry): QuestionView['rejected'] => {
  const asking = records.find(
    ({ fact }) => fact?.type === 'output.rejected' && fact.question === question.id,
  );
  const { rejected } = asking?.brought ?? {};
  return rejected === undefined ? null : { ...rejected, issues: rejected.issues.slice(0, maxIssues) };
};

/** Returns a question with the basis of its answer; `null` once it is closed, `undefined` if it never was. */
export const questionView = async (
  orchestrator: Orchestrator,
  messageId: string,
): Promise<QuestionView | null | undefined> => {
  const taskId = (await orchestrator.questionPath(messageId))?.at(-1);
  if (taskId === undefined) return undefined;
  const open = await orchestrator.inbox(taskId);
  const entry = open.find(({ message }) => message.messageId === messageId);
  const summary = entry && (await summaryOf(orchestrator, taskId));
  if (entry === undefined || summary === undefined) return null;
  const [documents, records] = await Promise.all([
    orchestrator.documents(taskId),
    orchestrator.ledger(taskId),
  ]);
  const grounds = { ...groundsIn(documents), ...signedIn(entry) };
  const others = reasonsFor(summary, records, open)?.filter(({ about }) => about !== entry.question.id);
  return { entry, rejected: rejectedIn(records, entry), grounds, reasons: others ?? null };
};
