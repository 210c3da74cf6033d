import { modelMessageSchema, type ModelMessage } from 'ai';
import * as z from 'zod';
import { parseDocument } from '../../base/boundary/parse-document.ts';
import type { Run } from '../../guard/run.ts';
import { saveState } from '../../guard/save-state.ts';
import { messagesText } from './seal.ts';

const Saved = z.strictObject({ messages: z.array(modelMessageSchema) });

/** Returns the messages that were saved with the task; `undefined` for none. */
export const savedMessages = async (run: Run): Promise<readonly ModelMessage[] | undefined> => {
  const state = await run.savedState();
  return state === null ? undefined : parseDocument('the saved state of the agent', Saved, state).messages;
};

/** Saves messages with the task. */
export const saveMessages = (run: Run, messages: readonly ModelMessage[]): Promise<void> =>
  saveState(run, JSON.parse(messagesText({ messages })), 'pass a `key`, and keep what it returns');
