import type { Emission } from '../../base/ports/emission.ts';
import type { LedgerRecord } from '../../base/ports/ledger.ts';
import type { Projection } from '../kernel/projection/projection.ts';
import { pathOf } from '../kernel/view.ts';
import type { Emit } from './events.ts';

/** The part of a task whose events were emitted: how many records, documents and questions. */
export interface Position {
  readonly records: number;
  readonly documents: number;
  readonly questions: number;
}

/** New records and documents of a task, and its projection after them. */
interface News {
  readonly taskId: string;
  readonly records: readonly LedgerRecord[];
  readonly emissions: readonly Emission[];
  readonly projection: Projection;
  /** The number of questions before them. */
  readonly questions: number;
  /** Whether another process recorded them, and notifies people. */
  readonly isForeign: boolean;
}

/** Emits the events of new records, documents and questions. */
export const emitRecorded = (emit: Emit, news: News): void => {
  const { taskId, projection, isForeign } = news;
  let next = news.questions;
  for (const record of news.records) emit('record', record);
  for (const emission of news.emissions) {
    emit('document', { ...emission, taskId });
    const asked = projection.asked[next];
    if (asked?.message !== emission.document) continue;
    next += 1;
    const { taskClass } = projection.request;
    const path = pathOf(taskId, projection);
    emit('question', { taskId, taskClass, path, ...asked, ...(isForeign && { isForeign }) });
  }
};
