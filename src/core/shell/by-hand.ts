import * as z from 'zod';
import { defineTaskClass, type DefinedTaskClass } from '../../base/define/task-class.ts';
import { defineTool } from '../../base/define/tool.ts';
import { lazily } from '../../base/boundary/lazily.ts';
import { callSentence } from '../../base/boundary/call-sentence.ts';
import { isCharterError } from '../../base/errors.ts';
import type { CallDocument, RequestDocument } from '../../base/ports/ledger.ts';
import type { AnswerListing, Turn } from '../../base/ports/model.ts';
import { oneLine } from '../../base/text/foreign-text.ts';
import { manualRollback as name } from '../kernel/words.ts';
import { requestIn } from './family.ts';
import type { Environment } from './environment.ts';
import { sendOnce } from './keyed.ts';
import { textOf, type Progress } from './progress.ts';
import type { LiveTask } from './live-task.ts';
import type { WorkSignal } from './work-signal.ts';

/** Milliseconds before a store that failed is asked again. */
const askAgain = 1_000;

/** A task that asks a person to undo a write by hand, and delivers once they say that it is undone. */
export const handClass = lazily(() =>
  defineTaskClass({ id: name, tools: [name], limits: { repairs: 0 }, output: z.strictObject({}) }),
);

export const handTool = lazily(() =>
  defineTool({
    name,
    description: 'Asks a person to undo a write by hand.',
    tier: 'read_only',
    summary: () => 'A person undoes a write by hand.',
    input: z.object({ asks: z.string(), rollback: z.record(z.string(), z.unknown()) }),
    call: ({ asks, rollback }, { answer, needsHuman, notDone }) => {
      if (answer === null) return Promise.resolve(needsHuman({ explanation: asks, payload: { rollback } }));
      return Promise.resolve(answer.type === 'approve' ? {} : notDone('nobody says that it is undone'));
    },
  }),
);

/** Returns what a model would answer in a turn of such a task; `null` for a turn of any other task. */
export const answerByHand = ({ taskClass, asks, request }: Turn): object | null => {
  if (taskClass !== name) return null;
  const sure = { canProceed: true, confidence: 1, explanation: 'A person undid it.' };
  return {
    ...sure,
    ...(asks === 'plan' ? { calls: [{ tool: name, arguments: request }] } : { payload: {} }),
  };
};

const whyNot = (answer: AnswerListing | undefined): string => {
  const text = answer === undefined ? '' : textOf(answer.feedback);
  return `nobody undid it by hand${text === '' ? '' : `: ${oneLine(answer?.by ?? '')} said ${JSON.stringify(text)}`}`;
};

interface Nested {
  /** Goes on with a task whose first step was written although its begin threw. */
  readonly goOn: (taskId: string) => Promise<void>;
  readonly begin: (of: {
    readonly taskId: string;
    readonly key: string | undefined;
    readonly parent: LiveTask;
    readonly taskClass: DefinedTaskClass;
    readonly request: RequestDocument;
  }) => Promise<void>;
  /** Returns the progress of a task once it has settled. */
  readonly settled: (taskId: string) => Promise<Progress>;
}

/** The rollbacks that people make by hand: each is a task in the thread of the write, which asks one question. */
export class ByHand {
  readonly #environment: Pick<Environment, 'store' | 'ids' | 'clock'>;
  readonly #nested: Nested;

  constructor(environment: Pick<Environment, 'store' | 'ids' | 'clock'>, nested: Nested) {
    this.#environment = environment;
    this.#nested = nested;
  }

  /** Waits until a person has undone a write; returns why it is not undone, or `null`. */
  async undone(task: LiveTask, call: CallDocument, signal: WorkSignal): Promise<string | null> {
    const aborted = new Promise<null>((resolve) => signal.onAbort(() => resolve(null)));
    const end = await Promise.race([this.#end(task, call, signal), aborted]);
    return end?.outcome === 'success' ? null : whyNot(end?.answers.at(-1));
  }

  async #end(task: LiveTask, call: CallDocument, signal: WorkSignal): Promise<Progress | null> {
    const { clock } = this.#environment;
    while (!signal.aborted)
      try {
        return await this.#nested.settled(await this.#taskOf(task, call));
      } catch (error) {
        if (!isCharterError(error, 'store_failed')) throw error;
        await new Promise<void>((resolve) => void clock.wakeAfter(askAgain, resolve));
      }
    return null;
  }

  /** Begins the task of a rollback that is on record, once; returns its id. */
  async #taskOf(task: LiveTask, call: CallDocument): Promise<string> {
    const { store, ids } = this.#environment;
    const stored = await store.load(task.taskId);
    const begun = stored?.records.findLast(
      ({ fact }) => fact?.type === 'rollback.started' && fact.digest === call.digest,
    );
    return sendOnce(store, 'undo', `${task.taskId} ${begun?.seq}`, {
      isSame: () => true,
      onRepeat: (taskId) => this.#nested.goOn(taskId).then(() => taskId),
      send: async (key) => {
        const taskId = ids.uuid();
        const { question } = task.taskClass.deadlines;
        const taskClass = { ...handClass(), deadlines: { ...handClass().deadlines, question } };
        await this.#nested.begin({ taskId, key, parent: task, taskClass, request: requestOf(task, call) });
        return taskId;
      },
    });
  }
}

const requestOf = (task: LiveTask, call: CallDocument): RequestDocument => {
  const { request, attempt } = task.view.context;
  const asks = `Please undo this by hand: ${callSentence(call)} Approve once it is undone, or reject if it cannot be undone.`;
  return {
    ...requestIn(task, { request, attempt, call: call.id }),
    taskClass: name,
    payload: { asks, rollback: call.rollback },
    explanation: asks,
  };
};
