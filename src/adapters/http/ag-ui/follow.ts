import { reasonMeaning } from '../../../../schema/index.ts';
import type { Progress } from '../../../orchestrator/progress.ts';
import type { InboxEntry } from '../../../orchestrator/summary.ts';
import type { Orchestrator } from '../../../orchestrator/surface.ts';
import { callIn, interruptsOf } from './interrupts.ts';

/** An event of AG-UI 1.0. */
export interface AgUiEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** The version of AG-UI whose events these are. */
export const protocolVersion = '1.0';

/** Which run of AG-UI it is: one of several, where a run of ours is held up. */
export interface RunName {
  readonly threadId: string;
  readonly runId: string;
}

/** How a run stands, as the state that an agent shares; what it says is not in it before it is delivered. */
const snapshotOf = ({ taskId, state, outcome, attempt, calls, reasons, awaits }: Progress) => ({
  taskId,
  state,
  outcome,
  attempt,
  calls: calls.map(({ id, ref, tool, status, code }) => ({ id: ref ?? id, tool, status, code })),
  reasons,
  awaits,
});

/** The calls that interrupts are about: an interrupt names one that came before it. */
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

/** What was delivered says why it stands, in words. */
const wordEvents = async (orchestrator: Orchestrator, taskId: string): Promise<readonly AgUiEvent[]> => {
  const documents = await orchestrator.documents(taskId);
  const said = documents.flatMap(({ name, document }) =>
    name === 'UpFormatMessage' && (document.state === 'completed' || document.state === 'followup')
      ? document
      : [],
  );
  const [{ messageId, explanation } = { messageId: '', explanation: '' }] = said;
  if (explanation === '') return [];
  return [
    { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' },
    { type: 'TEXT_MESSAGE_CONTENT', messageId, delta: explanation },
    { type: 'TEXT_MESSAGE_END', messageId },
  ];
};

/** The events that end a run of AG-UI; `null` while it goes on. */
const endOf = async (
  orchestrator: Orchestrator,
  name: RunName,
  progress: Progress,
): Promise<readonly AgUiEvent[] | null> => {
  const { taskId, outcome, state, isSettled, reasons, draft } = progress;
  const finished = { type: 'RUN_FINISHED', ...name };
  if (outcome === 'success')
    return [
      ...(await wordEvents(orchestrator, taskId)),
      { ...finished, result: draft, outcome: { type: 'success' } },
    ];
  if (isSettled && state === 'cancelled') return [{ ...finished, outcome: { type: 'cancelled' } }];
  if (isSettled) {
    const words = reasons.map(({ code, about }) => `${reasonMeaning[code]} (${code}: ${about})`);
    return [{ type: 'RUN_ERROR', message: words.join(' '), ...(reasons[0] && { code: reasons[0].code }) }];
  }
  if (state !== 'needsHumanDecision' && state !== 'waiting') return null;
  const entries = await orchestrator.inbox(taskId);
  const interrupts = interruptsOf(entries);
  if (interrupts.length === 0) return null;
  return [...callEvents(entries), { ...finished, outcome: { type: 'interrupt', interrupts } }];
};

/** Waits for what moves a run, itself or nested in it. */
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

/** A run as AG-UI 1.0 tells it, until it delivers, ends, or is held up by questions. Ends with an error once `gone`. */
export async function* follow(
  orchestrator: Orchestrator,
  taskId: string,
  name: RunName,
  gone: AbortSignal,
): AsyncGenerator<AgUiEvent> {
  const moves = watch(orchestrator, taskId, gone);
  try {
    yield { type: 'RUN_STARTED', ...name, protocolVersion };
    let told = '';
    for (;;) {
      await moves.next();
      const progress = await orchestrator.progress(taskId);
      const snapshot = snapshotOf(progress);
      const text = JSON.stringify(snapshot);
      if (text !== told) yield { type: 'STATE_SNAPSHOT', snapshot };
      told = text;
      const end = await endOf(orchestrator, name, progress);
      if (end === null) continue;
      yield* end;
      return;
    }
  } finally {
    moves.leave();
  }
}
