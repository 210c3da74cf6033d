import type { RunState, RunToolApprovalItem } from '@openai/agents';
import { isObject } from '../../boundary/is-object.ts';
import type { AnyAgent } from './agents.ts';

const isObjectText = (text = ''): boolean => {
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
};

/** Rejects calls whose arguments are no object: the SDK asks for their approval without asking their tool. */
export const rejectUnreadable = (
  state: RunState<unknown, AnyAgent>,
  interruptions: readonly RunToolApprovalItem[],
): boolean => {
  const broken = interruptions.filter((item) => !isObjectText(item.arguments));
  for (const item of broken) state.reject(item, { message: 'Its arguments are no JSON object.' });
  return broken.length > 0;
};
