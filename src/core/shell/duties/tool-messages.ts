import { v5 } from 'uuid';
import * as z from 'zod';
import { JsonObject, UpContext, type UpFormatMessage } from '../../../../schema/index.ts';
import { parseDocument } from '../../../base/boundary/parse-document.ts';
import { deepFreeze } from '../../../base/canonical/deep-freeze.ts';
import { frozenCopy } from '../../../base/canonical/freeze.ts';
import { CharterError } from '../../../base/errors.ts';
import type { CallContext } from '../../../base/ports/tool.ts';
import { rfc3339 } from '../../kernel/now.ts';
import { recordMessage } from '../record-message.ts';
import { recordedText } from '../redact.ts';
import { systemOf, type Run } from './performer.ts';

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
export const senderFor = ({ task, environment, tool, call, of, signal }: Run): CallContext['send'] => {
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
