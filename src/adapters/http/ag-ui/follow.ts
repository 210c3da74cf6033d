import { reasonMeaning } from '../../../../schema/index.ts';
import type { Progress } from '../../../core/shell/progress.ts';
import type { InboxEntry } from '../../../core/kernel/summary.ts';
import type { Orchestrator } from '../../../core/shell/surface.ts';
import type { RunReads } from '../reads.ts';
import { callIn, interruptsOf } from './interrupts.ts';

/** An event of AG-UI 1.0. */
export interface AgUiEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** The AG-UI version of the events. */
export const protocolVersion = '1.0';

/** The ids of an AG-UI run. A run of ours that pauses has several. */
export interface RunName {
  readonly threadId: string;
  readonly runId: string;
}

/** Returns the shared state of a run. It holds no content before delivery. */
const snapshotOf = ({ taskId, state, outcome, attempt, calls, reasons, awaits }: Progress) => ({
  taskId,
  state,
  outcome,
  attempt,
  calls: calls.map(({ id, ref, tool, status, code }) => ({ id: ref ?? id, tool, status, code })),
  reasons,
  awaits,
});

/** Returns the call events of interrupts. AG-UI requires them before the interrupt. */
const callEvents = (entries: readonly InboxEntry[]): readonly AgUiEvent[] =>
  entries.flatMap((entry) => {
    const call = callIn(entry);
    if (call === null) return [];
    const toolCallId = call.id;
    return [
      { type: 'TOOL_CALL_START', toolCallId, toolCallName: call.tool },
      { type: 'TOOL_CALL_ARGS', toolCallId, delta: JSON.stringify(call.arguments ?? {}) },
      { type: 'TOOL_CALL_END', toolCallId },
    ];
  });

/** Returns the text events of the delivered explanation. */
const wordEvents = async (reads: RunReads): Promise<readonly AgUiEvent[]> => {
  const documents = await reads.documents();
  const explained = documents.flatMap(({ name, document }) =>
    name === 'UpFormatMessage' && (document.state === 'completed' || document.state === 'followup')
      ? document
      : [],
  );
  const [{ messageId, explanation } = { messageId: '', explanation: '' }] = explained;
  if (explanation === '') return [];
  return [
    { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' },
    { type: 'TEXT_MESSAGE_CONTENT', messageId, delta: explanation },
    { type: 'TEXT_MESSAGE_END', messageId },
  ];
};

/** Returns the final events of an AG-UI run; `null` while it continues. */
const endOf = async (
  reads: RunReads,
  name: RunName,
  progress: Progress,
): Promise<readonly AgUiEvent[] | null> => {
  const { outcome, state, isSettled, reasons, draft } = progress;
  const finished = { type: 'RUN_FINISHED', ...name };
  if (outcome === 'success')
    return [...(await wordEvents(reads)), { ...finished, result: draft, outcome: { type: 'success' } }];
  if (isSettled && state === 'cancelled') return [{ ...finished, outcome: { type: 'cancelled' } }];
  if (isSettled) {
    const words = reasons.map(({ code, about }) => `${reasonMeaning[code]} (${code}: ${about})`);
    return [{ type: 'RUN_ERROR', message: words.join(' '), ...(reasons[0] && { code: reasons[0].code }) }];
  }
  if (state !== 'needsHumanDecision' && state !== 'waiting') return null;
  const entries = await reads.questions();
  const interrupts = interruptsOf(entries);
  if (interrupts.length === 0) return null;
  return [...callEvents(entries), { ...finished, outcome: { type: 'interrupt', interrupts } }];
};

/** Waits for changes of a run and its nested runs. */
const watch = (orchestrator: Orchestrator, taskId: string, gone: AbortSignal) => {
  let moved = true;
  let wake: (() => void) | undefined;
  const touch = (): void => {
    moved = true;
    wake?.();
  };
  const leave = [
    orchestrator.on('record', (record) => record.taskId === taskId && touch()),
    orchestrator.on('settled', (settled) => settled.taskId === taskId && touch()),
    orchestrator.on('question', ({ path }) => path.includes(taskId) && touch()),
  ];
  gone.addEventListener('abort', touch, { once: true });
  return {
    next: async (): Promise<void> => {
      if (!moved) await new Promise<void>((resolve) => (wake = resolve));
      moved = false;
      gone.throwIfAborted();
    },
    leave: (): void => {
      gone.removeEventListener('abort', touch);
      for (const stop of leave) stop();
    },
  };
};

/**
 * Yields a run as AG-UI 1.0 events, as far as its reader may see it, until it delivers, ends or pauses. Ends with an error
 * event if `gone` aborts.
 */
export async function* follow(
  orchestrator: Orchestrator,
  taskId: string,
  reads: RunReads,
  name: RunName,
  gone: AbortSignal,
): AsyncGenerator<AgUiEvent> {
  const moves = watch(orchestrator, taskId, gone);
  try {
    yield { type: 'RUN_STARTED', ...name, protocolVersion };
    let lastText = '';
    for (;;) {
      await moves.next();
      const progress = await reads.progress();
      const snapshot = snapshotOf(progress);
      const text = JSON.stringify(snapshot);
      if (text !== lastText) yield { type: 'STATE_SNAPSHOT', snapshot };
      lastText = text;
      const end = await endOf(reads, name, progress);
      if (end === null) continue;
      yield* end;
      return;
    }
  } finally {
    moves.leave();
  }
}
