import type { Violation } from '../../machines/index.ts';
import type { EvidenceObject } from '../../schema/index.ts';
import type { AnswerListing, CallListing } from '../ports/model.ts';
import type { Environment } from './environment.ts';
import { isChild } from './intents.ts';
import { summaryOf } from './task-summary.ts';
import { currentEvidence } from './evidence-integrity.ts';
import type { TaskSummary } from './summary.ts';
import type { Task } from './task.ts';

/** How far a task has come: what its agent may know of it at any time. */
export interface Progress extends TaskSummary {
  readonly request: Readonly<Record<string, unknown>>;
  /** 0 for the first attempt of the run. */
  readonly attempt: number;
  /** The calls of this attempt, in the order in which they were proposed. */
  readonly calls: readonly CallListing[];
  /** Evidence that stands in this attempt. */
  readonly evidence: readonly EvidenceObject[];
  /** The draft that is judged, or what was delivered. */
  readonly draft: Readonly<Record<string, unknown>> | null;
  /** Why the attempt before was given up; empty in the first. */
  readonly unmet: readonly Violation[];
  /** What people said on the way, in order. */
  readonly answers: readonly AnswerListing[];
  /** Dependencies outside that calls wait for, here and in the tasks nested in this one. */
  readonly awaits: readonly string[];
}

/** The calls of this attempt, as a model sees them. */
export const callsOf = ({ snapshot, documents }: Task): readonly CallListing[] =>
  Object.entries(snapshot.context.calls).map(([id, { tool, status, code, evidence }]) => ({
    id,
    ref: documents.calls[id]?.ref ?? null,
    tool,
    arguments: documents.calls[id]?.arguments ?? null,
    status,
    code,
    evidence: evidence?.id ?? null,
  }));

export const progressOf = (task: Task, environment: Pick<Environment, 'tools'>): Progress => {
  const { taskId, snapshot, documents } = task;
  const { context } = snapshot;
  return {
    ...summaryOf(taskId, snapshot, documents),
    request: documents.request.payload,
    attempt: context.attempt,
    calls: callsOf(task),
    evidence: currentEvidence(context, documents),
    draft: context.draft === null ? null : (documents.draft?.payload ?? null),
    unmet: context.unmet,
    answers: documents.answers,
    awaits: Object.keys(context.dependencies).filter(
      (dependency) => !isChild(context, dependency, environment),
    ),
  };
};
