import { v5 } from 'uuid';
import * as z from 'zod';
import { JsonObject, UpContext, type UpFeedback, type UpFormatMessage } from '../../../../schema/index.ts';
import { parseDocument } from '../../../base/boundary/parse-document.ts';
import { deepFreeze, ownCopy } from '../../../base/canonical/deep-freeze.ts';
import { frozenCopy } from '../../../base/canonical/freeze.ts';
import { CharterError } from '../../../base/errors.ts';
import { messageIdOf } from '../../../base/feedback/target.ts';
import type { TraceContext } from '../../../base/ports/telemetry.ts';
import { ToolOutcome, type CallContext } from '../../../base/ports/tool.ts';
import { rfc3339 } from '../../kernel/now.ts';
import { askedBy } from '../../kernel/projection/thread.ts';
import type { TaskView } from '../../kernel/view.ts';
import { recordMessage } from '../record-message.ts';
import { recordedText } from '../redact.ts';
import { withHostSignal } from '../work-signal.ts';
import { actingOf } from './acting.ts';
import { systemOf, type CallRun } from './performer.ts';

const ToolMessage = z.strictObject({
  state: z.enum(['submitted', 'waiting', 'completed', 'failed']),
  payload: JsonObject,
  explanation: z.string(),
  upContext: UpContext.optional(),
});

/** The maximum number of messages that one call sends. */
const mostMessages = 100;

const tooMany = (tool: string): CharterError<'document_invalid'> => {
  const message = `expected at most ${mostMessages} messages of one call`;
  return new CharterError('document_invalid', `a message of tool ${JSON.stringify(tool)}: ${message}`, {
    document: 'ToolMessage',
    issues: [{ path: '', message }],
  });
};

/** Returns the `send` of a call: its messages enter the thread under the name of its tool (UpFormat 2). */
const senderFor = ({ task, environment, tool, call, of, signal }: CallRun): CallContext['send'] => {
  let sent = 0;
  return async (given) => {
    if (signal.aborted) return; // the call is over
    if (sent === mostMessages) throw tooMany(tool.name);
    const { payload, explanation, ...rest } = parseDocument(
      'ToolMessage',
      ToolMessage,
      frozenCopy(given, 'ToolMessage'),
    );
    sent += 1;
    const { request, thread } = task.view.projection;
    const parent = thread.at(-1)?.messageId;
    const message: UpFormatMessage = deepFreeze({
      messageId: v5(`${call.digest} ${sent}`, of.request), // the same when the call is repeated
      threadId: request.threadId,
      ...(parent !== undefined && { parentMessageId: parent }),
      timestamp: rfc3339(environment.clock.now()),
      ...rest,
      payload: JsonObject.parse(environment.redact(payload, 'result')),
      explanation: recordedText(environment.redact, explanation),
      agentId: tool.name,
    });
    if (thread.some(({ messageId }) => messageId === message.messageId)) return;
    await recordMessage(task, environment, {
      message,
      actor: systemOf(tool.name),
      owner: request.identity.owner_id,
    });
  };
};

const questionPayload = ({ projection }: TaskView, answer: UpFeedback): CallContext['asked'] =>
  ownCopy(askedBy(projection, messageIdOf(answer))?.message.payload ?? null);

/** Returns what a tool is called with. */
export const contextFor = (run: CallRun, at: TraceContext): CallContext => {
  const { task, call, of, signal } = run;
  const resumed = task.view.projection.resumed[call.id];
  const context = {
    key: call.digest,
    call: call.id,
    attempt: of.attempt,
    requestId: of.request,
    traceId: task.view.projection.traceId,
    ...at,
    ...actingOf(run.environment, task.taskId, signal),
    answer: ownCopy(resumed?.answer ?? null),
    asked: resumed?.answer ? questionPayload(task.view, resumed.answer) : null,
    met: ownCopy(resumed?.met ?? null),
    send: senderFor(run),
    notYet: (wait) => new ToolOutcome('notYet', wait),
    needsHuman: (need) => new ToolOutcome('needsHuman', need),
    evidence: (evidence) => new ToolOutcome('evidence', { explanation: '', evidence }),
    notDone: (explanation) => new ToolOutcome('notDone', { explanation }),
  } satisfies Omit<CallContext, 'signal'>;
  return withHostSignal(context, signal, run.tool.stops === true ? task.cancelled : task.urgently);
};
